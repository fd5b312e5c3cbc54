/** Status 403 for lack of money: the balance, the cap of the key, the subscription. The vendor is not called. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { LedgerStore } from '../../server/money/store.ts';
import { protocols } from '../harness/protocols.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

let vendor: BehindVendor;
let ledger: LedgerStore;
beforeAll(async () => {
  vendor = await openBehindVendor({
    settings: {
      models: [
        { id: 'gpt-5.4', kind: 'text', prices: { input: '1', output: '4' } },
        { id: 'gpt-image-2', kind: 'image', prices: { images: { '1024x1024/low': '0.01', default: '0.25' } } },
        { id: 'gift', kind: 'text', prices: 'free' },
      ],
    },
  });
  ledger = vendor.gateway.gateway.money?.ledger ?? expect.fail('billing is off');
});
afterEach(() => expect(vendor.fake.requests).toEqual([]));
afterAll(() => vendor.close());

const post = (path: string, key: string, json: unknown) => vendor.gateway.call(path, { key, json });
let accounts = 0;
const newKey = (order: Parameters<BehindVendor['gateway']['newKey']>[0]) =>
  vendor.gateway.newKey({ account: `account ${++accounts}`, ...order });

describe.each(protocols)('$name', ({ path, ask, streamed }) => {
  test('returns `insufficient_balance` with cost and balance if the balance is too low, also on a stream', async () => {
    const { key, accountId } = await newKey({ balance: 5n });
    for (const body of [ask, { ...ask, ...streamed }]) {
      const { error } = await expectRefusal(await post(path, key, body), {
        code: 'insufficient_balance',
        says: 'balance',
      });
      expect(error.message).toMatch(/\d+\.\d{6}.*0\.000005/);
    }
    expect(await ledger.getBalance(accountId)).toEqual({ balance: 5n, held: 0n });
  });

  test('returns `insufficient_balance` to an account that never had a balance', async () => {
    const { key } = await newKey({ balance: 0n });
    await expectRefusal(await post(path, key, ask), { code: 'insufficient_balance', says: '0.000000' });
  });

  test('returns `insufficient_balance` to a caller whose spending cap is too low', async () => {
    const { key } = await newKey({ caps: [{ micros: 3n, period: 'day' }] });
    await expectRefusal(await post(path, key, ask), { code: 'insufficient_balance', says: 'cap' });
  });

  test('returns `subscription_inactive` despite a balance if too little remains of a subscription that stops', async () => {
    const { key, accountId } = await newKey({});
    const plan = { plan: 'pro', included: 2n, period: 'month', onExhaustion: 'stop', priceList: 'standard' } as const;
    await ledger.addSubscription({ ...plan, id: `sub_${accountId}`, accountId, startsAt: 1, endsAt: null, cancelledAt: null });
    await expectRefusal(await post(path, key, ask), { code: 'subscription_inactive' });
  });

  test('returns `subscription_inactive` to a caller whose subscription that stops has ended', async () => {
    const { key, accountId } = await newKey({});
    const plan = { plan: 'pro', included: 9_000_000n, period: 'month', onExhaustion: 'stop', priceList: 'standard' } as const;
    await ledger.addSubscription({
      ...plan,
      id: `sub_${accountId}`,
      accountId,
      startsAt: 1,
      endsAt: Date.now() - 1_000,
      cancelledAt: null,
    });
    await expectRefusal(await post(path, key, ask), { code: 'subscription_inactive' });
  });
});

test('holds the price of size, quality and number of images, or of the dearest image without them', async () => {
  const { key } = await newKey({ balance: 20_000n });
  const draw = { model: 'gpt-image-2', prompt: 'a lighthouse' };
  await expectRefusal(await post('/images/generations', key, draw), { code: 'insufficient_balance', says: '0.250000' });
  await expectRefusal(await post('/images/generations', key, { ...draw, size: '1024x1024', quality: 'low', n: 3 }), {
    code: 'insufficient_balance',
    says: '0.030000',
  });
  const { status } = await post('/images/generations', key, { ...draw, size: '1024x1024', quality: 'low', n: 2 });
  expect(status).toBe(200);
  vendor.fake.clear();
});

test('returns `permission_denied` if the price list has the wrong kind of prices, and serves nothing for free', async () => {
  const { key, accountId } = await newKey({ balance: 0n });
  const plan = { plan: 'old', included: 9_000_000n, period: 'month', onExhaustion: 'balance', priceList: 'sold-earlier' } as const;
  await ledger.addSubscription({ ...plan, id: `sub_${accountId}`, accountId, startsAt: 1, endsAt: null, cancelledAt: null });
  const sold = { priceList: 'sold-earlier', source: 'admin', createdAt: 1 } as const;
  await ledger.addPrice({ ...sold, model: 'gpt-5.4', prices: JSON.stringify({ images: { default: '0.25' } }) });
  await vendor.gateway.gateway.money?.prices.refresh();
  const answer = await post('/responses', key, { model: 'gpt-5.4', input: 'hello' });
  await expectRefusal(answer, { code: 'permission_denied', param: 'model', says: 'is priced per image' });
  expect(await ledger.getBalance(accountId)).toEqual({ balance: 0n, held: 0n });
});

test('serves a free model without a balance', async () => {
  const { key } = await newKey({ balance: 0n });
  const answer = await post('/chat/completions', key, { model: 'gift', messages: [{ role: 'user', content: 'hello' }] });
  expect([answer.status, answer.headers.get('x-modelgate-cost')]).toEqual([200, '0.000000']);
  vendor.fake.clear();
});
