/** The client repeats requests where that may help, waits as told, and stops when the caller aborts. */
import { getEventListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { AbortError, ConnectionError, Modelgate, TimeoutError } from '../../../client/sdk/src/index.ts';
import { canRetry, getBackoffMs, readRetryAfter } from '../../../client/sdk/src/retry.ts';
import { freePort } from '../../harness/free-port.ts';
import { holdTimers, until } from '../../harness/held-clock.ts';
import { chatRequest, done, response, responseRequest } from './samples.ts';
import { type Answering, failure, json, openServer, stream } from './server.ts';

const soon = { 'retry-after-ms': '1' };
const models = json(200, { object: 'list', data: [] });
const asItIs = (error: unknown): unknown => error;

test.each([408, 409, 429, 500, 502, 503, 504, 529])('retries status %i twice', async (status) => {
  const { connect, asked } = await openServer(failure(status, {}, soon));
  await expect(connect().listModels()).rejects.toMatchObject({ status });
  expect(asked).toHaveLength(3);
});

test.each([400, 401, 403, 404, 405, 413, 415])("doesn't retry status %i", async (status) => {
  const { connect, asked } = await openServer(failure(status, {}, soon));
  await expect(connect().listModels()).rejects.toMatchObject({ status });
  expect(asked).toHaveLength(1);
});

test('sends the same body each time a request is retried', async () => {
  const { connect, asked } = await openServer(failure(503, {}, soon), failure(429, {}, soon), json(200, response('completed')));
  expect(await connect().createResponse(responseRequest)).toEqual(response('completed'));
  expect(asked.map(({ body }) => JSON.parse(String(body)))).toEqual([responseRequest, responseRequest, responseRequest]);
});

test('follows x-should-retry rather than the status, both ways', async () => {
  const { connect, asked } = await openServer(
    failure(400, {}, { ...soon, 'x-should-retry': 'true' }),
    failure(429, {}, { 'x-should-retry': 'false' }),
  );
  await expect(connect().listModels()).rejects.toMatchObject({ status: 429 });
  expect(asked).toHaveLength(2);
});

test.each([
  [{ 'retry-after-ms': '120' }, 120],
  [{ 'retry-after': '0.12' }, 120],
  [{ 'retry-after-ms': '120', 'retry-after': '30' }, 120],
])('waits as long as %o says', async (headers, waitMs) => {
  const timers = await holdTimers();
  const { connect, asked } = await openServer(failure(429, {}, headers), models);
  const listing = connect().listModels();
  await timers.isSet(waitMs);
  await vi.advanceTimersByTimeAsync(waitMs - 1);
  await nextTurn();
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  await listing;
  expect(asked).toHaveLength(2);
});

test("doesn't wait for over a minute, and reports the wait in the error", async () => {
  const { connect, asked } = await openServer(failure(429, { code: 'rate_limit_exceeded' }, { 'retry-after': '61' }));
  await expect(connect().listModels()).rejects.toMatchObject({ code: 'rate_limit_exceeded', retryAfterMs: 61_000 });
  expect(asked).toHaveLength(1);
});

test('prefers maxRetries of the call to that of the client', async () => {
  const { connect, asked } = await openServer(failure(500, {}, soon));
  const client = connect({ maxRetries: 0 });
  await expect(client.listModels()).rejects.toThrow();
  expect(asked).toHaveLength(1);
  await expect(client.listModels({ maxRetries: 3 })).rejects.toThrow();
  expect(asked).toHaveLength(5);
});

const cut: Answering = (answer) => answer.destroy();

test('retries a connection that is cut before a response', async () => {
  const { connect, asked } = await openServer(cut, models);
  expect(await connect().listModels()).toEqual({ object: 'list', data: [] });
  expect(asked).toHaveLength(2);
});

test('throws a ConnectionError with its cause if the gateway is unreachable', async () => {
  const rejected = new Modelgate({ baseURL: `http://127.0.0.1:${await freePort()}/v1`, apiKey: 'mg-test', maxRetries: 0 }).listModels();
  await expect(rejected).rejects.toThrow(ConnectionError);
  await expect(rejected).rejects.toMatchObject({
    message: expect.stringContaining('ECONNREFUSED'),
    status: undefined,
    cause: expect.any(TypeError),
  });
});

test("doesn't repeat a request with a response that breaks off, since it was charged", async () => {
  const { connect, asked } = await openServer((answer) => {
    answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    answer.write('{"object":', () => answer.destroy());
  });
  await expect(connect().listModels()).rejects.toThrow(ConnectionError);
  expect(asked).toHaveLength(1);
});

const silence: Answering = () => {};

test("throws a TimeoutError for a silent gateway, closes the connection, and doesn't retry", async () => {
  await holdTimers();
  const { connect, asked } = await openServer(silence);
  const rejected = connect({ timeoutMs: 40 }).createChatCompletion(chatRequest).catch(asItIs);
  await until(() => asked.length === 1);
  await vi.advanceTimersByTimeAsync(40);
  expect(await rejected).toBeInstanceOf(TimeoutError);
  await asked[0]?.hungUp;
  expect(asked).toHaveLength(1);
});

test('throws a TimeoutError for a response that stalls', async () => {
  await holdTimers();
  const { connect } = await openServer((answer) => answer.writeHead(200).write('{'));
  const begun = Promise.withResolvers<void>();
  const rejected = connect()
    .listModels({ timeoutMs: 40, onResponse: () => begun.resolve() })
    .catch(asItIs);
  await begun.promise;
  await vi.advanceTimersByTimeAsync(40);
  expect(await rejected).toBeInstanceOf(TimeoutError);
});

test('accepts Infinity as timeoutMs', async () => {
  await holdTimers();
  const { connect } = await openServer(async (answer, asked) => {
    await vi.advanceTimersByTimeAsync(24 * 3_600_000);
    models(answer, asked);
  });
  expect(await connect({ timeoutMs: Number.POSITIVE_INFINITY }).listModels()).toEqual({ object: 'list', data: [] });
});

test("ends a request in flight, and closes its connection, on the caller's signal", async () => {
  const controller = new AbortController();
  const { connect, asked } = await openServer(() => controller.abort('changed my mind'));
  const running = connect().createResponse(responseRequest, { signal: controller.signal });
  await expect(running).rejects.toMatchObject({ name: 'AbortError', cause: 'changed my mind' });
  await asked[0]?.hungUp;
});

test("ends the wait before a retry on the caller's signal", async () => {
  const timers = await holdTimers();
  const controller = new AbortController();
  const { connect, asked } = await openServer(failure(429, {}, { 'retry-after': '50' }));
  const rejected = connect().listModels({ signal: controller.signal }).catch(asItIs);
  await timers.isSet(50_000);
  controller.abort();
  // None of the fifty seconds has passed.
  expect(await rejected).toBeInstanceOf(AbortError);
  expect(asked).toHaveLength(1);
});

test('sends nothing with an aborted signal', async () => {
  const { connect, asked } = await openServer(models);
  await expect(connect().listModels({ signal: AbortSignal.abort() })).rejects.toThrow(AbortError);
  expect(asked).toHaveLength(0);
});

test('leaves no listeners on a signal after its requests', async () => {
  const { connect } = await openServer(failure(500, {}, soon), models, stream(done));
  const { signal } = new AbortController();
  await connect().listModels({ signal });
  for await (const _ of await connect().createChatCompletion({ ...chatRequest, stream: true }, { signal })) break;
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('doubles the wait without retry-after from half a second to eight, minus up to a quarter', () => {
  expect([0, 1, 2, 3, 4, 5, 9].map((retry) => getBackoffMs(retry, 0))).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
  expect(getBackoffMs(0, 1)).toBe(375);
});

test('reads retry-after in milliseconds, in seconds, or as a date', () => {
  const now = Date.parse('2030-01-01T00:00:00Z');
  const read = (headers: Record<string, string>) => readRetryAfter(new Headers(headers), now);
  expect(read({ 'retry-after-ms': '250.5', 'retry-after': '9' })).toBe(250.5);
  expect(read({ 'retry-after': '1.5' })).toBe(1500);
  expect(read({ 'retry-after': 'Tue, 01 Jan 2030 00:00:07 GMT' })).toBe(7000);
  expect(read({ 'retry-after': 'Mon, 31 Dec 2029 00:00:00 GMT' })).toBe(0);
  expect(read({ 'retry-after-ms': 'soon', 'retry-after': '2' })).toBe(2000);
  expect(read({ 'retry-after': 'later' })).toBeUndefined();
  expect(read({})).toBeUndefined();
});

test('reads x-should-retry only as `true` or `false`', () => {
  const headers = (wish: string) => new Headers({ 'x-should-retry': wish });
  expect([canRetry(500, headers('no')), canRetry(400, headers('1')), canRetry(200, headers('true'))]).toEqual([true, false, true]);
});
