/** Load shedding by loop delay and by memory, on a clock that the test controls (test/e2e/crowding/overload blocks a real event loop). */
import { expect, onTestFinished, test, vi } from 'vitest';
import { getMemoryInUse, LoadShedding, type LoadSheddingBounds } from '../../../../server/api/http/load-shedding.ts';
import { holdIntervals } from '../../../harness/held-clock.ts';

interface Line {
  readonly level: 'warn' | 'info';
  readonly fields: unknown;
}

interface Open {
  readonly overload: LoadShedding;
  readonly lines: Line[];
}

/** Milliseconds between two measurements. */
const lookMs = 100;
const looksAMemory = 5;

function open(bounds: Partial<LoadSheddingBounds>, memory?: () => number, isStarting = false): Open {
  const lines: Line[] = [];
  const note = (level: Line['level']) => (fields: unknown) => void lines.push({ level, fields });
  const settings = { loopDelayMs: 0, memoryMiB: 0, ...bounds };
  // Only these two methods of the log are called.
  const log = { warn: note('warn'), info: note('info') } as never;
  const overload = new LoadShedding({ bounds: settings, log, ...(memory && { memory }) });
  if (!isStarting) overload.start();
  onTestFinished(() => overload.close());
  return { overload, lines };
}

/** Measurements that the test makes: so many on time, or one that is late by so many milliseconds. */
function holdLooks(): { look(times: number): void; lookLate(ms: number): void } {
  holdIntervals();
  const { now } = performance;
  // Whole milliseconds: sums of fractions would be a hair above or below a bound.
  let at = Math.ceil(now.call(performance));
  performance.now = () => at;
  onTestFinished(() => {
    performance.now = now;
  });
  const lookLate = (ms: number): void => {
    at += lookMs + ms;
    vi.advanceTimersByTime(lookMs);
  };
  return {
    lookLate,
    look(times) {
      for (let left = times; left > 0; left--) lookLate(0);
    },
  };
}

test('ignores the first long block after the start, while the first calls load modules', () => {
  const { look, lookLate } = holdLooks();
  const { overload, lines } = open({ loopDelayMs: 200 });
  look(5);
  lookLate(1_200);
  expect([overload.rejection, lines]).toEqual([null, []]);
  lookLate(1_200);
  expect(overload.rejection).toMatchObject({ code: 'overloaded' });
});

test('rejects calls from the measurement after a long block until two measurements later', () => {
  const { look, lookLate } = holdLooks();
  const { overload, lines } = open({ loopDelayMs: 200 });
  look(60);
  expect(overload.rejection).toBeNull();
  lookLate(800);
  expect(overload.rejection).toMatchObject({ code: 'overloaded', headers: { 'retry-after': '1' } });
  expect(overload.describe()).toBe('rejecting new calls: loop delay too high (400 ms)');
  look(1);
  expect(overload.describe()).toContain('200 ms');
  look(1);
  expect([lines.map(({ level }) => level), overload.describe()]).toEqual([['warn', 'info'], null]);
});

test('accepts calls after one short block, and rejects them after three in a row', () => {
  const { look, lookLate } = holdLooks();
  const { overload, lines } = open({ loopDelayMs: 200 });
  lookLate(390);
  look(20);
  expect([overload.rejection, lines]).toEqual([null, []]);
  for (let stops = 0; stops < 3; stops++) lookLate(300);
  expect(overload.describe()).toContain('loop delay');
});

test("ignores a long start, and doesn't log it", () => {
  const { look, lookLate } = holdLooks();
  const { overload, lines } = open({ loopDelayMs: 200 }, undefined, true);
  lookLate(5_000);
  expect(overload.rejection).toBeNull();
  overload.start();
  look(60);
  expect([lines, overload.rejection]).toEqual([[], null]);
  lookLate(5_000);
  expect(overload.rejection).not.toBeNull();
});

test("rejects calls while memory is over the bound, until it's 5 percent below", () => {
  const { look } = holdLooks();
  let used = 90;
  const { overload, lines } = open({ memoryMiB: 100 }, () => used * 1_048_576);
  look(looksAMemory);
  expect(overload.rejection).toBeNull();
  used = 101;
  look(looksAMemory);
  expect(overload.describe()).toBe('rejecting new calls: memory too high (101 MiB)');
  used = 97;
  look(looksAMemory);
  expect(overload.describe()).toContain('97 MiB');
  used = 94;
  look(looksAMemory);
  expect(overload.rejection).toBeNull();
  expect(lines).toMatchObject([
    { level: 'warn', fields: { excess: 'memory', memoryMiB: 101 } },
    { level: 'info', fields: { memoryMiB: 94 } },
  ]);
});

test('rejects nothing without bounds', () => {
  const { lookLate } = holdLooks();
  const { overload } = open({}, () => Number.MAX_SAFE_INTEGER);
  for (let looks = 0; looks < 2 * looksAMemory; looks++) lookLate(600);
  expect(overload.rejection).toBeNull();
});

test('A4: excludes memory that the allocator keeps after a burst from the memory in use', () => {
  const mebibyte = 1_048_576;
  // Measured after forty bodies of 20 MB: most of the resident memory is free.
  const after = { rss: 1_872 * mebibyte, heapTotal: 189 * mebibyte, external: 51 * mebibyte };
  expect(getMemoryInUse(after) / mebibyte).toBe(189 + 51 + 96);
  expect(getMemoryInUse({ ...after, rss: 200 * mebibyte }) / mebibyte).toBe(200);
});
