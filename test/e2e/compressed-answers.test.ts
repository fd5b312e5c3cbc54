/** Providers that compress although they are asked not to. */
import { brotliCompressSync, constants, createBrotliCompress, createDeflate, createGzip, deflateSync, gzipSync } from 'node:zlib';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { chatCompletion, chatFrames } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { frameBytes } from '../fakes/frames.ts';
import type { Script } from '../fakes/script.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

const messages = [{ role: 'user' as const, content: 'Hi' }];
const model = 'gpt-5.4';

let fake: Fake;
let gateway: TestGateway;
let client: OpenAI;
beforeAll(async () => {
  fake = await openFake();
  gateway = await startGateway({
    upstreams: { local: { kind: 'openai-compatible', baseUrl: fake.url } },
    models: [{ id: model, kind: 'text', candidates: [{ upstream: 'local' }] }],
  });
  client = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.origin}/v1`, maxRetries: 0 });
});
beforeEach(() => fake.clear());
afterAll(async () => {
  await gateway.close();
  await fake.close();
});

const flushed = { flush: constants.Z_SYNC_FLUSH };
const encodings = [
  ['gzip', gzipSync, () => createGzip(flushed)],
  ['deflate', deflateSync, () => createDeflate(flushed)],
  ['br', brotliCompressSync, () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH })],
] as const;

describe.each(encodings)('%s', (encoding, compress, open) => {
  const headers = { 'content-encoding': encoding };

  test('returns a whole response', async () => {
    fake.next(json(compress(JSON.stringify(chatCompletion({ text: 'Grüße.' }))), { headers }));
    const { choices } = await client.chat.completions.create({ model, messages });
    expect(choices[0]?.message.content).toBe('Grüße.');
    expect(fake.last.headers['accept-encoding']).toBe('identity');
  });

  test('returns the error of the provider', async () => {
    const error = { message: 'Too long.', type: 'invalid_request_error', code: 'context_length_exceeded' };
    fake.next(json(compress(JSON.stringify({ error })), { status: 400, headers }));
    await expect(client.chat.completions.create({ model, messages })).rejects.toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
    });
  });

  test('streams each event as it arrives', async () => {
    const packer = open();
    const packed: Buffer[] = [];
    packer.on('data', (chunk: Buffer) => packed.push(chunk));
    const pieces: Buffer[] = [];
    for (const frame of chatFrames({ text: ['One', ' two'] })) {
      await new Promise<void>((resolve) => packer.write(frameBytes(frame), () => resolve()));
      pieces.push(Buffer.concat(packed.splice(0)));
    }
    await new Promise<void>((resolve) => packer.once('end', resolve).end());
    pieces.push(Buffer.concat(packed));
    const gate = Promise.withResolvers<void>();
    onTestFinished(() => gate.resolve());
    const [first = Buffer.of(), second = Buffer.of(), ...rest] = pieces;
    fake.next([
      { kind: 'head', status: 200, headers: { 'content-type': 'text/event-stream', ...headers }, framing: 'chunked' },
      { kind: 'write', bytes: Buffer.concat([first, second]) },
      { kind: 'until', gate: gate.promise },
      ...rest.map((bytes) => ({ kind: 'write' as const, bytes })),
      { kind: 'end' },
    ] satisfies Script);
    let said = '';
    for await (const { choices } of await client.chat.completions.create({ model, messages, stream: true })) {
      said += choices[0]?.delta.content ?? '';
      // The upstream goes on only when the first word is here.
      if (said === 'One') gate.resolve();
    }
    expect(said).toBe('One two');
  });

  test('returns 502 for a response that was cut, or is not compressed', async () => {
    const whole = compress(JSON.stringify(chatCompletion()));
    for (const bytes of [whole.subarray(0, whole.length / 2), Buffer.from(JSON.stringify(chatCompletion()))]) {
      fake.always(json(bytes, { headers }));
      await expect(client.chat.completions.create({ model, messages })).rejects.toMatchObject({ status: 502, code: 'upstream_error' });
    }
  });

  test('returns 502 for a response that is too large when it is decompressed', async () => {
    fake.always(json(compress(Buffer.alloc(65 * 1024 * 1024, ' ')), { headers }));
    await expect(client.chat.completions.create({ model, messages })).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('too large'),
    });
  });
});
