/** The answer of a call and its headers, and the stack of its errors. */
import { expect, test } from 'vitest';
import { type EventStream, Modelgate, NotFoundError, StreamError } from '../../../client/sdk/src/index.ts';
import { chatRequest, chunk, done, response, responseRequest } from './samples.ts';
import { collect, failure, frame, json, openServer, stream } from './server.ts';

const head = { 'x-request-id': 'req_7', 'x-modelgate-cost': '0.003130' };

test('returns data, response, and request ID with withResponse, after one request', async () => {
  const { connect, asked } = await openServer(json(200, response('completed'), head));
  const { data, response: answer, requestId } = await connect().createResponse(responseRequest).withResponse();
  expect(data).toEqual(response('completed'));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-modelgate-cost')).toBe('0.003130');
  expect(requestId).toBe('req_7');
  expect(asked).toHaveLength(1);
});

test('lets a caller await a call and use withResponse, after one request', async () => {
  const { connect, asked } = await openServer(json(200, response('completed'), head));
  const call = connect().createResponse(responseRequest);
  expect([await call, (await call.withResponse()).requestId]).toEqual([response('completed'), 'req_7']);
  expect(call).toBeInstanceOf(Promise);
  expect(asked).toHaveLength(1);
});

test('returns the stream with withResponse of a stream', async () => {
  const { connect } = await openServer(stream(frame(chunk('Hi')), done));
  const { data, requestId } = await connect()
    .createChatCompletion({ ...chatRequest, stream: true })
    .withResponse();
  expect(requestId).toBe('req_stream');
  expect(await collect(data)).toEqual([chunk('Hi')]);
});

test('returns null as the request ID if the response has none', async () => {
  const { connect } = await openServer(json(200, { object: 'list', data: [] }));
  expect((await connect().listModels().withResponse()).requestId).toBeNull();
});

test('rejects withResponse or the iteration of a failed call, without an unhandled rejection', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  const { connect } = await openServer(failure(404, { code: 'model_not_found' }));
  await expect(connect().createResponse(responseRequest).withResponse()).rejects.toThrow(NotFoundError);
  await expect(connect().listInputItems('resp_1')[Symbol.asyncIterator]().next()).rejects.toThrow(NotFoundError);
  // Node reports it in a later turn of its loop.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

test('starts the stack of an error with its name, and includes the line of the caller', async () => {
  const { connect } = await openServer(failure(404, { message: 'No such model.' }));
  async function askForNothing() {
    return await connect().createResponse(responseRequest);
  }
  const error = await askForNothing().catch((thrown: unknown) => thrown);
  // What a method of the client rejects with is an Error.
  const lines = String((error as Error).stack).split('\n');
  expect(lines[0]).toBe('NotFoundError: No such model.');
  expect(lines.filter((line) => line.includes('askForNothing'))).toHaveLength(1);
});

test('fetches the catalog beside /v1, under the same base path', async () => {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    return new Response('{"object":"list","data":[]}');
  };
  await new Modelgate({ baseURL: 'https://gateway.example/v1', apiKey: 'mg-1', fetch }).getCatalog({ group: 'vip' });
  await new Modelgate({ baseURL: 'https://host.example/models/v1/', apiKey: 'mg-1', fetch }).getCatalog();
  await new Modelgate({ baseURL: 'https://host.example/models/v1/', apiKey: 'mg-1', fetch }).listModels();
  expect(asked).toEqual([
    'https://gateway.example/catalog?group=vip',
    'https://host.example/models/catalog',
    'https://host.example/models/v1/models',
  ]);
});

test('sends a raw request with the headers, retries, and errors of every method', async () => {
  const { connect, asked: requests } = await openServer(
    failure(503, {}, { 'retry-after-ms': '1' }),
    json(200, { id: 'batch_1' }, head),
    failure(404, { code: 'unknown_url' }),
  );
  const client = connect({ headers: { 'x-team': 'search' } });
  const order = { method: 'POST', path: '/v1/batches', body: { input: 'a', image: 'https://a.example/b.png' }, query: { limit: 5 } };
  const call = client.request<{ readonly id: string }>({ ...order, query: { limit: 5, after: undefined } }, { extraBody: { fresh: 1 } });
  const { data, requestId } = await call.withResponse();
  expect([data.id, requestId]).toEqual(['batch_1', 'req_7']);
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /v1/batches?limit=5', 'POST /v1/batches?limit=5']);
  expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(Array(2).fill(expect.any(String)));
  expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer mg-test', 'x-team': 'search', 'content-type': 'application/json' });
  expect(JSON.parse(String(requests[1]?.body))).toEqual({ ...order.body, fresh: 1 });
  await expect(client.request({ method: 'DELETE', path: '/v1/batches/{id}' })).rejects.toThrow(NotFoundError);
  expect(requests[2]).toMatchObject({ method: 'DELETE', url: '/v1/batches/%7Bid%7D', body: Buffer.alloc(0) });
});

test('streams the response of a raw request until the event that ends it', async () => {
  const { connect } = await openServer(stream(frame(chunk('Hi')), done), stream(frame({ type: 'x.done' })), stream(frame({ type: 'x' })));
  const streamed = { method: 'POST', path: '/v1/newer', body: { stream: true } };
  const client = connect();
  const chunks = await client.request<EventStream<unknown>>({ ...streamed, ends: ['[DONE]'] });
  expect(await collect(chunks)).toEqual([chunk('Hi')]);
  const events = await client.request<EventStream<unknown>>({
    method: 'GET',
    path: '/v1/newer',
    query: { stream: true },
    ends: ['x.done'],
  });
  expect(await collect(events)).toEqual([{ type: 'x.done' }]);
  await expect(collect(await client.request<EventStream<unknown>>({ ...streamed, ends: ['x.done'] }))).rejects.toThrow(StreamError);
});

test.each(['.attacker.example/v1/models', '@attacker.example/v1/models', '//attacker.example/v1/models'])(
  "doesn't send the key to another host for the path %s",
  async (path) => {
    const hosts: string[] = [];
    const fetch = async (url: string) => {
      hosts.push(new URL(url).host);
      return new Response('{}');
    };
    await new Modelgate({ baseURL: 'https://gateway.example/v1', apiKey: 'mg-1', fetch }).request({ method: 'GET', path });
    expect(hosts).toEqual(['gateway.example']);
  },
);
