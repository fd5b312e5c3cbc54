/** The circuit breaker: after failures in a row a destination rests, longer each time, and one call is the trial (F59). */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CircuitBreakers, openCircuitBreakers } from '../../../server/providers/circuit-breaker.ts';

const place = { upstream: 'main', upstreamModel: 'm' };
const fault = new Error('fault');
const fails = () => Promise.reject(fault);
const caller = new Error('the caller');
const works = async () => 'done';

let health: CircuitBreakers;

/** One call: what it comes to, or null when the breaker does not let it in. */
async function run<T>(
  breakers: CircuitBreakers,
  work: () => Promise<T>,
  call?: Parameters<CircuitBreakers['tryAcquire']>[1],
): Promise<T | null> {
  const pass = breakers.tryAcquire(place, call);
  if (!pass) return null;
  try {
    const value = await work();
    pass.recordSuccess();
    return value;
  } catch (thrown) {
    pass.recordFailure({ isFault: thrown === fault, hasResponse: thrown === caller });
    throw thrown;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  health = openCircuitBreakers({
    settings: () => ({ failures: 3, cooldownMs: 1_000 }),
    now: Date.now,
  });
});
afterEach(() => vi.useRealTimers());

async function fail(times: number): Promise<void> {
  for (let n = 0; n < times; n++) await expect(run(health, fails)).rejects.toBe(fault);
}

test('opens for a destination after three failures in a row, and not with a success between', async () => {
  await fail(2);
  expect(await run(health, works)).toBe('done');
  await fail(2);
  expect(health.getCooldown(place)).toBe(0);
  await fail(1);
  expect(health.getCooldown(place)).toBe(1_000);
  expect(health.getStates()).toMatchObject([{ ...place, state: 'open', restMs: 1_000 }]);
});

test("F57: doesn't count errors that are no faults", async () => {
  for (let n = 0; n < 10; n++) await expect(run(health, () => Promise.reject(caller))).rejects.toBe(caller);
  expect(health.getCooldown(place)).toBe(0);
});

test('F59: doubles the cooldown with each failed trial, and ends it with a success', async () => {
  await fail(3);
  for (const rest of [1_000, 2_000, 4_000]) {
    expect(health.getCooldown(place)).toBe(rest);
    vi.advanceTimersByTime(rest);
    expect(health.getCooldown(place)).toBe(0);
    await fail(1);
  }
  vi.advanceTimersByTime(8_000);
  expect(await run(health, works)).toBe('done');
  expect(health.getStates()).toMatchObject([{ ...place, state: 'closed' }]);
});

test('F59: extends a cooldown to the wait of a provider, never past ten minutes', async () => {
  health.coolDown(place, 5_000);
  health.coolDown(place, 1_000);
  expect(health.getCooldown(place)).toBe(5_000);
  await fail(3);
  expect(health.getCooldown(place)).toBe(5_000);
  health.coolDown(place, 10_000_000);
  expect(health.getCooldown(place)).toBe(600_000);
});

test("stays open if a trial's caller disconnects, and closes if the trial gets an error of the caller", async () => {
  await fail(3);
  vi.advanceTimersByTime(1_000);
  await expect(run(health, () => Promise.reject(new Error('left')))).rejects.toThrow('left');
  expect(health.getStates()).toMatchObject([{ state: 'open' }]);
  vi.advanceTimersByTime(2_000);
  await expect(run(health, () => Promise.reject(caller))).rejects.toBe(caller);
  expect(health.getStates()).toMatchObject([{ state: 'closed' }]);
});

test('F59: lengthens no cooldown when the wall clock is set back', async () => {
  let steady = 0;
  const own = openCircuitBreakers({
    settings: () => ({ failures: 1, cooldownMs: 1_000 }),
    now: () => steady,
  });
  await expect(run(own, fails)).rejects.toBe(fault);
  vi.setSystemTime(Date.now() - 3_600_000);
  steady = 2_500;
  expect(own.getCooldown(place)).toBe(0);
  expect(await run(own, works)).toBe('done');
  expect(own.getStates()).toMatchObject([{ ...place, state: 'closed' }]);
});

test('skips the destination during a trial, and lets one more call through when the trial takes long', async () => {
  await fail(3);
  vi.advanceTimersByTime(1_000);
  const { promise, resolve } = Promise.withResolvers<string>();
  const trial = run(health, () => promise);
  expect(await run(health, works)).toBeNull();
  vi.advanceTimersByTime(2_000);
  expect(await run(health, works)).toBe('done');
  // One more call in each such period, and not all.
  expect(await run(health, works)).toBeNull();
  resolve('tried');
  expect(await trial).toBe('tried');
  expect(health.getStates()).toMatchObject([{ ...place, state: 'closed' }]);
});

test('removes the state of an upstream with forget, even if a call to it is still in flight', async () => {
  const other = { ...place, upstream: 'other' };
  const late = Promise.withResolvers<never>();
  const running = run(health, () => late.promise);
  await fail(2);
  health.coolDown(place, 60_000);
  health.coolDown(other, 5_000);
  health.forget(new Set(['main']));
  expect([health.getCooldown(place), health.getCooldown(other)]).toEqual([0, 5_000]);
  expect(health.getStates()).toMatchObject([{ ...other, state: 'closed', restMs: 5_000 }]);
  late.reject(fault);
  await expect(running).rejects.toBe(fault);
  expect(health.getCooldown(place)).toBe(0);
  await fail(2);
  expect(health.getCooldown(place)).toBe(0);
});

const failFor = async (account: string, times: number): Promise<void> => {
  for (let n = 0; n < times; n++) await expect(run(health, fails, { account })).rejects.toBe(fault);
};

test('A6: opens for one account only after its failures', async () => {
  await failFor('ada', 3);
  expect([health.getCooldown(place, 'ada'), health.getCooldown(place, 'bob')]).toEqual([1_000, 0]);
  expect(health.getStates()).toMatchObject([{ ...place, state: 'open', restMs: 1_000 }]);
  expect(await run(health, works, { account: 'bob' })).toBe('done');
  expect(health.getCooldown(place, 'ada')).toBe(1_000);
});

test('A6: opens for all accounts after failures in a row of two', async () => {
  await failFor('ada', 2);
  await failFor('bob', 1);
  expect(health.getCooldown(place, 'cyd')).toBe(1_000);
});

test('A6: stays closed after failures of two accounts with a success between them', async () => {
  await failFor('ada', 2);
  expect(await run(health, works, { account: 'cyd' })).toBe('done');
  await failFor('bob', 1);
  expect(health.getCooldown(place, 'cyd')).toBe(0);
});

test('A6: counts one account for at most half of the failures in a row', async () => {
  health = openCircuitBreakers({
    settings: () => ({ failures: 5, cooldownMs: 1_000 }),
    now: Date.now,
  });
  await failFor('ada', 4);
  await failFor('bob', 1);
  expect(health.getCooldown(place, 'cyd')).toBe(0);
  await failFor('bob', 1);
  expect(health.getCooldown(place, 'cyd')).toBe(1_000);
});

test("A6: tries the last destination in its cooldown; a response ends it, and a failure doesn't lengthen it", async () => {
  const last = { account: 'ada', isLastLeft: true };
  await failFor('ada', 3);
  await expect(run(health, fails, last)).rejects.toBe(fault);
  expect(health.getCooldown(place, 'ada')).toBe(1_000);
  expect(await run(health, works, last)).toBe('done');
  expect(health.getCooldown(place, 'ada')).toBe(0);
});
