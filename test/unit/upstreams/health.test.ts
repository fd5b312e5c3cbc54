/** Places that failed rest, longer each time; one call tries whether they are well again (F59). */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Health, openHealth } from '../../../server/upstreams/health.ts';

const place = { upstream: 'main', upstreamModel: 'm' };
const fault = new Error('fault');
const fails = () => Promise.reject(fault);
const caller = new Error('the caller');
const works = async () => 'done';

let health: Health;
beforeEach(() => {
  vi.useFakeTimers();
  health = openHealth({
    settings: () => ({ failures: 3, cooldownMs: 1_000 }),
    isFault: (thrown) => thrown === fault,
    isAnswer: (thrown) => thrown === caller,
    now: Date.now,
  });
});
afterEach(() => vi.useRealTimers());

async function fail(times: number): Promise<void> {
  for (let n = 0; n < times; n++) await expect(health.run(place, fails)).rejects.toBe(fault);
}

test('a place rests after so many failures in a row, and not after as many with a success between', async () => {
  await fail(2);
  expect(await health.run(place, works)).toBe('done');
  await fail(2);
  expect(health.restOf(place)).toBe(0);
  await fail(1);
  expect(health.restOf(place)).toBe(1_000);
  expect(health.states()).toEqual([{ ...place, state: 'open' }]);
});

test('F57: what is no fault of the place never counts', async () => {
  for (let n = 0; n < 10; n++) await expect(health.run(place, () => Promise.reject(caller))).rejects.toBe(caller);
  expect(health.restOf(place)).toBe(0);
});

test('F59: each trial that fails doubles the rest, and a success ends it', async () => {
  await fail(3);
  for (const rest of [1_000, 2_000, 4_000]) {
    expect(health.restOf(place)).toBe(rest);
    vi.advanceTimersByTime(rest);
    expect(health.restOf(place)).toBe(0);
    await fail(1);
  }
  vi.advanceTimersByTime(8_000);
  expect(await health.run(place, works)).toBe('done');
  expect(health.states()).toEqual([{ ...place, state: 'closed' }]);
});

test('F59: a rest that a vendor asks for only lengthens one, and never past ten minutes', async () => {
  health.rest(place, 5_000);
  health.rest(place, 1_000);
  expect(health.restOf(place)).toBe(5_000);
  await fail(3);
  expect(health.restOf(place)).toBe(5_000);
  health.rest(place, 10_000_000);
  expect(health.restOf(place)).toBe(600_000);
});

test('a trial whose caller leaves proves nothing, and one that is answered with a refusal proves that the place is there', async () => {
  await fail(3);
  vi.advanceTimersByTime(1_000);
  await expect(health.run(place, () => Promise.reject(new Error('left')))).rejects.toThrow('left');
  expect(health.states()).toMatchObject([{ state: 'open' }]);
  vi.advanceTimersByTime(2_000);
  await expect(health.run(place, () => Promise.reject(caller))).rejects.toBe(caller);
  expect(health.states()).toMatchObject([{ state: 'closed' }]);
});

test('while one call tries a place that rested nobody waits behind it, and a long trial keeps nobody out', async () => {
  await fail(3);
  vi.advanceTimersByTime(1_000);
  const { promise, resolve } = Promise.withResolvers<string>();
  const trial = health.run(place, () => promise);
  expect(await health.run(place, works)).toBeNull();
  vi.advanceTimersByTime(2_000);
  expect(await health.run(place, works)).toBe('done');
  // One beside it in each such time, and not everybody.
  expect(await health.run(place, works)).toBeNull();
  resolve('tried');
  expect(await trial).toBe('tried');
  expect(health.states()).toEqual([{ ...place, state: 'closed' }]);
});
