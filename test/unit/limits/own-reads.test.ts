/** The bound on reading the own bill: so many a minute and key, and none of it for another key. */
import { expect, test } from 'vitest';
import { MAX_OWN_READS, type OwnRead, OwnReadLimiter, RECEIPTS_PER_READ } from '../../../server/api/v1/own-read-limiter.ts';
import { GatewayError } from '../../../server/primitives/errors.ts';

function openReads() {
  const clock = { now: 1_000_000 };
  const reads = new OwnReadLimiter(() => clock.now);
  const read = (key = 'key_1', what: OwnRead = 'other'): GatewayError | null => {
    try {
      reads.count(key, what);
      return null;
    } catch (rejected) {
      if (rejected instanceof GatewayError) return rejected;
      throw rejected;
    }
  };
  const readAll = (key?: string) => Array.from({ length: MAX_OWN_READS }, () => read(key));
  return { clock, read, readAll };
}

test('lets a key read up to the bound per minute, and again in the next minute', () => {
  const { clock, read, readAll } = openReads();
  expect(readAll().every((rejected) => rejected === null)).toBe(true);
  clock.now += 45_000;
  expect(read()).toMatchObject({ code: 'rate_limit_exceeded', headers: { 'retry-after': '15', 'retry-after-ms': '15000' } });
  clock.now -= 1;
  expect(read()).toMatchObject({ headers: { 'retry-after': '16', 'retry-after-ms': '15001' } });
  clock.now += 15_000;
  expect(read()).toMatchObject({
    headers: { 'retry-after': '1', 'retry-after-ms': '1' },
    message: expect.stringContaining('or 6,000 receipts'),
  });
  clock.now -= 14_999;
  expect(read('key_2')).toBeNull();
  clock.now += 15_000;
  expect(readAll().every((rejected) => rejected === null)).toBe(true);
  expect(read()).not.toBeNull();
});

test('counts fifty receipts as one other read', () => {
  const { read } = openReads();
  const receipts = (count: number) => Array.from({ length: count }, () => read('key_1', 'receipt'));
  expect(receipts(MAX_OWN_READS * RECEIPTS_PER_READ).every((rejected) => rejected === null)).toBe(true);
  expect(receipts(1)).not.toEqual([null]);
  expect(read('key_1')).not.toBeNull();
});

test('remembers 10,000 keys, and forgets the one that began first if there are more', () => {
  const { clock, read, readAll } = openReads();
  read('first');
  readAll();
  for (let other = 2; other < 10_000; other++) read(`other_${other}`);
  expect(read()).not.toBeNull();
  clock.now += 60_000;
  readAll();
  // It began anew, so another one is forgotten.
  read('one more');
  read('two more');
  expect(read()).not.toBeNull();
  // As many as began before it.
  for (let other = 0; other < 9_997; other++) read(`another_${other}`);
  expect(read()).not.toBeNull();
  read('the last');
  expect(read()).toBeNull();
});

test('delays no key for longer than a minute after a clock is set back', () => {
  const { clock, read, readAll } = openReads();
  readAll();
  clock.now -= 3_600_000;
  expect(read()).toBeNull();
});
