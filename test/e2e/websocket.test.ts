/** The Responses API over WebSocket: turns, lanes, continuations that only the connection knows, errors as frames, and how connections end. */
import { once } from 'node:events';
import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { stream } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { responseFrames } from '../fakes/responses.ts';
import type { Script } from '../fakes/script.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

type Frame = Readonly<Record<string, unknown>> & { readonly type: string };

let fake: Fake;
let gateway: TestGateway;
let made = 0;
/** The next answers of the provider. Without any, it answers correctly. */
const scripts: Script[] = [];
const reply = (store: unknown = false): Script => stream(responseFrames({ model: 'gpt-5.5', id: `resp_fake_${++made}`, echo: { store } }));
beforeAll(async () => {
  fake = (await openFake()).always(({ fields }) => scripts.shift() ?? reply(fields.store));
  const upstreams = { openai: { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-provider' } };
  gateway = await startGateway({ upstreams, server: { maxWebSockets: 8 } });
});
let opened = 0;
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close();
  // A connection counts toward the maximum until the gateway has closed it.
  await expect.poll(() => gateway.lines.filter(({ msg }) => msg === 'WebSocket closed').length).toBeGreaterThanOrEqual(opened);
});
afterAll(async () => {
  await gateway.close();
  await fake.close();
});

const sockets: WebSocket[] = [];

/** A client that reads frame by frame. */
class Client {
  readonly socket: WebSocket;
  readonly #frames: Frame[] = [];
  readonly closed: Promise<number>;
  #notify = (): void => undefined;

  constructor(key = gateway.key) {
    this.socket = new WebSocket(`${gateway.baseURL.replace('http', 'ws')}/responses`, { headers: { authorization: `Bearer ${key}` } });
    sockets.push(this.socket);
    this.socket.on('open', () => opened++);
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.on('message', (data, isBinary) => {
      if (isBinary) throw new Error('a binary frame');
      this.#frames.push(JSON.parse(String(data)));
      this.#notify();
    });
  }

  async open(): Promise<this> {
    await once(this.socket, 'open');
    return this;
  }

  create(fields: object): void {
    this.socket.send(JSON.stringify({ type: 'response.create', model: 'gpt-5.5', input: 'Hello', store: false, ...fields }));
  }

  async next(): Promise<Frame> {
    for (;;) {
      const frame = this.#frames.shift();
      if (frame) return frame;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#notify = resolve;
      await promise;
    }
  }

  /** All frames until the one that ends the turn. */
  async turn(fields: object): Promise<readonly Frame[]> {
    this.create(fields);
    const frames: Frame[] = [];
    for (;;) {
      const frame = await this.next();
      frames.push(frame);
      if (/^(?:error|response\.(?:completed|incomplete|failed))$/.test(frame.type)) return frames;
    }
  }

  async response(fields: object): Promise<Readonly<Record<string, unknown>>> {
    const last = (await this.turn(fields)).at(-1);
    expect(last?.type).toBe('response.completed');
    return last?.response as Readonly<Record<string, unknown>>;
  }
}

/** Sends the headers and the first event, and the rest after the gate. */
const gated = (gate: Promise<unknown>): Script => {
  const steps = reply();
  return [...steps.slice(0, 2), { kind: 'until', gate }, ...steps.slice(2)];
};
const connect = (key?: string): Promise<Client> => new Client(key).open();
const texts = (): unknown => fake.last.fields.input;

describe('a turn', () => {
  test('sends the events of the stream, one per text frame, numbered from 0', async () => {
    const client = await connect();
    const frames = await client.turn({});
    expect(frames.map(({ sequence_number }) => sequence_number)).toEqual(frames.map((_, index) => index));
    expect(frames[0]).toMatchObject({ type: 'response.created' });
    expect(frames.at(-1)).toMatchObject({ type: 'response.completed', response: { store: false } });
    expect(fake.last.fields).not.toHaveProperty('type');
  });

  test('charges and logs a turn like a call over HTTP', async () => {
    const client = await connect();
    const { id } = await client.response({});
    const line = await gateway.lineWhere(({ route, status }) => route === '/v1/responses' && status === 200);
    expect(line).toMatchObject({ method: 'POST', model: 'gpt-5.5', end: 'completed', cost: expect.any(String) });
    expect((await gateway.call(`/responses/${id}`)).status).toBe(404);
  });

  test('ends with an error frame that has the status, and the connection stays open', async () => {
    const client = await connect();
    const [frame] = await client.turn({ model: 'no-such-model' });
    expect(frame).toMatchObject({ type: 'error', status: 404, error: { code: 'model_not_found', param: 'model' } });
    scripts.push(failure(429, { code: 'rate_limit_exceeded', headers: { 'retry-after': '3' } }));
    const limited = (await client.turn({})).at(-1);
    expect(limited).toMatchObject({ type: 'error', status: 429, headers: { 'retry-after': '3' } });
    expect(await client.response({})).toMatchObject({ status: 'completed' });
  });

  test.each([
    ['no JSON', '{', 'invalid_json'],
    ['no object', '[]', 'invalid_json'],
    ['an unknown type', '{"type":"response.inject"}', 'invalid_value'],
    ['background', '{"type":"response.create","background":true}', 'unsupported_value'],
    ['an invalid stream ID', '{"type":"response.create","stream_id":"a b"}', 'invalid_stream_id'],
  ])('returns an error frame for %s', async (_, text, code) => {
    const client = await connect();
    client.socket.send(text);
    expect(await client.next()).toMatchObject({ type: 'error', status: 400, error: { code } });
    client.socket.send(Buffer.from('{}'), { binary: true });
    expect(await client.next()).toMatchObject({ type: 'error', status: 400, error: { code: 'invalid_json' } });
  });

  test('rejects steering in its own form', async () => {
    const client = await connect();
    client.socket.send(JSON.stringify({ type: 'response.steer', previous_response_id: 'resp_1', input: 'Left.' }));
    expect(await client.next()).toMatchObject({
      type: 'response.steer.failed',
      sequence_number: 0,
      steer: { previous_response_id: 'resp_1', input: 'Left.' },
      error: { code: 'steering_not_supported' },
    });
  });
});

describe('a continuation', () => {
  test('sends the whole conversation to the upstream, and names the previous response', async () => {
    const client = await connect();
    const first = await client.response({ input: 'One' });
    const second = await client.response({ input: 'Two', previous_response_id: first.id });
    expect(second).toMatchObject({ previous_response_id: first.id, store: false });
    expect(fake.last.fields).not.toHaveProperty('previous_response_id');
    const third = await client.response({ input: 'Three', previous_response_id: second.id });
    const roles = (texts() as { role: string }[]).map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(third.previous_response_id).toBe(second.id);
  });

  test('continues a warm-up, which calls no upstream and costs nothing', async () => {
    const client = await connect();
    const before = fake.requests.length;
    const frames = await client.turn({ generate: false, input: [{ type: 'message', role: 'developer', content: 'Be brief.' }] });
    expect(frames.map(({ type }) => type)).toEqual(['response.created', 'response.in_progress', 'response.completed']);
    expect(fake.requests).toHaveLength(before);
    const id = (frames.at(-1)?.response as { id: string } | undefined)?.id;
    await client.response({ input: 'Hello', previous_response_id: id });
    expect((texts() as { role: string }[]).map(({ role }) => role)).toEqual(['developer', 'user']);
  });

  test('continues a warm-up without input', async () => {
    const client = await connect();
    const { id } = await client.response({ generate: false, input: [] });
    expect(await client.response({ previous_response_id: id })).toMatchObject({ status: 'completed', previous_response_id: id });
  });

  test('checks the model and the fields of a warm-up', async () => {
    const client = await connect();
    expect(await client.turn({ generate: false, model: 'no-such-model' })).toMatchObject([
      { status: 404, error: { code: 'model_not_found' } },
    ]);
    expect(await client.turn({ generate: false, temperature: 9 })).toMatchObject([{ status: 400, error: { param: 'temperature' } }]);
  });

  test('returns previous_response_not_found on another connection, after a failed continuation, and where nothing is known', async () => {
    const client = await connect();
    const first = await client.response({});
    const missing = [{ type: 'error', status: 400, error: { code: 'previous_response_not_found', param: 'previous_response_id' } }];
    expect(await (await connect()).turn({ previous_response_id: first.id })).toMatchObject(missing);
    expect(await client.turn({ previous_response_id: 'resp_unknown' })).toMatchObject(missing);
    scripts.push(failure(500, {}));
    expect((await client.turn({ previous_response_id: first.id })).at(-1)).toMatchObject({ type: 'error' });
    expect(await client.turn({ previous_response_id: first.id })).toMatchObject(missing);
  });

  test('finds stored responses from every connection and over HTTP', async () => {
    const client = await connect();
    const first = await client.response({ store: true });
    expect((await gateway.call(`/responses/${first.id}`)).status).toBe(200);
    const second = await (await connect()).response({ store: true, previous_response_id: first.id });
    expect(second).toMatchObject({ previous_response_id: first.id, store: true });
  });

  test('continues an unsaved response that continues a stored one', async () => {
    const client = await connect();
    const stored = await client.response({ store: true, input: 'One' });
    const unsaved = await client.response({ input: 'Two', previous_response_id: stored.id });
    await client.response({ input: 'Three', previous_response_id: unsaved.id });
    expect((texts() as { role: string }[]).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
  });

  test('keeps no more than its bytes, oldest first', async () => {
    const client = await connect();
    const long = 'x'.repeat(9 * 1024 * 1024);
    const first = await client.response({ input: long });
    const second = await client.response({ input: long });
    expect(await client.turn({ previous_response_id: first.id })).toMatchObject([{ error: { code: 'previous_response_not_found' } }]);
    expect(await client.response({ input: 'Go on', previous_response_id: second.id })).toMatchObject({ status: 'completed' });
  });
});

describe('lanes', () => {
  test('runs them at the same time, each frame with its stream_id', async () => {
    const { promise: gate, resolve } = Promise.withResolvers<void>();
    scripts.push(gated(gate));
    const client = await connect();
    client.create({ stream_id: 'slow' });
    expect(await client.next()).toMatchObject({ type: 'response.created', stream_id: 'slow' });
    const quick = await client.turn({ stream_id: 'quick' });
    expect(quick.map(({ stream_id }) => stream_id)).toEqual(quick.map(() => 'quick'));
    resolve();
    expect(await client.next()).toMatchObject({ type: 'response.in_progress', stream_id: 'slow' });
  });

  test('runs the turns of one lane one after the other', async () => {
    const { promise: gate, resolve } = Promise.withResolvers<void>();
    scripts.push(gated(gate));
    const client = await connect();
    client.create({ input: 'first' });
    client.create({ input: 'second' });
    expect(await client.next()).toMatchObject({ type: 'response.created' });
    resolve();
    const types: string[] = [];
    while (types.filter((type) => type === 'response.completed').length < 2) types.push((await client.next()).type);
    expect(types.lastIndexOf('response.created')).toBeGreaterThan(types.indexOf('response.completed'));
  });

  test('returns websocket_stream_limit_reached for the 33rd name', async () => {
    const client = await connect();
    for (let index = 0; index < 32; index++) client.create({ stream_id: `lane-${index}`, generate: false });
    for (let ends = 0; ends < 32; ) if ((await client.next()).type === 'response.completed') ends++;
    const frames = await client.turn({ stream_id: 'one-more' });
    expect(frames).toMatchObject([{ error: { code: 'websocket_stream_limit_reached' }, stream_id: 'one-more' }]);
    expect((await client.turn({ stream_id: 'lane-0' })).at(-1)).toMatchObject({ type: 'response.completed' });
  });
});

describe('a connection', () => {
  const statusOf = async (client: Client): Promise<number> => {
    const [, response] = await once(client.socket, 'unexpected-response');
    return response.statusCode;
  };

  test('returns 401 for a wrong key, and 426 beyond maxWebSockets', async () => {
    expect(await statusOf(new Client('sk-mg-wrong'))).toBe(401);
    await Promise.all(Array.from({ length: 8 }, () => connect()));
    expect(await statusOf(new Client())).toBe(426);
  });

  test('closes with 1008 when its key is revoked', async () => {
    const { key, id } = await gateway.newKey();
    const client = await connect(key);
    await gateway.revokeKey(id);
    expect(await client.closed).toBe(1008);
  });

  test('closes with 1009 after a message above the body limit', async () => {
    const client = await connect();
    client.socket.send('x'.repeat(21 * 1024 * 1024));
    expect(await client.closed).toBe(1009);
  });

  test('aborts or drains the upstream when the client leaves in the middle of a turn', async () => {
    const { promise: gate, resolve } = Promise.withResolvers<void>();
    scripts.push(gated(gate));
    const { key } = await gateway.newKey({ account: 'leaves' });
    const client = await connect(key);
    client.create({});
    await client.next();
    client.socket.close();
    resolve();
    const line = await gateway.lineWhere(({ end, route }) => route === '/v1/responses' && end === 'client_disconnected');
    expect(line.cost).toEqual(expect.any(String));
  });
});

describe('a client that loses its connection', () => {
  const typesIn = (frames: readonly Frame[]) => frames.map(({ type }) => type);

  test('gets the events of the same response when it sends the turn again, and pays once', async () => {
    const { key } = await gateway.newKey({ account: 'returns' });
    const { promise: gate, resolve } = Promise.withResolvers<void>();
    const [before, first] = [fake.requests.length, await connect(key)];
    const turn = { input: 'Once', client_metadata: { attempt: 'first' } };
    scripts.push(gated(gate));
    first.create(turn);
    const { response } = await first.next();
    first.socket.terminate();
    await first.closed;
    const second = await connect(key);
    const repeated = second.turn({ ...turn, client_metadata: { attempt: 'second' } });
    resolve();
    const frames = await repeated;
    expect(frames[0]).toMatchObject({ type: 'response.created', sequence_number: 0, response: { id: (response as { id: string }).id } });
    expect(typesIn(frames).at(-1)).toBe('response.completed');
    expect(fake.requests).toHaveLength(before + 1);
    // An equal turn on a connection that is still open is a new one.
    expect(typesIn(await second.turn(turn)).at(-1)).toBe('response.completed');
    expect(fake.requests).toHaveLength(before + 2);
  });

  test('gets them for a continuation that it repeats as the whole conversation', async () => {
    const { key } = await gateway.newKey({ account: 'continues' });
    const { promise: gate, resolve } = Promise.withResolvers<void>();
    const first = await connect(key);
    const done = (await first.turn({ input: 'One' })).at(-1)?.response as { id: string; output: readonly object[] };
    const before = fake.requests.length;
    scripts.push(gated(gate));
    first.create({ input: 'Two', previous_response_id: done.id });
    await first.next();
    first.socket.terminate();
    await first.closed;
    const user = (content: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text: content }] });
    const said = done.output.map((item) => ({ ...item, id: undefined, status: undefined }));
    const repeated = (await connect(key)).turn({ input: [user('One'), ...said, user('Two')] });
    resolve();
    expect(typesIn(await repeated).at(-1)).toBe('response.completed');
    expect(fake.requests).toHaveLength(before + 1);
  });

  test('gets a new response for another turn, and with another key', async () => {
    const [{ key }, other] = [await gateway.newKey({ account: 'differs' }), await gateway.newKey({ account: 'foreign' })];
    const first = await connect(key);
    scripts.push(gated(new Promise(() => undefined)));
    const before = fake.requests.length;
    first.create({ input: 'Mine' });
    await first.next();
    first.socket.terminate();
    await first.closed;
    expect(typesIn(await (await connect(key)).turn({ input: 'Another' })).at(-1)).toBe('response.completed');
    expect(typesIn(await (await connect(other.key)).turn({ input: 'Mine' })).at(-1)).toBe('response.completed');
    expect(fake.requests).toHaveLength(before + 3);
  });
});

test("runs and continues a turn with openai-node's ResponsesWS", async () => {
  const client = new OpenAI({ apiKey: gateway.key, baseURL: gateway.baseURL });
  const socket = new ResponsesWS(client);
  const turn = (fields: object): Promise<{ id: string; previous_response_id?: string | null }> =>
    new Promise((resolve, reject) => {
      socket.once('response.completed', ({ response }) => resolve(response));
      socket.once('error', reject);
      socket.send({ type: 'response.create', model: 'gpt-5.5', store: false, ...fields } as never);
    });
  const first = await turn({ input: 'One' });
  expect(await turn({ input: 'Two', previous_response_id: first.id })).toMatchObject({ previous_response_id: first.id });
  socket.close();
});
