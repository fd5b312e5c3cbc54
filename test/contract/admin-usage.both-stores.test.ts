/** Groups, prices, limits, usage and receipts over the admin API: every charge can be recomputed from what is shown. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeHold } from '../../server/money/hold-range.ts';
import { readPrices } from '../../server/money/prices.ts';
import type { MeteredUsage } from '../../server/money/store.ts';
import { governed, refusalOf, startAdmin, type TestAdmin } from '../harness/admin.ts';

let admin: TestAdmin;
let accountId: string;
beforeAll(async () => {
  admin = await startAdmin(governed);
  accountId = (await admin.call('POST', '/accounts', { name: 'research', group: 'vip', opening_balance: '100' })).body.id ?? '';
});
afterAll(() => admin.close());

const nothing: MeteredUsage = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0, images: {} };

interface Request {
  readonly id: string;
  readonly model?: string;
  readonly at?: number;
  readonly version: number;
  readonly cost: bigint;
  readonly metered: Partial<MeteredUsage>;
}

async function charge({ id, model = 'play', at = Date.now(), version, cost, metered }: Request): Promise<void> {
  const order = { requestId: id, accountId, keyId: 'key_1', caps: [], model, operation: 'createResponse', node: 'node_1', at };
  const held = await admin.ledger.reserve({ ...order, priceVersion: version, multiplier: 500_000, amount: cost + 1_000n });
  expect(held.kind).toBe('held');
  await admin.ledger.post({ requestId: id, cost, metered: { ...nothing, ...metered }, isEstimated: false, outcome: 'completed', at });
}

test('lists the groups to an operator, with the models that each can call', async () => {
  const { data } = (await admin.call('GET', '/groups')).body;
  expect(data.map(({ name, multiplier, models }) => ({ name, multiplier, models }))).toEqual([
    { name: 'default', multiplier: '1.000000', models: ['play', 'draw', 'gift'] },
    { name: 'vip', multiplier: '0.500000', models: ['play', 'pearl', 'draw', 'gift'] },
    { name: 'team', multiplier: '1.000000', models: ['play', 'draw', 'gift'] },
  ]);
});

test('lists the limits of the configuration to an operator', async () => {
  const { body } = await admin.call('GET', '/limits');
  expect(body.per_key).toMatchObject({ requests_per_minute: { limit: 60, mode: 'enforce' }, concurrency: null });
  expect(body.groups).toContainEqual(
    expect.objectContaining({ name: 'team', limits: expect.objectContaining({ requests_per_minute: { limit: 600, mode: 'enforce' } }) }),
  );
  expect(body.models).toContainEqual(
    expect.objectContaining({ id: 'play', limits: expect.objectContaining({ concurrency: { limit: 9, mode: 'enforce' } }) }),
  );
});

test('creates a version from a new price that replaces that of the configuration', async () => {
  const before = (await admin.call('GET', '/prices')).body.data;
  expect(before).toContainEqual(
    expect.objectContaining({
      price_list: 'standard',
      model: 'play',
      version: null,
      source: 'config',
      prices: { input: '2', cached_input: '0.2', output: '8' },
    }),
  );
  expect(before).toContainEqual(expect.objectContaining({ price_list: 'wholesale', model: 'play', prices: { input: '1', output: '4' } }));
  expect(before).toContainEqual(expect.objectContaining({ model: 'gift', prices: 'free' }));
  const prices = { input: '3', cached_input: '0.3', cache_write: '4', output: '9' };
  const made = (await admin.call('POST', '/prices', { model: 'play', prices })).body;
  expect(made).toMatchObject({ object: 'price', version: 2, price_list: 'standard', model: 'play', source: 'admin', prices });
  expect((await admin.ledger.listLatestConfigPrices()).map(({ version, model }) => [version, model])).toEqual([[1, 'play']]);
  const after = (await admin.call('GET', '/prices')).body.data;
  expect(after.filter(({ price_list: list, model }) => `${list}/${model}` === 'standard/play')).toEqual([made]);
});

test.each([
  { body: { model: 'none', prices: 'free' }, says: { status: 400, code: 'invalid_value', param: 'model' } },
  { body: { model: 'play', price_list: 'none', prices: 'free' }, says: { status: 400, code: 'invalid_value', param: 'price_list' } },
  { body: { model: 'play', prices: { images: { default: '1' } } }, says: { status: 400, code: 'invalid_value', param: 'prices' } },
  {
    body: { model: 'draw', prices: { images: { '1024x1024/high': '1' } } },
    says: { status: 400, code: 'invalid_value', param: 'prices.images' },
  },
  { body: { model: 'play', prices: { input: '-1', output: '1' } }, says: { status: 400, code: 'invalid_value', param: 'prices.input' } },
  { body: { model: 'play', prices: { input: 1, output: '1' } }, says: { status: 400, code: 'invalid_type', param: 'prices.input' } },
])('rejects a price of $body', async ({ body, says }) => {
  expect(refusalOf(await admin.call('POST', '/prices', body))).toEqual(says);
});

test('shows every token class, its charge and the account that paid in a receipt', async () => {
  const metered = { input: 7, cachedInput: 11, cacheWrite: 5, output: 13, reasoning: 4 };
  await charge({ id: 'req_text', version: 1, cost: 81n, metered });
  expect((await admin.call('GET', '/usage/req_text')).body).toMatchObject({
    request_id: 'req_text',
    account_id: accountId,
    state: 'posted',
    source: 'balance',
    subscription_id: null,
    estimated: false,
    charged: '0.000081',
    overrun: '0.000000',
    outcome: 'completed',
    price_version: 1,
    price_list: 'standard',
    tokens: { input: 7, cached_input: 11, cache_write: 5, output: 13, reasoning: 4 },
  });
});

test('holds the most that a running request can cost', async () => {
  const amount = computeHold(
    readPrices({ input: '2', output: '8' }),
    { inputTokens: 100, outputTokens: 50, images: 0, imageKind: '' },
    1_000_000,
  );
  const order = {
    requestId: 'req_open',
    accountId,
    keyId: 'key_2',
    caps: [],
    model: 'play',
    operation: 'createResponse',
    priceVersion: 1,
  };
  await admin.ledger.reserve({ ...order, multiplier: 1_000_000, amount, node: 'node_1', at: Date.now() });
  const { body } = await admin.call('GET', '/usage/req_open');
  expect(body).toMatchObject({
    state: 'held',
    held: '0.000600',
    charged: '0.000000',
    tokens: null,
    images: null,
    lines: [],
    settled_at: null,
  });
});

test('lists usage by time and key, newest first, by pages', async () => {
  const day = Date.UTC(2026, 2, 5);
  for (const [index, id] of ['req_1', 'req_2', 'req_3'].entries()) {
    await charge({ id, at: day + index * 1000, version: 1, cost: 1n, metered: { input: 1 } });
  }
  const path = '/accounts/research/usage?from=2026-03-05T00:00:00Z&to=2026-03-06T00:00:00Z';
  const first = (await admin.call('GET', `${path}&limit=2`)).body;
  expect([first.data.map(({ request_id: id }) => id), first.has_more]).toEqual([['req_3', 'req_2'], true]);
  const rest = (await admin.call('GET', `${path}&limit=2&after=${first.last_id}`)).body;
  expect([rest.data.map(({ request_id: id }) => id), rest.has_more]).toEqual([['req_1'], false]);
  expect((await admin.call('GET', `${path}&key_id=key_none`)).body.data).toEqual([]);
  expect((await admin.call('GET', '/accounts/research/usage?key_id=key_2')).body.data).toMatchObject([{ request_id: 'req_open' }]);
});

test('reconciles the ledger after all of it', async () => {
  const { body } = await admin.call('GET', '/ledger/reconciliation');
  expect(body).toMatchObject({
    object: 'reconciliation',
    is_consistent: true,
    accounts: 1,
    differences: [],
    unbalanced: [],
    inconsistent_requests: [],
    overrun: '0.000000',
  });
  expect(body.entries).toBeGreaterThan(5);
});
