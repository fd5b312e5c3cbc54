/** Limits, charges and addresses with tRPC: each call of a batch counts, with the address of its caller (promise G11). */
import { describe, expect, test } from 'vitest';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { endedCharge } from '../harness/ended-charge.ts';
import { useOpened } from '../harness/opened.ts';
import { openTrpc, refusalOf, type Trpc } from '../harness/trpc.ts';
import { openBehindVendor } from '../harness/vendor.ts';

const vendor = useOpened(() => openBehindVendor({ settings: { server: { trustedProxies: ['127.0.0.1'] } } }));

const ask = { model: 'gpt-5.4', messages: [{ role: 'user' as const, content: 'hello' }] };
const none = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
const enforced = (limit: number) => ({ limit, mode: 'enforce' }) as const;
let accounts = 0;
const newTrpc = async (order: Parameters<typeof vendor.gateway.newKey>[0] = {}, headers: Readonly<Record<string, string>> = {}) => {
  const made = await vendor.gateway.newKey({ account: `trpc ${++accounts}`, ...order });
  return { ...made, trpc: openTrpc({ ...vendor.gateway, key: made.key }, headers) };
};

/** Makes ten calls in one turn of the event loop, which are one request; returns the error codes. */
async function callTen(trpc: Trpc): Promise<readonly (string | undefined)[]> {
  const calls = Array.from({ length: 10 }, () => trpc.createChatCompletion.mutate(ask));
  const ends = await Promise.allSettled(calls);
  return ends.map((end) => (end.status === 'fulfilled' ? undefined : end.reason.data.error.code)).sort();
}

/** The number of requests to the vendor since then. */
const asksSince = (index: number) => vendor.fake.requests.length - index;

describe('a batch of ten', () => {
  test('counts as ten requests for the limit of its key', async () => {
    const { trpc } = await newTrpc({ limits: { ...none, requestsPerMinute: enforced(10) } });
    const before = vendor.fake.requests.length;
    expect((await callTen(trpc)).filter((code) => code !== undefined)).toEqual([]);
    expect(asksSince(before)).toBe(10);
    const rejected = await refusalOf(trpc.listModels.query());
    expect(rejected.error.code).toBe('rate_limit_exceeded');
    expect(rejected.retryAfter).toBeGreaterThan(0);
  });

  test('gets four answers with a limit of four', async () => {
    const { trpc } = await newTrpc({ limits: { ...none, requestsPerMinute: enforced(4) } });
    const before = vendor.fake.requests.length;
    const codes = await callTen(trpc);
    expect(codes.filter((code) => code === 'rate_limit_exceeded')).toHaveLength(6);
    expect(asksSince(before)).toBe(4);
  });

  test('creates ten charges and keeps the ledger sound', async () => {
    const { trpc, accountId } = await newTrpc();
    const ledger = vendor.gateway.gateway.money?.ledger ?? expect.fail('billing is off');
    const before = vendor.fake.requests.length;
    await callTen(trpc);
    const ids = vendor.fake.requests.slice(before).map(({ headers }) => String(headers['x-request-id']));
    const charges = await Promise.all(ids.map((id) => endedCharge(ledger, id)));
    expect(charges.map(({ state }) => state)).toEqual(Array.from({ length: 10 }, () => 'posted'));
    const charged = charges.reduce((sum, charge) => sum + charge.charged, 0n);
    expect(charged).toBeGreaterThan(0n);
    expect(await ledger.getBalance(accountId)).toEqual({ balance: 1_000_000_000n - charged, held: 0n });
    expect(await ledger.reconcile()).toMatchObject({ differences: [], unbalanced: [], contradictions: [] });
  });

  test('counts only the calls that are admitted', async () => {
    const { trpc } = await newTrpc({ limits: { ...none, requestsPerMinute: enforced(2) } });
    const wrong = { ...ask, model: 'gpt-0' };
    const refusals = await Promise.all([0, 1].map(() => refusalOf(trpc.createChatCompletion.mutate(wrong))));
    expect(refusals.map(({ error }) => error.code)).toEqual(['model_not_found', 'model_not_found']);
    const answers = await Promise.all([0, 1].map(() => trpc.createChatCompletion.mutate(ask)));
    expect(answers.map(({ object }) => object)).toEqual(['chat.completion', 'chat.completion']);
  });
});

test('counts no batch with an unknown procedure towards the limit', async () => {
  const { trpc, key } = await newTrpc({ limits: { ...none, requestsPerMinute: enforced(1) } });
  for (let count = 0; count < 3; count++) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${vendor.gateway.origin}/trpc/nothing?batch=1`, { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(404);
  }
  expect((await trpc.listModels.query()).object).toBe('list');
});

test('sends one upstream request per idempotency key, and rejects a key for several concurrent calls', async () => {
  const { trpc } = await newTrpc({}, { 'idempotency-key': 'one-of-trpc' });
  const before = vendor.fake.requests.length;
  const first = await trpc.createChatCompletion.mutate(ask);
  expect(await trpc.createChatCompletion.mutate(ask)).toEqual(first);
  expect(asksSince(before)).toBe(1);
  const both = [0, 1].map(() => refusalOf(trpc.createChatCompletion.mutate(ask)));
  for (const { error } of await Promise.all(both)) expect(error).toMatchObject({ code: 'invalid_value' });
  expect(asksSince(before)).toBe(1);
});

test("checks the ipRanges of a key against the caller's address", async () => {
  const ipRanges = ['203.0.113.0/24'];
  const near = await newTrpc({ ipRanges }, { 'x-forwarded-for': '203.0.113.7' });
  expect((await near.trpc.createChatCompletion.mutate(ask)).object).toBe('chat.completion');
  const far = await newTrpc({ ipRanges }, { 'x-forwarded-for': '198.51.100.7' });
  expect((await refusalOf(far.trpc.createChatCompletion.mutate(ask))).error.code).toBe('permission_denied');
});

test('rejects one call of a batch of two with a concurrency limit of 1', async () => {
  const { trpc } = await newTrpc({ limits: { ...none, concurrency: enforced(1) } });
  const rest = Promise.withResolvers<void>();
  vendor.fake.next(async () => {
    await rest.promise;
    return json(chatCompletion({ text: ['late'] }));
  });
  const calls = [0, 1].map(() => trpc.createChatCompletion.mutate(ask));
  const rejected = await Promise.race(calls.map((call) => refusalOf(call).catch(() => new Promise<never>(() => undefined))));
  expect(rejected.error.code).toBe('concurrency_limit_exceeded');
  rest.resolve();
  const ends = await Promise.allSettled(calls);
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('releases the hold of a call that the provider rejects', async () => {
  const { trpc, accountId } = await newTrpc();
  vendor.fake.next(failure(400, { message: 'too long', code: 'context_length_exceeded' }));
  expect((await refusalOf(trpc.createChatCompletion.mutate(ask))).error.code).toBe('context_length_exceeded');
  expect(await vendor.gateway.gateway.money?.ledger.getBalance(accountId)).toEqual({ balance: 1_000_000_000n, held: 0n });
});
