/** What becomes of a call whose attempt failed: which failure goes to the next place, which ends it, how often, how long, and what the caller hears (promise G5, F57, F59). */
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../server/errors.ts';
import { AttemptFailed } from '../../../server/request/failover.ts';
import { type HeldClock, holdClock } from '../../harness/held-clock.ts';
import { busy, type Deed, failed, fails, openTries } from './failover-stage.ts';

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
    expect(call.outcome.attempts).toMatchObject([
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
    expect(call.outcome.attempts).toMatchObject([{ upstream: 'main', code: failure.error.code }]);
  });

  test.each([
    ['of a caller who has left', new GatewayError('upstream_error'), 'upstream_error'],
    ['that nobody foresaw', new TypeError('no such thing'), 'internal_error'],
  ])('G5: throws what is no failed attempt (%s), the second one is not asked, and that is what is thrown', async (_what, thrown, code) => {
    const { run, asked, call } = openTries({ deeds: { main: [thrown], backup: ['answers'] } });
    await expect(run()).rejects.toBe(thrown);
    expect(asked).toEqual(['main']);
    expect(call.outcome.attempts).toMatchObject([{ upstream: 'main', status: null, code }]);
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

  test('A6: of one key, that is busy without saying for how long, is asked twice, however many attempts are allowed', async () => {
    const { run, asked } = openTries({ deeds: { main: [failed(busy, { status: 429 })] } });
    await fails(run);
    expect(asked).toEqual(['main', 'main']);
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
  expect([asked, call.outcome.attempts]).toEqual([[], []]);
});
