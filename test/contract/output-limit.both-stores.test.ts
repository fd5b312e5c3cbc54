/** The output limit of a call that names none: as much as its money pays for, reported in the answer, also for sixty concurrent calls. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Receipt } from '../../contract/usage.ts';
import { formatDollars } from '../../server/money/dollars.ts';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { later } from '../fakes/faults.ts';
import type { TestGateway } from '../harness/gateway.ts';
import { callers, kinds, modelOver, openPairs, type Pairs } from '../harness/pairs.ts';
import { expectRefusal } from '../harness/refusal.ts';

const contextWindow = 50_000;
/** It may fill the whole context window, so its highest cost is known: a micro-dollar for each token of the window. */
const prompt = 'Hello '.repeat(contextWindow / 5);
const inputCost = 50_000n;
const asks = {
  chat: { path: '/chat/completions', body: { messages: [{ role: 'user', content: prompt }] }, limit: 'max_completion_tokens' },
  responses: { path: '/responses', body: { input: prompt }, limit: 'max_output_tokens' },
} as const;

const maxOutputTokens = 100_000;
const prices = { input: '1', output: '10' };
const outputPrice = 10n;
/** A call alone holds the least it can do with, that is its input and 1,024 tokens of output, and half of the rest. */
const heldOf = (available: bigint, answers = 1n): bigint => {
  const least = inputCost + answers * 1_024n * outputPrice;
  return least + (available - least) / 2n;
};
const limitFor = (held: bigint, answers = 1n): number => Number((held - inputCost) / outputPrice / answers);
let pairs: Pairs;
beforeAll(async () => {
  const models = kinds.map((kind) => ({
    id: modelOver(kind),
    kind: 'text',
    upstream: kind,
    upstreamModel: 'some-model',
    contextWindow,
    maxOutputTokens,
    prices,
  }));
  pairs = await openPairs({ settings: { models: [...models, { ...models[0], id: 'of-unknown-length', maxOutputTokens: undefined }] } });
});
afterAll(() => pairs.close());

let accounts = 0;
const keyWith = (balance: bigint, gateway: TestGateway = pairs.gateway, more = {}) =>
  gateway.newKey({ account: `account ${++accounts}`, balance, ...more });
const post = (path: string, json: unknown, key: string, gateway = pairs.gateway) => gateway.call(path, { key, json });

const limitOf = (answer: Response): number => Number(answer.headers.get('x-modelgate-output-limit') ?? expect.fail('no output limit'));
async function receiptOf(answer: Response, key: string): Promise<Receipt> {
  await answer.text();
  // The contract says what it is.
  return (await (await pairs.gateway.call(`/usage/${answer.headers.get('x-request-id')}`, { key })).json()) as Receipt;
}

/** The field and value that each kind of vendor gets. */
const limitAsked = {
  chat: ({ max_completion_tokens: limit }) => limit,
  responses: ({ max_output_tokens: limit }) => limit,
  anthropic: ({ max_tokens: limit }) => limit,
  converse: ({ inferenceConfig: config }) => (config as { maxTokens?: number } | undefined)?.maxTokens,
  gemini: ({ generationConfig: config }) => (config as { maxOutputTokens?: number } | undefined)?.maxOutputTokens,
} as const satisfies Record<(typeof kinds)[number], (fields: Record<string, unknown>) => unknown>;
const last = (kind: (typeof kinds)[number]) => limitAsked[kind](pairs.fakes[kind].last.fields);

describe.each(callers)('C3: a %s call', (caller) => {
  const { path, body, limit } = asks[caller];
  const over = (kind: (typeof kinds)[number], more = {}) => ({ model: modelOver(kind), ...body, ...more });

  test.each(kinds)('gets over %s the output limit its balance pays for, in hold, upstream request, header and receipt', async (kind) => {
    const { key } = await keyWith(500_000n);
    pairs.expectToSay(kind, { text: 'Hello.' });
    const answer = await post(path, over(kind), key);
    expect(answer.status).toBe(200);
    const held = heldOf(500_000n);
    const limit = limitFor(held);
    expect([limitOf(answer), last(kind), held, limit]).toEqual([limit, limit, 280_120n, 23_012]);
    expect(await receiptOf(answer, key)).toMatchObject({ output_limit: limit, held: formatDollars(held) });
  });

  test.each(kinds)('gets no output limit over %s if its balance pays for the longest response', async (kind) => {
    const { key } = await keyWith(100_000_000n);
    pairs.expectToSay(kind, { text: 'Hello.' });
    const answer = await post(path, over(kind), key);
    expect([answer.status, answer.headers.get('x-modelgate-output-limit')]).toEqual([200, null]);
    expect(last(kind)).toBe(kind === 'anthropic' ? maxOutputTokens : undefined);
    expect(await receiptOf(answer, key)).toMatchObject({ output_limit: null, held: '1.050000' });
  });

  test('holds the money for its own output limit, or is rejected', async () => {
    const { key } = await keyWith(500_000n);
    await expectRefusal(await post(path, over('chat', { [limit]: 45_001 }), key), { code: 'insufficient_balance' });
    const answer = await post(path, over('chat', { [limit]: 45_000 }), key);
    expect([answer.status, answer.headers.get('x-modelgate-output-limit'), last('chat')]).toEqual([200, null, 45_000]);
    expect((await receiptOf(answer, key)).held).toBe('0.500000');
  });

  test("fails only if the balance can't pay for a short response", async () => {
    const { key } = await keyWith(60_239n);
    await expectRefusal(await post(path, over('chat'), key), { code: 'insufficient_balance', says: 'can cost up to $0.060240' });
    const { key: other } = await keyWith(60_240n);
    const answer = await post(path, over('chat'), other);
    expect([answer.status, limitOf(answer)]).toEqual([200, 1_024]);
  });

  test('gets the output limit that its spending cap pays for', async () => {
    const { key } = await keyWith(100_000_000n, pairs.gateway, { caps: [{ micros: 200_000n, period: 'day' }] });
    const answer = await post(path, over('chat'), key);
    const given = limitFor(heldOf(200_000n));
    expect([limitOf(answer), last('chat')]).toEqual([given, given]);
  });

  test('ends with the reason when cut off by it, as with a limit of the caller', async () => {
    const { key } = await keyWith(500_000n);
    pairs.expectToSay('anthropic', { text: 'Hello and', end: 'length' });
    const answer = await post(path, over('anthropic'), key);
    const cut = { chat: { choices: [{ finish_reason: 'length' }] }, responses: { incomplete_details: { reason: 'max_output_tokens' } } };
    expect(await answer.json()).toMatchObject(cut[caller]);
  });

  test('gets an output limit of at most 32,000 for a model without a known longest response', async () => {
    const { key } = await keyWith(1_200_000n);
    const answer = await post(path, { ...over('chat'), model: 'of-unknown-length' }, key);
    expect([limitOf(answer), last('chat')]).toEqual([32_000, 32_000]);
  });
});

test('C3: rejects an output limit by its name in the other protocol', async () => {
  const { key } = await keyWith(500_000n);
  for (const [caller, name] of [
    ['responses', 'max_tokens'],
    ['responses', 'max_completion_tokens'],
    ['responses', 'messages'],
    ['chat', 'max_output_tokens'],
  ] as const) {
    const body = { model: modelOver(caller), ...asks[caller].body, [name]: 1 };
    await expectRefusal(await post(asks[caller].path, body, key), { code: 'unknown_parameter', param: name });
  }
});

test('C3: splits the output limit among `n` choices', async () => {
  const { key } = await keyWith(500_000n);
  const answer = await post('/chat/completions', { model: modelOver('chat'), ...asks.chat.body, n: 3 }, key);
  const held = heldOf(500_000n, 3n);
  expect([limitOf(answer), last('chat'), (await receiptOf(answer, key)).held]).toEqual([8_012, limitFor(held, 3n), formatDollars(held)]);
});

test('C3: admits and charges sixty concurrent calls on a balance for forty longest responses', async () => {
  const balance = 40_000_000n;
  const { key, accountId } = await keyWith(balance);
  const { chat: fake } = pairs.fakes;
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const before = fake.requests.length;
  fake.next(later(gate, json(chatCompletion())), { times: 60 });
  const asked = Array.from({ length: 60 }, () => post('/chat/completions', { model: modelOver('chat'), ...asks.chat.body }, key));
  const statuses = Promise.all(asked.map(async (one) => (await one).status));
  // None has ended when the last of them comes; one that is rejected never does.
  await Promise.race([fake.arrival(before + 59), statuses]);
  release();
  expect(await statuses).toEqual(Array(60).fill(200));
  const ledger = pairs.gateway.gateway.money?.ledger ?? expect.fail('billing is off');
  const left = (await ledger.getBalance(accountId)) ?? expect.fail('no balance');
  expect([left.held, left.balance > 0n && left.balance < balance]).toEqual([0n, true]);
});

test('C3: shows the longest response of every text model in the catalog', async () => {
  const { data } = (await (await fetch(`${pairs.gateway.origin}/catalog`)).json()) as { data: { id: string; max_output_tokens: number }[] };
  expect(data.map(({ max_output_tokens: most }) => most)).toEqual([...kinds.map(() => maxOutputTokens), 128_000]);
});
