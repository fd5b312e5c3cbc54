/** Compressed request bodies: read like plain ones and forwarded uncompressed, from the OpenAI SDK and from a bare socket. */
import { connect } from 'node:net';
import { brotliCompressSync, constants, createZstdCompress, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { drawPng } from '../fakes/images.ts';
import { useOpened } from '../harness/opened.ts';
import { request, talk } from '../harness/raw.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { openBehindVendor } from '../harness/vendor.ts';

const vendor = useOpened(
  () => openBehindVendor(),
  (vendor) => vendor.fake.clear(),
);

const packings = [
  { name: 'gzip', encoding: 'gzip', pack: gzipSync },
  { name: 'gzip under its old name', encoding: 'x-gzip', pack: gzipSync },
  { name: 'gzip in capitals', encoding: 'GZIP', pack: gzipSync },
  { name: 'deflate', encoding: 'deflate', pack: deflateSync },
  { name: 'deflate without its header', encoding: 'deflate', pack: deflateRawSync },
  { name: 'br', encoding: 'br', pack: brotliCompressSync },
  { name: 'zstd', encoding: 'zstd', pack: zstdCompressSync },
];

const ask = { model: 'gpt-5.4', input: 'Grüße ☕ '.repeat(5_000), store: false };
const plain = Buffer.from(JSON.stringify(ask));

describe.each(packings)('F21: a body in $name', ({ encoding, pack }) => {
  test('reaches the provider uncompressed', async () => {
    const answer = await vendor.post('/responses', pack(plain), { 'content-encoding': encoding });
    expect(answer.status).toBe(200);
    expect(vendor.fake.last.fields).toEqual(ask);
    expect(vendor.fake.last.headers['content-encoding']).toBeUndefined();
  });

  test('arrives also byte by byte, without content-length', async () => {
    const packed = pack(Buffer.from(JSON.stringify({ ...ask, input: 'hi' })));
    const lines = ['POST /v1/responses HTTP/1.1', `authorization: Bearer ${vendor.gateway.key}`, 'content-type: application/json'];
    const head = request([...lines, 'connection: close', `content-encoding: ${encoding}`, 'transfer-encoding: chunked']);
    const bytes = [...packed].map((byte) => Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a]));
    const [answer] = await talk(vendor.gateway.origin, head, ...bytes, '0\r\n\r\n');
    expect(answer?.status).toBe(200);
    expect(vendor.fake.last.fields).toMatchObject({ input: 'hi' });
  });
});

test('F21: returns a response and a stream to the OpenAI SDK with compressed bodies', async () => {
  const client = new OpenAI({
    apiKey: vendor.gateway.key,
    baseURL: vendor.gateway.baseURL,
    fetch: (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set('content-encoding', 'zstd');
      // The SDK sends JSON as a string.
      return fetch(url, { ...init, headers, body: new Uint8Array(zstdCompressSync(String(init?.body))) });
    },
  });
  const whole = await client.responses.create({ model: 'gpt-5.4', input: 'hi' });
  expect(whole.output_text).not.toBe('');
  const streamed = await client.chat.completions
    .stream({ model: 'gpt-5.4', messages: [{ role: 'user', content: 'hi' }] })
    .finalChatCompletion();
  expect(streamed.choices[0]?.message.content).toBeTruthy();
  expect(vendor.fake.requests).toHaveLength(2);
});

test('accepts a compressed image edit in JSON', async () => {
  const images = [{ image_url: `data:image/png;base64,${drawPng().toString('base64')}` }];
  const body = Buffer.from(JSON.stringify({ model: 'gpt-image-2', prompt: 'a hat', images }));
  const answer = await vendor.post('/images/edits', gzipSync(body), { 'content-encoding': 'gzip' });
  expect(answer.status).toBe(200);
});

test('F21: rejects a zstd body with a window over 8 MiB', async () => {
  const packer = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: 27 } });
  packer.end(plain);
  const packed: Buffer[] = [];
  // A compressor gives Buffers.
  for await (const piece of packer as AsyncIterable<Buffer>) packed.push(piece);
  const answer = await vendor.post('/responses', Buffer.concat(packed), { 'content-encoding': 'zstd' });
  await expectRefusal(answer, { code: 'invalid_json', says: '8 MiB' });
});

test('serves the next call after a caller disconnects in the middle of a compressed body', async () => {
  const { key, origin } = vendor.gateway;
  const packed = gzipSync(plain);
  const lines = ['POST /v1/responses HTTP/1.1', `authorization: Bearer ${key}`, 'content-type: application/json', 'content-encoding: gzip'];
  const head = Buffer.from([...lines, 'host: gateway.test', `content-length: ${packed.length}`, '', ''].join('\r\n'));
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1' });
  await new Promise<void>((sent) => socket.write(Buffer.concat([head, packed.subarray(0, 40)]), () => sent()));
  socket.destroy();
  await vendor.gateway.lineWhere(({ end }) => end === 'client_disconnected');
  expect((await vendor.post('/responses', packed, { 'content-encoding': 'gzip' })).status).toBe(200);
  expect(vendor.fake.requests).toHaveLength(1);
});
