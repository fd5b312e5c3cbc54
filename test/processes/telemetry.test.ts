/** Metrics that agree with the calls, their address, and the log lines. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { chatFrames, chatUsage } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { done } from '../fakes/frames.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { modelgate } from '../harness/command-line.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { setUp } from '../harness/gateway-process.ts';
import { sources } from '../harness/launch.ts';
import { openWatched, type Scraped, type Watched } from '../harness/telemetry.ts';

const ask = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Say hello.' }] };

let fake: Fake;
beforeAll(async () => {
  fake = await openFake();
});
afterAll(() => fake.close());

function settings(more: object = {}) {
  const upstream = { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor' };
  const candidates = [{ upstream: 'vendor' }, { upstream: 'backup', priority: 2 }];
  return { upstreams: { vendor: upstream, backup: upstream }, models: [{ id: 'gpt-5.4', kind: 'text', candidates }], ...more };
}
const open = (more: object = {}): Promise<Watched> => openWatched({ settings: settings(more) });

/** Makes nine calls: five are served, two of them streams; the backup serves one; the vendor refuses one; the gateway refuses two. */
async function callAround({ call, counted }: Watched): Promise<void> {
  for (let count = 0; count < 3; count++) await (await call(ask)).text();
  for (let count = 0; count < 2; count++) await (await call({ ...ask, stream: true })).text();
  fake.next(failure(503));
  await (await call(ask)).text();
  fake.next(failure(400, { message: 'too long', code: 'context_length_exceeded' }));
  await (await call(ask)).text();
  await (await call(ask, { key: 'mg-wrong' })).text();
  await (await call({ ...ask, model: 'no-such-model' })).text();
  await counted(9);
}

test('counts requests, attempts, tokens and costs in the metrics', async () => {
  const gateway = await open();
  await callAround(gateway);
  const metrics = await gateway.metrics();
  const requests = (...labels: string[]): number => metrics.sum('modelgate_requests_total', 'route="/v1/chat/completions"', ...labels);
  expect(requests('status="200"', 'outcome="completed"', 'model="gpt-5.4"', 'upstream="vendor"', 'code="none"')).toBe(5);
  expect(requests('status="200"', 'outcome="completed"', 'upstream="backup"')).toBe(1);
  expect(requests('status="401"', 'code="invalid_api_key"', 'model="unknown"', 'upstream="none"', 'outcome="rejected"')).toBe(1);
  expect(requests('status="404"', 'code="model_not_found"', 'model="unknown"', 'upstream="none"')).toBe(1);
  expect(requests('status="400"', 'code="context_length_exceeded"', 'model="gpt-5.4"')).toBe(1);
  expect(metrics.sum('modelgate_attempts_total', 'upstream="vendor"', 'status="2xx"', 'code="none"')).toBe(5);
  expect(metrics.sum('modelgate_attempts_total', 'upstream="backup"', 'status="2xx"', 'code="none"')).toBe(1);
  expect(metrics.sum('modelgate_attempts_total', 'status="4xx"', 'code="context_length_exceeded"')).toBe(1);
  expect(metrics.sum('modelgate_attempts_total', 'status="5xx"', 'upstream="vendor"')).toBe(1);
  const ledger = gateway.served.open();
  const { cost } = ledger.prepare("SELECT sum(charged) AS cost FROM charges WHERE state = 'posted'").get() ?? {};
  ledger.close();
  expect(cost).toBeGreaterThan(0);
  expect(metrics.sum('modelgate_cost_total', 'model="gpt-5.4"')).toBe(cost);
  expect(metrics.text).not.toContain('modelgate_account_cost');
  expectGenAi(metrics);
  expectState(metrics);
  await expectAddress(String(gateway.served.logged('metrics listener started')[0]?.origin), gateway.served.origin);
});

/** The metrics of the GenAI conventions. */
function expectGenAi(metrics: Scraped): void {
  const labels = ['gen_ai_operation_name="chat"', 'gen_ai_provider_name="openai"', 'gen_ai_request_model="gpt-5.4"'];
  expect(metrics.sum('gen_ai_client_operation_duration_count', ...labels)).toBe(7);
  expect(metrics.sum('gen_ai_client_operation_duration_count', 'error_type="context_length_exceeded"')).toBe(1);
  expect(metrics.sum('gen_ai_client_operation_duration_bucket', 'le="81.92"')).toBe(7);
  expect(metrics.sum('gen_ai_client_operation_time_to_first_chunk_count', ...labels)).toBe(2);
  expect(metrics.sum('gen_ai_client_token_usage_count', 'gen_ai_token_type="input"', ...labels)).toBe(6);
  expect(metrics.sum('gen_ai_client_token_usage_sum', 'gen_ai_token_type="output"')).toBe(6 * chatUsage.completion_tokens);
  expect(metrics.text).toContain('# TYPE gen_ai_client_operation_duration histogram');
}

function expectState(metrics: Scraped): void {
  for (const name of ['streams_open', 'websockets_open', 'holds_open', 'outbox_waiting'])
    expect(metrics.series.get(`modelgate_${name}`), name).toBe(0);
  expect(metrics.series.get('modelgate_breaker_state{upstream="vendor",model="gpt-5.4"}')).toBe(0);
  expect(metrics.series.get('process_memory_usage')).toBeGreaterThan(10_000_000);
  expect(metrics.series.get('modelgate_event_loop_delay{percentile="99"}')).toBeGreaterThanOrEqual(0);
  // The label of summaries, which these are not: promtool refuses it.
  expect(metrics.text).not.toContain('quantile=');
  // Without Redis no limits are shared.
  expect(metrics.text).not.toContain('modelgate_limits_shared');
}

async function expectAddress(origin: string, callers: string): Promise<void> {
  expect((await fetch(`${origin}/`)).status).toBe(404);
  expect((await fetch(`${origin}/metrics`, { method: 'POST' })).status).toBe(405);
  expect((await fetch(`${callers}/metrics`)).status).toBe(404);
  expect((await fetch(`${origin}/metrics`)).headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
}

test("counts charges by account where configured, and the gateway's time without the attempts", async () => {
  const gateway = await open({ metrics: { enabled: true, port: 0, accounts: true } });
  await callAround(gateway);
  const metrics = await gateway.metrics();
  const ledger = gateway.served.open();
  const [charged] = ledger
    .prepare("SELECT account_id AS account, sum(charged) AS cost FROM charges WHERE state = 'posted' GROUP BY 1")
    .all();
  ledger.close();
  expect(metrics.sum('modelgate_account_cost_total', `account="${String(charged?.account)}"`)).toBe(charged?.cost);
  // Seven calls reached an upstream; nothing that was rejected before is counted.
  expect(metrics.sum('modelgate_overhead_duration_count', 'route="/v1/chat/completions"')).toBe(7);
  const [inside, whole] = ['modelgate_overhead_duration_sum', 'gen_ai_client_operation_duration_sum'].map((name) => metrics.sum(name));
  expect(inside).toBeLessThanOrEqual(whole ?? 0);
});

test('F54: adds no series to the metrics for a thousand unknown model names', async () => {
  const { call, metrics, counted } = await open();
  const askFor = async (model: string): Promise<string> => (await call({ ...ask, model })).text();
  await askFor('junk');
  await counted(1);
  const before = await metrics();
  const names = Array.from({ length: 1_000 }, (_, index) => `junk-${index}-${Math.random()}`);
  for (let at = 0; at < names.length; at += 50) await Promise.all(names.slice(at, at + 50).map(askFor));
  await counted(1_001);
  const after = await metrics();
  expect(after.sum('modelgate_requests_total', 'model="unknown"', 'code="model_not_found"')).toBe(1_001);
  expect([...after.series.keys()].sort()).toEqual([...before.series.keys()].sort());
  expect(after.text).not.toContain('junk');
});

test('counts the open WebSockets', async () => {
  const { metrics, served } = await open();
  const socket = new WebSocket(`${served.origin.replace('http', 'ws')}/v1/responses`, {
    headers: { authorization: `Bearer ${served.key}` },
  });
  await once(socket, 'open');
  const count = async () => (await metrics()).series.get('modelgate_websockets_open');
  await expect.poll(count).toBe(1);
  socket.close();
  await expect.poll(count).toBe(0);
});

test('shows an open stream and its hold as gauges, and counts the cost of a caller who disconnects', async () => {
  const { call, metrics, served } = await open();
  const look = async (): Promise<(number | undefined)[]> => {
    const { series } = await metrics();
    return ['modelgate_streams_open', 'modelgate_holds_open'].map((name) => series.get(name));
  };
  const { promise, resolve } = Promise.withResolvers<void>();
  onTestFinished(() => resolve());
  const [head, tail] = [chatFrames().slice(0, 3), chatFrames().slice(3)];
  fake.next(stream([...head, { until: promise }, ...tail, done]));
  const reader = (await call({ ...ask, stream: true })).body?.getReader();
  await reader?.read();
  expect(await look()).toEqual([1, 1]);
  resolve();
  for (let isOver = false; !isOver; ) isOver = (await reader?.read())?.done ?? true;
  expect(await look()).toEqual([0, 0]);

  const before = (await metrics()).sum('modelgate_cost_total');
  fake.next(stream(head, { ending: 'stall' }));
  const leaving = new AbortController();
  await (await call({ ...ask, stream: true }, { signal: leaving.signal })).body?.getReader().read();
  leaving.abort();
  await expect.poll(async () => (await metrics()).sum('modelgate_requests_total', 'outcome="client_disconnected"')).toBe(1);
  expect((await metrics()).sum('modelgate_cost_total')).toBeGreaterThan(before);
  expect(await look()).toEqual([0, 0]);
  const lineOf = () => served.logged('request').find(({ end }) => end === 'client_disconnected');
  await expect.poll(lineOf).toMatchObject({ upstream: 'vendor', attempts: 1, cost: expect.stringMatching(/^0\.\d{6}$/) });
});

test('refusals by a limit are counted by scope and quantity', async () => {
  const { call, metrics, counted } = await open({ limits: { perKey: { requestsPerMinute: 2 } } });
  for (let count = 0; count < 5; count++) await (await call(ask)).text();
  await counted(5);
  expect((await metrics()).sum('modelgate_limits_rejected_total', 'scope="key"', 'quantity="requests"')).toBe(3);
});

test('fails the start when the port for metrics is in use, and names it', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'modelgate.yaml'), JSON.stringify({ admin: { enabled: false }, metrics: { enabled: true, port } }));
  const { code, stderr } = await modelgate(['serve', '--port', '0'], { folder });
  expect(code).toBe(1);
  expect(stderr).toContain(
    `modelgate: Port ${port} of 127.0.0.1 is in use. Stop the program that uses it, or choose another port with metrics.port`,
  );
});

/** Writes a line on stderr for each module of OpenTelemetry that is asked for. */
const telltale = `data:text/javascript,import { registerHooks } from 'node:module'; registerHooks({ resolve(name, context, next) {
  if (name.includes('opentelemetry')) process.stderr.write('loads ' + name + '\\n'); return next(name, context); } });`;

test.each([
  ['without metrics does not load', {}, false],
  ['with metrics loads', { enabled: true, port: 0 }, true],
])('starts a gateway %s OpenTelemetry', async (_title, metrics, isLoaded) => {
  const served = await setUp({
    settings: { admin: { enabled: false }, ...settings({ metrics }) },
    node: ['--import', telltale.replaceAll('\n', ' ')],
    program: sources,
  });
  await served.run();
  expect(await served.stop()).toBe(0);
  expect(served.log.includes('loads @opentelemetry')).toBe(isLoaded);
});
