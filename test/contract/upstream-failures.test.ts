/** What a vendor says of its failure: operators read it at the upstream, in a test call, in the record of the request and in the log; callers never do, and no key is in it. */
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UpstreamReportList, UpstreamTest } from '../../contract/admin/upstreams.ts';
import { openAdminApp } from '../../server/api/admin/app.ts';
import { createRunningGateway } from '../../server/operate/commands/running-gateway.ts';
import { chatFrames } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import { failure, reset } from '../fakes/faults.ts';
import { type BehindVendor, openBehindVendor, vendorKey } from '../harness/vendor.ts';

let vendor: BehindVendor;
let admin: FastifyInstance;

beforeAll(async () => {
  const settings = { models: [{ id: 'play', kind: 'text', prices: { input: '1', output: '4' } }], routing: { maxAttempts: 1 } };
  vendor = await openBehindVendor({ settings });
  const { gateway } = vendor.gateway;
  const { access, money, limits, limitUse, activity, sessions, alerts, config } = gateway;
  const parts = {
    access,
    ledger: money?.ledger ?? null,
    limits,
    limitUse,
    activity,
    sessions,
    alerts,
    prices: null,
    config,
    now: Date.now,
  };
  admin = await openAdminApp(
    { ...parts, gateway: createRunningGateway(gateway) },
    { identify: async () => ({ actor: 'test', session: null, role: 'admin' }), checkAnswers: true },
  );
});
afterAll(async () => {
  await admin.close();
  await vendor.close();
});

const readText = async (path: string): Promise<string> => (await admin.inject({ url: `/admin/v1${path}` })).payload;
const lastFailure = async () => UpstreamReportList.parse(JSON.parse(await readText('/upstreams'))).data[0]?.nodes[0]?.last_failure;
const call = (fields: object = {}) =>
  vendor.gateway.call('/chat/completions', { json: { model: 'play', messages: [{ role: 'user', content: 'x' }], ...fields } });

const quoting = `No machine is free for ${vendorKey}, Bearer abcdefghijklmnop. ${'word '.repeat(100)}`;
const fail = () => vendor.fake.next(failure(500, { code: 'out_of_machines', message: quoting }));
const message = expect.stringMatching(/^No machine is free for …, ….{100,}…$/);
const started = chatFrames().slice(0, 3);
const said = { provider_code: 'out_of_machines', provider_message: message };

test("counts no caller's mistake as an upstream failure, and logs none of its words", async () => {
  vendor.fake.next(failure(400, { message: 'The temperature is too high.' }));
  const answer = await call();
  expect(answer.status).toBe(400);
  expect((await vendor.gateway.lineOf(answer)).upstreamError).toBeUndefined();
  expect(await lastFailure()).toBeNull();
});

test("shows the provider's words for a failed test call", async () => {
  fail();
  const { payload } = await admin.inject({ method: 'POST', url: '/admin/v1/upstreams/vendor/test', payload: {} });
  expect(UpstreamTest.parse(JSON.parse(payload))).toMatchObject({ ok: false, status: 500, code: 'upstream_error', ...said });
  expect(payload).not.toContain(vendorKey);
});

test('shows them at the upstream, in the record and in the log, but in no response or receipt', async () => {
  fail();
  const answer = await call();
  expect([answer.status, (await answer.text()).includes('machine')]).toEqual([502, false]);
  expect(await lastFailure()).toEqual({ at: expect.any(String), status: 500, code: 'out_of_machines', message });
  const line = await vendor.gateway.lineOf(answer);
  expect(line.upstreamError).toMatch(/^vendor 500 out_of_machines$/);
  const id = answer.headers.get('x-request-id') ?? '';
  const record = await readText(`/requests/${id}`);
  expect(JSON.parse(record).attempts).toMatchObject([{ upstream: 'vendor', status: 500, ...said }]);
  for (const text of [record, await readText('/upstreams'), JSON.stringify(vendor.gateway.lines)])
    expect([text.includes(vendorKey), text.includes('abcdefghijklmnop')]).toEqual([false, false]);
  expect(await (await vendor.gateway.call(`/usage/${id}`)).text()).not.toContain('machine');
});

test.each([
  {
    how: 'sends an error',
    script: stream([...started, { data: '{"error":{"message":"GPU 3 is on fire","code":"gpu_fire"}}' }]),
    code: 'gpu_fire',
    message: 'GPU 3 is on fire',
  },
  { how: 'loses its connection', script: stream(started, { ending: 'cut' }), code: expect.any(String), message: expect.any(String) },
])('names the cause of a stream that $how midway in its record and in the log', async ({ script, code, message: words }) => {
  vendor.fake.next(script);
  const answer = await call({ stream: true });
  await answer.text();
  const id = answer.headers.get('x-request-id') ?? '';
  expect((await vendor.gateway.lineOf(answer)).upstreamError).toMatch(/^vendor 200 \w+$/);
  expect(JSON.parse(await readText(`/requests/${id}`)).attempts).toMatchObject([
    { upstream: 'vendor', status: 200, code: 'upstream_error', provider_code: code, provider_message: words },
  ]);
});

test('shows those of the connection where no response came', async () => {
  vendor.fake.next(reset);
  await (await call()).text();
  expect(await lastFailure()).toMatchObject({ status: null, code: expect.any(String), message: expect.any(String) });
});
