/** The default bounds of memory, by container, machine and heap (A4). */
import { expect, test } from 'vitest';
import { lookAtMachine, overloadBounds, roomBounds } from '../../../server/http/load-shedding.ts';

const mebibyte = 1_048_576;
const settings = { shed: { loopDelayMs: 500 }, bodyLimitBytes: 20 * mebibyte, uploadLimitBytes: 256 * mebibyte };
const machine = (memoryMb: number, heapMb: number) => ({ memory: memoryMb * mebibyte, heap: heapMb * mebibyte });

function inMebibytes({ total, perKey, alone }: ReturnType<typeof roomBounds>): readonly number[] {
  return [total, perKey, alone].map((bytes) => bytes / mebibyte);
}

test.each([
  ['a small container', machine(512, 256), 384, [512, 128, 512]],
  ['a container of a gigabyte', machine(1_024, 512), 588, [512, 128, 512]],
  ['a machine of 8 GiB', machine(8_192, 4_144), 3_857, [1_036, 259, 512]],
  ['a large machine with a large heap', machine(65_536, 32_768), 29_619, [8_192, 2_048, 2_048]],
  ['a large machine with the heap of every Node', machine(65_536, 4_288), 3_987, [1_072, 268, 512]],
])('A4: on %s calls and bodies have these bounds', (_name, found, memoryMb, room) => {
  expect(overloadBounds(settings, found)).toEqual({ loopDelayMs: 500, memoryMb });
  expect(inMebibytes(roomBounds(settings, found))).toEqual(room);
});

test('A4: configured bounds replace the defaults, and 0 is no bound', () => {
  const shed = { loopDelayMs: 1, memoryMb: 0, bodiesMb: 100, bodiesPerKeyMb: 7 };
  expect(overloadBounds({ shed }, machine(512, 256))).toEqual({ loopDelayMs: 1, memoryMb: 0 });
  expect(inMebibytes(roomBounds({ ...settings, shed }, machine(512, 256)))).toEqual([100, 7, 7]);
  const off = { ...settings, shed: { loopDelayMs: 1, bodiesMb: 0 } };
  expect(inMebibytes(roomBounds(off, machine(512, 256)))).toEqual([0, 0, 0]);
});

test('A4: a small machine has memory for the largest configured body', () => {
  const large = { ...settings, bodyLimitBytes: 256 * mebibyte };
  expect(inMebibytes(roomBounds(large, machine(512, 256)))).toEqual([2_048, 512, 2_048]);
});

test('A4: memory and heap of this machine are measured', () => {
  const { memory, heap } = lookAtMachine();
  expect(memory).toBeGreaterThan(256 * mebibyte);
  expect(memory).toBeLessThan(2 ** 50);
  expect(heap).toBeGreaterThan(64 * mebibyte);
});
