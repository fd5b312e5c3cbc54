/** The code and message of a failed response, by which coding agents decide whether and when to retry. */
import { expect, test } from 'vitest';
import { GatewayError } from '../../../server/primitives/errors.ts';

import { toFailedError } from '../../../server/protocols/responses/errors.ts';

const wait = (seconds: string) => ({ headers: { 'retry-after': seconds } });

test.each([
  [new GatewayError('overloaded'), 'rate_limit_exceeded', /\. Try again in 5 seconds\.$/],
  [new GatewayError('overloaded', wait('1')), 'rate_limit_exceeded', /Try again in 5 seconds\.$/],
  [new GatewayError('overloaded', wait('30')), 'rate_limit_exceeded', /Try again in 30 seconds\.$/],
  [
    new GatewayError('no_upstream_available', { message: 'None. Try again in 7 seconds.' }),
    'rate_limit_exceeded',
    /^None\. Try again in 7 seconds\.$/,
  ],
  [new GatewayError('rate_limit_exceeded', wait('2')), 'rate_limit_exceeded', /Try again in 2 seconds\.$/],
  [new GatewayError('upstream_error'), 'server_error', /^(?!.*Try again in \d)/],
  [new GatewayError('upstream_timeout'), 'server_error', /^(?!.*Try again in \d)/],
  [new GatewayError('context_length_exceeded'), 'context_length_exceeded', /^(?!.*Try again in \d)/],
] as const)('C8: %s becomes %s, with the time to wait where there is one', (error, code, words) => {
  expect(toFailedError(error)).toEqual({ code, message: expect.stringMatching(words) });
});
