/** Failover: which failures lead to another attempt, how many, until when, and which error the caller gets (promise G5, F57, F59). */
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../server/errors.ts';
import { AttemptFailed } from '../../../server/request/failover.ts';
import { type HeldClock, holdClock } from '../../harness/held-clock.ts';
import { busy, type Deed, failed, fails, openTries } from './failover-stage.ts';

describe('when the first of two candidates', () => {
  test.each([
    ['answers 500', failed('upstream_error', { status: 500 })],
    ['is overloaded', failed('overloaded', { status: 503 })],
    ['limits the rate', failed(busy, { status: 429 })],
    ['limits the rate for ten minutes', failed(busy, { status: 429, waitS: 600 })],
    ['refuses the API key', failed('upstream_error', { status: 401 })],
    ['does not have the model', failed('upstream_error', { status: 404 })],
    ['times out', failed('upstream_timeout')],
    ['cuts the connection', failed('upstream_error')],
    ['is at its concurrency limit', failed('overloaded', { verdict: 'elsewhere' })],
    ['has no usable API key', failed('no_upstream_available', { verdict: 'elsewhere' })],
  ])('G5: %s, the second one is asked at once', async (_what, failure) => {
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
    ['fails with internal_error', failed('internal_error', { status: 200 })],
    ['times out with an image', failed('upstream_timeout', { verdict: 'caller' })],
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

describe('a model with one candidate', () => {
  test.each([
    ['that answers 500', 2, failed('upstream_error', { status: 500 })],
    ['that times out', 2, failed('upstream_timeout')],
    ['that answers 408', 2, failed('upstream_error', { status: 408 })],
    ['with retry-after 2', 2, failed(busy, { status: 503, waitS: 2 })],
    ['with retry-after 3', 1, failed(busy, { status: 503, waitS: 3 })],
    ['that refuses the API key', 1, failed('upstream_error', { status: 401 })],
    ['that does not have the model', 1, failed('upstream_error', { status: 404 })],
    ['at its concurrency limit', 1, failed('overloaded', { verdict: 'elsewhere' })],
  ])('G5: %s: %i attempts', async (_what, times, failure) => {
    const { run, asked } = openTries({ deeds: { main: [failure] } });
    expect(await fails(run)).toBe(failure.error);
    expect(asked).toHaveLength(times);
  });

  test('A6: with one API key and a rate limit without retry-after is asked twice, though ten attempts are allowed', async () => {
    const { run, asked } = openTries({ deeds: { main: [failed(busy, { status: 429 })] } });
    await fails(run);
    expect(asked).toEqual(['main', 'main']);
  });

  test('with many API keys that are refused one by one is asked until maxAttempts', async () => {
    const { run, asked } = openTries({ deeds: { main: [failed('upstream_error', { status: 401, verdict: 'again' })] }, maxAttempts: 5 });
    await fails(run);
    expect(asked).toHaveLength(5);
  });

  test('is retried with exponential backoff: 100 to 200 ms by jitter, doubled each time', async () => {
    const refused = failed('upstream_error', { status: 401, verdict: 'again' });
    const { run, clock } = openTries({ deeds: { main: [refused] }, maxAttempts: 4 }, holdClock(0));
    await fails(run);
    expect(clock.pauses).toEqual([100, 200, 400]);
    const longest = openTries({ deeds: { main: [refused] }, maxAttempts: 4 }, holdClock(1));
    await fails(longest.run);
    expect(longest.clock.pauses).toEqual([200, 400, 800]);
  });
});

test('G5: a candidate that failed comes after all others, and none is asked a third time', async () => {
  const wrong = failed('upstream_error', { status: 500 });
  const { run, asked } = openTries({ deeds: { one: [wrong], two: [wrong], three: [wrong] } });
  await fails(run);
  expect(asked).toEqual(['one', 'two', 'three', 'one', 'two', 'three']);
});

describe('G5: maxAttempts', () => {
  const wrong = failed('upstream_error', { status: 500 });
  const full = failed('overloaded', { verdict: 'elsewhere' });
  const noKey = failed('no_upstream_available', { verdict: 'elsewhere' });

  test.each([1, 2, 3])('bounds the attempts: %i', async (maxAttempts) => {
    const { run, asked } = openTries({ deeds: { one: [wrong], two: [wrong], three: [wrong] }, maxAttempts });
    await fails(run);
    expect(asked).toHaveLength(maxAttempts);
  });

  test('does not count candidates that could not be asked', async () => {
    const { run, asked } = openTries({
      deeds: { one: [full], two: [noKey], three: ['cannot be asked'], four: ['answers'] },
      maxAttempts: 1,
    });
    expect([await run(), asked]).toEqual(['four', ['one', 'two', 'four']]);
  });

  test('counts a vendor that answers that it is overloaded', async () => {
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
  ])('that %s after a failed attempt allows another one or not', async (_what, ms, answered) => {
    const clock = holdClock();
    const { run, asked } = openTries({ deeds: { main: [after(clock, ms, wrong)], backup: ['answers'] }, deadlineMs: 1_000 }, clock);
    if (answered === null) expect(await fails(run)).toBe(wrong.error);
    else expect(await run()).toBe(answered);
    expect(asked).toEqual(answered === null ? ['main'] : ['main', 'backup']);
  });

  test('ends a call at once when the backoff would end after it', async () => {
    const clock = holdClock(0);
    const { run, asked } = openTries({ deeds: { main: [after(clock, 901, wrong)] }, deadlineMs: 1_000 }, clock);
    await fails(run);
    expect([asked, clock.pauses]).toEqual([['main'], []]);
  });

  test('does not apply to the first attempt, since the body may have taken long', async () => {
    const clock = holdClock();
    const { run } = openTries({ deeds: { main: ['answers'] }, deadlineMs: 1_000 }, clock);
    clock.pass(10_000);
    expect(await run()).toBe('main');
  });
});

describe('G6: a caller who has disconnected', () => {
  test('gets no more attempts after a failed one', async () => {
    const wrong = failed('upstream_error', { status: 500 });
    const { run, asked } = openTries({ deeds: { main: [wrong], backup: ['answers'] }, isAbandoned: () => true });
    expect([await fails(run), asked]).toEqual([wrong.error, ['main']]);
  });
});

test('after several failures the last one is thrown, with its usage', async () => {
  const evidence = { usage: null, produced: null, pictures: null, tools: {}, request: {} };
  const last = new AttemptFailed(new GatewayError('upstream_timeout'), { status: 504, evidence });
  const { run } = openTries({ deeds: { main: [failed('upstream_error', { status: 404 })], backup: [last] }, maxAttempts: 2 });
  await expect(run()).rejects.toBe(last);
  expect(last.evidence).toBe(evidence);
});

test('when no candidate can be asked, the error is no_upstream_available with retry-after, and there are no attempts', async () => {
  const { run, asked, call } = openTries({ deeds: { main: ['cannot be asked'], backup: ['cannot be asked'] } });
  await expect(run()).rejects.toMatchObject({ code: 'no_upstream_available', headers: { 'retry-after': '1' } });
  expect([asked, call.outcome.attempts]).toEqual([[], []]);
});
