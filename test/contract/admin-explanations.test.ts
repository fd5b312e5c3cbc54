/** Explanations of what a key may do, over the admin API: each rule that can deny a call, in the order of a call, and without using anything up. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateKey as makeKey } from '../../server/access/key-format.ts';
import { toLimits } from '../../server/limits/limit-values.ts';
import type { Quantity } from '../../server/limits/limiter.ts';
import type { OwnedCap } from '../../server/money/spending-cap.ts';
import { governed, startAdmin, type TestAdmin } from '../harness/admin.ts';

let admin: TestAdmin;
beforeAll(async () => {
  admin = await startAdmin(governed);
});
afterAll(() => admin.close());

let count = 0;
interface Setting {
  readonly account?: object;
  readonly key?: object;
}

/** An account of its own with 10 dollars, and a key of it. */
async function open({ account = {}, key = {} }: Setting = {}) {
  const name = `account ${++count}`;
  const owner = (await admin.call('POST', '/accounts', { name, opening_balance: '10', ...account })).body;
  const made = (await admin.call('POST', '/keys', { account: name, name: 'k', ...key })).body;
  return { name, accountId: String(owner.id), id: String(made.id), key: String(made.key) };
}
const explain = async (key: string, model = 'play', more: object = {}) =>
  (await admin.call('POST', '/explanations', { key, model, ...more })).body;

const hold = (accountId: string, keyId: string, amount: bigint, caps: readonly OwnedCap[] = []) =>
  admin.ledger.reserve({
    requestId: `req_${++count}`,
    accountId,
    keyId,
    caps,
    model: 'play',
    operation: 'createResponse',
    priceVersion: 1,
    multiplier: 1_000_000,
    amount,
    node: 'node_1',
    at: Date.now(),
  });

/** Uses up a limit of a key, as calls would. */
async function useUp(keyId: string, quantity: Quantity, most: number): Promise<void> {
  const [limit] = toLimits([{ scope: 'key', id: keyId, own: { [quantity === 'tokens' ? 'tokensPerMinute' : 'requestsPerMinute']: most } }]);
  if (!limit) throw new Error('no such limit');
  for (let taken = 0; taken < (quantity === 'tokens' ? 1 : most); taken++) {
    await admin.limits.acquire({ requestId: `req_${++count}`, limits: [limit], tokens: most, quantities: [quantity] });
  }
}

test('explains a key that can call completely, the same by key and by ID, and uses nothing up', async () => {
  const limits = { requests_per_minute: 5, tokens_per_minute: { limit: 1000, mode: 'observe' } };
  const { id, key, name, accountId } = await open({
    account: { group: 'vip' },
    key: { limits, spending_caps: [{ amount: '2', period: 'month' }] },
  });
  await useUp(id, 'requests', 2);
  const explained = await explain(id);
  expect(explained).toMatchObject({
    object: 'explanation',
    allowed: true,
    rule: null,
    code: null,
    group: 'vip',
    key: { id, account: { id: accountId, name } },
    model: { id: 'play', kind: 'text' },
    operations: ['createChatCompletion', 'createResponse'],
    subscription: null,
    price: {
      version: null,
      price_list: 'standard',
      prices: { input: '2', cached_input: '0.2', output: '8' },
      multiplier: '0.500000',
      effective: { input: '1.000000', cached_input: '0.100000', cache_write: '1.000000', output: '4.000000' },
    },
    balance: { balance: '10.000000', available: '10.000000' },
    spending_caps: [
      { scope: 'key', amount: '2.000000', period: 'month', left: '2.000000', resets_at: expect.stringMatching(/-01T00:00:00\.000Z$/) },
    ],
  });
  expect(explained.limits).toMatchObject([
    { scope: 'key', subject: id, quantity: 'requests', limit: 5, mode: 'enforce', remaining: 3 },
    { scope: 'key', quantity: 'tokens', limit: 1000, mode: 'observe', remaining: 1000, reset_ms: 0 },
    { scope: 'model', subject: 'play', quantity: 'concurrency', limit: 9, remaining: null },
  ]);
  const byKey = await explain(key);
  expect(byKey).toMatchObject({ allowed: true, key: { id } });
  expect(JSON.stringify(byKey)).not.toContain(key.slice(3, 20));
  expect((await explain(id)).limits).toMatchObject([{ remaining: 3 }, {}, {}]);
});

describe('an explanation', () => {
  test('names key_unknown for an unknown key', async () => {
    const unknown = { allowed: false, rule: 'key_unknown', code: 'invalid_api_key', key: null, balance: null, limits: [] };
    for (const key of [makeKey(), 'key_none', 'nonsense']) expect(await explain(key)).toMatchObject(unknown);
  });

  test('names key_revoked for a revoked key', async () => {
    const { id } = await open();
    await admin.call('POST', `/keys/${id}/revoke`);
    expect(await explain(id)).toMatchObject({ allowed: false, rule: 'key_revoked', code: 'invalid_api_key', key: { state: 'revoked' } });
  });

  test('names account_suspended for a key of a suspended account', async () => {
    const { id, name } = await open();
    await admin.call('PATCH', `/accounts/${encodeURIComponent(name)}`, { suspended: true });
    expect(await explain(id)).toMatchObject({ rule: 'account_suspended', code: 'invalid_api_key' });
  });

  test('names key_expired for an expired key', async () => {
    const { id } = await open();
    await admin.call('PATCH', `/keys/${id}`, { expires_at: '2020-01-01T00:00:00Z' });
    expect(await explain(id)).toMatchObject({ rule: 'key_expired', code: 'invalid_api_key' });
  });

  test('names request_rate if the requests of the key are used up', async () => {
    const { id } = await open({ key: { limits: { requests_per_minute: 2 } } });
    await useUp(id, 'requests', 2);
    expect(await explain(id)).toMatchObject({ rule: 'request_rate', code: 'rate_limit_exceeded', limits: [{ remaining: 0 }, {}] });
  });

  test('names no rule for a rate that is only observed', async () => {
    const { id } = await open({ key: { limits: { requests_per_minute: { limit: 2, mode: 'observe' } } } });
    await useUp(id, 'requests', 2);
    expect(await explain(id)).toMatchObject({ rule: null, limits: [{ mode: 'observe', remaining: 0 }, {}] });
  });

  test('names model_unknown for an unknown model', async () => {
    const { id } = await open();
    expect(await explain(id, 'none')).toMatchObject({
      rule: 'model_unknown',
      code: 'model_not_found',
      model: null,
      price: null,
      operations: [],
    });
  });

  test('names operation if the key lacks the operation', async () => {
    const { id } = await open({ key: { permissions: { operations: ['generateImages'] } } });
    expect(await explain(id)).toMatchObject({ rule: 'operation', code: 'permission_denied', operations: [] });
    expect(await explain(id, 'draw')).toMatchObject({ rule: null, operations: ['generateImages'] });
    expect(await explain(id, 'draw', { operation: 'editImages' })).toMatchObject({ rule: 'operation' });
  });

  test("names group if the model isn't for the group", async () => {
    const { id } = await open();
    expect(await explain(id, 'pearl')).toMatchObject({
      rule: 'group',
      code: 'permission_denied',
      group: 'default',
      model: { groups: ['vip'] },
    });
  });

  test("names models if the key doesn't name the model", async () => {
    const { id } = await open({ key: { permissions: { models: ['pl*'] } } });
    expect(await explain(id, 'gift')).toMatchObject({ rule: 'models', code: 'permission_denied' });
    expect(await explain(id, 'play')).toMatchObject({ rule: null });
  });

  test('names spending_cap if the cap is used up, and no rule for a free model', async () => {
    const { id, accountId } = await open({ key: { spending_caps: [{ amount: '1', period: 'day' }] } });
    await hold(accountId, id, 1_000_000n, [{ owner: `key:${id}`, micros: 1_000_000n, period: 'day', scope: 'key' }]);
    expect(await explain(id)).toMatchObject({ rule: 'spending_cap', code: 'insufficient_balance', spending_caps: [{ left: '0.000000' }] });
    expect(await explain(id, 'gift')).toMatchObject({ rule: null, price: { prices: 'free', effective: {} } });
  });

  test('names balance if the whole balance is held', async () => {
    const { id, accountId } = await open();
    await hold(accountId, id, 10_000_000n);
    expect(await explain(id)).toMatchObject({
      rule: 'balance',
      code: 'insufficient_balance',
      balance: { held: '10.000000', available: '0.000000' },
    });
  });

  test("C2: names balance if it can't pay for a short response, with the output limit that it can pay for", async () => {
    const { id, accountId } = await open({ account: { opening_balance: '0.005' } });
    const { reason, highest_output_limit: highest, ...rest } = await explain(id);
    expect(rest).toMatchObject({ allowed: false, rule: 'balance', code: 'insufficient_balance', output_limit: null });
    // At eight dollars per million.
    expect(Number(highest)).toBeGreaterThan(500);
    expect(Number(highest)).toBeLessThan(625);
    expect(reason).toContain(`output limit of up to ${highest} tokens would be accepted`);
    expect(await admin.ledger.getBalance(accountId)).toEqual({ balance: 5_000n, held: 0n });
  });

  test('C2: names spending_cap if the cap of the key is too low, though there is a balance', async () => {
    const { id } = await open({ key: { spending_caps: [{ amount: '0.004', period: 'day' }] } });
    expect(await explain(id)).toMatchObject({ allowed: false, rule: 'spending_cap', reason: expect.stringContaining('is too low') });
  });

  test('C2: names no rule for an account with a dollar, but its output limit and the highest possible one', async () => {
    const { id } = await open({ account: { opening_balance: '1' } });
    const { output_limit: given, highest_output_limit: highest, ...rest } = await explain(id);
    expect(rest).toMatchObject({ allowed: true, rule: null });
    expect(Number(given)).toBeGreaterThan(10_000);
    expect(Number(highest)).toBeGreaterThan(Number(given));
  });

  describe('C2: the highest output limit', () => {
    // Amounts in micro-dollars; `price` is that of one output token.
    test.each([
      { title: 'the cap if it is below the balance', cap: '0.01', balance: '0.02', pays: 10_000, price: 8 },
      { title: 'the balance if it is below the cap', cap: '0.02', balance: '0.01', pays: 10_000, price: 8 },
      { title: 'a plan that stops, whatever the balance', plan: 'pro', used: 19_990_000n, balance: '1', pays: 10_000, price: 8 },
      { title: 'a plan that continues, if it has more', plan: 'flex', used: 4_980_000n, balance: '0.01', pays: 20_000, price: 4 },
      { title: 'the balance beside it, if that has more', plan: 'flex', used: 4_990_000n, balance: '0.02', pays: 20_000, price: 4 },
      { title: 'the cap if it is below both', plan: 'flex', used: 4_980_000n, balance: '0.01', cap: '0.005', pays: 5_000, price: 4 },
    ])('follows $title', async ({ cap, balance, plan, used, pays, price }) => {
      const key = cap === undefined ? {} : { spending_caps: [{ amount: cap, period: 'day' }] };
      const { id, accountId, name } = await open({ account: { opening_balance: balance }, key });
      if (plan !== undefined) await admin.call('POST', `/accounts/${encodeURIComponent(name)}/subscriptions`, { plan });
      if (used !== undefined) await hold(accountId, id, used);
      const { highest_output_limit: highest } = await explain(id);
      // The input takes some of it.
      expect(Number(highest)).toBeLessThan(pays / price);
      expect(Number(highest)).toBeGreaterThan((pays / price) * 0.85);
    });
  });

  test('names subscription if a subscription that stops is used up, whatever the balance', async () => {
    const { id, accountId, name } = await open();
    await admin.call('POST', `/accounts/${encodeURIComponent(name)}/subscriptions`, { plan: 'pro' });
    expect(await explain(id)).toMatchObject({ rule: null, subscription: { plan: 'pro', included: '20.000000', left: '20.000000' } });
    await hold(accountId, id, 20_000_000n);
    expect(await explain(id)).toMatchObject({ rule: 'subscription', code: 'subscription_inactive', subscription: { left: '0.000000' } });
  });

  test('names no output limit if the money covers all that the model can produce', async () => {
    const { id } = await open({ account: { opening_balance: '1000' } });
    expect(await explain(id)).toMatchObject({ allowed: true, output_limit: null });
  });

  test('names subscription if a subscription that stops was canceled', async () => {
    const { id, name } = await open();
    const { body } = await admin.call('POST', `/accounts/${encodeURIComponent(name)}/subscriptions`, {
      plan: 'pro',
      starts_at: '2026-01-01T00:00:00Z',
    });
    await admin.call('POST', `/subscriptions/${body.id}/cancel`);
    expect(await explain(id)).toMatchObject({ rule: 'subscription', subscription: null, balance: { available: '10.000000' } });
  });

  test('names no rule if a subscription that continues is used up, and applies its price list', async () => {
    const { id, accountId, name } = await open();
    await admin.call('POST', `/accounts/${encodeURIComponent(name)}/subscriptions`, { plan: 'flex' });
    await hold(accountId, id, 5_000_000n);
    expect(await explain(id)).toMatchObject({
      rule: null,
      subscription: { left: '0.000000' },
      price: { price_list: 'wholesale', prices: { input: '1' } },
    });
    expect(await explain(id, 'draw')).toMatchObject({ price: { price_list: 'standard' } });
  });

  test('names token_rate if the tokens per minute are used up', async () => {
    const { id } = await open({ key: { limits: { tokens_per_minute: 100 } } });
    await useUp(id, 'tokens', 100);
    expect(await explain(id)).toMatchObject({ rule: 'token_rate', code: 'token_limit_exceeded' });
  });
});

test('allows a model without a price if billing is off', async () => {
  const models = [{ id: 'bare', kind: 'text' }];
  const off = await startAdmin({ ...governed, models, priceLists: {}, plans: {}, billing: 'off' });
  try {
    await off.call('POST', '/accounts', { name: 'one' });
    const { id } = (await off.call('POST', '/keys', { account: 'one', name: 'k' })).body;
    const { body } = await off.call('POST', '/explanations', { key: id, model: 'bare' });
    expect(body).toMatchObject({ allowed: true, rule: null, price: null, balance: null });
  } finally {
    await off.close();
  }
});

test('returns no_price for a price list with the wrong kind of price', async () => {
  const { key, accountId } = await open();
  const plan = { plan: 'old', included: 9_000_000n, period: 'month', onExhaustion: 'balance', priceList: 'sold-earlier' } as const;
  await admin.ledger.addSubscription({ ...plan, id: 'sub_kind', accountId, startsAt: 1, endsAt: null, cancelledAt: null });
  const prices = JSON.stringify({ images: { default: '0.25' } });
  await admin.ledger.addPrice({ priceList: 'sold-earlier', model: 'play', prices, source: 'admin', createdAt: 1 });
  const reason = "Price list 'sold-earlier' has a price per image for this text model, so the model can't be called.";
  expect(await explain(key)).toMatchObject({ allowed: false, rule: 'no_price', code: 'permission_denied', reason });
});
