/** Upstreams over the admin API: what rests, a test call, and ending the rest. */
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UpstreamReportList, UpstreamTest } from '../../contract/admin/upstreams.ts';
import { openAdminApp } from '../../server/admin/app.ts';
import { runningGateway } from '../../server/commands/running-gateway.ts';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { type BehindVendor, openBehindVendor, vendorKey } from '../harness/vendor.ts';

let vendor: BehindVendor;
let admin: FastifyInstance;
let now: number;

beforeEach(async () => {
  const models = [
    { id: 'draw', kind: 'image', prices: { images: { default: '1' } } },
    { id: 'play', kind: 'text', upstreamModel: 'real-play', prices: { input: '1', output: '4' } },
  ];
  const keys = { apiKey: undefined, apiKeys: [vendorKey, 'sk-another-key-of-ours-0000'] };
  vendor = await openBehindVendor({ upstream: keys, settings: { models, routing: { maxAttempts: 1, breaker: { failures: 1 } } } });
  const { gateway } = vendor.gateway;
  const { access, money, limits, activity, sessions, config } = gateway;
  const operations = {
    access,
    ledger: money?.ledger ?? null,
    limits,
    activity,
    sessions,
    prices: null,
    config,
    gateway: runningGateway(gateway),
  };
  now = Date.now();
  admin = await openAdminApp(
    { ...operations, now: () => now },
    { callerOf: async () => ({ actor: 'test', session: null, role: 'admin' }), checkAnswers: true },
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

test('an upstream is listed with its models and keys, and only the last four characters of each key', async () => {
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
            { upstream_model: 'draw', models: ['draw'], state: 'closed', rests_ms: 0 },
            { upstream_model: 'real-play', models: ['play'], state: 'closed', rests_ms: 0 },
          ],
          keys: [
            { last_four: vendorKey.slice(-4), state: 'ready', rests_ms: 0 },
            { last_four: '0000', state: 'ready' },
          ],
          running: 0,
          waiting: 0,
        },
      ],
    },
  ]);
  expect(text).not.toContain(vendorKey.slice(0, -4));
});

test('a test call requests one token of the first text model and has an audit entry', async () => {
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

test('a failed test call reports its error as a result', async () => {
  vendor.fake.next(failure(500));
  expect(await testIt({ model: 'play' })).toMatchObject({ ok: false, status: 500, code: 'upstream_error', input_tokens: null });
});

test('a second test call within five seconds is refused, a later one is made', async () => {
  vendor.fake.next(json(chatCompletion()));
  expect((await testIt()).ok).toBe(true);
  now += 4_999;
  const { status, headers, body } = await post('vendor/test', {});
  expect([status, headers['retry-after'], body.error.code]).toEqual([409, '1', 'conflict']);
  now += 1;
  vendor.fake.next(json(chatCompletion()));
  expect((await testIt()).ok).toBe(true);
});

test('a test call of an image model, an unknown model or an unknown upstream is refused, and nothing is sent', async () => {
  const refusal = async (path: string, order: object) => {
    const { status, body } = await post(path, order);
    return [status, body.error.param];
  };
  expect(await refusal('vendor/test', { model: 'draw' })).toEqual([400, 'model']);
  expect(await refusal('vendor/test', { model: 'none' })).toEqual([400, 'model']);
  expect(await refusal('none/test', {})).toEqual([404, 'upstream']);
  expect(vendor.fake.requests).toHaveLength(0);
});

test('models and keys that rest are listed so, and are called again after a wake', async () => {
  vendor.fake.next(failure(500));
  expect((await call()).status).toBe(502);
  vendor.gateway.gateway.health.coolDown({ upstream: 'vendor', upstreamModel: 'draw' }, 60_000);
  const places = async () => (await list()).upstreams[0]?.nodes[0]?.places.map(({ state, rests_ms: ms }) => [state, ms > 0]);
  expect(await places()).toEqual([
    ['closed', true],
    ['open', true],
  ]);
  expect((await post('vendor/wake')).body).toMatchObject({ upstream: 'vendor', places: 2 });
  expect(await places()).toEqual([
    ['closed', false],
    ['closed', false],
  ]);
  vendor.fake.next(json(chatCompletion()));
  expect((await call()).status).toBe(200);
});

test('a key that the vendor refused is listed as refused until a wake', async () => {
  vendor.fake.next(failure(401));
  vendor.fake.next(failure(401));
  await call();
  await call();
  const states = async () => (await list()).upstreams[0]?.nodes[0]?.keys.map(({ state }) => state);
  expect(await states()).toEqual(['refused', 'refused']);
  expect((await post('vendor/wake')).body).toMatchObject({ keys: 2 });
  expect(await states()).toEqual(['ready', 'ready']);
});
