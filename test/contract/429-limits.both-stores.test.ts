/** Status 429 of the limits of the gateway: which limit, which code, and how long to wait. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LimitSettings } from '../../server/access/principal.ts';
import { failure, silence } from '../fakes/faults.ts';
import { protocols } from '../harness/protocols.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

let vendor: BehindVendor;
beforeAll(async () => {
  vendor = await openBehindVendor();
});
afterAll(() => vendor.close());

const none = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
const enforced = (limit: number) => ({ limit, mode: 'enforce' }) as const;
let accounts = 0;
const newKey = (limits: Partial<LimitSettings>) =>
  vendor.gateway.newKey({ account: `account ${++accounts}`, limits: { ...none, ...limits } });

function expectWait(answer: Response, mostMs: number): void {
  const waitMs = Number(answer.headers.get('retry-after-ms'));
  expect([Number.isInteger(waitMs), waitMs >= 1, waitMs <= mostMs]).toEqual([true, true, true]);
  expect(answer.headers.get('retry-after')).toBe(String(Math.ceil(waitMs / 1_000)));
}

describe.each(protocols)('$name', ({ path, ask, streamed }) => {
  const bodies = [ask, { ...ask, ...streamed }];

  test('F61: a call beyond the request rate of the key is refused with the wait', async () => {
    const { key } = await newKey({ requestsPerMinute: enforced(1) });
    await (await vendor.gateway.call(path, { key, json: ask })).text();
    for (const json of bodies) {
      const answer = await vendor.gateway.call(path, { key, json });
      expectWait(answer, 60_000);
      expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('0');
      await expectRefusal(answer, {
        code: 'rate_limit_exceeded',
        says: /^The limit of this key is 1 requests a minute\. Try again in \d+s\.$/,
      });
    }
  });

  test('F61: a call beyond the concurrency limit is refused, and served when a slot is free', async () => {
    const { key } = await newKey({ concurrency: enforced(1) });
    const index = vendor.fake.requests.length;
    vendor.fake.next(silence);
    const leaving = new AbortController();
    const running = vendor.gateway.call(path, { key, json: ask, signal: leaving.signal }).catch(() => null);
    const asked = await vendor.fake.arrival(index);
    for (const json of bodies) {
      const answer = await vendor.gateway.call(path, { key, json });
      expectWait(answer, 1_000);
      await expectRefusal(answer, { code: 'concurrency_limit_exceeded', says: 'The limit of this key is 1 requests at once' });
    }
    leaving.abort();
    await running;
    await vendor.gateway.lineOf(String(asked.headers['x-request-id']));
    // The slot is free when the call is settled, and its caller did not wait for that.
    await expect.poll(async () => (await vendor.gateway.call(path, { key, json: ask })).status).toBe(200);
  });

  test('a 429 of the vendor names the upstream, not a limit of the gateway', async () => {
    const { key } = await newKey({ requestsPerMinute: enforced(100) });
    vendor.fake.next(failure(429));
    await expectRefusal(await vendor.gateway.call(path, { key, json: ask }), { code: 'rate_limit_exceeded', says: 'upstream' });
  });
});

test('F61: a call beyond the token limit is refused with the wait', async () => {
  const { key } = await newKey({ tokensPerMinute: enforced(10) });
  const ask = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'hello' }] };
  await (await vendor.gateway.call('/chat/completions', { key, json: ask })).text();
  const answer = await vendor.gateway.call('/chat/completions', { key, json: ask });
  expectWait(answer, 600_000);
  await expectRefusal(answer, { code: 'token_limit_exceeded', says: 'The limit of this key is 10 tokens a minute' });
});
