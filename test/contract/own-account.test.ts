/** GET /v1/account, /v1/key, /v1/account/usage and /v1/account/statement: what the holder of a key reads of his own account. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OwnAccount, OwnKey, Statement, UsageSummary } from '../../contract/account.ts';
import type { Receipt } from '../../contract/usage.ts';
import { MAX_OWN_READS } from '../../server/api/v1/own-read-limiter.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

const settings = {
  groups: { default: { multiplier: '1' } },
  models: [
    { id: 'play', kind: 'text', prices: { input: '1.25', output: '4' } },
    { id: 'other', kind: 'text', prices: { input: '2.5', output: '8' } },
  ],
};
const enforced = (limit: number) => ({ limit, mode: 'enforce' }) as const;
const reads = ['/usage', '/usage/req_of_nobody', '/account', '/key', '/account/usage', '/account/statement', '/protocol'];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway(settings);
});
afterAll(() => gateway.close());

let names = 0;
const newKey = (order: Parameters<TestGateway['newKey']>[0] = {}) =>
  gateway.newKey({ account: `holder ${++names}`, balance: 2_000_000n, ...order });
/** Another key of the same account. */
const newSibling = () => gateway.newKey({ account: `holder ${names}` });

async function call(key: string, model = 'play') {
  const answer = await gateway.call('/responses', { json: { model, input: 'hi' }, key });
  await answer.text();
  return { status: answer.status, id: answer.headers.get('x-request-id') ?? '' };
}
async function read<T>(path: string, key: string): Promise<T> {
  const answer = await gateway.call(path, { key });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  // The gateway under test checks its answers against the contract.
  return (await answer.json()) as T;
}
const micros = (dollars: string): bigint => BigInt(dollars.replace('.', ''));
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 2; turn++) await gateway.gateway.activity.flush();
};

describe('a key owner', () => {
  test('reads the remaining amounts of the account and the key', async () => {
    const limits = { requestsPerMinute: enforced(60), tokensPerMinute: null, concurrency: null };
    const caps = [{ micros: 1_000_000n, period: 'month' } as const];
    const { key, id, accountId } = await newKey({ limits, caps, ipRanges: ['127.0.0.0/8', '::1'] });
    const { id: requestId } = await call(key);
    const { charged } = await read<Receipt>(`/usage/${requestId}`, key);
    const account = await read<OwnAccount>('/account', key);
    expect(account).toMatchObject({ object: 'account', id: accountId, group: 'default', state: 'active', subscription: null });
    expect(micros(account.balance?.available ?? '')).toBe(2_000_000n - micros(charged));
    const own = await read<OwnKey>('/key', key);
    expect(own).toMatchObject({ object: 'key', id, account_id: accountId, state: 'active', expires_at: null, replaced_by: null });
    expect(own).toMatchObject({ permissions: { operations: null, models: null, may_store: true, manage_keys: false } });
    expect(own).toMatchObject({
      ip_ranges: ['127.0.0.0/8', '::1'],
      spending_caps: [{ scope: 'key', amount: '1.000000', period: 'month' }],
    });
    expect(micros(own.spending_caps[0]?.left ?? '')).toBe(1_000_000n - micros(charged));
    expect(own.limits).toMatchObject([{ scope: 'key', quantity: 'requests', limit: 60, mode: 'enforce' }]);
    expect(JSON.stringify(own)).not.toContain(key);
  });

  test("reads the plan's remaining amount", async () => {
    const { key, accountId } = await newKey({ balance: 0n });
    const plan = { plan: 'pro', included: 5_000_000n, period: 'month', onExhaustion: 'stop', priceList: 'standard' } as const;
    const dates = { startsAt: 1, endsAt: null, cancelledAt: null };
    await gateway.gateway.money?.ledger.addSubscription({ ...plan, ...dates, id: `sub_${accountId}`, accountId });
    const { id } = await call(key);
    const { charged } = await read<Receipt>(`/usage/${id}`, key);
    const account = await read<OwnAccount>('/account', key);
    expect(account).toMatchObject({ state: 'active', subscription: { plan: 'pro', included: '5.000000', on_exhaustion: 'stop' } });
    expect(micros(account.subscription?.left ?? '')).toBe(5_000_000n - micros(charged));
    const { data } = await read<Statement>('/account/statement', key);
    expect(data[0]).toMatchObject({ id, kind: 'charge', source: 'subscription', amount: `-${charged}` });
  });

  test('reads all of it without money and without a permission', async () => {
    const { key } = await newKey({ balance: 0n, permissions: { operations: ['createResponse'], models: null, mayStore: true } });
    expect((await call(key)).status).toBe(403);
    const statuses = await Promise.all(reads.map(async (path) => (await gateway.call(path, { key })).status));
    expect(statuses).toEqual([200, 404, 200, 200, 200, 200, 200]);
    expect(await read<OwnAccount>('/account', key)).toMatchObject({ state: 'no_balance' });
  });

  test('uses up no call limit by reading', async () => {
    const limits = { requestsPerMinute: enforced(1), tokensPerMinute: null, concurrency: null };
    const { key } = await newKey({ limits });
    for (const path of reads) {
      const answer = await gateway.call(path, { key });
      expect([answer.status < 500 && answer.status !== 429, answer.headers.get('x-ratelimit-limit-requests')]).toEqual([true, null]);
    }
    expect((await call(key)).status).toBe(200);
    expect((await call(key)).status).toBe(429);
    expect((await gateway.call('/account', { key })).status).toBe(200);
  });

  test("gets 429 with a wait after too many reads, and other keys of the account don't", async () => {
    const { key } = await newKey();
    const { key: other } = await newSibling();
    for (let n = 0; n < MAX_OWN_READS; n++) await (await gateway.call('/key', { key })).text();
    const rejected = await gateway.call('/account', { key });
    expect([rejected.status, Number(rejected.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await gateway.call('/account', { key: other })).status).toBe(200);
    expect((await call(key)).status).toBe(200);
  });

  test('counts no reads in the totals', async () => {
    const { key } = await newKey();
    for (const path of reads) await (await gateway.call(path, { key })).text();
    await call(key);
    await settled();
    expect(await read<UsageSummary>('/account/usage', key)).toMatchObject({ total: { requests: 1, rejected: 0, errors: 0 } });
  });

  test('sums usage by day, model and key, to the same charges as the receipts', async () => {
    const first = await newKey();
    const second = await newSibling();
    const stranger = await newKey();
    await call(stranger.key);
    const made = [await call(first.key), await call(first.key, 'other'), await call(second.key, 'other')];
    const receipts = await Promise.all(made.map(({ id }) => read<Receipt>(`/usage/${id}`, first.key)));
    await settled();
    const byBoth = await read<UsageSummary>('/account/usage?group_by=model&then_by=key', first.key);
    const rows = byBoth.data.map(({ model, key_id, requests, charged }) => [model, key_id, requests, charged].join());
    expect(rows.toSorted()).toEqual(receipts.map(({ model, key_id, charged }) => [model, key_id, 1, charged].join()).toSorted());
    const sum = receipts.reduce((all, { charged }) => all + micros(charged), 0n);
    expect([byBoth.bucket, byBoth.total.requests, micros(byBoth.total.charged)]).toEqual(['day', 3, sum]);
    const ofOne = await read<UsageSummary>(`/account/usage?key_id=${second.id}`, first.key);
    expect([ofOne.total.requests, ofOne.total.charged]).toEqual([1, receipts[2]?.charged]);
    const ofStranger = await read<UsageSummary>(`/account/usage?key_id=${stranger.id}`, first.key);
    expect([ofStranger.total.requests, ofStranger.data]).toEqual([0, []]);
  });

  test('gets a statement that adds up to the balance, a page at a time', async () => {
    const { key, accountId } = await newKey();
    for (let n = 0; n < 3; n++) await call(key);
    const ledger = gateway.gateway.money?.ledger;
    await ledger?.adjust(
      { accountId, amount: 500_000n, kind: 'top_up', transfer: `invoice ${accountId}`, note: 'not for the holder', at: Date.now() },
      { actor: 'test', action: 'balance.adjust', target: accountId, details: {}, at: Date.now() },
    );
    await call(key);
    const whole = await read<Statement>('/account/statement', key);
    expect(whole.data.map(({ kind }) => kind)).toHaveLength(6);
    expect(JSON.stringify(whole)).not.toContain('not for the holder');
    const { balance } = await read<OwnAccount>('/account', key);
    expect(whole.data.reduce((sum, { amount }) => sum + micros(amount), 0n)).toBe(micros(balance?.balance ?? ''));
    const paged: string[] = [];
    for (let after = ''; ; ) {
      const page = await read<Statement>(`/account/statement?limit=2${after}`, key);
      paged.push(...page.data.map(({ id }) => id));
      after = `&after=${encodeURIComponent(page.last_id ?? '')}`;
      if (!page.has_more) break;
    }
    expect(paged).toEqual(whole.data.map(({ id }) => id));
  });

  test('gets 400 for a cursor of another account', async () => {
    const [{ key }, { key: other }] = [await newKey(), await newKey()];
    const { id } = await call(other);
    const answer = await gateway.call(`/account/statement?after=${id}`, { key });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: 'invalid_value', param: 'after' } }]);
  });
});

test('logs a call that the permissions reject with the model that it named', async () => {
  const { key } = await newKey({ permissions: { operations: null, models: ['play'], mayStore: true } });
  const { status, id } = await call(key, 'other');
  expect(status).toBe(403);
  await settled();
  expect(await gateway.gateway.activity.find(id)).toMatchObject({ code: 'permission_denied', model: 'other' });
});
