/** The answer of a call and its headers, and the stack of its errors. */
import { expect, test } from 'vitest';
import { Modelgate, NotFoundError } from '../../../client/sdk/src/index.ts';
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
