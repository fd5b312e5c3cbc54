/** Failover and health: candidates that rest or whose circuit breaker is open, and which failures count as faults (F59). */
import { describe, expect, test } from 'vitest';
import { isAnswer, isFault } from '../../../server/request/failover.ts';
import type { CircuitBreakers } from '../../../server/upstreams/circuit-breaker.ts';
import { breaker, busy, failed, fails, openTries } from './failover-stage.ts';

describe('F59: a candidate that rests', () => {
  const wrong = failed('upstream_error', { status: 500 });
  const rest = (health: CircuitBreakers, upstream: string, ms: number): void => health.coolDown({ upstream, upstreamModel: 'm' }, ms);

  test('is skipped when another one is ready', async () => {
    const { run, asked, health } = openTries({ deeds: { main: ['answers'], backup: ['answers'] } });
    rest(health, 'main', 1);
    expect([await run(), asked]).toEqual(['backup', ['backup']]);
  });

  test.each([
    [4_001, '5'],
    [400, '1'],
  ])('is not waited for by a new call: when the shortest rest is %i ms, the error has retry-after %s', async (ms, seconds) => {
    const { run, asked, health, clock } = openTries({ deeds: { main: ['answers'], backup: ['answers'] } });
    rest(health, 'main', 60_000);
    rest(health, 'backup', ms);
    await expect(run()).rejects.toMatchObject({ code: 'no_upstream_available', headers: { 'retry-after': seconds } });
    expect([asked, clock.pauses]).toEqual([[], []]);
  });

  test.each([
    [2_000, 'backup'],
    [2_001, null],
  ])('for %i ms is waited for after a failed attempt when that is at most two seconds', async (ms, answered) => {
    const { run, health, clock } = openTries({ deeds: { main: [failed('upstream_error', { status: 404 })], backup: ['answers'] } });
    rest(health, 'backup', ms);
    if (answered === null) expect((await fails(run)).code).toBe('upstream_error');
    else expect(await run()).toBe(answered);
    expect(clock.pauses).toEqual(answered === null ? [] : [2_100]);
  });

  test('is waited for when its rest is the shortest of several', async () => {
    const { run, asked, health } = openTries({
      deeds: { main: [failed('upstream_error', { status: 404 })], long: ['answers'], short: ['answers'] },
    });
    rest(health, 'long', 2_000);
    rest(health, 'short', 500);
    expect([await run(), asked]).toEqual(['short', ['main', 'short']]);
  });

  test('rests for the retry-after of its vendor when there is another candidate', async () => {
    const { run, health, places } = openTries({ deeds: { main: [failed(busy, { status: 429, waitS: 7 })], backup: ['answers'] } });
    await run();
    expect(places.map((place) => health.cooldownOf(place))).toEqual([7_000, 0]);
  });

  test('does not rest when it is the only one: the caller gets the retry-after of the vendor', async () => {
    const { run, health, places } = openTries({ deeds: { main: [failed(busy, { status: 429, waitS: 7 })] } });
    expect(await fails(run)).toMatchObject({ headers: { 'retry-after': '7' } });
    expect(places.map((place) => health.cooldownOf(place))).toEqual([0]);
  });

  test('and has a trial by another call is skipped without an attempt', async () => {
    const { run, asked, health, call, clock } = openTries({ deeds: { main: ['answers'], backup: ['answers'] } });
    const place = { upstream: 'main', upstreamModel: 'm' };
    for (let n = 0; n < breaker.failures; n++) await health.run(place, () => Promise.reject(wrong)).catch(() => undefined);
    clock.pass(breaker.cooldownMs);
    const trial = Promise.withResolvers<string>();
    const trying = health.run(place, () => trial.promise);
    expect([await run(), asked]).toEqual(['backup', ['backup']]);
    expect(call.outcome.attempts).toHaveLength(1);
    trial.resolve('well');
    await trying;
  });
});

describe('A6: a candidate whose circuit breaker is open', () => {
  const wrong = failed('upstream_error', { status: 500 });
  const open = async (health: CircuitBreakers, upstream: string, account?: string): Promise<void> => {
    const asking = account === undefined ? {} : { account };
    for (let n = 0; n < breaker.failures; n++)
      await health.run({ upstream, upstreamModel: 'm' }, () => Promise.reject(wrong), asking).catch(() => undefined);
  };

  test('is asked when it is the only one, and a good answer closes the breaker', async () => {
    const { run, asked, health } = openTries({ deeds: { main: ['answers'] } });
    await open(health, 'main');
    expect(health.states()).toMatchObject([{ state: 'open' }]);
    expect([await run(), asked]).toEqual(['main', ['main']]);
    expect(health.states()).toMatchObject([{ state: 'closed' }]);
  });

  test('is asked once in a call when it is the only one and fails', async () => {
    const { run, asked, health } = openTries({ deeds: { main: [wrong] } });
    await open(health, 'main');
    expect(await fails(run)).toBe(wrong.error);
    expect(asked).toEqual(['main']);
  });

  /** Runs `work` while another call has the trial of `main`. */
  async function whileTried<T>(health: CircuitBreakers, work: () => Promise<T>): Promise<T> {
    const trial = Promise.withResolvers<string>();
    const trying = health.run({ upstream: 'main', upstreamModel: 'm' }, () => trial.promise);
    const found = await work();
    trial.resolve('well');
    await trying;
    return found;
  }

  test('is asked when it is the only one and another call has the trial', async () => {
    const { run, asked, health, clock } = openTries({ deeds: { main: ['answers'] } });
    await open(health, 'main');
    clock.pass(breaker.cooldownMs);
    expect([await whileTried(health, run), asked]).toEqual(['main', ['main']]);
  });

  test('is asked when another call has the trial and no other candidate can be asked', async () => {
    const { run, asked, health, clock } = openTries({ deeds: { main: ['answers'], backup: ['cannot be asked'] } });
    await open(health, 'main');
    clock.pass(breaker.cooldownMs);
    expect([await whileTried(health, run), asked]).toEqual(['main', ['main']]);
  });

  test('is asked when all others are open too: the one first whose cooldown ends first', async () => {
    const { run, asked, health, clock } = openTries({ deeds: { main: ['answers'], backup: [wrong] } });
    await open(health, 'backup');
    clock.pass(1_000);
    await open(health, 'main');
    expect([await run(), asked]).toEqual(['main', ['backup', 'main']]);
  });

  test('is not asked while it also rests by retry-after', async () => {
    const { run, asked, health } = openTries({ deeds: { main: ['answers'], backup: ['answers'] } });
    await open(health, 'main');
    for (const upstream of ['main', 'backup']) health.coolDown({ upstream, upstreamModel: 'm' }, 5_000);
    await expect(run()).rejects.toMatchObject({ code: 'no_upstream_available' });
    expect(asked).toEqual([]);
  });

  test('by failures of one account is still asked for other accounts', async () => {
    const { run, asked, health } = openTries({ deeds: { main: ['answers'], backup: ['answers'] } });
    await open(health, 'main', 'another account');
    expect([await run(), asked]).toEqual(['main', ['main']]);
  });
});

describe('whether a failure is a fault of the candidate, and whether it is an answer', () => {
  test.each([
    ['an answer of 500', failed('upstream_error', { status: 500 }), { isFault: true, isAnswer: true }],
    ['a timeout', failed('upstream_timeout'), { isFault: true, isAnswer: false }],
    ['an answer of 404', failed('upstream_error', { status: 404 }), { isFault: true, isAnswer: true }],
    ['an overloaded vendor', failed('overloaded', { status: 503 }), { isFault: true, isAnswer: true }],
    ['a rate limit', failed(busy, { status: 429 }), { isFault: false, isAnswer: true }],
    ['a rate limit for ten minutes', failed(busy, { status: 429, waitS: 600 }), { isFault: false, isAnswer: true }],
    ['a rate limit inside of status 200', failed(busy, { status: 200 }), { isFault: false, isAnswer: true }],
    ['a mistake of the caller', failed('invalid_value', { status: 400 }), { isFault: false, isAnswer: true }],
    ['a full concurrency limit', failed('overloaded', { verdict: 'elsewhere' }), { isFault: false, isAnswer: false }],
    ['no usable API key', failed('no_upstream_available', { verdict: 'elsewhere' }), { isFault: false, isAnswer: false }],
    ['the only API key refused', failed('upstream_error', { status: 401 }), { isFault: true, isAnswer: true }],
    ['one of several API keys refused', failed('upstream_error', { status: 401, verdict: 'again' }), { isFault: false, isAnswer: true }],
    ['an unexpected error', new TypeError('no such thing'), { isFault: false, isAnswer: false }],
  ])('F57: %s', (_what, thrown, expected) => {
    expect({ isFault: isFault(thrown), isAnswer: isAnswer(thrown) }).toEqual(expected);
  });
});
