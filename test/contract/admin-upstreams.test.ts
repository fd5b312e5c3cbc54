/** Upstreams over the admin API: what rests, a test call, and ending the rest. */
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Overview } from '../../contract/admin/overview.ts';
import { UpstreamKeyCheck, UpstreamReportList, UpstreamTest } from '../../contract/admin/upstreams.ts';
import { openAdminApp } from '../../server/api/admin/app.ts';
import { writeNodeReport } from '../../server/api/admin/node-report.ts';
import { listLiveNodes } from '../../server/money/live-nodes.ts';
import { createRunningGateway } from '../../server/operate/commands/running-gateway.ts';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { paidCall } from '../harness/call-record.ts';
import { hangLimitMs } from '../harness/hang-limit.ts';
import { type BehindVendor, openBehindVendor, vendorKey } from '../harness/vendor.ts';

let vendor: BehindVendor;
let admin: FastifyInstance;
let now: number;

beforeEach(async () => {
  const models = [
    { id: 'draw', kind: 'image', prices: { images: { default: '1' } } },
    {
      id: 'play',
      kind: 'text',
      prices: { input: '1', output: '4' },
      candidates: [{ upstream: 'vendor', upstreamModel: 'real-play', cost: { input: '1000', output: '3000' } }],
    },
    { id: 'unknown', kind: 'text', prices: { input: '1', output: '4' } },
  ];
  const keys = { apiKey: undefined, apiKeys: [vendorKey, 'sk-another-key-of-ours-0000'] };
  vendor = await openBehindVendor({ upstream: keys, settings: { models, routing: { maxAttempts: 1, breaker: { failures: 1 } } } });
  const { gateway } = vendor.gateway;
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
    gateway: createRunningGateway(gateway),
  };
  now = Date.now();
  admin = await openAdminApp(
    { ...operations, now: () => now },
    { identify: async () => ({ actor: 'test', session: null, role: 'admin' }), checkAnswers: true },
  );
});
afterEach(async () => {
  await admin.close();
  await vendor.close();
});

async function post(path: string, payload?: object) {
  const answer = await admin.inject({ method: 'POST', url: `/admin/v1/upstreams/${path}`, ...(payload && { payload }) });
  return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.payload) };
}
const testIt = async (order: object = {}) => UpstreamTest.parse((await post('vendor/test', order)).body);
async function list() {
  const { payload } = await admin.inject({ url: '/admin/v1/upstreams' });
  return { text: payload, upstreams: UpstreamReportList.parse(JSON.parse(payload)).data };
}
const call = () => vendor.gateway.call('/chat/completions', { json: { model: 'play', messages: [{ role: 'user', content: 'x' }] } });

test('lists an upstream with its models and keys, and only the last four characters of each key', async () => {
  const { upstreams, text } = await list();
  expect(upstreams).toMatchObject([
    {
      name: 'vendor',
      host: new URL(vendor.fake.url).host,
      requests_24h: 0,
      nodes: [
        {
          node: vendor.gateway.gateway.node,
          places: [
            { upstream_model: 'draw', models: ['draw'], state: 'closed', cooldown_ms: 0 },
            { upstream_model: 'real-play', models: ['play'], state: 'closed', cooldown_ms: 0 },
            { upstream_model: 'unknown', models: ['unknown'], state: 'closed', cooldown_ms: 0 },
          ],
          keys: [
            { last_four: vendorKey.slice(-4), state: 'ready', cooldown_ms: 0 },
            { last_four: '0000', state: 'ready' },
          ],
          running: 0,
          waiting: 0,
          loaded_at: expect.stringMatching(/^20/),
        },
      ],
    },
  ]);
  expect(text).not.toContain(vendorKey.slice(0, -4));
});

test('sends a test call for one token of the first text model, and writes an audit entry', async () => {
  vendor.fake.next(json(chatCompletion()));
  expect(await testIt()).toMatchObject({
    upstream: 'vendor',
    model: 'play',
    ok: true,
    status: 200,
    code: null,
    input_tokens: expect.any(Number),
  });
  expect(vendor.fake.last.json).toMatchObject({ model: 'real-play', max_completion_tokens: 1 });
  const [entry] = await vendor.gateway.withAccess(({ store }) => store.listAudit({ limit: 1 }));
  expect(entry).toMatchObject({ actor: 'test', action: 'upstream.test', target: 'vendor', details: { model: 'play' } });
});

test('reports the error of a failed test call as a result', async () => {
  vendor.fake.next(failure(500));
  expect(await testIt({ model: 'play' })).toMatchObject({ ok: false, status: 500, code: 'upstream_error', input_tokens: null });
});

test("shows the provider's price of a test call where it is configured, and null elsewhere", async () => {
  const usage = { prompt_tokens: 7, completion_tokens: 1, total_tokens: 8 };
  vendor.fake.next(json({ ...chatCompletion(), usage }));
  expect((await testIt({ model: 'play' })).provider_cost).toBe('0.010000');
  now += 5_000;
  vendor.fake.next(json({ ...chatCompletion(), usage }));
  expect((await testIt({ model: 'unknown' })).provider_cost).toBeNull();
  now += 5_000;
  vendor.fake.next(failure(500));
  expect((await testIt({ model: 'play' })).provider_cost).toBeNull();
});

test('rejects a second test within five seconds, and makes one after them', async () => {
  vendor.fake.next(json(chatCompletion()));
  expect((await testIt()).ok).toBe(true);
  now += 4_999;
  const { status, headers, body } = await post('vendor/test', {});
  expect([status, headers['retry-after'], body.error.code]).toEqual([409, '1', 'conflict']);
  now += 1;
  vendor.fake.next(json(chatCompletion()));
  expect((await testIt()).ok).toBe(true);
});

test('rejects a test call of an image model, an unknown model or an unknown upstream, and sends nothing', async () => {
  const refusal = async (path: string, order: object) => {
    const { status, body } = await post(path, order);
    return [status, body.error.param];
  };
  expect(await refusal('vendor/test', { model: 'draw' })).toEqual([400, 'model']);
  expect(await refusal('vendor/test', { model: 'none' })).toEqual([400, 'model']);
  expect(await refusal('none/test', {})).toEqual([404, 'upstream']);
  expect(vendor.fake.requests).toHaveLength(0);
});

test('checks each key in use with the free model list, and shows only its last four characters', async () => {
  const { status, body } = await post('vendor/check-keys');
  expect(status).toBe(200);
  expect(UpstreamKeyCheck.parse(body)).toMatchObject({
    upstream: 'vendor',
    ok: false,
    keys: [
      { last_four: vendorKey.slice(-4), state: 'ok', message: expect.stringMatching(/^models 200 in/), hint: null },
      { last_four: '0000', state: 'fault', message: expect.stringMatching(/^models 401 .*rejected$/), hint: expect.any(String) },
    ],
  });
  expect(JSON.stringify(body)).not.toMatch(/sk-(?!fa)/);
  expect(vendor.fake.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/models', 'GET /v1/models']);
  expect((await post('none/check-keys')).status).toBe(404);
});

test('lists models and keys that are cooling down, and calls them again after a reset', async () => {
  vendor.fake.next(failure(500));
  expect((await call()).status).toBe(502);
  vendor.gateway.gateway.health.coolDown({ upstream: 'vendor', upstreamModel: 'draw' }, 60_000);
  const places = async () => (await list()).upstreams[0]?.nodes[0]?.places.map(({ state, cooldown_ms: ms }) => [state, ms > 0]);
  expect(await places()).toEqual([
    ['closed', true],
    ['open', true],
    ['closed', false],
  ]);
  expect((await post('vendor/reset')).body).toMatchObject({ upstream: 'vendor', places: 2 });
  expect(await places()).toEqual([
    ['closed', false],
    ['closed', false],
    ['closed', false],
  ]);
  vendor.fake.next(json(chatCompletion()));
  expect((await call()).status).toBe(200);
});

test('shows since when a model has been cooling down, and lists the upstream once on the overview however many models do', async () => {
  const since = async () => (await list()).upstreams[0]?.unavailable_since;
  expect(await since()).toBeNull();
  const { health, alerts } = vendor.gateway.gateway;
  for (const upstreamModel of ['draw', 'real-play']) health.coolDown({ upstream: 'vendor', upstreamModel }, 60_000);
  await alerts.tick();
  const at = await since();
  expect(Math.abs(Date.parse(at ?? '') - Date.now())).toBeLessThan(60_000);
  await alerts.tick();
  expect(await since()).toBe(at);
  const { payload } = await admin.inject({ url: '/admin/v1/overview' });
  expect(Overview.parse(JSON.parse(payload)).attention).toEqual([
    {
      kind: 'upstream_unavailable',
      target: 'upstream',
      subject: 'vendor',
      name: 'vendor',
      available: null,
      expires_at: null,
      is_urgent: true,
      impact: { failed_calls: 0, models: ['draw', 'play'] },
      since: at,
      message: expect.stringMatching(/^draw, real-play at vendor were rate limited\. The next attempt is in \d+ seconds\.$/),
    },
  ]);
});

test('counts the calls that an outage hits since it started, and lists the models without another candidate', async () => {
  const impact = async () => (await list()).upstreams[0]?.impact;
  expect(await impact()).toBeNull();
  const { activity, health, alerts } = vendor.gateway.gateway;
  health.coolDown({ upstream: 'vendor', upstreamModel: 'real-play' }, 60_000);
  expect(await impact()).toEqual({ failed_calls: null, models: ['play'] });
  await alerts.tick();
  const since = Date.parse((await list()).upstreams[0]?.unavailable_since ?? '');
  const nextHour = since - (since % 3_600_000) + 3_600_000;
  const failed = { upstream: 'vendor', charged: null, outcome: 'failed', status: 502, code: 'upstream_error' } as const;
  const unavailable = { ...failed, upstream: null, status: 503, code: 'no_upstream_available' } as const;
  const calls = [
    { ...failed, ended_at: since - 1 },
    { ...failed, ended_at: since },
    { ...failed, ended_at: nextHour },
    { ...failed, ended_at: nextHour, upstream: 'other' },
    { ...unavailable, ended_at: nextHour },
    { ...unavailable, ended_at: nextHour, model: 'unknown' },
    { ended_at: nextHour, upstream: 'vendor' },
  ];
  for (const [index, changes] of calls.entries()) activity.addCall(paidCall(`req_outage_${index}`, changes));
  for (let turn = 0; turn < 2; turn++) await activity.flush();
  // Those at its start, in the next hour, and of the model that has no other candidate.
  expect(await impact()).toEqual({ failed_calls: 3, models: ['play'] });
  expect((await call()).status).toBe(503);
  await vi.waitFor(async () => {
    await activity.flush();
    expect(await impact()).toMatchObject({ failed_calls: 4 });
  }, hangLimitMs);
});

test('shows other processes by the report of their heartbeat, skips silent ones, and ends their cooldowns', async () => {
  const { gateway } = vendor.gateway;
  const ledger = gateway.money?.ledger ?? expect.fail('billing is on');
  const keys = [{ lastFour: '0000', state: 'limited', restMs: 20_000 }] as const;
  const reported = (node: string, restMs: number): string =>
    writeNodeReport(
      {
        ...createRunningGateway(gateway),
        node,
        places: () => [{ upstream: 'vendor', upstreamModel: 'draw', state: 'open', restMs }],
        findState: () => ({
          keys,
          running: 3,
          waiting: 2,
          most: 4,
          openedAt: 500,
          lastFailure: { at: 1_000, status: 500, code: 'broken', message: null },
        }),
      },
      ['vendor'],
    );
  const at = await ledger.heartbeat('node_other', undefined, reported('node_other', 30_000));
  now = at + 10_000;
  await ledger.heartbeat('node_blocked', at - 10_000, reported('node_blocked', 30_000));
  // Its thread still sends signs of life, without a report.
  await ledger.heartbeat('node_blocked', at);
  await ledger.heartbeat('node_gone', at - 10_000, reported('node_gone', 30_000));
  const nodes = async () => (await list()).upstreams[0]?.nodes ?? [];
  expect((await nodes()).map(({ node }) => node)).toEqual([gateway.node, 'node_other']);
  expect((await nodes())[1]).toEqual({
    node: 'node_other',
    places: [
      { upstream_model: 'draw', models: ['draw'], state: 'open', cooldown_ms: 20_000 },
      { upstream_model: 'real-play', models: ['play'], state: 'closed', cooldown_ms: 0 },
      { upstream_model: 'unknown', models: ['unknown'], state: 'closed', cooldown_ms: 0 },
    ],
    keys: [{ last_four: '0000', state: 'limited', cooldown_ms: 10_000 }],
    running: 3,
    waiting: 2,
    max_concurrency: 4,
    loaded_at: '1970-01-01T00:00:00.500Z',
    last_failure: { at: '1970-01-01T00:00:01.000Z', status: 500, code: 'broken', message: null },
  });
  const { payload } = await admin.inject({ url: '/admin/v1/overview' });
  const { attention, nodes: processes } = Overview.parse(JSON.parse(payload));
  expect(attention.map(({ message }) => message)).toEqual([
    'draw at vendor failed several times in a row. The next attempt is in 20 seconds. Reported by process node_other.',
  ]);
  expect(processes.map(({ id, version }) => [id, version !== null])).toEqual([
    [gateway.node, true],
    ['node_blocked', false],
    ['node_other', true],
  ]);
  now = at + 14_999;
  expect((await nodes())[1]?.places[0]?.cooldown_ms).toBe(15_001);
  now = at + 15_001;
  expect((await nodes()).map(({ node }) => node)).toEqual([gateway.node]);
});

test("bounds a report: it omits upstreams that don't fit, and shows only four characters of a key", () => {
  const names = Array.from({ length: 500 }, (_, index) => `vendor_${index}`);
  const running = createRunningGateway(vendor.gateway.gateway);
  const long = writeNodeReport({ ...running, findState: () => running.findState('vendor') }, names);
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(16_384);
  const { upstreams } = JSON.parse(long) as { upstreams: readonly { name: string }[] };
  expect(upstreams.length).toBeGreaterThan(20);
  expect(upstreams.map(({ name }) => name)).toEqual(names.slice(0, upstreams.length));
  expect(writeNodeReport(running, ['vendor'])).not.toContain(vendorKey.slice(0, -4));
});

test('reports a running process with its heartbeat, once it has a report', async () => {
  const { gateway } = vendor.gateway;
  const own = async () => (await listLiveNodes(gateway.activity.ask, 0)).find(({ id }) => id === gateway.node);
  expect((await own())?.report).toBeNull();
  gateway.setReport(() => 'not yet');
  gateway.setReport(() => 'this is told');
  await vi.waitFor(async () => expect((await own())?.report?.text).toBe('this is told'), hangLimitMs);
});

test('shows a key that the provider rejected as rejected, until it is reset', async () => {
  vendor.fake.next(failure(401));
  vendor.fake.next(failure(401));
  await call();
  await call();
  const states = async () => (await list()).upstreams[0]?.nodes[0]?.keys.map(({ state }) => state);
  expect(await states()).toEqual(['rejected', 'rejected']);
  expect((await post('vendor/reset')).body).toMatchObject({ keys: 2 });
  expect(await states()).toEqual(['ready', 'ready']);
});
