/** Places that failed rest, longer each time; one call tries whether they are well again (F59). */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CircuitBreakers, openCircuitBreakers } from '../../../server/upstreams/circuit-breaker.ts';

const place = { upstream: 'main', upstreamModel: 'm' };
const fault = new Error('fault');
const fails = () => Promise.reject(fault);
const caller = new Error('the caller');
const works = async () => 'done';

let health: CircuitBreakers;
beforeEach(() => {
  vi.useFakeTimers();
  health = openCircuitBreakers({
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
  expect(health.states()).toMatchObject([{ ...place, state: 'open', restMs: 1_000 }]);
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
  expect(health.states()).toMatchObject([{ ...place, state: 'closed' }]);
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

test('F59: a clock that is set back keeps no place out for longer than its rest', async () => {
  let steady = 0;
  const own = openCircuitBreakers({
    settings: () => ({ failures: 1, cooldownMs: 1_000 }),
    isFault: () => true,
    isAnswer: () => false,
    now: () => steady,
  });
  await expect(own.run(place, fails)).rejects.toBe(fault);
  vi.setSystemTime(Date.now() - 3_600_000);
  steady = 2_500;
  expect(own.restOf(place)).toBe(0);
  expect(await own.run(place, works)).toBe('done');
  expect(own.states()).toMatchObject([{ ...place, state: 'closed' }]);
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
  expect(health.states()).toMatchObject([{ ...place, state: 'closed' }]);
});

test('what was learned of a place whose upstream is another one now is forgotten, and a call that is still on its way does not bring it back', async () => {
  const other = { ...place, upstream: 'other' };
  const late = Promise.withResolvers<never>();
  const running = health.run(place, () => late.promise);
  await fail(2);
  health.rest(place, 60_000);
  health.rest(other, 5_000);
  health.forget(new Set(['main']));
  expect([health.restOf(place), health.restOf(other)]).toEqual([0, 5_000]);
  expect(health.states()).toMatchObject([{ ...other, state: 'closed', restMs: 5_000 }]);
  late.reject(fault);
  await expect(running).rejects.toBe(fault);
  expect(health.restOf(place)).toBe(0);
  await fail(2);
  expect(health.restOf(place)).toBe(0);
});

const failFor = async (account: string, times: number): Promise<void> => {
  for (let n = 0; n < times; n++) await expect(health.run(place, fails, { account })).rejects.toBe(fault);
};

test('A6: failures that one account alone sees close the place to it, and to nobody else', async () => {
  await failFor('ada', 3);
  expect([health.restOf(place, 'ada'), health.restOf(place, 'bob')]).toEqual([1_000, 0]);
  expect(health.states()).toMatchObject([{ ...place, state: 'open', restMs: 1_000 }]);
  expect(await health.run(place, works, { account: 'bob' })).toBe('done');
  expect(health.restOf(place, 'ada')).toBe(1_000);
});

test('A6: failures in a row of more than one account close the place to all', async () => {
  await failFor('ada', 2);
  await failFor('bob', 1);
  expect(health.restOf(place, 'cyd')).toBe(1_000);
});

test('A6: failures of two accounts with a success between them close the place to nobody', async () => {
  await failFor('ada', 2);
  expect(await health.run(place, works, { account: 'cyd' })).toBe('done');
  await failFor('bob', 1);
  expect(health.restOf(place, 'cyd')).toBe(0);
});

test('A6: an account counts for half of the failures in a row at most', async () => {
  health = openCircuitBreakers({
    settings: () => ({ failures: 5, cooldownMs: 1_000 }),
    isFault: () => true,
    isAnswer: () => false,
    now: Date.now,
  });
  await failFor('ada', 4);
  await failFor('bob', 1);
  expect(health.restOf(place, 'cyd')).toBe(0);
  await failFor('bob', 1);
  expect(health.restOf(place, 'cyd')).toBe(1_000);
});

test('A6: the last place left is asked though it rests; an answer ends the rest, a failure does not lengthen it', async () => {
  const last = { account: 'ada', isLastLeft: true };
  await failFor('ada', 3);
  await expect(health.run(place, fails, last)).rejects.toBe(fault);
  expect(health.restOf(place, 'ada')).toBe(1_000);
  expect(await health.run(place, works, last)).toBe('done');
  expect(health.restOf(place, 'ada')).toBe(0);
});
