/** A POST that may be tried again carries an idempotency key, so that it is answered and charged once. */
import { expect, test, vi } from 'vitest';
import { ConflictError } from '../../../client/sdk/src/index.ts';
import { holdDate } from '../../harness/held-clock.ts';
import { chatRequest, done, imageRequest, response, responseRequest } from './samples.ts';
import { type Answering, type Asked, failure, json, openServer, stream } from './server.ts';

const soon = { 'retry-after-ms': '1' };
const keysOf = (asked: readonly Asked[]) => asked.map(({ headers }) => headers['idempotency-key']);
const answered = json(200, response('completed'));
const cut: Answering = (answer) => answer.destroy();
const running = failure(409, { code: 'idempotency_conflict' }, soon);

test('sends a new idempotency key with every POST, and none with GET and DELETE', async () => {
  const { connect, asked } = await openServer(answered);
  const client = connect();
  await client.createResponse(responseRequest);
  await client.createResponse({ ...responseRequest, stream: true });
  await client.createChatCompletion(chatRequest);
  await client.generateImages(imageRequest);
  await client.editImages({ ...imageRequest, image: new Uint8Array([1]) });
  await client.getResponse('resp_1');
  await client.deleteResponse('resp_1');
  await client.listModels();
  const keys = keysOf(asked);
  expect(new Set(keys.slice(0, 5)).size).toBe(5);
  for (const key of keys.slice(0, 5)) expect(key).toMatch(/^[\w-]{36}$/);
  expect(keys.slice(5)).toEqual([undefined, undefined, undefined]);
});

test.each([
  ['after a lost connection', cut],
  ['after a failure', failure(503, {}, soon)],
])('repeats the key and the body at every try, %s', async (_when, failing) => {
  const { connect, asked } = await openServer(failing, failing, answered);
  expect(await connect().createResponse(responseRequest)).toEqual(response('completed'));
  expect(asked).toHaveLength(3);
  expect(new Set(keysOf(asked)).size).toBe(1);
  expect(new Set(asked.map(({ body }) => String(body))).size).toBe(1);
});

test('repeats a form byte for byte at every try', async () => {
  const { connect, asked } = await openServer(cut, json(200, { created: 1, data: [] }));
  await connect().editImages({ ...imageRequest, image: { data: new Uint8Array([1, 2, 3]), name: 'cat.png' } });
  const parts = asked.map(({ headers, body }) => String(body).replaceAll(String(headers['content-type']).replace(/^.*boundary=/, ''), ''));
  expect(parts).toHaveLength(2);
  expect(parts[0]).toBe(parts[1]);
  expect(new Set(keysOf(asked)).size).toBe(1);
});

test("sends the caller's key, from an option or from a header of the call or of the client", async () => {
  const { connect, asked } = await openServer(answered);
  await connect().createResponse(responseRequest, { idempotencyKey: 'order-1' });
  await connect().createResponse(responseRequest, { headers: { 'Idempotency-Key': 'order-2' } });
  await connect({ headers: { 'IDEMPOTENCY-KEY': 'order-3' } }).createResponse(responseRequest);
  await connect().createResponse(responseRequest, { idempotencyKey: 'order-4', maxRetries: 0 });
  expect(keysOf(asked)).toEqual(['order-1', 'order-2', 'order-3', 'order-4']);
});

test("sends no key with a POST that isn't retried, nor with `idempotencyKey: null`", async () => {
  const { connect, asked } = await openServer(answered);
  await connect().createResponse(responseRequest, { maxRetries: 0 });
  await connect({ maxRetries: 0 }).createResponse(responseRequest);
  await connect().createResponse(responseRequest, { idempotencyKey: null });
  expect(keysOf(asked)).toEqual([undefined, undefined, undefined]);
});

test('creates distinct keys in a runtime without crypto, too', async () => {
  vi.stubGlobal('crypto', undefined);
  const { connect, asked } = await openServer(answered);
  await connect().createResponse(responseRequest);
  await connect().createResponse(responseRequest);
  vi.unstubAllGlobals();
  const keys = keysOf(asked);
  expect(new Set(keys).size).toBe(2);
  for (const key of keys) expect(key).toMatch(/^[!-~]{10,255}$/);
});

test('retries more often than maxRetries while an earlier try is in flight', async () => {
  const { connect, asked } = await openServer(cut, running, running, running, running, answered);
  expect(await connect().createResponse(responseRequest)).toEqual(response('completed'));
  expect(asked).toHaveLength(6);
  expect(new Set(keysOf(asked)).size).toBe(1);
});

test('stops waiting for a try in flight after timeoutMs', async () => {
  const date = holdDate();
  const { connect, asked } = await openServer((answer, what) => {
    date.pass(1_000);
    return running(answer, what);
  });
  const waiting = connect({ timeoutMs: 3_000 }).createResponse(responseRequest);
  // Three tries within timeoutMs, one after it, and the two that every failure gets.
  await expect(waiting).rejects.toThrow(ConflictError);
  expect(asked).toHaveLength(6);
});

test('throws a ConflictError immediately for a try in flight if maxRetries is 0', async () => {
  const { connect, asked } = await openServer(running);
  await expect(connect({ maxRetries: 0 }).createResponse(responseRequest, { idempotencyKey: 'order-1' })).rejects.toThrow(ConflictError);
  expect(asked).toHaveLength(1);
});

test('repeats the key of a stream that is retried', async () => {
  const { connect, asked } = await openServer(failure(503, {}, soon), stream(done));
  for await (const _ of await connect().createChatCompletion({ ...chatRequest, stream: true })) break;
  expect(keysOf(asked)).toHaveLength(2);
  expect(new Set(keysOf(asked)).size).toBe(1);
});
