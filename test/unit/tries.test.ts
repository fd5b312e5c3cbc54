/** What becomes of a call whose attempt failed: which failure goes to the next place, which ends it, how often, how long, and what the caller hears (promise G5, F57, F59). */
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../contract/errors.ts';
import { GatewayError } from '../../server/errors.ts';
import { AttemptFailed, isAnswer, isFault, tryInTurn } from '../../server/tries.ts';
import type { Verdict } from '../../server/upstreams/attempt.ts';
import { type Health, openHealth } from '../../server/upstreams/health.ts';
import { type HeldClock, holdClock } from '../harness/pauses.ts';
import { openCall } from './one-call.ts';
import { placeAt } from './places.ts';

interface Told {
  /** Of the vendor's answer; null where none came. */
  readonly status?: number | null;
  readonly waitS?: number;
  readonly verdict?: Verdict;
}

function failed(code: ErrorCode, { status = null, waitS, verdict }: Told = {}): AttemptFailed {
  const headers: Record<string, string> = waitS === undefined ? {} : { 'retry-after': String(waitS) };
  const more = { restMs: (waitS ?? 0) * 1_000, ...(verdict && { verdict }) };
  return new AttemptFailed(new GatewayError(code, { headers }), { status, ...more });
}

/** What a place does when it is asked: it answers, fails, or is not asked at all. */
type Deed = 'answers' | 'cannot be asked' | Error | (() => Deed);

interface Order {
  /** By upstream, one deed for each time that it is asked; the last one again and again. */
  readonly deeds: Readonly<Record<string, readonly Deed[]>>;
  readonly maxAttempts?: number;
  readonly deadlineMs?: number;
  readonly isAbandoned?: () => boolean;
}

function openTries({ deeds, maxAttempts = 10, deadlineMs = 60_000, isAbandoned = () => false }: Order, clock: HeldClock = holdClock()) {
  const { call } = openCall();
  const health = openHealth({ settings: () => breaker, isFault, isAnswer });
  const places = Object.keys(deeds).map((upstream) => placeAt(upstream));
  const asked: string[] = [];
  const prepare = ({ upstream }: { readonly upstream: string }) => {
    const before = asked.filter((name) => name === upstream).length;
    const own = deeds[upstream] ?? [];
    let deed = own[Math.min(before, own.length - 1)] ?? 'answers';
    if (deed === 'cannot be asked') return null;
    return async () => {
      asked.push(upstream);
      call.beginAttempt(upstream);
      while (typeof deed === 'function') deed = deed();
      if (deed instanceof Error) throw deed;
      return upstream;
    };
  };
  const run = () => tryInTurn({ call, health, places, prepare, isAbandoned, routing: { ...routing, maxAttempts, deadlineMs } });
  return { call, health, places, asked, clock, run };
}

const breaker = { failures: 100, cooldownMs: 60_000 };
const routing = { affinity: 'none', breaker } as const;

/** The error that the caller hears. */
async function fails(run: () => Promise<string>): Promise<GatewayError> {
  const thrown = await run().then(
    (answer) => expect.fail(`answered by ${answer}`),
    (error: unknown) => error,
  );
  return thrown instanceof AttemptFailed ? thrown.error : expect.fail(`no failed attempt: ${thrown}`);
}

const busy = 'rate_limit_exceeded';

describe('of two places, the first of which', () => {
  test.each([
    ['answers 500', failed('upstream_error', { status: 500 })],
    ['has no room', failed('overloaded', { status: 503 })],
    ['is busy', failed(busy, { status: 429 })],
    ['is busy for longer than a caller waits', failed(busy, { status: 429, waitS: 600 })],
    ['knows the key no more', failed('upstream_error', { status: 401 })],
    ['does not have the model', failed('upstream_error', { status: 404 })],
    ['says nothing in time', failed('upstream_timeout')],
    ['breaks off', failed('upstream_error')],
    ['has no connection to spare', failed('overloaded', { verdict: 'elsewhere' })],
    ['has no key that its vendor takes', failed('no_upstream_available', { verdict: 'elsewhere' })],
  ])('G5: %s, the second one is asked, at once', async (_what, failure) => {
    const { run, asked, call, clock } = openTries({ deeds: { main: [failure], backup: ['answers'] } });
    expect(await run()).toBe('backup');
    expect([asked, clock.pauses]).toEqual([['main', 'backup'], []]);
    const { status, error } = failure;
    expect(call.attempts).toMatchObject([
      { upstream: 'main', status, code: error.code },
      { upstream: 'backup', status: 200, code: null },
    ]);
  });

  test.each([
    ['refuses a value', failed('invalid_value', { status: 400 })],
    ['refuses the length', failed('context_length_exceeded', { status: 400 })],
    ['refuses the size', failed('request_too_large', { status: 413 })],
    ['fails by a fault of ours', failed('internal_error', { status: 200 })],
    ['draws a picture for too long', failed('upstream_timeout', { verdict: 'caller' })],
  ])('F57: %s, the second one is not asked', async (_what, failure) => {
    const { run, asked, call } = openTries({ deeds: { main: [failure], backup: ['answers'] } });
    expect(await fails(run)).toBe(failure.error);
    expect(asked).toEqual(['main']);
    expect(call.attempts).toMatchObject([{ upstream: 'main', code: failure.error.code }]);
  });

  test.each([
    ['of a caller who has left', new GatewayError('upstream_error'), 'upstream_error'],
    ['that nobody foresaw', new TypeError('no such thing'), 'internal_error'],
  ])('G5: throws what is no failed attempt (%s), the second one is not asked, and that is what is thrown', async (_what, thrown, code) => {
    const { run, asked, call } = openTries({ deeds: { main: [thrown], backup: ['answers'] } });
    await expect(run()).rejects.toBe(thrown);
    expect(asked).toEqual(['main']);
    expect(call.attempts).toMatchObject([{ upstream: 'main', status: null, code }]);
  });

  test('answers, the second one is not asked', async () => {
    const { run, asked } = openTries({ deeds: { main: ['answers'], backup: ['answers'] } });
    expect([await run(), asked]).toEqual(['main', ['main']]);
  });
});

describe('a model at one place alone', () => {
  test.each([
    ['that answers 500', 2, failed('upstream_error', { status: 500 })],
    ['that says nothing in time', 2, failed('upstream_timeout')],
    ['that answers 408', 2, failed('upstream_error', { status: 408 })],
    ['that is busy for a moment', 2, failed(busy, { status: 503, waitS: 2 })],
    ['that is busy for longer', 1, failed(busy, { status: 503, waitS: 3 })],
    ['that knows the key no more', 1, failed('upstream_error', { status: 401 })],
    ['that does not have the model', 1, failed('upstream_error', { status: 404 })],
    ['that had no connection to spare', 1, failed('overloaded', { verdict: 'elsewhere' })],
  ])('G5: %s is asked so often: %i', async (_what, times, failure) => {
    const { run, asked } = openTries({ deeds: { main: [failure] } });
    expect(await fails(run)).toBe(failure.error);
    expect(asked).toHaveLength(times);
  });

  test('of many keys, which its vendor refuses one by one, is asked with each of them as long as attempts are left', async () => {
    const { run, asked } = openTries({ deeds: { main: [failed('upstream_error', { status: 401, verdict: 'again' })] }, maxAttempts: 5 });
    await fails(run);
    expect(asked).toHaveLength(5);
  });

  test('is left alone before it is asked again, twice as long each time, by half as much as chance says', async () => {
    const refused = failed('upstream_error', { status: 401, verdict: 'again' });
    const { run, clock } = openTries({ deeds: { main: [refused] }, maxAttempts: 4 }, holdClock(0));
    await fails(run);
    expect(clock.pauses).toEqual([100, 200, 400]);
    const longest = openTries({ deeds: { main: [refused] }, maxAttempts: 4 }, holdClock(1));
    await fails(longest.run);
    expect(longest.clock.pauses).toEqual([200, 400, 800]);
  });
});

test('G5: a place that failed stands behind all others, and none is asked a third time', async () => {
  const wrong = failed('upstream_error', { status: 500 });
  const { run, asked } = openTries({ deeds: { one: [wrong], two: [wrong], three: [wrong] } });
  await fails(run);
  expect(asked).toEqual(['one', 'two', 'three', 'one', 'two', 'three']);
});

describe('G5: so many attempts as are allowed', () => {
  const wrong = failed('upstream_error', { status: 500 });
  const full = failed('overloaded', { verdict: 'elsewhere' });
  const noKey = failed('no_upstream_available', { verdict: 'elsewhere' });

  test.each([1, 2, 3])('are made, and no more: %i', async (maxAttempts) => {
    const { run, asked } = openTries({ deeds: { one: [wrong], two: [wrong], three: [wrong] }, maxAttempts });
    await fails(run);
    expect(asked).toHaveLength(maxAttempts);
  });

  test('do not count places that could not be asked at all', async () => {
    const { run, asked } = openTries({
      deeds: { one: [full], two: [noKey], three: ['cannot be asked'], four: ['answers'] },
      maxAttempts: 1,
    });
    expect([await run(), asked]).toEqual(['four', ['one', 'two', 'four']]);
  });

  test('count a vendor that itself says that it has no room', async () => {
    const { run, asked } = openTries({
      deeds: { one: [failed('overloaded', { status: 503 })], two: ['answers'] },
      maxAttempts: 1,
    });
    expect([(await fails(run)).code, asked]).toEqual(['overloaded', ['one']]);
  });
});

describe('G5: the deadline', () => {
  const after = (clock: HeldClock, ms: number, deed: Deed) => () => {
    clock.pass(ms);
    return deed;
  };
  const wrong = failed('upstream_error', { status: 500 });

  test.each([
    ['is still to come', 1_000, 'backup'],
    ['has passed', 1_001, null],
  ])('that %s after a failed attempt decides whether another one begins', async (_what, ms, answered) => {
    const clock = holdClock();
    const { run, asked } = openTries({ deeds: { main: [after(clock, ms, wrong)], backup: ['answers'] }, deadlineMs: 1_000 }, clock);
    if (answered === null) expect(await fails(run)).toBe(wrong.error);
    else expect(await run()).toBe(answered);
    expect(asked).toEqual(answered === null ? ['main'] : ['main', 'backup']);
  });

  test('ends a call whose next attempt could begin only after it, without the wait', async () => {
    const clock = holdClock(0);
    const { run, asked } = openTries({ deeds: { main: [after(clock, 901, wrong)] }, deadlineMs: 1_000 }, clock);
    await fails(run);
    expect([asked, clock.pauses]).toEqual([['main'], []]);
  });

  test('says nothing of the first attempt: a long body may have come before it', async () => {
    const clock = holdClock();
    const { run } = openTries({ deeds: { main: ['answers'] }, deadlineMs: 1_000 }, clock);
    clock.pass(10_000);
    expect(await run()).toBe('main');
  });
});

describe('G6: a caller who has left', () => {
  test('is tried for no more once an attempt has failed', async () => {
    const wrong = failed('upstream_error', { status: 500 });
    const { run, asked } = openTries({ deeds: { main: [wrong], backup: ['answers'] }, isAbandoned: () => true });
    expect([await fails(run), asked]).toEqual([wrong.error, ['main']]);
  });
});

describe('F59: a place that rests', () => {
  const wrong = failed('upstream_error', { status: 500 });
  const rest = (health: Health, upstream: string, ms: number): void => health.rest({ upstream, upstreamModel: 'm' }, ms);

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
    expect(places.map((place) => health.restOf(place))).toEqual([7_000, 0]);
  });

  test('does not where there is no other: each caller hears from the vendor itself how long to wait', async () => {
    const { run, health, places } = openTries({ deeds: { main: [failed(busy, { status: 429, waitS: 7 })] } });
    expect(await fails(run)).toMatchObject({ headers: { 'retry-after': '7' } });
    expect(places.map((place) => health.restOf(place))).toEqual([0]);
  });

  test('and is just being tried by another call is passed over without an attempt', async () => {
    const { run, asked, health, call, clock } = openTries({ deeds: { main: ['answers'], backup: ['answers'] } });
    const place = { upstream: 'main', upstreamModel: 'm' };
    for (let n = 0; n < breaker.failures; n++) await health.run(place, () => Promise.reject(wrong)).catch(() => undefined);
    clock.pass(breaker.cooldownMs);
    const trial = Promise.withResolvers<string>();
    const trying = health.run(place, () => trial.promise);
    expect([await run(), asked]).toEqual(['backup', ['backup']]);
    expect(call.attempts).toHaveLength(1);
    trial.resolve('well');
    await trying;
  });
});

test('of several failures the caller hears the last one, with what it used', async () => {
  const evidence = { usage: null, produced: null, pictures: null, tools: {}, request: {} };
  const last = new AttemptFailed(new GatewayError('upstream_timeout'), { status: 504, evidence });
  const { run } = openTries({ deeds: { main: [failed('upstream_error', { status: 404 })], backup: [last] }, maxAttempts: 2 });
  await expect(run()).rejects.toBe(last);
  expect(last.evidence).toBe(evidence);
});

test('where no place can be asked for this, the caller is told to come back, and nobody was asked', async () => {
  const { run, asked, call } = openTries({ deeds: { main: ['cannot be asked'], backup: ['cannot be asked'] } });
  await expect(run()).rejects.toMatchObject({ code: 'no_upstream_available', headers: { 'retry-after': '1' } });
  expect([asked, call.attempts]).toEqual([[], []]);
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
