/** The overview for operators, over the admin API: sums and those of the time before, what needs attention, processes, and the books. */
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Overview } from '../../contract/admin/overview.ts';
import { openAdminApp } from '../../server/api/admin/app.ts';
import { createRunningGateway } from '../../server/operate/commands/running-gateway.ts';
import { failure } from '../fakes/faults.ts';
import { paidCall } from '../harness/call-record.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let vendor: BehindVendor;
let admin: FastifyInstance;
let ownLimitsSince: number | null = null;
/** In the middle of an hour. */
const begun = Date.now();
const now = begun - (begun % HOUR_MS) + HOUR_MS / 2;

beforeAll(async () => {
  const models = [{ id: 'play', kind: 'text', prices: { input: '1', output: '4' } }];
  vendor = await openBehindVendor({ settings: { models, routing: { maxAttempts: 1, breaker: { failures: 2 } } } });
  admin = await openAdmin(vendor.gateway);
});
afterAll(async () => {
  await admin.close();
  await vendor.close();
});

function openAdmin({ gateway }: TestGateway): Promise<FastifyInstance> {
  const { access, money, limits, limitUse, activity, sessions, alerts, config } = gateway;
  const operations = {
    access,
    ledger: money?.ledger ?? null,
    limits,
    limitUse,
    activity,
    sessions,
    alerts,
    prices: null,
    config,
    gateway: { ...createRunningGateway(gateway), ownLimitsSince: () => ownLimitsSince },
  };
  return openAdminApp(
    { ...operations, now: () => now },
    { identify: async () => ({ actor: 'test', session: null, role: 'admin' }), checkAnswers: true },
  );
}

const overview = async (query = '', on = admin) =>
  Overview.parse(JSON.parse((await on.inject({ url: `/admin/v1/overview${query}` })).payload));
const kindsOf = async () => (await overview()).attention.map(({ kind }) => kind);

test('shows zero totals, nothing that needs attention, and this process before any call', async () => {
  const report = await overview();
  expect(report).toMatchObject({
    activity: { total: { requests: 0 }, bucket: 'hour' },
    before: { requests: 0 },
    attention: [],
    ledger: null,
  });
  const { gateway } = vendor.gateway;
  expect(report.nodes[0]).toMatchObject({ id: gateway.node, is_current: true, open_streams: 0, waiting_charges: 0 });
  expect(report.nodes[0]?.memory_mb).toBeGreaterThan(1);
  expect(report.nodes.filter(({ is_current: isThis }) => isThis)).toHaveLength(1);
});

test('separates the sums of the range from those of the time before it', async () => {
  const { activity } = vendor.gateway.gateway;
  const calls = { now: now - 1_000, earlier: now - 20 * HOUR_MS, before: now - 40 * HOUR_MS, week: now - 6 * DAY_MS };
  for (const [name, at] of Object.entries(calls)) activity.addCall(paidCall(`req_${name}`, { ended_at: at, charged: 1_000_000 }));
  for (let turn = 0; turn < 2; turn++) await activity.flush();
  const requests = async (range: string) => {
    const { activity: sums, before } = await overview(`?range=${range}`);
    return [sums.total.requests, sums.series[0]?.points.length, before.requests];
  };
  expect(await requests('1h')).toEqual([1, 1, 0]);
  expect(await requests('24h')).toEqual([2, 2, 1]);
  // The last two calls may lie on one day.
  expect((await requests('7d')).at(0)).toBe(4);
});

test('buckets a custom range to suit it, with a previous period of the same length', async () => {
  const span = (from: number, to: number) => `?from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
  const { activity: sums, before } = await overview(span(now - 30 * HOUR_MS, now));
  expect([sums.bucket, sums.total.requests, before.requests]).toEqual(['hour', 2, 1]);
  expect((await overview(span(now - 30 * DAY_MS, now))).activity.bucket).toBe('day');
});

test('lists accounts that spend faster than they have money, and keys that expire this week', async () => {
  const { gateway, newKey } = vendor.gateway;
  const [poor, rich] = [await newKey({ account: 'poor', balance: 400n }), await newKey({ account: 'rich', balance: 5_000_000n })];
  for (const { accountId } of [poor, rich]) {
    gateway.activity.addCall(paidCall(`req_of_${accountId}`, { account_id: accountId, ended_at: now, charged: 500 }));
  }
  const [rejected, idle] = [await newKey({ account: 'rejected', balance: 999_999n }), await newKey({ account: 'idle', balance: 1n })];
  const refusal = { account_id: rejected.accountId, ended_at: now, charged: null, outcome: 'rejected' } as const;
  gateway.activity.addCall(paidCall('req_rejected', refusal));
  expect(idle.accountId).not.toBe(rejected.accountId);
  for (let turn = 0; turn < 2; turn++) await gateway.activity.flush();
  const expiring = await newKey({ name: 'ci', expiresAt: now + DAY_MS });
  await newKey({ expiresAt: now + 30 * DAY_MS });
  const { attention } = await overview();
  expect(attention).toEqual([
    {
      kind: 'balance_low',
      target: 'account',
      subject: poor.accountId,
      name: 'poor',
      available: '0.000400',
      expires_at: null,
      is_urgent: false,
      impact: null,
      since: null,
      message: 'Account poor has $0.0004 left and spent $0.0005 in the last day.',
    },
    expect.objectContaining({ subject: rejected.accountId, message: expect.stringContaining('has $0.99 left') }),
    {
      kind: 'keys_expiring',
      target: 'key',
      subject: expiring.id,
      name: 'default / ci',
      available: null,
      expires_at: new Date(now + DAY_MS).toISOString(),
      is_urgent: false,
      impact: null,
      since: null,
      message: `Key ci of account default expires at ${new Date(now + DAY_MS).toISOString()}.`,
    },
  ]);
});

test('lists limits that the processes no longer share, with their age', async () => {
  ownLimitsSince = now - HOUR_MS;
  const entry = (await overview()).attention.find(({ kind }) => kind === 'limits_unshared');
  expect(entry).toMatchObject({ target: 'gateway', subject: null, is_urgent: false, since: new Date(ownLimitsSince).toISOString() });
  ownLimitsSince = null;
  expect(await kindsOf()).not.toContain('limits_unshared');
});

test('lists the five keys that expire first, and counts the others', async () => {
  const { newKey, revokeKey } = vendor.gateway;
  const keys = [];
  for (let hour = 2; hour < 8; hour++) keys.push(await newKey({ name: `key ${hour}`, expiresAt: now + hour * HOUR_MS }));
  const expiring = (await overview()).attention.filter(({ kind }) => kind === 'keys_expiring');
  expect(expiring.map(({ name, message }) => name ?? message)).toEqual([
    ...[2, 3, 4, 5, 6].map((hour) => `default / key ${hour}`),
    '2 more keys expire within 7 days.',
  ]);
  for (const { id } of keys) await revokeKey(id);
});

test('lists failing calls of the last five minutes as urgent, by upstream', async () => {
  const { activity } = vendor.gateway.gateway;
  const add = (id: string, ended_at: number, failed: boolean) =>
    activity.addCall(paidCall(id, { ended_at, charged: null, ...(failed && { outcome: 'failed', status: 502, code: 'upstream_error' }) }));
  for (let call = 0; call < 20; call++) {
    add(`req_good_${call}`, now - 60_000, false);
    add(`req_old_${call}`, now - 6 * 60_000, true);
  }
  for (let turn = 0; turn < 2; turn++) await activity.flush();
  expect(await kindsOf()).not.toContain('calls_failing');
  add('req_bad', now - 1_000, true);
  for (let turn = 0; turn < 2; turn++) await activity.flush();
  const [first] = (await overview()).attention;
  expect(first).toMatchObject({
    kind: 'calls_failing',
    target: 'upstream',
    subject: 'east',
    is_urgent: true,
    // Four of the calls above ended then, too.
    message: '1 of 25 calls in the last 5 minutes failed.',
  });
});

test('lists a ledger that differs from the request log as needing attention', async () => {
  // The calls above were logged without ledger entries.
  await vendor.gateway.gateway.activity.reconcile();
  const { ledger } = await overview();
  expect(ledger).toMatchObject({ is_consistent: false });
  expect(await kindsOf()).toContain('ledger_mismatch');
});

test('lists an upstream that is cooling down after failures, with its model', async () => {
  expect(await kindsOf()).not.toContain('upstream_unavailable');
  for (let call = 0; call < 2; call++) {
    vendor.fake.next(failure(500));
    const answer = await vendor.gateway.call('/chat/completions', { json: { model: 'play', messages: [{ role: 'user', content: 'x' }] } });
    expect(answer.status).toBe(502);
  }
  const [first] = (await overview()).attention;
  expect(first).toMatchObject({
    kind: 'upstream_unavailable',
    target: 'upstream',
    subject: 'vendor',
    is_urgent: true,
    message: expect.stringContaining('play at vendor failed'),
  });
});

test('calls a cooling upstream urgent only while a model has no other candidate', async () => {
  const upstreams = { one: { kind: 'simulator' }, two: { kind: 'simulator' } };
  const shared = {
    id: 'shared',
    kind: 'text',
    prices: { input: '1', output: '4' },
    candidates: [{ upstream: 'one' }, { upstream: 'two' }],
  };
  const gateway = await startGateway({ upstreams, models: [shared] });
  const own = await openAdmin(gateway);
  const about = async () =>
    (await overview('', own)).attention.map(({ subject, is_urgent: isUrgent, impact }) => [subject, isUrgent, impact?.models]);
  const { health } = gateway.gateway;
  health.coolDown({ upstream: 'one', upstreamModel: 'shared' }, 60_000);
  expect(await about()).toEqual([['one', false, []]]);
  health.coolDown({ upstream: 'two', upstreamModel: 'shared' }, 60_000);
  expect(await about()).toEqual([
    ['one', true, ['shared']],
    ['two', true, ['shared']],
  ]);
  await own.close();
  await gateway.close();
});
