/** Requests to a vendor over HTTP: path, key, headers, several keys, and the errors of connections. */
import { EventEmitter } from 'node:events';
import { errors } from 'undici';
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { GatewayError } from '../../../server/primitives/errors.ts';
import { createJsonBody } from '../../../server/protocols/wire/json-body.ts';
import { openHttpUpstream } from '../../../server/providers/http-upstream.ts';
import { toSendError } from '../../../server/providers/send-error.ts';
import type { FormBody, UpstreamRequest } from '../../../server/providers/upstream.ts';
import { failure } from '../../fakes/faults.ts';
import { openFake, refusedUrl } from '../../fakes/upstream.ts';
import { configureUpstream } from '../settings.ts';

const fake = await openFake();
afterEach(() => void fake.clear());
afterAll(() => fake.close());

/** Opens an upstream at the fake vendor. */
function open(settings: Record<string, unknown> = {}) {
  const upstream = openHttpUpstream(configureUpstream({ kind: 'openai', baseUrl: fake.url, apiKey: 'sk-1', ...settings }));
  onTestFinished(() => upstream.close());
  const send = (changes: Partial<UpstreamRequest> = {}) =>
    upstream.send({
      operation: 'createChatCompletion',
      model: 'm',
      body: createJsonBody({ model: 'm' }),
      stream: false,
      session: null,
      requestId: 'req_1',
      gone: new EventEmitter(),
      signal: new AbortController().signal,
      ...changes,
    });
  return { upstream, send };
}
const form: FormBody = { kind: 'form', value: { model: 'm', prompt: 'A cat.' }, images: [], overlays: {} };

describe('a request to an upstream', () => {
  test.each([
    ['createChatCompletion', '/v1/chat/completions'],
    ['createResponse', '/v1/responses'],
    ['generateImages', '/v1/images/generations'],
  ] as const)('goes for %s to %s', async (operation, path) => {
    (await open().send({ operation })).body.destroy();
    expect(fake.last).toMatchObject({ method: 'POST', path, json: { model: 'm' } });
  });

  test('goes as a form for an image edit', async () => {
    (await open().send({ operation: 'editImages', body: form })).body.destroy();
    expect(fake.last).toMatchObject({ path: '/v1/images/edits', fields: { prompt: 'A cat.' } });
    expect(fake.last.headers['content-length']).toBe(String(fake.last.body.length));
  });

  test('goes to the path of the model where the protocol has one, whatever slashes baseUrl ends with', async () => {
    (await open({ baseUrl: `${fake.url}//` }).send({ path: '/models/m:generate' })).body.destroy();
    expect(fake.last.path).toBe('/v1/models/m:generate');
  });

  test.each([
    ['openai', { authorization: 'Bearer sk-1' }],
    ['anthropic', { 'x-api-key': 'sk-1', 'anthropic-version': '2023-06-01' }],
    ['gemini', { 'x-goog-api-key': 'sk-1' }],
  ])('carries its key in the header of %s, and in no other', async (kind, expected) => {
    (await open({ kind }).send()).body.destroy();
    const { headers } = fake.last;
    const shown = ['authorization', 'x-api-key', 'anthropic-version', 'x-goog-api-key'].filter((name) => headers[name] !== undefined);
    expect([headers, shown.sort()]).toMatchObject([expected, Object.keys(expected).sort()]);
  });

  test.each([
    [true, 'text/event-stream'],
    [false, 'application/json'],
  ])('carries accept for a stream: %s', async (stream, accept) => {
    (await open({ headers: { 'openai-project': 'proj_1' } }).send({ stream })).body.destroy();
    expect(fake.last.headers).toMatchObject({ accept, 'accept-encoding': 'identity', 'x-request-id': 'req_1', 'openai-project': 'proj_1' });
    expect(fake.last.headers).not.toHaveProperty('traceparent');
  });

  test('carries traceparent if there is one', async () => {
    (await open().send({ traceparent: '00-1-2-01' })).body.destroy();
    expect(fake.last.headers.traceparent).toBe('00-1-2-01');
  });
});

test('frees the concurrency limit after a failed connection', async () => {
  const { send } = open({ maxConcurrentRequests: 1, maxPendingRequests: 0, baseUrl: await refusedUrl() });
  for (let n = 0; n < 3; n++) await expect(send()).rejects.toMatchObject({ code: 'upstream_error' });
});

test('cools down one of several API keys for this model for retry-after on a rate limit', async () => {
  const { upstream, send } = open({ apiKey: undefined, apiKeys: ['sk-1', 'sk-2'] });
  for (let n = 0; n < 2; n++) {
    fake.next(failure(429, { headers: { 'retry-after': '40' } }));
    (await send()).body.destroy();
  }
  await expect(send()).rejects.toMatchObject({ code: 'rate_limit_exceeded', headers: { 'retry-after': '40' } });
  expect([upstream.hasSpareKey?.('m'), upstream.hasSpareKey?.('other')]).toEqual([false, true]);
});

test.each([
  ['a timeout of headers', new errors.HeadersTimeoutError(), 'upstream_timeout'],
  ['a timeout of the body', new errors.BodyTimeoutError(), 'upstream_timeout'],
  ['a timeout of the connection', new errors.ConnectTimeoutError(), 'upstream_timeout'],
  ['a connection that broke', new errors.SocketError(), 'upstream_error'],
  ['anything else', 'no error at all', 'upstream_error'],
])('turns %s into an error with its code and cause', (_what, cause, code) => {
  expect(toSendError(cause)).toMatchObject({ code, cause });
});

test('keeps a GatewayError', () => {
  const known = new GatewayError('overloaded');
  expect(toSendError(known)).toBe(known);
});
