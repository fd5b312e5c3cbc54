/** Status 415: bodies that are not JSON, unknown content encodings, and forms anywhere but on image edits. */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { request, talk } from '../harness/raw.ts';
import { expectRefusal } from '../harness/refusal.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const compressors = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };

const good = {
  '/chat/completions': { model: 'gpt-5.4', messages: [{ role: 'user', content: 'hi' }] },
  '/responses': { model: 'gpt-5.4', input: 'hi' },
  '/images/generations': { model: 'gpt-image-2', prompt: 'a cat', size: '16x16' },
  '/images/edits': { model: 'gpt-image-2', prompt: 'a cat', images: [] },
};
const paths = ['/chat/completions', '/responses', '/images/generations', '/images/edits'] as const;

const wrong = ['text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream', 'application/jsonp', 'text/json', 'x'];
const right = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'APPLICATION/JSON',
  'application/json ; a=b',
];

describe.each(paths)('on %s', (path) => {
  const body = JSON.stringify(good[path]);
  const taken = path === '/images/edits' ? 'application/json or multipart/form-data' : 'Send the body as application/json.';

  test.each(wrong)('returns 415 with the accepted types for content-type %s', async (type) => {
    await expectRefusal(await gateway.call(path, { body, headers: { 'content-type': type } }), {
      code: 'unsupported_media_type',
      says: taken,
    });
  });

  test.each(right)('accepts content-type %s', async (type) => {
    expect((await gateway.call(path, { body, headers: { 'content-type': type } })).status).not.toBe(415);
  });

  test('returns 415 for a missing content-type', async () => {
    const head = [`POST /v1${path} HTTP/1.1`, `authorization: Bearer ${gateway.key}`, 'connection: close'];
    const [answer] = await talk(gateway.origin, request(head, body));
    if (!answer) throw new Error('no answer');
    await expectRefusal(answer, { code: 'unsupported_media_type', says: 'content-type' });
  });

  const compressed = (encoding: string, bytes: Uint8Array<ArrayBuffer> | string = body) =>
    gateway.call(path, { body: bytes, headers: { 'content-type': 'application/json', 'content-encoding': encoding } });

  test.each(['compress', 'lzma', 'zip', 'GZ', 'aws-chunked', '*'])(
    'F21: returns 415 with the accepted encodings for content-encoding %s',
    async (encoding) => {
      await expectRefusal(await compressed(encoding), {
        code: 'unsupported_media_type',
        says: `'${encoding}'`,
      });
    },
  );

  test.each(['gzip, identity', 'gzip, gzip', 'zstd,br'])('F21: returns 415 for two content encodings (%s)', async (encoding) => {
    await expectRefusal(await compressed(encoding), { code: 'unsupported_media_type' });
  });

  test.each(['gzip', 'deflate', 'br', 'zstd'] as const)("F21: returns 400 for a body that isn't valid %s", async (encoding) => {
    const whole = compressors[encoding](body);
    const broken = [Buffer.from(body), whole.subarray(0, -3), whole.subarray(0, 1)];
    for (const bytes of broken) await expectRefusal(await compressed(encoding, new Uint8Array(bytes)), { code: 'invalid_json' });
    await expectRefusal(await compressed(encoding, ''), { code: 'invalid_json' });
  });

  test('F21: returns 401 without a key, whatever the content encoding', async () => {
    for (const encoding of ['gzip', 'lzma', 'gzip, gzip']) {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      await expectRefusal(await gateway.call(path, { key: null, body, headers }), { code: 'invalid_api_key' });
    }
  });

  test('accepts content-encoding identity', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'identity' };
    expect((await gateway.call(path, { body, headers })).status).not.toBe(415);
  });
});

test('serves a GET with any content-encoding', async () => {
  for (const encoding of ['lzma', 'gzip, gzip']) {
    expect((await gateway.call('/models', { headers: { 'content-encoding': encoding } })).status).toBe(200);
  }
});

test.each(paths.slice(0, 3))('returns 415 for a form to %s', async (path) => {
  const form = new FormData();
  form.append('model', 'gpt-5.4');
  await expectRefusal(await gateway.call(path, { body: form }), { code: 'unsupported_media_type', says: 'application/json' });
});

test('returns 415 for a compressed form', async () => {
  const form = await new Response(formOf({ model: 'gpt-image-2', prompt: 'a hat' })).blob();
  const headers = { 'content-type': form.type, 'content-encoding': 'gzip' };
  const body = gzipSync(Buffer.from(await form.arrayBuffer()));
  const says = "Forms can't be compressed. Send the form without content-encoding 'gzip'.";
  await expectRefusal(await gateway.call('/images/edits', { body, headers }), { code: 'unsupported_media_type', says });
  await expectRefusal(await gateway.call('/responses', { body, headers }), { code: 'unsupported_media_type', says: 'application/json' });
});

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}
