/** Accounts and money over the admin API: created, found, changed, topped up once, and subscribed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { governed, refusalOf, startAdmin, type TestAdmin } from '../harness/admin.ts';
import { openSecondConnection } from '../harness/second-connection.ts';

let admin: TestAdmin;
beforeAll(async () => {
  admin = await startAdmin(governed);
});
afterAll(() => admin.close());

const noLimits = { requests_per_minute: null, tokens_per_minute: null, concurrency: null };

test('creates an account with its opening balance, found by ID and by name', async () => {
  const made = await admin.call('POST', '/accounts', { name: 'research', group: 'vip', opening_balance: '25.5' });
  expect(made.status).toBe(200);
  expect(made.body).toMatchObject({ object: 'account', name: 'research', group: 'vip', suspended: false, limits: noLimits });
  expect(made.body.balance).toEqual({
    object: 'balance',
    account_id: made.body.id,
    balance: '25.500000',
    held: '0.000000',
    available: '25.500000',
  });
  for (const name of ['research', String(made.body.id)]) expect((await admin.call('GET', `/accounts/${name}`)).body).toEqual(made.body);
});

test('sets, replaces and clears the alert threshold of an account', async () => {
  const made = await admin.call('POST', '/accounts', { name: 'watched', alert_below: '2.5' });
  expect(made.body.alert_below).toBe('2.500000');
  const edit = async (body: object) => (await admin.call('PATCH', '/accounts/watched', body)).body.alert_below;
  expect(await edit({ alert_below: '0' })).toBe('0.000000');
  expect(await edit({ group: 'vip' })).toBe('0.000000');
  expect(await edit({ alert_below: null })).toBeNull();
  expect(refusalOf(await admin.call('PATCH', '/accounts/watched', { alert_below: '-1' }))).toMatchObject({ param: 'alert_below' });
});

test.each([
  { body: { name: 'research' }, says: { status: 409, code: 'conflict', param: 'name' } },
  { body: { name: 'new', group: 'none' }, says: { status: 400, code: 'invalid_value', param: 'group' } },
  { body: { name: ' blank' }, says: { status: 400, code: 'invalid_value', param: 'name' } },
  { body: { name: 'acct_x' }, says: { status: 400, code: 'invalid_value', param: 'name' } },
  { body: { name: 'new', opening_balance: 10 }, says: { status: 400, code: 'invalid_type', param: 'opening_balance' } },
  { body: { name: 'new', opening_balance: '1e3' }, says: { status: 400, code: 'invalid_value', param: 'opening_balance' } },
  { body: { name: 'new', limts: {} }, says: { status: 400, code: 'unknown_parameter', param: 'limts' } },
  { body: { name: 'new', limits: { per_day: 1 } }, says: { status: 400, code: 'unknown_parameter', param: 'limits.per_day' } },
])('rejects $body as an account, and creates none', async ({ body, says }) => {
  const before = await admin.call('GET', '/accounts');
  expect(refusalOf(await admin.call('POST', '/accounts', body))).toEqual(says);
  expect((await admin.call('GET', '/accounts')).body).toEqual(before.body);
});

test('sets spending caps of an account, and shows their usage', async () => {
  const made = await admin.call('POST', '/accounts', {
    name: 'capped',
    opening_balance: '5',
    spending_caps: [{ amount: '3', period: 'month' }],
  });
  expect(made.body.spending_caps).toEqual([{ amount: '3.000000', period: 'month', used: '0.000000' }]);
  const key = await admin.call('POST', '/keys', { account: 'capped', name: 'ci' });
  const explain = async () => (await admin.call('POST', '/explanations', { key: key.body.id, model: 'play' })).body;
  expect((await explain()).spending_caps).toMatchObject([{ scope: 'account', amount: '3.000000', left: '3.000000' }]);
  const caps = [
    { amount: '0', period: 'day' },
    { amount: '2', period: 'month' },
  ];
  const edited = await admin.call('PATCH', '/accounts/capped', { spending_caps: caps });
  expect(edited.body.spending_caps).toMatchObject([{ period: 'day' }, { amount: '2.000000', used: '0.000000' }]);
  expect(await explain()).toMatchObject({
    rule: 'spending_cap',
    reason: expect.stringMatching(/^The account's spending cap of \S+ per day/),
  });
  expect((await admin.call('PATCH', '/accounts/capped', { spending_caps: [] })).body.spending_caps).toEqual([]);
});

test('changes only the named fields in an edit', async () => {
  await admin.call('POST', '/accounts', { name: 'team one', limits: { tokens_per_minute: 1000 } });
  const limits = { requests_per_minute: 7, concurrency: { limit: 2, mode: 'observe' } };
  const edited = await admin.call('PATCH', '/accounts/team%20one', { name: 'team two', limits });
  expect(edited.body).toMatchObject({ name: 'team two', group: 'default', suspended: false });
  expect(edited.body.limits).toEqual({
    requests_per_minute: { limit: 7, mode: 'enforce' },
    tokens_per_minute: null,
    concurrency: { limit: 2, mode: 'observe' },
  });
  const suspended = await admin.call('PATCH', '/accounts/team%20two', { suspended: true });
  expect(suspended.body).toMatchObject({ suspended: true, suspended_at: expect.any(String), limits: edited.body.limits });
  const again = await admin.call('PATCH', '/accounts/team%20two', { suspended: true });
  expect(again.body.suspended_at).toBe(suspended.body.suspended_at);
  const resumed = await admin.call('PATCH', '/accounts/team%20two', { suspended: false, group: 'team' });
  expect(resumed.body).toMatchObject({ suspended: false, suspended_at: null, group: 'team' });
  expect(refusalOf(await admin.call('PATCH', '/accounts/team%20two', { name: 'research' }))).toMatchObject({ status: 409 });
  expect(refusalOf(await admin.call('PATCH', '/accounts/team%20two', { group: 'none' }))).toMatchObject({ param: 'group' });
  expect(refusalOf(await admin.call('GET', '/accounts/team%20one'))).toEqual({ status: 404, code: 'not_found', param: 'account_id' });
});

test('lists every account once over all pages', async () => {
  for (const name of ['a', 'b', 'c']) await admin.call('POST', '/accounts', { name });
  const all = await admin.call('GET', '/accounts');
  const names: unknown[] = [];
  let after = '';
  for (let isMore = true; isMore; ) {
    const { body } = await admin.call('GET', `/accounts?limit=2${after}`);
    names.push(...body.data.map(({ name }) => name));
    after = `&after=${body.last_id}`;
    isMore = body.has_more;
  }
  expect(names).toEqual(all.body.data.map(({ name }) => name));
});

test('posts a named top-up that is sent five times once, and unnamed ones each time', async () => {
  const body = { kind: 'top_up', amount: '10', note: 'invoice 7', transfer_id: 'invoice-7' };
  await admin.call('POST', '/accounts', { name: 'payer' });
  const answers = await Promise.all(Array.from({ length: 5 }, () => admin.call('POST', '/accounts/payer/adjustments', body)));
  expect(answers.map(({ body: { repeated } }) => repeated).sort()).toEqual([false, true, true, true, true]);
  expect((await admin.call('GET', '/accounts/payer/balance')).body).toMatchObject({ balance: '10.000000', available: '10.000000' });
  const unnamed = { kind: 'refund', amount: '0.000001' };
  const [one, other] = [
    await admin.call('POST', '/accounts/payer/adjustments', unnamed),
    await admin.call('POST', '/accounts/payer/adjustments', unnamed),
  ];
  expect(one.body.transfer_id).not.toBe(other.body.transfer_id);
  expect(other.body).toMatchObject({ kind: 'refund', repeated: false, balance: { balance: '10.000002' } });
});

const unavailable = { status: 503, code: 'overloaded', retryAfter: '1' };
const failureOf = (answer: Awaited<ReturnType<typeof admin.call>>) => ({
  status: answer.status,
  code: Object(answer.body.error).code,
  retryAfter: answer.headers.get('retry-after'),
});

/** Runs the work while nothing can be written into the audit log. */
async function withoutAudit<T>(work: () => Promise<T>): Promise<T> {
  const database = openSecondConnection(admin.config);
  await database.rows('ALTER TABLE audit RENAME TO audit_gone');
  try {
    return await work();
  } finally {
    await database.rows('ALTER TABLE audit_gone RENAME TO audit');
    await database.close();
  }
}

test("changes nothing if the audit entry can't be written, and changes and logs once when sent again", async () => {
  const { body: account } = await admin.call('POST', '/accounts', { name: 'unlucky' });
  const price = { model: 'play', prices: { input: '7', output: '9' } };
  const changes = [
    { path: '/accounts/unlucky/adjustments', body: { kind: 'top_up', amount: '10' }, action: 'balance.adjust' },
    { path: '/accounts/unlucky/subscriptions', body: { plan: 'pro' }, action: 'subscription.create' },
    { path: '/accounts', body: { name: 'luckless', opening_balance: '3' }, action: 'account.create' },
    { path: '/prices', body: price, action: 'price.set' },
  ];
  const auditActions = async (): Promise<unknown[]> => (await admin.call('GET', '/audit')).body.data.map(({ action }) => action).reverse();
  const before = await auditActions();
  const rejected = await withoutAudit(async () => await Promise.all(changes.map(({ path, body }) => admin.call('POST', path, body))));
  for (const answer of rejected) expect(failureOf(answer)).toEqual(unavailable);
  expect(await auditActions()).toEqual(before);
  const done = [];
  for (const { path, body } of changes) done.push(await admin.call('POST', path, body));
  expect(done.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await auditActions()).toEqual([...before, ...changes.map(({ action }) => action)]);
  expect((await admin.call('GET', '/accounts/unlucky/balance')).body).toMatchObject({ account_id: account.id, balance: '10.000000' });
  expect((await admin.call('GET', '/accounts/unlucky/subscriptions')).body.data).toHaveLength(1);
  expect((await admin.call('GET', '/accounts/luckless/balance')).body).toMatchObject({ balance: '3.000000' });
  const [entry] = (await admin.call('GET', '/audit')).body.data;
  expect(entry).toMatchObject({ target: 'standard/play', details: { version: done[3]?.body.version, ...price } });
});

test('records the earlier values of edited fields in the audit log', async () => {
  await admin.call('POST', '/accounts', { name: 'edited', limits: { concurrency: 3 } });
  await admin.call('PATCH', '/accounts/edited', { group: 'team', limits: {} });
  const { id } = (await admin.call('POST', '/keys', { account: 'edited', name: 'first' })).body;
  await admin.call('PATCH', `/keys/${id}`, { name: 'second', spending_caps: [] });
  await admin.call('POST', '/prices', { model: 'play', prices: { input: '1', output: '2' } });
  await admin.call('POST', '/prices', { model: 'play', prices: { input: '3', output: '4' } });
  const { data } = (await admin.call('GET', '/audit?limit=6')).body;
  const befores = data.map(({ details }) => Object(details).before);
  const concurrency = { limit: 3, mode: 'enforce' };
  expect(befores).toEqual([
    { prices: { input: '1', output: '2' } },
    { prices: expect.objectContaining({}) },
    { name: 'first', spending_caps: [] },
    undefined,
    { group: 'default', limits: { requests_per_minute: null, tokens_per_minute: null, concurrency } },
    undefined,
  ]);
});

test("leaves a subscription active if the audit entry of its cancellation can't be written", async () => {
  await admin.call('POST', '/accounts', { name: 'steady' });
  const { id } = (await admin.call('POST', '/accounts/steady/subscriptions', { plan: 'pro' })).body;
  const state = async () => (await admin.call('GET', '/accounts/steady/subscriptions')).body.data[0]?.state;
  const path = `/subscriptions/${id}/cancel`;
  expect(failureOf(await withoutAudit(() => admin.call('POST', path)))).toEqual(unavailable);
  expect(await state()).toBe('active');
  expect((await admin.call('POST', path)).status).toBe(200);
  expect(await state()).toBe('cancelled');
});

test.each([{ amount: '11' }, { kind: 'refund' }, { account: 'other' }])(
  'returns 409 for a transfer_id that names another transfer, and shows that transfer: %o',
  async ({ account = 'mistaken', ...changes }) => {
    for (const name of ['mistaken', 'other']) await admin.call('POST', '/accounts', { name });
    const body = { kind: 'top_up', amount: '10', transfer_id: 'invoice-8' };
    await admin.call('POST', '/accounts/mistaken/adjustments', body);
    const answer = await admin.call('POST', `/accounts/${account}/adjustments`, { ...body, ...changes });
    expect(refusalOf(answer)).toMatchObject({ status: 409, code: 'conflict' });
    expect(JSON.stringify(answer.body)).toMatch(/'invoice-8' was already posted as a top-up of \$10\.000000 on acct_/);
    expect((await admin.call('GET', '/accounts/mistaken/balance')).body).toMatchObject({ balance: '10.000000' });
    expect((await admin.call('GET', '/accounts/other/balance')).body).toMatchObject({ balance: '0.000000' });
  },
);

test.each([
  { body: { kind: 'top_up', amount: '-1' }, says: { status: 400, code: 'invalid_value', param: 'amount' } },
  { body: { kind: 'refund', amount: '0' }, says: { status: 400, code: 'invalid_value', param: 'amount' } },
  { body: { kind: 'correction', amount: '0.0' }, says: { status: 400, code: 'invalid_value', param: 'amount' } },
  { body: { kind: 'correction', amount: '-5' }, says: { status: 409, code: 'conflict', param: null } },
  { body: { kind: 'gift', amount: '1' }, says: { status: 400, code: 'invalid_value', param: 'kind' } },
  { body: { kind: 'top_up', amount: '1.0000001' }, says: { status: 400, code: 'invalid_value', param: 'amount' } },
  { body: { kind: 'top_up', amount: '1', transfer_id: 'a b' }, says: { status: 400, code: 'invalid_value', param: 'transfer_id' } },
])('rejects a balance change by $body and moves nothing', async ({ body, says }) => {
  await admin.call('POST', '/accounts', { name: 'careful', opening_balance: '4' });
  expect(refusalOf(await admin.call('POST', '/accounts/careful/adjustments', body))).toEqual(says);
  expect((await admin.call('GET', '/accounts/careful/balance')).body).toMatchObject({ balance: '4.000000' });
});

test('lets a correction reduce the balance to the held amount, and no further', async () => {
  const { body } = await admin.call('POST', '/accounts', { name: 'held', opening_balance: '10' });
  await admin.ledger.reserve(holdOf('req_held', body.id, 4_000_000n));
  expect(refusalOf(await admin.call('POST', '/accounts/held/adjustments', { kind: 'correction', amount: '-6.000001' }))).toMatchObject({
    status: 409,
  });
  const { body: moved } = await admin.call('POST', '/accounts/held/adjustments', { kind: 'correction', amount: '-6' });
  expect(moved.balance).toMatchObject({ balance: '4.000000', held: '4.000000', available: '0.000000' });
});

const holdOf = (requestId: string, accountId: string, amount: bigint) => ({
  requestId,
  accountId,
  keyId: 'key_1',
  caps: [],
  model: 'play',
  operation: 'createResponse',
  priceVersion: 1,
  multiplier: 1_000_000,
  amount,
  node: 'node_1',
  at: Date.now(),
});

test('subscribes an account to one plan at a time, cancels it and schedules another', async () => {
  await admin.call('POST', '/accounts', { name: 'reader' });
  const path = '/accounts/reader/subscriptions';
  const made = await admin.call('POST', path, { plan: 'pro' });
  expect(made.body).toMatchObject({
    plan: 'pro',
    state: 'active',
    included: '20.000000',
    period: 'month',
    on_exhaustion: 'stop',
    price_list: 'standard',
  });
  expect(refusalOf(await admin.call('POST', path, { plan: 'flex' }))).toEqual({ status: 409, code: 'conflict', param: null });
  expect(refusalOf(await admin.call('POST', path, { plan: 'gold' }))).toEqual({ status: 400, code: 'invalid_value', param: 'plan' });
  const cancelled = await admin.call('POST', `/subscriptions/${made.body.id}/cancel`);
  expect(cancelled.body).toMatchObject({ id: made.body.id, cancelled: true });
  expect(refusalOf(await admin.call('POST', `/subscriptions/${made.body.id}/cancel`))).toMatchObject({
    status: 404,
    param: 'subscription_id',
  });
  const later = await admin.call('POST', path, { plan: 'flex', starts_at: '2090-01-01T00:00:00+01:00', ends_at: '2091-01-01T00:00:00Z' });
  expect(later.body).toMatchObject({ state: 'scheduled', starts_at: '2089-12-31T23:00:00.000Z', ends_at: '2091-01-01T00:00:00.000Z' });
  const wrong = { plan: 'flex', starts_at: '2093-01-01T00:00:00Z', ends_at: '2092-01-01T00:00:00Z' };
  expect(refusalOf(await admin.call('POST', path, wrong))).toMatchObject({ status: 400, param: 'ends_at' });
  expect((await admin.call('GET', path)).body.data.map(({ plan, state }) => [plan, state])).toEqual([
    ['pro', 'cancelled'],
    ['flex', 'scheduled'],
  ]);
});

test('keeps accounts without a balance if billing is off', async () => {
  const free = await startAdmin({ billing: 'off' });
  try {
    expect((await free.call('POST', '/accounts', { name: 'one' })).body).toMatchObject({ name: 'one', balance: null });
    expect(refusalOf(await free.call('POST', '/accounts', { name: 'two', opening_balance: '1' }))).toMatchObject({ status: 409 });
    expect(refusalOf(await free.call('GET', '/accounts/two'))).toMatchObject({ status: 404 });
    expect(refusalOf(await free.call('GET', '/accounts/one/balance'))).toMatchObject({ status: 409, code: 'conflict' });
  } finally {
    await free.close();
  }
});
