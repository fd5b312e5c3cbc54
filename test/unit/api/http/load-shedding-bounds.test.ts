/** The default bounds of memory, by container, machine and heap (A4). */
import { expect, test } from 'vitest';

import { getCapacityBounds, getOverloadBounds, measureMachineMemory } from '../../../../server/api/http/capacity-bounds.ts';

const mebibyte = 1_048_576;
const settings = { overload: { loopDelayMs: 500 }, bodyLimitBytes: 20 * mebibyte, uploadLimitBytes: 256 * mebibyte };
const machine = (memoryMiB: number, heapMb: number) => ({ memory: memoryMiB * mebibyte, heap: heapMb * mebibyte });

function inMebibytes({ total, perKey, alone }: ReturnType<typeof getCapacityBounds>): readonly number[] {
  return [total, perKey, alone].map((bytes) => bytes / mebibyte);
}

test.each([
  ['a small container', machine(512, 256), 384, [512, 128, 512]],
  ['a container of a gigabyte', machine(1_024, 512), 588, [512, 128, 512]],
  ['a machine of 8 GiB', machine(8_192, 4_144), 3_857, [1_036, 259, 512]],
  ['a large machine with a large heap', machine(65_536, 32_768), 29_619, [8_192, 2_048, 2_048]],
  ['a large machine with the heap of every Node', machine(65_536, 4_288), 3_987, [1_072, 268, 512]],
])('A4: bounds calls and bodies on %s', (_name, found, memoryMiB, room) => {
  expect(getOverloadBounds(settings, found)).toEqual({ loopDelayMs: 500, memoryMiB });
  expect(inMebibytes(getCapacityBounds(settings, found))).toEqual(room);
});

test('A4: replaces the defaults with configured bounds, where 0 means no bound', () => {
  const overload = { loopDelayMs: 1, memoryMiB: 0, bodiesMiB: 100, bodiesPerKeyMiB: 7 };
  expect(getOverloadBounds({ overload }, machine(512, 256))).toEqual({ loopDelayMs: 1, memoryMiB: 0 });
  expect(inMebibytes(getCapacityBounds({ ...settings, overload }, machine(512, 256)))).toEqual([100, 7, 7]);
  const off = { ...settings, overload: { loopDelayMs: 1, bodiesMiB: 0 } };
  expect(inMebibytes(getCapacityBounds(off, machine(512, 256)))).toEqual([0, 0, 0]);
});

test('A4: reserves memory for the largest configured body on a small machine', () => {
  const large = { ...settings, bodyLimitBytes: 256 * mebibyte };
  expect(inMebibytes(getCapacityBounds(large, machine(512, 256)))).toEqual([2_048, 512, 2_048]);
});

test('A4: measures the memory and heap of this machine', () => {
  const { memory, heap } = measureMachineMemory();
  expect(memory).toBeGreaterThan(256 * mebibyte);
  expect(memory).toBeLessThan(2 ** 50);
  expect(heap).toBeGreaterThan(64 * mebibyte);
});
