/** `client.connect()` against a whole gateway. */
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { AbortError, Modelgate, NotFoundError, outputText, type ResponseConnection, StreamError } from '../../client/sdk/src/index.ts';
import { stream } from '../fakes/delivery.ts';
import { responseFrames } from '../fakes/responses.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

const model = 'gpt-5.5';
/** Requests for this text get the first events of a response, and no end. */
const ENDLESS = 'Count forever.';
let fake: Fake;
let gateway: TestGateway;
let connection: ResponseConnection;
beforeAll(async () => {
  let id = 0;
  fake = (await openFake()).always(({ fields }) => {
    const isEndless = JSON.stringify(fields.input).includes(ENDLESS);
    const frames = responseFrames({ model, id: `resp_fake_${++id}`, echo: { store: fields.store } });
    return isEndless ? stream(frames.slice(0, 3), { ending: 'stall' }) : stream(frames);
  });
  const upstreams = { openai: { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-provider' } };
  gateway = await startGateway({ upstreams });
});
afterAll(async () => {
  await gateway.close();
  await fake.close();
});

const countClosed = () => gateway.lines.filter(({ msg }) => msg === 'WebSocket closed').length;
const connect = (apiKey = gateway.key): ResponseConnection => {
  connection = new Modelgate({ baseURL: gateway.baseURL, apiKey }).connect();
  return connection;
};
afterEach(() => connection.close());

test('continues a response with store: false on the same connection', async () => {
  connect();
  const first = await (await connection.createResponse({ model, input: 'My name is Ada.', store: false })).finalResponse();
  const second = await connection.createResponse({ model, input: 'Say hello.', store: false, previous_response_id: first.id });
  const response = await second.finalResponse();
  expect(response).toMatchObject({ status: 'completed', previous_response_id: first.id });
  expect(outputText(response)).toMatch(/\w/);
});

test('runs turns in order within a lane and concurrently across lanes', async () => {
  connect();
  const streams = await Promise.all([
    connection.createResponse({ model, input: 'Say one.' }),
    connection.createResponse({ model, input: 'Say two.' }),
    connection.createResponse({ model, input: 'Say three.' }, { streamId: 'other' }),
  ]);
  const responses = await Promise.all(streams.map((stream) => stream.finalResponse()));
  expect(new Set(responses.map(({ id }) => id)).size).toBe(3);
});

test('throws the error class and code of the same call over HTTP, and keeps the connection', async () => {
  connect();
  const failed = await connection.createResponse({ model: 'gpt-9', input: 'Hi' });
  const error = await failed.finalResponse().catch((thrown) => thrown);
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
  expect((await (await connection.createResponse({ model, input: 'Hi' })).finalResponse()).status).toBe('completed');
});

test('closes the connection when the caller breaks out of the stream loop, and opens another for the next turn', async () => {
  connect();
  const closed = countClosed();
  const [left, other] = await Promise.all([
    connection.createResponse({ model, input: ENDLESS }),
    connection.createResponse({ model, input: 'Hi' }),
  ]);
  for await (const _ of left) break;
  await expect(other.finalResponse()).rejects.toThrow(StreamError);
  await expect.poll(countClosed).toBe(closed + 1);
  expect((await (await connection.createResponse({ model, input: 'Hi' })).finalResponse()).status).toBe('completed');
});

test('throws an AbortError when its signal is aborted', async () => {
  connect();
  const controller = new AbortController();
  const stream = await connection.createResponse({ model, input: ENDLESS }, { signal: controller.signal });
  controller.abort();
  await expect(stream.finalResponse()).rejects.toThrow(AbortError);
  await expect(connection.createResponse({ model, input: 'Hi' }, { signal: controller.signal })).rejects.toThrow(AbortError);
});

test('sends turns over HTTP when the gateway disables WebSocket, and rejects a wrong key with 401', async () => {
  const other = await startGateway({ server: { maxWebSockets: 0 } });
  onTestFinished(() => other.close());
  const overHttp = new Modelgate({ baseURL: other.baseURL, apiKey: other.key }).connect();
  const turn = await overHttp.createResponse({ model: 'gpt-5.4', input: 'Hi' });
  expect(turn.response.url).toBe(`${other.baseURL}/responses`);
  expect((await turn.finalResponse()).status).toBe('completed');
  await expect(connect('mg-wrong').createResponse({ model, input: 'Hi' })).rejects.toMatchObject({ status: 401 });
});
