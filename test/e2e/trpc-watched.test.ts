/** Metrics, log lines and traces of tRPC calls: each call counts once under its own route, and tRPC is loaded with the first call (promise G13). */
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { attributeOf, type Collector, openCollector, openWatched } from '../harness/telemetry.ts';
import { openTrpc, readAll, refusalOf } from '../harness/trpc.ts';

const ask = { model: 'gpt-5.4', messages: [{ role: 'user' as const, content: 'Say hello.' }] };

let fake: Fake;
let collector: Collector;
beforeAll(async () => {
  [fake, collector] = await Promise.all([openFake(), openCollector()]);
});
afterAll(() => Promise.all([fake.close(), collector.close()]));

const settings = () => ({
  upstreams: { vendor: { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor' } },
  models: [{ id: 'gpt-5.4', kind: 'text' }],
});

test('counts each call once by its own route, and a rejected batch by the tRPC route', async () => {
  const { served, counted, metrics } = await openWatched({ settings: settings() });
  const trpc = openTrpc(served);
  await Promise.all([0, 1, 2].map(() => trpc.createChatCompletion.mutate(ask)));
  await readAll(await trpc.stream.createChatCompletion.mutate(ask));
  await refusalOf(trpc.createChatCompletion.mutate({ ...ask, model: 'gpt-0' }));
  await refusalOf(openTrpc({ ...served, key: 'mg-wrong', origin: served.origin }).listModels.query());
  await counted(5);
  const scraped = await metrics();
  expect(scraped.sum('modelgate_requests_total')).toBe(6);
  expect(scraped.sum('modelgate_requests_total', 'route="/v1/chat/completions"', 'status="200"', 'outcome="completed"')).toBe(4);
  expect(scraped.sum('modelgate_requests_total', 'route="/v1/chat/completions"', 'code="model_not_found"')).toBe(1);
  expect(scraped.sum('modelgate_requests_total', 'route="/trpc/:procedures"', 'code="invalid_api_key"')).toBe(1);
  await expect.poll(() => served.logged('request').length).toBe(6);
});

test('adds one span per call to the trace of its caller', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const env = [`OTEL_EXPORTER_OTLP_ENDPOINT=${collector.url}`, 'OTEL_BSP_SCHEDULE_DELAY=100'];
  const { served } = await openWatched({ settings: settings(), env });
  await openTrpc(served, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }).createChatCompletion.mutate(ask);
  const own = () => collector.spans().filter((span) => span.traceId === traceId);
  await collector.until(() => own().length === 2);
  await served.stop();
  // The stop pushes the rest.
  expect(
    own()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['POST /v1/chat/completions', 'chat gpt-5.4']);
  const request = own().find(({ kind }) => kind === 2) ?? expect.fail('no span of the call');
  expect(request.parentSpanId).toBe('00f067aa0ba902b7');
  expect(String(attributeOf(request, 'modelgate.request.id'))).toBe(String(fake.last.headers['x-request-id']));
});

test('serves a call admitted before a stop, though its body comes later', async () => {
  const { served } = await openWatched({ settings: settings() });
  const body = JSON.stringify({ 0: ask });
  const headers = {
    authorization: `Bearer ${served.key}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    expect: '100-continue',
  };
  const calling = request(`${served.origin}/trpc/createChatCompletion?batch=1`, { method: 'POST', headers, agent: false });
  calling.flushHeaders();
  // Its key and its headers are accepted.
  await once(calling, 'continue');
  const stopped = served.stop();
  const isListening = () =>
    fetch(`${served.origin}/livez`).then(
      () => true,
      () => false,
    );
  await expect.poll(isListening).toBe(false);
  calling.end(body);
  const [answer] = await once(calling, 'response');
  expect(await text(answer)).toContain('"chat.completion"');
  expect(await stopped).toBe(0);
});

test('loads tRPC no earlier than the first tRPC call', async () => {
  const watch = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) { if (name.startsWith('@trpc/')) console.error('loads ' + name); return next(name, context); } });`;
  const env = [`NODE_OPTIONS=--import=data:text/javascript,${encodeURIComponent(watch)}`];
  const { served, call } = await openWatched({ settings: settings(), env });
  await (await call(ask)).text();
  await refusalOf(openTrpc({ ...served, key: 'mg-wrong', origin: served.origin }).listModels.query());
  expect(served.log).not.toContain('loads @trpc/');
  await openTrpc(served).listModels.query();
  expect(served.log).toContain('loads @trpc/server');
});
