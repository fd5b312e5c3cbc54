/** Status 429 of the limits of the gateway: which limit, which code, and how long to wait. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LimitSettings } from '../../server/access/limit-settings.ts';
import { json as whole } from '../fakes/delivery.ts';
import { failure, later, silence } from '../fakes/faults.ts';
import { chat, protocols } from '../harness/protocols.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

let vendor: BehindVendor;
beforeAll(async () => {
  const models = limited.map(([id, limits]) => ({ id, kind: 'text', ...limits }));
  vendor = await openBehindVendor({
    settings: {
      groups: Object.fromEntries(limited),
      models: [...models, { id: 'gpt-5.4', kind: 'text' }, { id: 'gpt-image-2', kind: 'image' }],
    },
  });
});
afterAll(() => vendor.close());

const none = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
const enforced = (limit: number) => ({ limit, mode: 'enforce' }) as const;
let accounts = 0;
const newKey = (limits: Partial<LimitSettings>, group = 'default') =>
  vendor.gateway.newKey({ account: `account ${++accounts}`, group, limits: { ...none, ...limits } });

function expectWait(answer: Response, maxMs: number): void {
  const waitMs = Number(answer.headers.get('retry-after-ms'));
  expect([Number.isInteger(waitMs), waitMs >= 1, waitMs <= maxMs]).toEqual([true, true, true]);
  expect(answer.headers.get('retry-after')).toBe(String(Math.ceil(waitMs / 1_000)));
}

describe.each(protocols)('$name', ({ path, ask, streamed }) => {
  const bodies = [ask, { ...ask, ...streamed }];

  test('F61: rejects a call beyond the request rate of the key with the wait', async () => {
    const { key } = await newKey({ requestsPerMinute: enforced(1) });
    await (await vendor.gateway.call(path, { key, json: ask })).text();
    for (const json of bodies) {
      const answer = await vendor.gateway.call(path, { key, json });
      expectWait(answer, 60_000);
      expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('0');
      await expectRefusal(answer, { code: 'rate_limit_exceeded' });
    }
  });

  test('F61: rejects a call beyond the concurrency limit, and serves it when a slot is free', async () => {
    const { key } = await newKey({ concurrency: enforced(1) });
    const index = vendor.fake.requests.length;
    vendor.fake.next(silence);
    const leaving = new AbortController();
    const running = vendor.gateway.call(path, { key, json: ask, signal: leaving.signal }).catch(() => null);
    const asked = await vendor.fake.arrival(index);
    for (const json of bodies) {
      const answer = await vendor.gateway.call(path, { key, json });
      expectWait(answer, 1_000);
      await expectRefusal(answer, { code: 'concurrency_limit_exceeded' });
    }
    leaving.abort();
    await running;
    await vendor.gateway.lineOf(String(asked.headers['x-request-id']));
    // The slot is free when the call is settled, and its caller did not wait for that.
    await expect.poll(async () => (await vendor.gateway.call(path, { key, json: ask })).status).toBe(200);
  });

  test('names the upstream, not a limit of the gateway, for a 429 of the provider', async () => {
    const { key } = await newKey({ requestsPerMinute: enforced(100) });
    vendor.fake.next(failure(429));
    await expectRefusal(await vendor.gateway.call(path, { key, json: ask }), { code: 'rate_limit_exceeded', says: 'upstream' });
  });
});

const quantities = [
  ['requestsPerMinute', 'rate_limit_exceeded', 60_000],
  ['tokensPerMinute', 'token_limit_exceeded', 86_400_000],
  ['concurrency', 'concurrency_limit_exceeded', 1_000],
] as const;
const rows = (['key', 'account', 'group', 'model'] as const).flatMap((scope) =>
  quantities.map(([quantity, code, maxMs]) => [scope, quantity, code, maxMs] as const),
);
/** Groups and models with one limit each, named by its code. */
const limited = quantities.map(([quantity, code]) => [code, { limits: { [quantity]: 1 } }] as const);

test.each(rows)('F39, F61: returns an own code and wait for a limit of the %s on %s', async (scope, quantity, code, maxMs) => {
  const own = { ...none, [quantity]: enforced(1) };
  const { key, accountId } = await newKey(scope === 'key' ? own : {}, scope === 'group' ? code : 'default');
  const audit = { actor: 'test', action: 'account.edit', target: accountId, details: {}, at: Date.now() };
  if (scope === 'account') await vendor.gateway.withAccess(({ store }) => store.editAccount(accountId, { limits: own }, audit));
  const json = { model: scope === 'model' ? code : 'gpt-5.4', messages: [{ role: 'user', content: 'hello' }] };
  const gate = Promise.withResolvers<void>();
  const index = vendor.fake.requests.length;
  vendor.fake.next(later(gate.promise, whole(chat.whole)));
  const running = vendor.gateway.call('/chat/completions', { key, json });
  await vendor.fake.arrival(index);
  const rejected = await vendor.gateway.call('/chat/completions', { key, json });
  expectWait(rejected, maxMs);
  await expectRefusal(rejected, { code, says: scope });
  gate.resolve();
  expect((await running).status).toBe(200);
});
