/** The fake vendor keeps to the wire format, and breaks it only as a test tells it to. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import OpenAI, { toFile } from 'openai';
import { Agent, request } from 'undici';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chatFrames, chatUsage, fakeText } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import { failure, firehose, garbage, gzipBomb, hangUp, html, later, raw, redirect, reset, silence } from '../fakes/faults.ts';
import { done, readFrames } from '../fakes/frames.ts';
import { drawPng } from '../fakes/images.ts';
import { failedFrames, responseFrames } from '../fakes/responses.ts';
import { type Fake, openFake, refusedUrl } from '../fakes/upstream.ts';
import { hangLimitMs } from '../harness/hang-limit.ts';

let fake: Fake;
let agent: Agent;
let sdk: OpenAI;

beforeEach(async () => {
  fake = await openFake({ apiKey: 'sk-fake' });
  agent = new Agent();
  sdk = new OpenAI({ baseURL: fake.url, apiKey: 'sk-fake', maxRetries: 0 });
});

afterEach(async () => {
  await agent.destroy();
  await fake.close();
});

const hello = { model: 'gpt-5.4', messages: [{ role: 'user' as const, content: 'hi' }] };
const tools = [
  { id: 'call_a', name: 'get_rain', arguments: ['{"city":', '"Oslo"}'] },
  { id: 'call_b', name: 'get_rain', arguments: '{}' },
];

/** Sends a chat request and reads what comes, to the end or to the break. */
async function call(body: object = { ...hello, stream: true }): Promise<{ status: number; bytes: Buffer; error: unknown }> {
  const headers = { authorization: 'Bearer sk-fake', 'content-type': 'application/json' };
  const chunks: Buffer[] = [];
  let status = 0;
  try {
    const answer = await request(`${fake.url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers,
      dispatcher: agent,
    });
    status = answer.statusCode;
    for await (const chunk of answer.body) chunks.push(chunk);
    return { status, bytes: Buffer.concat(chunks), error: null };
  } catch (error) {
    return { status, bytes: Buffer.concat(chunks), error };
  }
}

/** Connects so many times, counts by how many that went well, and keeps the connections until it is told to let go. */
const clients = `
  const { parentPort, workerData: { port, count, connected } } = require('node:worker_threads');
  const { connect } = require('node:net');
  const sockets = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1' }));
  for (const socket of sockets) socket.once('connect', () => {
    if (Atomics.add(connected, 0, 1) === count - 1) Atomics.notify(connected, 0);
  });
  parentPort.once('message', () => {
    for (const socket of sockets) socket.destroy();
  });
`;

test('a thousand clients connect while the thread of the vendor is blocked, and all connections are closed afterwards', async () => {
  const connected = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { port: Number(new URL(fake.url).port), count: 1_000, connected };
  const worker = new Worker(clients, { eval: true, workerData });
  await once(worker, 'online');
  // This thread, and with it the vendor, is blocked until all are connected: a client without room in the listen queue never would be.
  const end = Date.now() + hangLimitMs;
  for (let seen = 0; seen < 1_000 && Date.now() < end; seen = Atomics.load(connected, 0)) Atomics.wait(connected, 0, seen, 100);
  expect(Atomics.load(connected, 0)).toBe(1_000);
  worker.postMessage('go');
  await once(worker, 'exit');
  await expect.poll(() => fake.connections).toEqual({ opened: 1_000, open: 0 });
});

test('the OpenAI SDK lists models, chats and reads usage', async () => {
  expect((await sdk.models.list()).data.map((model) => model.id)).toContain('gpt-5.4');
  const answer = await sdk.chat.completions.create({ ...hello, n: 2 });
  expect(answer.choices.map((choice) => choice.message.content)).toEqual([fakeText, fakeText]);
  expect(answer.usage).toEqual(chatUsage);
});

test('the strict stream reader of the SDK accepts a chat stream with parallel tool calls', async () => {
  fake.next(stream(chatFrames({ toolCalls: tools, includeUsage: true })));
  const answer = await sdk.chat.completions.stream({ ...hello, stream_options: { include_usage: true } }).finalChatCompletion();
  expect(answer.choices[0]?.message.tool_calls?.map((made) => 'function' in made && made.function.arguments)).toEqual([
    '{"city":"Oslo"}',
    '{}',
  ]);
  expect(answer.usage?.total_tokens).toBe(18);
});

test('a chat stream has usage only when the request asks for it', async () => {
  const without = await call();
  expect(without.bytes.includes('usage')).toBe(false);
  const frames = readFrames((await call({ ...hello, stream: true, stream_options: { include_usage: true } })).bytes);
  expect(frames.at(-2)?.data).toMatchObject({ choices: [], usage: chatUsage });
  expect(frames.at(-1)?.data).toBe('[DONE]');
});

test('the strict stream reader of the SDK accepts reasoning, text, refusal and tool calls of a responses stream', async () => {
  fake.next(stream(responseFrames({ reasoning: 'I think so.', text: 'Yes.', refusal: 'No.', toolCalls: tools })));
  const answer = await sdk.responses.stream({ model: 'gpt-5.4', input: 'hi' }).finalResponse();
  expect(answer.output.map((item) => item.type)).toEqual(['reasoning', 'message', 'message', 'function_call', 'function_call']);
  expect(answer.output_text).toBe('Yes.');
  expect((await sdk.responses.create({ model: 'gpt-5.4', input: 'hi', store: false })).usage?.total_tokens).toBe(18);
});

test('an uploaded image and its mask arrive byte for byte', async () => {
  const image = [drawPng(16, 16, 1), drawPng(16, 16, 2)];
  const files = await Promise.all(image.map((bytes, index) => toFile(bytes, `photo "${index}".png`, { type: 'image/png' })));
  const answer = await sdk.images.edit({ model: 'gpt-image-2', prompt: 'a hät', image: files, mask: await toFile(drawPng(), 'mask.png') });
  expect(
    Buffer.from(answer.data?.[0]?.b64_json ?? '', 'base64')
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  const parts = fake.last.parts ?? [];
  expect(parts.filter((part) => part.name === 'image[]').map((part) => part.bytes)).toEqual(image);
  expect(parts.find((part) => part.name === 'image[]')).toMatchObject({ filename: 'photo "0".png', contentType: 'image/png' });
  expect(parts.find((part) => part.name === 'mask')?.bytes).toEqual(drawPng());
  expect(fake.last.fields).toMatchObject({ model: 'gpt-image-2', prompt: 'a hät' });
});

test('images stream their partial images before the last one', async () => {
  const events = await sdk.images.generate({ model: 'gpt-image-2', prompt: 'a cat', stream: true, partial_images: 2 });
  const types: string[] = [];
  for await (const event of events) types.push(event.type);
  expect(types).toEqual(['image_generation.partial_image', 'image_generation.partial_image', 'image_generation.completed']);
});

test('the bytes that arrive are the bytes recorded as sent, and a parse and stringify would change them', async () => {
  const whole = await call(hello);
  const streamed = await call();
  expect(fake.sent).toEqual([whole.bytes, streamed.bytes]);
  expect(JSON.stringify(JSON.parse(whole.bytes.toString()), null, ' ')).not.toBe(whole.bytes.toString().trim());
  expect(whole.bytes.toString()).toContain('"weight" : 1.0,');
  expect(streamed.bytes.toString()).toContain('"huge":12345678901234567890');
});

test('a wrong key, an unknown path and a body without a model get the errors of a vendor', async () => {
  const stranger = new OpenAI({ baseURL: fake.url, apiKey: 'sk-other', maxRetries: 0 });
  await expect(stranger.models.list()).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
  await expect(sdk.embeddings.create({ model: 'x', input: 'y' })).rejects.toMatchObject({ status: 404 });
  expect((await call({})).status).toBe(400);
  fake.next(failure(429, { code: 'rate_limit_exceeded', headers: { 'retry-after': '2' } }));
  await expect(sdk.chat.completions.create(hello)).rejects.toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
});

test('behaviours are used in order, as often as set, and only for their path', async () => {
  fake
    .next(json({ first: true }, { status: 503 }), { times: 2 })
    .next(html(), { path: '/v1/responses' })
    .next(redirect('http://127.0.0.1:1/'));
  expect([(await call()).status, (await call()).status, (await call()).status, (await call()).status]).toEqual([503, 503, 307, 200]);
  expect(fake.pending).toBe(1);
});

test.each([
  ['end', null],
  ['fin', null],
  ['cut', 'UND_ERR_SOCKET'],
  ['reset', 'ECONNRESET'],
] as const)('a stream that stops after two frames by %s is seen as such by the client', async (ending, code) => {
  const release = Promise.withResolvers<void>();
  const [first, second, ...rest] = chatFrames();
  if (first === undefined || second === undefined) throw new Error('no frames');
  fake.next(stream([first, second, { until: release.promise }, ...rest], { stopAfter: { frames: 2 }, ending }));
  release.resolve();
  const { bytes, error } = await call();
  expect(error).toEqual(code === null ? null : expect.objectContaining({ code }));
  if (ending !== 'reset') expect(readFrames(bytes)).toHaveLength(2);
  expect(bytes.includes('[DONE]')).toBe(false);
});

test.each([0, 1, 100, 301])('an answer cut after %i bytes has exactly these bytes', async (bytes) => {
  fake.next(stream(chatFrames(), { stopAfter: { bytes }, ending: 'cut' }));
  const answer = await call();
  expect(answer.error).toMatchObject({ code: 'UND_ERR_SOCKET' });
  expect(answer.bytes).toHaveLength(bytes);
  expect(fake.last.sent).toHaveLength(bytes);
});

test('a JSON body that is cut breaks its content-length, and one that ends early is complete for HTTP', async () => {
  fake.next(json({ a: 'b' }, { stopAfter: { bytes: 4 }, ending: 'cut' })).next(json({ a: 'b' }, { stopAfter: { bytes: 4 } }));
  expect((await call()).error).toMatchObject({ code: 'UND_ERR_SOCKET' });
  expect(await call()).toMatchObject({ error: null, bytes: Buffer.from('{"a"') });
});

test('connections that are closed, reset or filled with garbage give no answer', async () => {
  fake.next(hangUp).next(reset).next(garbage).next(raw('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nab'));
  expect((await call()).error).toMatchObject({ code: 'UND_ERR_SOCKET' });
  expect((await call()).error).toMatchObject({ code: 'ECONNRESET' });
  expect((await call()).error).toMatchObject({ name: 'HTTPParserError' });
  expect((await call()).error).toMatchObject({ name: 'ResponseContentLengthMismatchError' });
});

test('the vendor notices that the client of a silent or stalled answer disconnects', async () => {
  fake.next(silence).next(stream(chatFrames(), { stopAfter: { frames: 1 }, ending: 'stall' }));
  for (const index of [0, 1]) {
    const started = call();
    const { arrivedAt } = await fake.arrival(index);
    await expect(fake.hangUp(index, 50)).rejects.toThrow('did not hang up');
    await agent.destroy();
    expect(await fake.hangUp(index)).toBeGreaterThan(arrivedAt);
    expect((await started).error).not.toBeNull();
    expect(fake.requests[index]).toMatchObject({ endedAt: null, status: index === 0 ? null : 200 });
    agent = new Agent();
  }
});

test('a client that reads to the end does not count as disconnected', async () => {
  await call();
  expect(fake.last.closedAt).toBeNull();
  expect(fake.last.endedAt).toBeGreaterThan(fake.last.arrivedAt);
  await expect(fake.hangUp(0, 20)).rejects.toThrow('ended: true');
});

test('a stream reads the same with any chunk size and line ending', async () => {
  const frames = [{ comment: ' heartbeat' }, ...chatFrames()];
  const expected = JSON.parse(JSON.stringify(chatFrames().map((frame) => frame.data)));
  for (const delivery of [{ chunkBytes: 1 }, { chunkBytes: 7, lineEnd: '\r\n' }, { lineEnd: '\r', space: false }, { gapMs: 1 }] as const) {
    fake.next(stream(frames, delivery));
    expect(readFrames((await call()).bytes).map((frame) => frame.data)).toEqual(JSON.parse(JSON.stringify(expected)));
  }
});

test('a body that ends by FIN has neither a content-length nor chunks', async () => {
  fake.next(stream(chatFrames(), { ending: 'fin' })).next(json({ a: 1 }, { ending: 'fin' }));
  for (const type of ['text/event-stream; charset=utf-8', 'application/json']) {
    const { headers, body } = await request(`${fake.url}/models`, { dispatcher: agent });
    await body.dump();
    expect(headers).toMatchObject({ 'content-type': type, connection: 'close' });
    expect([headers['content-length'], headers['transfer-encoding']]).toEqual([undefined, undefined]);
  }
});

test('the vendor waits for the promises of a test', async () => {
  const gate = Promise.withResolvers<void>();
  fake.next(later(gate.promise, stream([{ data: 'a' }, { until: gate.promise }, done])));
  const started = call();
  const asked = await fake.arrival(0);
  expect(asked.status).toBeNull();
  gate.resolve();
  expect((await started).bytes.toString()).toBe('data: a\n\ndata: [DONE]\n\n');
});

test('failures with status 200, gzip bombs and endless streams are sent as configured', async () => {
  fake
    .next(stream(failedFrames({ code: 'server_is_overloaded', message: 'busy' })))
    .next(gzipBomb(1))
    .next(firehose({ data: 'x' }, 1_000));
  expect(readFrames((await call()).bytes)[0]).toMatchObject({ event: 'response.failed', data: { response: { status: 'failed' } } });
  expect((await call()).bytes.length).toBeLessThan(4_096);
  expect((await call()).bytes.toString()).toBe('data: x\n\n'.repeat(1_000));
});

test('a vendor stops listening and listens again on the same address', async () => {
  const { url } = fake;
  await call();
  await fake.goDown();
  expect((await call()).error).toMatchObject({ code: 'ECONNREFUSED' });
  await fake.comeUp();
  expect(fake.url).toBe(url);
  expect((await call()).status).toBe(200);
  expect(fake.connections).toEqual({ opened: 2, open: 1 });
  await expect(request(await refusedUrl())).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a behaviour that throws fails the test that closes the vendor', async () => {
  const broken = await openFake();
  broken.next(() => Promise.reject(new Error('no script')));
  expect((await request(`${broken.url}/models`)).statusCode).toBe(500);
  await expect(broken.close()).rejects.toThrow('no script');
});
