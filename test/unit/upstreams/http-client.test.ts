/** A request as a vendor over HTTP gets it: where to, with which key, asking for what; and what went wrong on the way, in words of ours. */
import { EventEmitter } from 'node:events';
import { errors } from 'undici';
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { HttpUpstreamConfig } from '../../../server/config/config.ts';
import { jsonBody } from '../../../server/dialects/wire/json-body.ts';
import { GatewayError } from '../../../server/errors.ts';
import { openHttpUpstream } from '../../../server/upstreams/http-client.ts';
import { collectStart } from '../../../server/upstreams/read-body.ts';
import { sendFailure } from '../../../server/upstreams/send-failure.ts';
import type { FormBody, UpstreamRequest } from '../../../server/upstreams/upstream.ts';
import { failure, silence } from '../../fakes/faults.ts';
import { openFake, refusedUrl } from '../../fakes/upstream.ts';
import { configOf } from '../settings.ts';

const fake = await openFake();
afterEach(() => void fake.clear());
afterAll(() => fake.close());

/** An upstream at the fake vendor. */
function open(settings: Record<string, unknown> = {}) {
  const vendor = { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-1', ...settings };
  const { upstreams } = configOf({ upstreams: { vendor }, models: [{ id: 'm', kind: 'text', upstream: 'vendor', prices: 'free' }] });
  // Configured as one right above.
  const upstream = openHttpUpstream(upstreams.vendor as HttpUpstreamConfig);
  onTestFinished(() => upstream.close());
  const send = (changes: Partial<UpstreamRequest> = {}) =>
    upstream.send({
      operation: 'createChatCompletion',
      model: 'm',
      body: jsonBody({ model: 'm' }),
      stream: false,
      session: null,
      requestId: 'req_1',
      gone: new EventEmitter(),
      signal: new AbortController().signal,
      ...changes,
    });
  return { upstream, send };
}
const form: FormBody = { kind: 'form', value: { model: 'm', prompt: 'A cat.' }, images: [], mask: null };

describe('a vendor is asked', () => {
  test.each([
    ['createChatCompletion', '/v1/chat/completions'],
    ['createResponse', '/v1/responses'],
    ['generateImages', '/v1/images/generations'],
  ] as const)('for %s at %s', async (operation, path) => {
    (await open().send({ operation })).body.destroy();
    expect(fake.last).toMatchObject({ method: 'POST', path, json: { model: 'm' } });
  });

  test('for an edit with a form', async () => {
    (await open().send({ operation: 'editImages', body: form })).body.destroy();
    expect(fake.last).toMatchObject({ path: '/v1/images/edits', fields: { prompt: 'A cat.' } });
    expect(fake.last.headers['content-length']).toBe(String(fake.last.body.length));
  });

  test('at an address of its own, where the protocol has one for each model, whatever slashes the base ends in', async () => {
    (await open({ baseUrl: `${fake.url}//` }).send({ path: '/models/m:generate' })).body.destroy();
    expect(fake.last.path).toBe('/v1/models/m:generate');
  });

  test.each([
    ['openai', { authorization: 'Bearer sk-1' }],
    ['anthropic', { 'x-api-key': 'sk-1', 'anthropic-version': '2023-06-01' }],
    ['gemini', { 'x-goog-api-key': 'sk-1' }],
  ])('with its key as %s wants it, and no other way', async (kind, expected) => {
    (await open({ kind }).send()).body.destroy();
    const { headers } = fake.last;
    const shown = ['authorization', 'x-api-key', 'anthropic-version', 'x-goog-api-key'].filter((name) => headers[name] !== undefined);
    expect([headers, shown.sort()]).toMatchObject([expected, Object.keys(expected).sort()]);
  });

  test.each([
    [true, 'text/event-stream'],
    [false, 'application/json'],
  ])('for a stream: %s', async (stream, accept) => {
    (await open({ headers: { 'openai-project': 'proj_1' } }).send({ stream })).body.destroy();
    expect(fake.last.headers).toMatchObject({ accept, 'accept-encoding': 'identity', 'x-request-id': 'req_1', 'openai-project': 'proj_1' });
    expect(fake.last.headers).not.toHaveProperty('traceparent');
  });

  test('with a trace to join, where there is one', async () => {
    (await open().send({ traceparent: '00-1-2-01' })).body.destroy();
    expect(fake.last.headers.traceparent).toBe('00-1-2-01');
  });
});

describe('texts and pictures have time limits of their own', () => {
  const [quick, slow] = [
    { headersMs: 50, firstEventMs: 50, idleMs: 50, totalMs: 60_000 },
    { headersMs: 60_000, firstEventMs: 60_000, idleMs: 60_000, totalMs: 60_000 },
  ];
  test.each([
    ['createResponse', quick, slow],
    ['generateImages', slow, quick],
  ] as const)('%s', async (operation, timeouts, imageTimeouts) => {
    fake.next(silence);
    await expect(open({ timeouts, imageTimeouts }).send({ operation })).rejects.toMatchObject({ code: 'upstream_timeout' });
  });
});

describe('room for requests', () => {
  test('is there again when a request was answered with a refusal', async () => {
    const { send } = open({ connections: 1, queue: 0 });
    fake.next(failure(503));
    await collectStart((await send()).body, 1_000);
    expect((await send()).status).toBe(200);
  });

  test('is there again when nobody could be reached', async () => {
    const { send } = open({ connections: 1, queue: 0, baseUrl: await refusedUrl() });
    for (let n = 0; n < 3; n++) await expect(send()).rejects.toMatchObject({ code: 'upstream_error' });
  });

  test('that is taken is told at once', async () => {
    const { send } = open({ connections: 1, queue: 0 });
    fake.next(silence);
    const gone = new EventEmitter();
    const first = send({ gone }).catch((error: unknown) => error);
    await expect(async () => send()).rejects.toMatchObject({ code: 'overloaded' });
    await fake.arrival(0);
    gone.emit('abort');
    expect(await first).toMatchObject({ code: 'upstream_error' });
  });
});

describe('of several keys', () => {
  test('one that is refused rests, and the next request goes with another; when none is left nothing is sent', async () => {
    const { upstream, send } = open({ apiKey: undefined, apiKeys: ['sk-1', 'sk-2'] });
    const used: unknown[] = [];
    for (let n = 0; n < 2; n++) {
      fake.next(failure(401));
      (await send()).body.destroy();
      used.push(fake.last.headers.authorization);
    }
    expect([new Set(used).size, upstream.hasSpareKey?.('m')]).toEqual([2, false]);
    await expect(send()).rejects.toMatchObject({ code: 'no_upstream_available' });
    expect(fake.requests).toHaveLength(2);
  });

  test('one that is busy rests for this model, for as long as the vendor says', async () => {
    const { upstream, send } = open({ apiKey: undefined, apiKeys: ['sk-1', 'sk-2'] });
    for (let n = 0; n < 2; n++) {
      fake.next(failure(429, { headers: { 'retry-after': '40' } }));
      (await send()).body.destroy();
    }
    await expect(send()).rejects.toMatchObject({ code: 'rate_limit_exceeded', headers: { 'retry-after': '40' } });
    expect([upstream.hasSpareKey?.('m'), upstream.hasSpareKey?.('other')]).toEqual([false, true]);
  });
});

test.each([
  ['headers that did not come', new errors.HeadersTimeoutError(), 'upstream_timeout'],
  ['a body that stood still', new errors.BodyTimeoutError(), 'upstream_timeout'],
  ['a connection that was not made', new errors.ConnectTimeoutError(), 'upstream_timeout'],
  ['a connection that broke', new errors.SocketError(), 'upstream_error'],
  ['anything else', 'no error at all', 'upstream_error'],
])('a caller hears of %s by its code, and the log of its cause', (_what, cause, code) => {
  expect(sendFailure(cause)).toMatchObject({ code, cause });
});

test('what is known by its own code already is told as that', () => {
  const known = new GatewayError('overloaded');
  expect(sendFailure(known)).toBe(known);
});
