/** GET /v1/usage and /v1/usage/{request_id}: the calls of an account, and receipts that can be recomputed by hand. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Modelgate, NotFoundError } from '../../client/sdk/src/index.ts';
import type { Receipt, UsageList } from '../../contract/usage.ts';
import { chatCompletion, chatFrames } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { behind, startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectRefusal } from '../harness/refusal.ts';

const prices = { input: '1.25', cachedInput: '0.125', cacheWrite: '2.5', output: '10' };
const settings = (url: string) => ({
  ...behind(url),
  groups: { vip: { multiplier: '0.333333' } },
  models: [
    { id: 'gpt-5.4', kind: 'text', prices },
    { id: 'given', kind: 'text', upstreamModel: 'gpt-5.4', prices: 'free' },
    { id: 'gpt-image-2', kind: 'image', prices: { images: { '1024x1024/low': '0.011', default: '0.25' } } },
  ],
});

let fake: Fake;
let gateway: TestGateway;
beforeAll(async () => {
  fake = await openFake();
  gateway = await startGateway(settings(fake.url));
});
afterAll(async () => {
  await gateway.close();
  await fake.close();
});

const used = (input: number, output: number, { cached = 0, reasoning = 0 } = {}) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
});
const say = (usage: unknown) => fake.next(json(chatCompletion({ usage })));

const chat = (more: Record<string, unknown> = {}, key?: string) =>
  gateway.call('/chat/completions', {
    json: { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hi' }], ...more },
    ...(key !== undefined && { key }),
  });

/** The id of the request, after its answer was read. */
async function made(answer: Response | Promise<Response>): Promise<string> {
  const done = await answer;
  expect(done.status).toBe(200);
  await done.text();
  return done.headers.get('x-request-id') ?? '';
}

async function read<T>(path: string, key?: string): Promise<T> {
  const answer = await gateway.call(path, key === undefined ? {} : { key });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  // The gateway under test checks its answers against the contract.
  return (await answer.json()) as T;
}
const receiptOf = (id: string, key?: string) => read<Receipt>(`/usage/${id}`, key);
const list = (query = '', key?: string) => read<UsageList>(`/usage${query}`, key);

/** With six decimal places, in micro-dollars: `'0.000310'` becomes 310. */
const digits = (text: string): bigint => BigInt(text.replace('.', ''));

/** Recomputes a receipt in whole numbers. */
function recompute({ lines, multiplier, rounding }: Receipt): bigint {
  const amounts = lines.map(({ quantity, price, per, amount }) => {
    const exact = BigInt(quantity) * digits(price) * (per === 'million_tokens' ? 1n : 1_000_000n);
    expect(digits(amount)).toBe(exact);
    return exact;
  });
  const product = amounts.reduce((sum, amount) => sum + amount, 0n) * digits(multiplier);
  const rounded = product + digits(rounding);
  expect(rounded % 10n ** 12n).toBe(0n);
  expect(digits(rounding)).toBeLessThan(10n ** 12n);
  return rounded / 10n ** 12n;
}

describe('a caller who reads a receipt', () => {
  test('finds every token class at its price, and the charge can be recomputed', async () => {
    say(used(2_000, 33, { cached: 700, reasoning: 11 }));
    const before = Math.floor(Date.now() / 1_000);
    const answer = await chat();
    const receipt = await receiptOf(await made(answer));
    expect(receipt).toMatchObject({
      object: 'usage',
      model: 'gpt-5.4',
      operation: 'createChatCompletion',
      state: 'posted',
      outcome: 'completed',
      source: 'balance',
      estimated: false,
      multiplier: '1.000000',
      images: {},
      tools: {},
      tokens: { input: 1_300, cached_input: 700, cache_write: 0, output: 33, reasoning: 11 },
      lines: [
        { class: 'input', quantity: 1_300, price: '1.250000', per: 'million_tokens', amount: '0.001625000000' },
        { class: 'cached_input', quantity: 700, price: '0.125000', per: 'million_tokens', amount: '0.000087500000' },
        { class: 'output', quantity: 33, price: '10.000000', per: 'million_tokens', amount: '0.000330000000' },
      ],
      subtotal: '0.002042500000',
      rounding: '0.000000500000000000',
      cost: '0.002043',
      charged: '0.002043',
    });
    expect(recompute(receipt)).toBe(2_043n);
    expect(answer.headers.get('x-modelgate-cost')).toBe(receipt.charged);
    expect(receipt).not.toHaveProperty('overrun');
    expect(receipt.settled_at).toBeGreaterThanOrEqual(receipt.created_at);
    expect(receipt.created_at).toBeGreaterThanOrEqual(before);
    expect(receipt.settled_at).toBeLessThanOrEqual(Date.now() / 1_000);
  });

  test('finds the charge of a group with a multiplier multiplied and rounded up once', async () => {
    const { key } = await gateway.newKey({ account: 'partner', group: 'vip' });
    say(used(1_001, 7));
    const receipt = await receiptOf(await made(chat({}, key)), key);
    expect(receipt).toMatchObject({ multiplier: '0.333333', subtotal: '0.001321250000', cost: '0.000441' });
    expect(recompute(receipt)).toBe(441n);
  });

  test('finds the number of images by kind', async () => {
    const json = { model: 'gpt-image-2', prompt: 'A lighthouse', n: 2, size: '1024x1024', quality: 'low' };
    const receipt = await receiptOf(await made(gateway.call('/images/generations', { json })));
    expect(receipt).toMatchObject({
      operation: 'generateImages',
      estimated: false,
      images: { '1024x1024/low': 2 },
      lines: [{ class: '1024x1024/low', quantity: 2, price: '0.011000', per: 'image', amount: '0.022000000000' }],
      charged: '0.022000',
    });
    expect(recompute(receipt)).toBe(22_000n);
  });

  test('finds the usage of a free model without a charge', async () => {
    const receipt = await receiptOf(await made(chat({ model: 'given' })));
    expect(receipt).toMatchObject({ state: 'posted', held: '0.000000', charged: '0.000000', subtotal: '0.000000000000' });
    expect(receipt.lines.map(({ class: name, price }) => [name, price])).toEqual([
      ['input', '0.000000'],
      ['cached_input', '0.000000'],
      ['output', '0.000000'],
    ]);
  });

  test('finds a stream right after the last event', async () => {
    fake.next(stream(chatFrames({ usage: used(90, 12), includeUsage: true })));
    const receipt = await receiptOf(await made(chat({ stream: true })));
    expect(receipt).toMatchObject({ state: 'posted', estimated: false, tokens: { input: 90, output: 12 } });
    expect(recompute(receipt)).toBe(digits(receipt.charged));
  });

  test('finds no charge for a call that failed before any output', async () => {
    fake.next(failure(500));
    const answer = await chat();
    expect(answer.status).toBe(502);
    const receipt = await receiptOf(answer.headers.get('x-request-id') ?? '');
    expect(receipt).toMatchObject({ state: 'voided', outcome: 'failed', charged: '0.000000', cost: '0.000000', lines: [], tokens: null });
    expect(digits(receipt.held)).toBeGreaterThan(0n);
  });

  test('finds a charge of at most the hold, whatever usage the upstream reports', async () => {
    say(used(9_000_000, 10));
    const receipt = await receiptOf(await made(chat({ max_completion_tokens: 10 })));
    expect([receipt.charged, receipt.cost]).toEqual([receipt.held, '11.250100']);
    expect(recompute(receipt)).toBe(11_250_100n);
  });
});

describe('a caller who lists usage', () => {
  test('reads all calls by pages', async () => {
    const { key } = await gateway.newKey({ account: 'walker' });
    expect(await list('', key)).toEqual({ object: 'list', data: [], first_id: null, last_id: null, has_more: false });
    const ids: string[] = [];
    for (let left = 5; left > 0; left--) ids.push(await made(chat({}, key)));
    const found: string[] = [];
    for (let page = await list('?limit=2', key); ; page = await list(`?limit=2&after=${page.last_id}`, key)) {
      found.push(...page.data.map(({ request_id }) => request_id));
      expect([page.first_id, page.last_id]).toEqual([page.data[0]?.request_id, page.data.at(-1)?.request_id]);
      if (!page.has_more) break;
    }
    // Two calls of one millisecond may be in either order.
    expect(found.toSorted()).toEqual(ids.toSorted());
  });

  test('sees the calls of other keys of the account, with the key', async () => {
    const [one, other] = [await gateway.newKey({ account: 'shared' }), await gateway.newKey({ account: 'shared' })];
    const id = await made(chat({}, one.key));
    expect((await list('', other.key)).data).toMatchObject([{ request_id: id, key_id: one.id }]);
  });

  test('reads the calls from a time on, and before a time', async () => {
    const { key } = await gateway.newKey({ account: 'timed' });
    const receipt = await receiptOf(await made(chat({}, key)), key);
    const at = receipt.created_at;
    const count = async (query: string) => (await list(query, key)).data.length;
    expect([await count(`?from=${at}`), await count(`?to=${at}`)]).toEqual([1, 0]);
    expect([await count(`?from=${at + 1}`), await count(`?to=${at + 1}`)]).toEqual([0, 1]);
    expect(await count(`?from=${at}&to=${at + 1}`)).toBe(1);
  });

  test('writes numbers with leading zeros and of any size', async () => {
    const all = (await list('?limit=007')).data;
    expect((await list('?limit=7&to=9007199254740991')).data).toEqual(all);
  });

  test.each([
    ['limit=0', 'limit', 'integer_below_min_value'],
    ['limit=101', 'limit', 'integer_above_max_value'],
    ['limit=many', 'limit', 'invalid_type'],
    ['from=2026-01-01', 'from', 'invalid_type'],
    ['to=-1', 'to', 'integer_below_min_value'],
    ['to=9999999999999999', 'to', 'integer_above_max_value'],
    [`to=${'9'.repeat(400)}`, 'to', 'invalid_type'],
    ['after=req_none', 'after', 'invalid_value'],
    ['after=', 'after', 'empty_string'],
  ] as const)('gets 400 with the field for ?%s', async (query, param, code) => {
    await expectRefusal(await gateway.call(`/usage?${query}`), { code, param });
  });
});

describe('a caller of another account', () => {
  test('F45: gets the same error for a receipt of another account as for an unknown id', async () => {
    const id = await made(chat());
    const { key } = await gateway.newKey({ account: 'stranger' });
    const bodies = await Promise.all(
      [id, id.replace(/.{8}$/, '00000000')].map(async (tried) => {
        const answer = await gateway.call(`/usage/${tried}`, { key });
        const body = await expectRefusal(answer, { code: 'not_found', param: 'request_id' });
        return JSON.stringify(body).replace(tried, '<id>');
      }),
    );
    expect(bodies[0]).toBe(bodies[1]);
    expect((await list('', key)).data).toEqual([]);
    await expectRefusal(await gateway.call(`/usage?after=${id}`, { key }), { code: 'invalid_value', param: 'after' });
  });

  test('reads nothing without a key', async () => {
    for (const path of ['/usage', '/usage/req_1'])
      await expectRefusal(await gateway.call(path, { key: null }), { code: 'invalid_api_key' });
  });
});

test('returns an empty list and no receipts if billing is off', async () => {
  const free = await startGateway({ ...settings(fake.url), billing: 'off' });
  const answer = await free.call('/chat/completions', { json: { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hi' }] } });
  const id = await made(answer);
  expect(answer.headers.has('x-modelgate-cost')).toBe(false);
  expect(await (await free.call('/usage')).json()).toMatchObject({ data: [], has_more: false });
  await expectRefusal(await free.call(`/usage/${id}`), { code: 'not_found', param: 'request_id' });
  await free.close();
});

test('lists usage and reads a receipt with the typed client', async () => {
  const client = new Modelgate({ baseURL: gateway.baseURL, apiKey: gateway.key });
  let id = '';
  const onResponse = ({ headers }: Response) => {
    id = headers.get('x-request-id') ?? '';
  };
  await client.createChatCompletion({ model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hi' }] }, { onResponse });
  const receipt = await client.getUsage(id);
  const page = await client.listUsage({ from: receipt.created_at, limit: 100 });
  expect(page.data.map(({ request_id }) => request_id)).toContain(id);
  expect(recompute(receipt)).toBe(digits(receipt.charged));
  await expect(client.getUsage('req_none')).rejects.toBeInstanceOf(NotFoundError);
});

test('logs each call at the millisecond of its charge, because the hours of both are compared', async () => {
  const { activity, money } = gateway.gateway;
  fake.next(json(chatCompletion({ usage: used(10, 5) })), { times: 20 });
  const ids = await Promise.all(Array.from({ length: 20 }, () => made(chat())));
  const logged: unknown[] = [];
  const charged: unknown[] = [];
  for (const id of ids) {
    await gateway.lineOf(id);
    logged.push((await activity.find(id))?.ended_at);
    charged.push((await money?.ledger.findCharge(id))?.settledAt);
  }
  expect(logged).toEqual(charged);
  expect(charged).not.toContain(undefined);
});
