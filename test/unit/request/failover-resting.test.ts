/** Failover and the health of places: a place that rests is passed over, and what a failure says of its place (F59). */
import { describe, expect, test } from 'vitest';
import { isAnswer, isFault } from '../../../server/request/failover.ts';
import type { CircuitBreakers } from '../../../server/upstreams/circuit-breaker.ts';
import { breaker, busy, failed, fails, openTries } from './failover-stage.ts';

describe('F59: a place that rests', () => {
  const wrong = failed('upstream_error', { status: 500 });
  const rest = (health: CircuitBreakers, upstream: string, ms: number): void => health.coolDown({ upstream, upstreamModel: 'm' }, ms);

  test('is passed over where another one is ready, though it stands before that', async () => {
    const { run, asked, health } = openTries({ deeds: { main: ['answers'], backup: ['answers'] } });
    rest(health, 'main', 1);
    expect([await run(), asked]).toEqual(['backup', ['backup']]);
  });

  test.each([
    [4_001, '5'],
    [400, '1'],
  ])(
    'is not waited for by a new call: the soonest rests for %i ms, and the caller is told at once to come back in %s s',
    async (ms, seconds) => {
      const { run, asked, health, clock } = openTries({ deeds: { main: ['answers'], backup: ['answers'] } });
      rest(health, 'main', 60_000);
      rest(health, 'backup', ms);
      await expect(run()).rejects.toMatchObject({ code: 'no_upstream_available', headers: { 'retry-after': seconds } });
      expect([asked, clock.pauses]).toEqual([[], []]);
    },
  );

  test.each([
    [2_000, 'backup'],
    [2_001, null],
  ])('for %i ms is waited for by a call that has failed already, where that is no longer than two seconds', async (ms, answered) => {
    const { run, health, clock } = openTries({ deeds: { main: [failed('upstream_error', { status: 404 })], backup: ['answers'] } });
    rest(health, 'backup', ms);
    if (answered === null) expect((await fails(run)).code).toBe('upstream_error');
    else expect(await run()).toBe(answered);
    expect(clock.pauses).toEqual(answered === null ? [] : [2_100]);
  });

  test('is the one of several that rests shortest', async () => {
    const { run, asked, health } = openTries({
      deeds: { main: [failed('upstream_error', { status: 404 })], long: ['answers'], short: ['answers'] },
    });
    rest(health, 'long', 2_000);
    rest(health, 'short', 500);
    expect([await run(), asked]).toEqual(['short', ['main', 'short']]);
  });

  test('does so for as long as its vendor asks for, where there is another place', async () => {
    const { run, health, places } = openTries({ deeds: { main: [failed(busy, { status: 429, waitS: 7 })], backup: ['answers'] } });
    await run();
    expect(places.map((place) => health.cooldownOf(place))).toEqual([7_000, 0]);
  });

  test('does not where there is no other: each caller hears from the vendor itself how long to wait', async () => {
    const { run, health, places } = openTries({ deeds: { main: [failed(busy, { status: 429, waitS: 7 })] } });
    expect(await fails(run)).toMatchObject({ headers: { 'retry-after': '7' } });
    expect(places.map((place) => health.cooldownOf(place))).toEqual([0]);
  });

  test('and is just being tried by another call is passed over without an attempt', async () => {
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

describe('A6: a place whose breaker is open', () => {
  const wrong = failed('upstream_error', { status: 500 });
  const open = async (health: CircuitBreakers, upstream: string, account?: string): Promise<void> => {
    const asking = account === undefined ? {} : { account };
    for (let n = 0; n < breaker.failures; n++)
      await health.run({ upstream, upstreamModel: 'm' }, () => Promise.reject(wrong), asking).catch(() => undefined);
  };

  test('is asked where it is the only one, and a good answer closes it', async () => {
    const { run, asked, health } = openTries({ deeds: { main: ['answers'] } });
    await open(health, 'main');
    expect(health.states()).toMatchObject([{ state: 'open' }]);
    expect([await run(), asked]).toEqual(['main', ['main']]);
    expect(health.states()).toMatchObject([{ state: 'closed' }]);
  });

  test('is asked once for a call where it is the only one and fails', async () => {
    const { run, asked, health } = openTries({ deeds: { main: [wrong] } });
    await open(health, 'main');
    expect(await fails(run)).toBe(wrong.error);
    expect(asked).toEqual(['main']);
  });

  /** What comes of the work while another call tries the place `main`. */
  async function whileTried<T>(health: CircuitBreakers, work: () => Promise<T>): Promise<T> {
    const trial = Promise.withResolvers<string>();
    const trying = health.run({ upstream: 'main', upstreamModel: 'm' }, () => trial.promise);
    const found = await work();
    trial.resolve('well');
    await trying;
    return found;
  }

  test('is asked where it is the only one and another call is just trying it', async () => {
    const { run, asked, health, clock } = openTries({ deeds: { main: ['answers'] } });
    await open(health, 'main');
    clock.pass(breaker.cooldownMs);
    expect([await whileTried(health, run), asked]).toEqual(['main', ['main']]);
  });

  test('is asked where another call is just trying it and no other place can be asked', async () => {
    const { run, asked, health, clock } = openTries({ deeds: { main: ['answers'], backup: ['cannot be asked'] } });
    await open(health, 'main');
    clock.pass(breaker.cooldownMs);
    expect([await whileTried(health, run), asked]).toEqual(['main', ['main']]);
  });

  test('is asked where all others are open too, the one first whose rest ends first', async () => {
    const { run, asked, health, clock } = openTries({ deeds: { main: ['answers'], backup: [wrong] } });
    await open(health, 'backup');
    clock.pass(1_000);
    await open(health, 'main');
    expect([await run(), asked]).toEqual(['main', ['backup', 'main']]);
  });

  test('is not asked where its vendor wants to be left alone as well', async () => {
    const { run, asked, health } = openTries({ deeds: { main: ['answers'], backup: ['answers'] } });
    await open(health, 'main');
    for (const upstream of ['main', 'backup']) health.coolDown({ upstream, upstreamModel: 'm' }, 5_000);
    await expect(run()).rejects.toMatchObject({ code: 'no_upstream_available' });
    expect(asked).toEqual([]);
  });

  test('is left alone by the account alone whose calls failed there', async () => {
    const { run, asked, health } = openTries({ deeds: { main: ['answers'], backup: ['answers'] } });
    await open(health, 'main', 'another account');
    expect([await run(), asked]).toEqual(['main', ['main']]);
  });
});

describe('what a failure says of its place', () => {
  test.each([
    ['an answer of 500', failed('upstream_error', { status: 500 }), { isFault: true, isAnswer: true }],
    ['silence', failed('upstream_timeout'), { isFault: true, isAnswer: false }],
    ['an answer of 404', failed('upstream_error', { status: 404 }), { isFault: true, isAnswer: true }],
    ['no room at the vendor', failed('overloaded', { status: 503 }), { isFault: true, isAnswer: true }],
    ['a vendor that is busy', failed(busy, { status: 429 }), { isFault: false, isAnswer: true }],
    ['a vendor that is busy for long', failed(busy, { status: 429, waitS: 600 }), { isFault: false, isAnswer: true }],
    ['a vendor that says so inside of status 200', failed(busy, { status: 200 }), { isFault: false, isAnswer: true }],
    ['a mistake of the caller', failed('invalid_value', { status: 400 }), { isFault: false, isAnswer: true }],
    ['no connection to spare', failed('overloaded', { verdict: 'elsewhere' }), { isFault: false, isAnswer: false }],
    ['no key that is good', failed('no_upstream_available', { verdict: 'elsewhere' }), { isFault: false, isAnswer: false }],
    ['the one key of a place refused', failed('upstream_error', { status: 401 }), { isFault: true, isAnswer: true }],
    ['one of its keys refused', failed('upstream_error', { status: 401, verdict: 'again' }), { isFault: false, isAnswer: true }],
    ['what nobody foresaw', new TypeError('no such thing'), { isFault: false, isAnswer: false }],
  ])('F57: %s', (_what, thrown, expected) => {
    expect({ isFault: isFault(thrown), isAnswer: isAnswer(thrown) }).toEqual(expected);
  });
});
