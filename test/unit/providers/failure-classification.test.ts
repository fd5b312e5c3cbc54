/** The verdict of a failed attempt: no other attempt, another candidate, or the same one again (promise G5, F57). */
import { describe, expect, test } from 'vitest';
import { type ErrorCode, errorCodes, errorTable } from '../../../contract/errors.ts';
import { GatewayError } from '../../../server/primitives/errors.ts';
import { describeAttempts } from '../../../server/providers/attempt-record.ts';
import { decideRetry, getRetryAfterMs } from '../../../server/providers/retry-decision.ts';

const verdict = (code: ErrorCode, status: number | null, headers: Record<string, string> = {}) =>
  decideRetry(new GatewayError(code, { headers }), status);

describe('G5: the verdict of a failed attempt', () => {
  test.each([
    ['upstream_error', null, 'again'],
    ['upstream_error', 200, 'again'],
    ['upstream_error', 302, 'again'],
    ['upstream_error', 399, 'again'],
    ['upstream_error', 400, 'elsewhere'],
    ['upstream_error', 401, 'elsewhere'],
    ['upstream_error', 404, 'elsewhere'],
    ['upstream_timeout', 408, 'again'],
    ['upstream_error', 429, 'elsewhere'],
    ['upstream_error', 499, 'elsewhere'],
    ['upstream_error', 500, 'again'],
    ['upstream_error', 503, 'again'],
    ['upstream_timeout', null, 'again'],
    ['upstream_timeout', 504, 'again'],
    ['rate_limit_exceeded', 429, 'again'],
    ['rate_limit_exceeded', null, 'again'],
    ['overloaded', 503, 'again'],
    ['upstream_unavailable', 498, 'again'],
    ['internal_error', 200, 'caller'],
    ['internal_error', null, 'caller'],
  ] as const)('F57: of %s with the status %s is %s', (code, status, expected) => {
    expect(verdict(code, status)).toBe(expected);
  });

  test('F57: of a mistake of the caller allows no other attempt, whatever the status', () => {
    const mistakes = errorCodes.filter((code) => errorTable[code].status < 500 && code !== 'rate_limit_exceeded');
    expect(mistakes).toContain('context_length_exceeded');
    for (const code of mistakes)
      for (const status of [null, 200, 400, 503]) expect([code, verdict(code, status)]).toEqual([code, 'caller']);
  });

  test.each([
    ['2', {}, 'again'],
    ['3', {}, 'elsewhere'],
    ['600', { 'retry-after-ms': '2000' }, 'again'],
    ['0', { 'retry-after-ms': '2001' }, 'elsewhere'],
    ['soon', {}, 'again'],
    ['-5', {}, 'again'],
  ] as const)('of a rate limit with retry-after %s and %j is %s: two seconds are waited for at most', (seconds, more, expected) => {
    const headers = { 'retry-after': seconds, ...more };
    expect([verdict('rate_limit_exceeded', 429, headers), verdict('upstream_unavailable', 503, headers)]).toEqual([expected, expected]);
  });
});

test.each([
  [{}, 0],
  [{ 'retry-after': '1' }, 1_000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': '1', 'retry-after-ms': '250' }, 250],
  [{ 'retry-after': '-1' }, 0],
  [{ 'retry-after': 'Infinity' }, 0],
  [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, 0],
] as const)('the wait of %j is %i ms', (headers, ms) => {
  expect(getRetryAfterMs(headers)).toBe(ms);
});

test('the header of attempts has upstream, status, error code and milliseconds of each', () => {
  const attempts = [
    { upstream: 'main', status: 503, code: 'upstream_unavailable', ms: 12.4 },
    { upstream: 'edge', status: null, code: 'upstream_timeout', ms: 400.5 },
    { upstream: 'backup', status: 200, code: null, ms: 340 },
  ] as const;
  expect(describeAttempts(attempts)).toBe(
    'main;status=503;error=upstream_unavailable;ms=12, edge;error=upstream_timeout;ms=401, backup;status=200;ms=340',
  );
  expect(describeAttempts([])).toBe('');
});
