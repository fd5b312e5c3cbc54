/** Limits, money and places by tRPC: a batch is as many calls as it holds, and comes from where its caller is (promise G11). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { endedCharge } from '../harness/ended-charge.ts';
import { openTrpc, refusalOf, type Trpc } from '../harness/trpc.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

let vendor: BehindVendor;
beforeAll(async () => {
  vendor = await openBehindVendor({ settings: { server: { trustedProxies: ['127.0.0.1'] } } });
});
afterAll(() => vendor.close());

const ask = { model: 'gpt-5.4', messages: [{ role: 'user' as const, content: 'hello' }] };
const none = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
const enforced = (limit: number) => ({ limit, mode: 'enforce' }) as const;
let accounts = 0;
const newTrpc = async (order: Parameters<typeof vendor.gateway.newKey>[0] = {}, headers: Readonly<Record<string, string>> = {}) => {
  const made = await vendor.gateway.newKey({ account: `trpc ${++accounts}`, ...order });
  return { ...made, trpc: openTrpc({ ...vendor.gateway, key: made.key }, headers) };
};

/** Ten calls of one turn of the event loop, which go out as one request; the codes of those that are refused. */
async function callTen(trpc: Trpc): Promise<readonly (string | undefined)[]> {
  const calls = Array.from({ length: 10 }, () => trpc.createChatCompletion.mutate(ask));
  const ends = await Promise.allSettled(calls);
  return ends.map((end) => (end.status === 'fulfilled' ? undefined : end.reason.data.error.code)).sort();
}

/** As the vendor saw them since then. */
const asksSince = (index: number) => vendor.fake.requests.length - index;

describe('a batch of ten', () => {
  test('counts ten against the limit of its key', async () => {
    const { trpc } = await newTrpc({ limits: { ...none, requestsPerMinute: enforced(10) } });
    const before = vendor.fake.requests.length;
    expect((await callTen(trpc)).filter((code) => code !== undefined)).toEqual([]);
    expect(asksSince(before)).toBe(10);
    const refused = await refusalOf(trpc.listModels.query());
    expect(refused.error.code).toBe('rate_limit_exceeded');
    expect(refused.retryAfter).toBeGreaterThan(0);
  });

  test('gets four answers where four are left', async () => {
    const { trpc } = await newTrpc({ limits: { ...none, requestsPerMinute: enforced(4) } });
    const before = vendor.fake.requests.length;
    const codes = await callTen(trpc);
    expect(codes.filter((code) => code === 'rate_limit_exceeded')).toHaveLength(6);
    expect(asksSince(before)).toBe(4);
  });

  test('is paid for ten times, and the book adds up', async () => {
    const { trpc, accountId } = await newTrpc();
    const ledger = vendor.gateway.gateway.money?.ledger ?? expect.fail('billing is off');
    const before = vendor.fake.requests.length;
    await callTen(trpc);
    const ids = vendor.fake.requests.slice(before).map(({ headers }) => String(headers['x-request-id']));
    const charges = await Promise.all(ids.map((id) => endedCharge(ledger, id)));
    expect(charges.map(({ state }) => state)).toEqual(Array.from({ length: 10 }, () => 'posted'));
    const charged = charges.reduce((sum, charge) => sum + charge.charged, 0n);
    expect(charged).toBeGreaterThan(0n);
    expect(await ledger.balance(accountId)).toEqual({ balance: 1_000_000_000n - charged, held: 0n });
    expect(await ledger.reconcile()).toMatchObject({ differences: [], unbalanced: [], contradictions: [] });
  });

  test('of which some are refused leaves their rate to others', async () => {
    const { trpc } = await newTrpc({ limits: { ...none, requestsPerMinute: enforced(2) } });
    const wrong = { ...ask, model: 'gpt-0' };
    const refusals = await Promise.all([0, 1].map(() => refusalOf(trpc.createChatCompletion.mutate(wrong))));
    expect(refusals.map(({ error }) => error.code)).toEqual(['model_not_found', 'model_not_found']);
    const answers = await Promise.all([0, 1].map(() => trpc.createChatCompletion.mutate(ask)));
    expect(answers.map(({ object }) => object)).toEqual(['chat.completion', 'chat.completion']);
  });
});

test('an envelope without an answered call takes nothing of the rate', async () => {
  const { trpc, key } = await newTrpc({ limits: { ...none, requestsPerMinute: enforced(1) } });
  for (let count = 0; count < 3; count++) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${vendor.gateway.origin}/trpc/nothing?batch=1`, { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(404);
  }
  expect((await trpc.listModels.query()).object).toBe('list');
});

test('one idempotency key is one charge, and with several calls it is refused', async () => {
  const { trpc } = await newTrpc({}, { 'idempotency-key': 'one-of-trpc' });
  const before = vendor.fake.requests.length;
  const first = await trpc.createChatCompletion.mutate(ask);
  expect(await trpc.createChatCompletion.mutate(ask)).toEqual(first);
  expect(asksSince(before)).toBe(1);
  const both = [0, 1].map(() => refusalOf(trpc.createChatCompletion.mutate(ask)));
  for (const { error } of await Promise.all(both)) expect(error).toMatchObject({ code: 'invalid_value' });
  expect(asksSince(before)).toBe(1);
});

test('a key that may be used from some addresses is held to where its caller is', async () => {
  const ipRanges = ['203.0.113.0/24'];
  const near = await newTrpc({ ipRanges }, { 'x-forwarded-for': '203.0.113.7' });
  expect((await near.trpc.createChatCompletion.mutate(ask)).object).toBe('chat.completion');
  const far = await newTrpc({ ipRanges }, { 'x-forwarded-for': '198.51.100.7' });
  expect((await refusalOf(far.trpc.createChatCompletion.mutate(ask))).error.code).toBe('permission_denied');
});

test('a slot that one call of a batch holds is not there for another', async () => {
  const { trpc } = await newTrpc({ limits: { ...none, concurrency: enforced(1) } });
  const rest = Promise.withResolvers<void>();
  vendor.fake.next(async () => {
    await rest.promise;
    return json(chatCompletion({ text: ['late'] }));
  });
  const calls = [0, 1].map(() => trpc.createChatCompletion.mutate(ask));
  const refused = await Promise.race(calls.map((call) => refusalOf(call).catch(() => new Promise<never>(() => undefined))));
  expect(refused.error.code).toBe('concurrency_limit_exceeded');
  rest.resolve();
  const ends = await Promise.allSettled(calls);
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a failure of the vendor is held for and given back', async () => {
  const { trpc, accountId } = await newTrpc();
  vendor.fake.next(failure(400, { message: 'too long', code: 'context_length_exceeded' }));
  expect((await refusalOf(trpc.createChatCompletion.mutate(ask))).error.code).toBe('context_length_exceeded');
  expect(await vendor.gateway.gateway.money?.ledger.balance(accountId)).toEqual({ balance: 1_000_000_000n, held: 0n });
});
