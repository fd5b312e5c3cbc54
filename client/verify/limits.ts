/** Checks the rate limit headers. */

import { assert, assertAll, assertError } from './assert.ts';
import type { Check } from './check.ts';
import { createChatRequest } from './request.ts';
import type { HttpResponse } from './target.ts';
import { SkipCheck } from './violation.ts';

const DURATION_PATTERN = /^(?:\d+ms|(?:\d+m)?\d+(?:\.\d+)?s)$/;

/** Checks the rate limit headers. Returns false if none are present. */
function assertRateLimitHeaders({ headers }: HttpResponse, unit: 'requests' | 'tokens'): boolean {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((word) => headers.get(`x-ratelimit-${word}-${unit}`) ?? null);
  if (limit === null && remaining === null && reset === null) return false;
  const hasCounts = /^\d+$/.test(limit ?? '') && /^\d+$/.test(remaining ?? '');
  assertAll([
    () => assert(hasCounts, `the headers for the limit and the remaining ${unit} are ${limit} and ${remaining}, not whole numbers`),
    () => assert(!hasCounts || Number(remaining) <= Number(limit), `the remaining ${unit} (${remaining}) exceed the limit (${limit})`),
    () => assert(DURATION_PATTERN.test(reset ?? ''), `the reset header for ${unit} is '${reset}', which isn't a duration`),
  ]);
  return true;
}

export const limitChecks: readonly Check[] = [
  {
    group: 'limits',
    area: 'models',
    name: 'sends limit, remaining, and reset headers together',
    async run(caller) {
      const key = caller.limitedKey === null ? {} : { key: caller.limitedKey };
      const response = await caller.send('/models', key);
      const results = assertAll([() => assertRateLimitHeaders(response, 'requests'), () => assertRateLimitHeaders(response, 'tokens')]);
      if (!results.includes(true)) throw new SkipCheck('the key has no limits');
    },
  },
  {
    group: 'limits',
    area: 'chat',
    name: 'rejects a call above the rate limit with retry-after',
    async run(caller) {
      const { limitedKey: key } = caller;
      if (key === null) throw new SkipCheck('specify a key with a limit of one request per minute with --limited-key');
      await caller.send('/chat/completions', { key, json: createChatRequest(caller) });
      const response = await caller.send('/chat/completions', { key, json: createChatRequest(caller) });
      const retryAfter = response.headers.get('retry-after') ?? 'nothing';
      assertAll([
        () => assertError(response, 'rate_limit_exceeded'),
        () => assert(/^[1-9]\d*$/.test(retryAfter), `retry-after is ${retryAfter}, not a number of seconds`),
      ]);
    },
  },
];
