/** Models over the admin API and on the command line: what a key may do with each, who serves them, and the versions of their prices. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KeyAccess } from '../../contract/admin/explanations.ts';
import { ConfiguredModelList } from '../../contract/admin/models.ts';
import { governed, refusalOf, startAdmin, type TestAdmin } from '../harness/admin.ts';
import { paidCall, rowsOf } from '../harness/call-record.ts';

let admin: TestAdmin;
beforeAll(async () => {
  admin = await startAdmin(governed);
});
afterAll(() => admin.close());

let count = 0;
async function newKey({ balance = '10', group = 'default', ...key }: { balance?: string; group?: string } & Record<string, unknown> = {}) {
  const account = `account ${++count}`;
  await admin.call('POST', '/accounts', { name: account, group, opening_balance: balance });
  return (await admin.call('POST', '/keys', { account, name: 'k', ...key })).body.id;
}
const access = async (id: string) => KeyAccess.parse((await admin.call('GET', `/keys/${id}/access`)).body);
const rulesOf = async (id: string) => Object.fromEntries((await access(id)).models.map(({ id: model, rule }) => [model, rule]));

test('lists for each model of a key whether it can be called, its price and the deciding rule', async () => {
  const listed = await access(await newKey({ group: 'vip', permissions: { models: ['p*'] } }));
  expect(listed).toMatchObject({ object: 'key_access', group: 'vip', balance: { available: '10.000000' }, spending_caps: [] });
  expect(listed.models.map(({ id, allowed, rule }) => [id, allowed, rule])).toEqual([
    ['play', true, null],
    ['pearl', true, null],
    ['draw', false, 'models'],
    ['gift', false, 'models'],
  ]);
  expect(listed.models[0]).toMatchObject({
    operations: ['createChatCompletion', 'createResponse'],
    price: {
      price_list: 'standard',
      multiplier: '0.500000',
      effective: { input: '1.000000', cached_input: '0.100000', output: '4.000000' },
    },
    limits: [{ scope: 'model', quantity: 'concurrency', limit: 9 }],
  });
  expect(listed.limits).toMatchObject([{ scope: 'key', quantity: 'requests', limit: 60, remaining: 60 }]);
});

test('gives each model the same result as an explanation of that model', async () => {
  const keys = [
    await newKey(),
    await newKey({ balance: '0' }),
    await newKey({ balance: '0.000001' }),
    // Enough for a short text, too little for an image.
    await newKey({ balance: '0.1' }),
    await newKey({ spending_caps: [{ amount: '0', period: 'day' }] }),
    await newKey({ permissions: { operations: ['createResponse'] } }),
  ];
  let rejected = 0;
  for (const key of keys) {
    for (const { id: model, allowed, rule, code, operations, price } of (await access(key)).models) {
      const alone = (await admin.call('POST', '/explanations', { key, model })).body;
      expect({ model, allowed, rule, code, operations, price }).toEqual({
        model,
        allowed: alone.allowed,
        rule: alone.rule,
        code: alone.code,
        operations: alone.operations,
        price: alone.price,
      });
      if (!allowed) rejected++;
    }
  }
  expect(rejected).toBeGreaterThan(8);
});

test('denies only the model that the balance is too low for', async () => {
  expect(await rulesOf(await newKey({ balance: '0.1' }))).toEqual({ play: null, pearl: 'group', draw: 'balance', gift: null });
});

test('returns key_revoked for every model of a revoked key', async () => {
  const id = await newKey();
  await admin.call('POST', `/keys/${id}/revoke`);
  expect(new Set(Object.values(await rulesOf(id)))).toEqual(new Set(['key_revoked']));
});

test('lists models in file order, with upstreams, prices by list and the usage of thirty days', async () => {
  const at = Date.now();
  const old = at - 31 * 86_400_000;
  const calls = [
    paidCall('req_m1', { ended_at: at, charged: 1_250_000 }),
    paidCall('req_m2', { ended_at: at, charged: 250_000 }),
    paidCall('req_m3', { ended_at: old, model: 'gift', charged: 7 }),
  ];
  await admin.activity.add(rowsOf(...calls));
  const { data } = ConfiguredModelList.parse((await admin.call('GET', '/models')).body);
  expect(data.map(({ id }) => id)).toEqual(['play', 'pearl', 'draw', 'gift']);
  expect(data[0]).toMatchObject({
    kind: 'text',
    candidates: [{ upstream: 'demo', upstream_model: 'play', priority: 1, weight: 1 }],
    requests_30d: 2,
    charged_30d: '1.500000',
    last_used_at: new Date(at - (at % 3_600_000)).toISOString(),
  });
  expect(data[0]?.prices.map(({ price_list: list }) => list).toSorted()).toEqual(['standard', 'wholesale']);
  expect(data[3]).toMatchObject({ requests_30d: 0, charged_30d: '0.000000', last_used_at: null });
});

test('lists price versions newest first, by pages, and by model and list', async () => {
  for (const output of ['8', '9', '10']) await admin.call('POST', '/prices', { model: 'play', prices: { input: '2', output } });
  await admin.call('POST', '/prices', { model: 'play', price_list: 'wholesale', prices: { input: '1', output: '3' } });
  const outputs = async (query: string) => {
    const { body } = await admin.call('GET', `/prices/versions?${query}`);
    return { outputs: body.data.map(({ prices }) => (prices as { output: string }).output), last: body.last_id, more: body.has_more };
  };
  const first = await outputs('model=play&price_list=standard&limit=2');
  expect(first).toMatchObject({ outputs: ['10', '9'], more: true });
  // The price in the file became a version before the first one of an operator.
  expect((await outputs(`model=play&price_list=standard&after=${first.last}`)).outputs).toEqual(['8', '8']);
  expect((await outputs('price_list=wholesale')).outputs).toEqual(['3', '4']);
  expect((await outputs('model=none')).outputs).toEqual([]);
  expect(refusalOf(await admin.call('GET', '/prices/versions?after=x'))).toMatchObject({ status: 400, param: 'after' });
});
