/** Alerts over the admin API: from a call that empties an account, through the webhook, to the overview, and back. */
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AlertChannelList, AlertChannelTest, AlertList } from '../../contract/admin/alerts.ts';
import { Overview } from '../../contract/admin/overview.ts';
import { openAdminApp } from '../../server/api/admin/app.ts';
import type { Operations } from '../../server/api/admin/operations.ts';
import { createRunningGateway } from '../../server/operate/commands/running-gateway.ts';
import { failure } from '../fakes/faults.ts';
import { openReceiver, type Receiver, receiverSecret, signatureOf } from '../fakes/webhook-receiver.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

let receiver: Receiver;
let vendor: BehindVendor;
let admin: FastifyInstance;
let clock = Date.now();

beforeAll(async () => {
  receiver = await openReceiver();
  const models = [{ id: 'play', kind: 'text', prices: { input: '1000', output: '4000' } }];
  const webhooks = [
    { name: 'ops', url: receiver.url, secret: receiverSecret },
    { name: 'quiet', url: receiver.url, secret: receiverSecret, events: ['ledger_mismatch'] },
  ];
  const alerts = { balanceBelow: '5', upstreamUnavailableForMs: 0, webhooks };
  vendor = await openBehindVendor({ settings: { models, alerts, routing: { maxAttempts: 1, breaker: { failures: 2 } } } });
  const { gateway } = vendor.gateway;
  const { access, money, limits, limitUse, activity, sessions } = gateway;
  const operations: Operations = {
    access,
    ledger: money?.ledger ?? null,
    limits,
    limitUse,
    activity,
    sessions,
    alerts: gateway.alerts,
    prices: null,
    gateway: createRunningGateway(gateway),
    now: () => clock,
    get config() {
      return gateway.config;
    },
  };
  const caller = { actor: 'test', session: null, role: 'admin' } as const;
  admin = await openAdminApp(operations, { identify: async () => caller, checkAnswers: true });
});
afterAll(async () => {
  await admin.close();
  await vendor.close();
  await receiver.close();
});

const get = async (path: string) => JSON.parse((await admin.inject({ url: `/admin/v1${path}` })).payload);
const post = (path: string) => admin.inject({ method: 'POST', url: `/admin/v1${path}` });
const alerts = async (query = '') => AlertList.parse(await get(`/alerts${query}`));
const acknowledge = async (id: string | undefined, body: object = {}) => {
  const { statusCode, payload } = await admin.inject({ method: 'POST', url: `/admin/v1/alerts/${id}/acknowledge`, payload: body });
  return { status: statusCode, body: JSON.parse(payload) };
};
const channels = async () => AlertChannelList.parse(await get('/alert-channels')).data;
const overview = async () => Overview.parse(await get('/overview'));
const attention = async () => (await overview()).attention;
const acknowledgedCount = async () => (await overview()).acknowledged_alerts;
const openRow = async () => (await attention()).find(({ kind }) => kind === 'alerts_open');
const ask = async (key: string) =>
  (
    await vendor.gateway.call('/chat/completions', {
      key,
      json: { model: 'play', messages: [{ role: 'user', content: 'x' }], max_tokens: 9 },
    })
  ).status;

test('reports nothing while nothing is wrong: no alert, no row on the overview, no webhook message', async () => {
  await vendor.gateway.gateway.alerts.checkNow();
  expect((await alerts()).data).toEqual([]);
  expect(await openRow()).toBeUndefined();
  const { host } = new URL(receiver.url);
  expect(await channels()).toMatchObject([
    { name: 'ops', host, events: ['balance_low', 'cap_used', 'upstream_unavailable', 'ledger_mismatch'], last_delivery: null, waiting: 0 },
    { name: 'quiet', events: ['ledger_mismatch'], last_delivery: null, waiting: 0 },
  ]);
  expect(JSON.stringify(await get('/alert-channels'))).not.toMatch(/token|whsec_/);
});

test('opens one signed alert and a row on the overview after a call takes a balance below the threshold', async () => {
  const { gateway, newKey } = vendor.gateway;
  const { key, accountId } = await newKey({ account: 'poor', balance: 5_000_000n });
  expect(await ask(key)).toBe(200);
  receiver.next(500);
  await gateway.alerts.checkNow();
  await gateway.alerts.checkNow();
  expect(receiver.came.map(({ type, data }) => [type, data.kind, data.subject])).toEqual([['alert.opened', 'balance_low', accountId]]);
  const [first] = receiver.came;
  expect(first && signatureOf(first)).toBe(first?.headers['webhook-signature']);
  const { data } = await alerts('?state=open');
  expect(data).toMatchObject([{ id: first?.data.id, kind: 'balance_low', subject: accountId, name: 'poor', resolved_at: null }]);
  expect(await openRow()).toMatchObject({ since: data[0]?.opened_at, subject: accountId, message: data[0]?.message });
  expect((await channels())[0]).toMatchObject({
    waiting: 1,
    last_delivery: {
      id: first?.id,
      alert: data[0]?.id,
      event: 'opened',
      state: 'waiting',
      attempts: 1,
      status: 500,
      failure: 'status 500',
    },
  });

  const acknowledged = await acknowledge(data[0]?.id);
  const at = new Date(clock).toISOString();
  expect(acknowledged.body).toEqual({
    ...data[0],
    acknowledged_at: at,
    acknowledged_by: 'test',
    acknowledged_by_name: null,
    snoozed_until: null,
  });
  expect((await alerts('?state=open')).data).toEqual([acknowledged.body]);
  expect(await openRow()).toBeUndefined();
  expect(await acknowledgedCount()).toBe(1);
  const snoozed = await acknowledge(data[0]?.id, { snooze_seconds: 3_600 });
  expect(snoozed.body).toMatchObject({ acknowledged_at: at, snoozed_until: new Date(clock + 3_600_000).toISOString() });
  expect(await openRow()).toBeUndefined();
  expect(await acknowledgedCount()).toBe(1);
  clock += 3_600_000;
  expect(await openRow()).toMatchObject({ since: data[0]?.opened_at });
  expect(await acknowledgedCount()).toBe(0);
  const entries = ((await get('/audit')) as { data: { action: string; target: string; details: object; names: object }[] }).data;
  expect(entries.filter(({ action }) => action === 'alert.acknowledge')).toMatchObject([
    { target: data[0]?.id, details: { snooze_seconds: 3_600 } },
    { target: data[0]?.id, details: {}, names: { [data[0]?.id ?? '']: data[0]?.name } },
  ]);

  const topUp = { accountId, transfer: 'more', kind: 'top_up', amount: 9_000_000n, note: null, at: Date.now() } as const;
  await gateway.money?.ledger.adjust(topUp);
  await gateway.alerts.checkNow();
  expect(await openRow()).toBeUndefined();
  expect((await alerts('?state=open')).data).toEqual([]);
  expect((await alerts('?state=resolved')).data).toMatchObject([{ id: data[0]?.id, resolved_at: expect.any(String) }]);
  expect(await acknowledge(data[0]?.id)).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
});

test('opens an alert with the name of a failing upstream, newest first, and lists alerts in pages', async () => {
  const { key } = await vendor.gateway.newKey();
  for (let call = 0; call < 2; call++) {
    vendor.fake.next(failure(500));
    expect(await ask(key)).toBe(502);
  }
  await vendor.gateway.gateway.alerts.checkNow();
  const first = await alerts('?limit=1');
  expect(first).toMatchObject({ data: [{ kind: 'upstream_unavailable', subject: 'vendor', name: null, value: null }], has_more: true });
  const next = await alerts(`?limit=1&after=${first.last_id}`);
  expect(next).toMatchObject({ data: [{ kind: 'balance_low' }], has_more: false });
});

test('lists an unavailable upstream once on the overview, as its alert with its own age, and not once that is acknowledged', async () => {
  const [alert] = (await alerts('?state=open&limit=1')).data;
  const about = async () => (await attention()).filter(({ subject }) => subject === 'vendor');
  expect(await about()).toMatchObject([{ kind: 'alerts_open', subject: 'vendor', since: alert?.opened_at, message: alert?.message }]);
  await acknowledge(alert?.id);
  expect(await about()).toEqual([]);
  await acknowledge(alert?.id, { snooze_seconds: 60 });
  clock += 60_000;
  expect(await about()).toMatchObject([{ kind: 'alerts_open' }]);
});

test('sends a signed test message immediately, shows and audits its outcome, at most once in five seconds', async () => {
  const before = receiver.came.length;
  const tested = AlertChannelTest.parse(JSON.parse((await post('/alert-channels/quiet/test')).payload));
  expect(tested).toMatchObject({ channel: 'quiet', ok: true, status: 204, response: null, failure: null });
  const message = receiver.came[before];
  expect(message?.body).toBe(tested.sent);
  expect(message).toMatchObject({ id: tested.id, type: 'webhook.test', data: { webhook: 'quiet' } });
  expect(message && signatureOf(message)).toBe(message?.headers['webhook-signature']);
  const again = await post('/alert-channels/quiet/test');
  expect([again.statusCode, again.headers['retry-after']]).toEqual([409, '5']);
  receiver.next((_, response) => response.writeHead(503).end('no\x1b[31m capacity'));
  clock += 5_000;
  const failed = AlertChannelTest.parse(JSON.parse((await post('/alert-channels/quiet/test')).payload));
  expect(failed).toMatchObject({ ok: false, status: 503, response: 'no [31m capacity', failure: 'status 503' });
  const { data } = (await get('/audit')) as { data: { action: string; target: string }[] };
  expect(data.filter(({ action }) => action === 'alert.test').map(({ target }) => target)).toEqual(['quiet', 'quiet']);
  expect((await post('/alert-channels/nobody/test')).statusCode).toBe(404);
});

test('applies a reload of webhooks and thresholds without a restart', async () => {
  const { gateway } = vendor.gateway;
  const before = receiver.came.length;
  await gateway.adopt({ ...gateway.config, alerts: { ...gateway.config.alerts, webhooks: [], balanceBelow: '500' } });
  await gateway.alerts.checkNow();
  expect((await alerts('?state=open')).data.map(({ kind, name }) => `${kind} ${name}`)).toContain('balance_low poor');
  expect(receiver.came).toHaveLength(before);
  expect(await channels()).toEqual([]);
  const { data } = await alerts('?state=open');
  expect(new Set(data.map(({ opened_at: at }) => at)).size).toBe(2);
  // Each with its own age, what fails calls now and then the newest first, and no second entry about the same account or upstream.
  expect(await attention()).toMatchObject(
    data.toReversed().map(({ kind, subject, opened_at: since, message }) => {
      return { kind: 'alerts_open', subject, since, message, is_urgent: kind === 'upstream_unavailable' };
    }),
  );
});
