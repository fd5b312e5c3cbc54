/** The errors of upstreams and clouds, a row each, and the error that a caller gets: its own mistakes with the field, and nothing about the gateway's account. */
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../server/primitives/errors.ts';
import { readAnthropicFailure } from '../../../server/protocols/anthropic/errors.ts';
import { readFailure, readFailureStatus, redactSecrets } from '../../../server/protocols/errors.ts';
import { readGeminiFailure } from '../../../server/protocols/gemini/errors.ts';
import { toFailedError } from '../../../server/protocols/responses/errors.ts';
import { readRows } from '../../fixtures/rows.ts';

const readers = { chat: readFailureStatus, anthropic: readAnthropicFailure, gemini: readGeminiFailure } as const;
interface Row {
  readonly title: string;
  /** The protocols and the statuses that have the same result. */
  readonly from: readonly (keyof typeof readers)[];
  readonly status: readonly number[];
  /** A string is not JSON. */
  readonly body: unknown;
  /** AWS's header with the kind of error. */
  readonly kind?: string;
  readonly retryAfter?: string;
  readonly code: string;
  readonly param?: string;
  readonly message: string;
  /** In retry-after-ms, and rounded up in retry-after. */
  readonly waitMs?: number;
}

describe('an upstream error', () => {
  test.each(readRows<Row>('upstream-errors'))(
    'translates $status from $from: $title',
    ({ from, status, body, kind, retryAfter, ...row }) => {
      const { code, param = null, message, waitMs } = row;
      const headers = waitMs === undefined ? {} : { 'retry-after': String(Math.ceil(waitMs / 1000)), 'retry-after-ms': String(waitMs) };
      for (const reader of from) {
        for (const each of status) {
          const error = readers[reader](each, typeof body === 'string' ? body : JSON.stringify(body), retryAfter, kind);
          expect(error).toMatchObject({ code, param, message });
          expect(error.headers ?? {}).toEqual(headers);
        }
      }
    },
  );

  test('names no field inside a stream of Azure when its content filter rejects a prompt', () => {
    const read = readFailure({ code: 'content_filter', message: 'The response was filtered due to …', param: 'prompt' });
    expect([read.code, read.body.error.param]).toEqual(['invalid_value', null]);
    expect(readFailure({ code: 'content_policy_violation', message: 'no' }).code).toBe('moderation_blocked');
  });

  test.each([
    'AKIAIOSFODNN7EXAMPLE',
    'ASIAIOSFODNN7EXAMPLE',
    'ABSKQmVkcm9ja0FQSUtleS1leGFtcGxl',
    'ya29.a0AfH6SMBx-example_token',
    'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJleGFtcGxlIn0.c2lnbmF0dXJl',
  ])('shows no secret of its message: %s', (secret) => {
    expect(redactSecrets(`The token ${secret} is not valid`)).toBe('The token … is not valid');
  });

  const wait = (seconds: string) => ({ headers: { 'retry-after': seconds } });
  const full = new GatewayError('no_upstream_available', { message: 'None. Try again in 7 seconds.' });
  test.each([
    [new GatewayError('overloaded'), 'rate_limit_exceeded', /\. Try again in 5 seconds\.$/],
    [new GatewayError('overloaded', wait('1')), 'rate_limit_exceeded', /Try again in 5 seconds\.$/],
    [new GatewayError('overloaded', wait('30')), 'rate_limit_exceeded', /Try again in 30 seconds\.$/],
    [full, 'rate_limit_exceeded', /^None\. Try again in 7 seconds\.$/],
    [new GatewayError('rate_limit_exceeded', wait('2')), 'rate_limit_exceeded', /Try again in 2 seconds\.$/],
    [new GatewayError('upstream_error'), 'server_error', /^(?!.*Try again in \d)/],
    [new GatewayError('upstream_timeout'), 'server_error', /^(?!.*Try again in \d)/],
    [new GatewayError('context_length_exceeded'), 'context_length_exceeded', /^(?!.*Try again in \d)/],
  ] as const)('C8: fails a response so that coding agents know when to retry: %s becomes %s', (error, code, words) => {
    expect(toFailedError(error)).toEqual({ code, message: expect.stringMatching(words) });
  });
});
