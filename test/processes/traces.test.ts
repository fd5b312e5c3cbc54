/** Traces and metrics that are pushed to a collector, without secrets (promise G13). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatCompletion, chatUsage } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { attributeOf, type Collector, openCollector, openWatched, type Watched } from '../harness/telemetry.ts';

const secret = 'sk-vendor-topsecret-0123456789';
const prompt = 'my-private-diary-4711';
const ask = { model: 'gpt-5.4', messages: [{ role: 'user', content: prompt }] };

let fake: Fake;
let collector: Collector;
beforeAll(async () => {
  [fake, collector] = await Promise.all([openFake(), openCollector()]);
});
afterAll(() => Promise.all([fake.close(), collector.close()]));

function open(more: object, env: readonly string[]): Promise<Watched> {
  const upstream = { kind: 'openai', baseUrl: fake.url, apiKey: secret };
  const candidates = [{ upstream: 'vendor' }, { upstream: 'backup', priority: 2 }];
  const upstreams = { vendor: upstream, backup: upstream };
  return openWatched({ settings: { upstreams, models: [{ id: 'gpt-5.4', kind: 'text', candidates }], ...more }, env });
}

describe('a collector', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const caller = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, tracestate: 'vendor=tracestate-of-the-caller' };
  const pushing = (): string[] => [
    `OTEL_EXPORTER_OTLP_ENDPOINT=${collector.url}`,
    ...['OTEL_METRIC_EXPORT_INTERVAL=500', 'OTEL_BSP_SCHEDULE_DELAY=100', 'OTEL_SERVICE_NAME=gate-one'],
  ];

  test('gets the metrics, and a span for each request and each attempt in the trace of the caller', async () => {
    const { call, served } = await open({}, pushing());
    fake.next(failure(503));
    const answer = await call(ask, { headers: caller });
    await answer.text();
    const own = () => collector.spans().filter((span) => span.traceId === traceId);
    await collector.until(() => own().length === 3);
    const [request] = own().filter(({ kind }) => kind === 2);
    const attempts = own().filter(({ kind }) => kind === 3);
    expect(request).toMatchObject({ name: 'POST /v1/chat/completions', parentSpanId: '00f067aa0ba902b7' });
    expect(attempts).toMatchObject(Array(2).fill({ name: 'chat gpt-5.4', parentSpanId: request?.spanId }));
    expect(attempts.map((span) => attributeOf(span, 'http.response.status_code')).sort()).toEqual([200, 503]);
    expect(attempts.map(({ status }) => status.code ?? 0).sort()).toEqual([0, 2]);
    expect(request && attributeOf(request, 'modelgate.request.id')).toBe(answer.headers.get('x-request-id'));
    expect(request && attributeOf(request, 'gen_ai.usage.output_tokens')).toBe(chatUsage.completion_tokens);
    for (const span of attempts) expect(BigInt(span.endTimeUnixNano)).toBeGreaterThan(BigInt(span.startTimeUnixNano));
    await collector.until(() => JSON.stringify(collector.pushed).includes('modelgate.requests'));
    expect(JSON.stringify(collector.pushed)).toContain('"stringValue":"gate-one"');
    // By default the trace is not sent to upstreams.
    expect(fake.last.headers.traceparent).toBeUndefined();
    await served.stop();
  });

  test('gets the span that the upstream was sent, with traces.toUpstreams', async () => {
    const { call } = await open({ traces: { toUpstreams: true } }, pushing());
    await (await call(ask)).text();
    const [, sentTrace, sentSpan] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(String(fake.last.headers.traceparent)) ?? [];
    await collector.until(() => collector.spans().some(({ traceId: id, spanId }) => id === sentTrace && spanId === sentSpan));
    expect(collector.spans().find(({ spanId }) => spanId === sentSpan)).toMatchObject({ kind: 3 });
  });

  test('gets metrics and no spans when nothing is sampled', async () => {
    const { call, served } = await open({}, [...pushing(), 'OTEL_TRACES_SAMPLER=always_off', 'OTEL_SERVICE_NAME=gate-unsampled']);
    const id = (await call(ask)).headers.get('x-request-id');
    const pushed = () => collector.pushed.filter(({ body }) => JSON.stringify(body).includes('gate-unsampled'));
    await collector.until(() => pushed().some(({ body }) => JSON.stringify(body).includes('modelgate.requests')));
    expect(await served.stop()).toBe(0);
    expect(pushed().filter(({ path }) => path === '/v1/traces')).toEqual([]);
    expect(JSON.stringify(pushed())).not.toContain(id);
  });

  test("fails no call when it's down, and is logged", async () => {
    const { call, served } = await open({}, [
      ...pushing(),
      'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:9',
      'OTEL_EXPORTER_OTLP_TIMEOUT=300',
    ]);
    expect((await call(ask)).status).toBe(200);
    await expect.poll(() => served.logged('OpenTelemetry reported a problem').length).toBeGreaterThan(0);
    expect(await served.stop()).toBe(0);
  });
});

test('G13: metrics, spans and log lines have no secret, prompt or API key, and metrics and spans no key id, account id or address', async () => {
  const { call, served, metrics, counted } = await open({}, [
    `OTEL_EXPORTER_OTLP_ENDPOINT=${collector.url}`,
    ...['OTEL_METRIC_EXPORT_INTERVAL=300', 'OTEL_BSP_SCHEDULE_DELAY=100', 'OTEL_SERVICE_NAME=gate-marked'],
    'OTEL_EXPORTER_OTLP_HEADERS=api-key=collector-key-5151',
  ]);
  const told = 'told-by-the-model-2222';
  fake.next(json(chatCompletion({ text: told })));
  await (await call(ask)).text();
  fake.next(failure(500, { message: `no: ${secret} ${prompt}` }), { times: 3 });
  await (await call({ ...ask, user: 'user-mark-3333', metadata: { mark: 'metadata-mark-3334' } })).text();
  await (
    await call({ ...ask, model: `model-${prompt}` }, { headers: { 'x-mark': 'header-mark-4444', tracestate: 'a=tracestate-mark' } })
  ).text();
  await (await call(ask, { key: `${served.key.slice(0, -2)}zz` })).text();
  await counted(4);
  const scraped = (await metrics()).text;
  expect(await served.stop()).toBe(0);
  const pushed = JSON.stringify(collector.pushed.filter(({ body }) => JSON.stringify(body).includes('gate-marked')));
  const [line] = served.logged('request');
  expect(pushed).toContain('/v1/chat/completions');
  expect(line).toMatchObject({ keyId: expect.stringMatching(/^key_/), attempts: 1, cost: expect.stringMatching(/^0\.\d{6}$/) });
  const marks = [
    secret,
    prompt,
    served.key,
    served.key.slice(3, 20),
    told,
    'user-mark',
    'metadata-mark',
    'header-mark',
    'tracestate-mark',
    'collector-key',
  ];
  for (const mark of marks) expect(scraped + pushed + served.log, mark).not.toContain(mark);
  // Only the log has the key id, the account id and the address.
  for (const mark of [String(line?.keyId), String(line?.accountId), '127.0.0.1']) expect(scraped + pushed, mark).not.toContain(mark);
  recordAttempts('G13', { what: 'marks looked for in metrics, traces and the log', times: marks.length + 3 });
});
