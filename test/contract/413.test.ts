/** Status 413: bodies over the limit are rejected, before they are read where possible. */
import { Readable } from 'node:stream';
import { brotliCompressSync, constants, deflateSync, Gunzip, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { MAX_VALUES } from '../../server/api/http/value-limit.ts';
import { drawPng } from '../fakes/images.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { request, talk } from '../harness/raw.ts';
import { expectRefusal } from '../harness/refusal.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ server: { uploadLimitBytes: 1_048_576 } });
});
afterAll(() => gateway.close());

const head = (path: string, more: readonly string[]) =>
  request([`POST /v1${path} HTTP/1.1`, `authorization: Bearer ${gateway.key}`, 'content-type: application/json', ...more]);

async function onlyAnswer(...pieces: readonly (string | Uint8Array)[]) {
  const answers = await talk(gateway.origin, ...pieces);
  expect(answers).toHaveLength(1);
  return answers[0] ?? Promise.reject(new Error('no answer'));
}

describe.each(['/chat/completions', '/responses', '/images/generations'])('on %s', (path) => {
  test('rejects 25 MB of JSON with the limit', async () => {
    const content = 'x'.repeat(25 * 1_048_576);
    const json = { model: 'gpt-5.4', messages: [{ role: 'user', content }] };
    await expectRefusal(await gateway.call(path, { json }), { code: 'request_too_large', says: '20 MiB' });
  });

  test('rejects a content-length of 25 MB before the body is sent', async () => {
    const answer = await onlyAnswer(head(path, [`content-length: ${25 * 1_048_576}`]));
    await expectRefusal(answer, { code: 'request_too_large', says: '20 MiB' });
  });
});

test('rejects 25 MB in chunks without a content-length', async () => {
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1_048_576, 0x20), Buffer.from('\r\n')]);
  const answer = await onlyAnswer(head('/chat/completions', ['transfer-encoding: chunked']), ...Array(25).fill(chunk));
  await expectRefusal(answer, { code: 'request_too_large', says: '20 MiB' });
});

test('rejects millions of tiny values without parsing them', async () => {
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const longest = () => Math.max(0, ...parse.mock.calls.map(([text]) => text.length));
  const ask = (body: string) => gateway.call('/responses', { body, headers: { 'content-type': 'application/json' } });
  const body = `{"model":"gpt-5.4","input":"Hello.","metadata":[${'[],'.repeat(6_000_000)}0]}`;
  await expectRefusal(await ask(body), { code: 'request_too_large', says: `${MAX_VALUES} values` });
  // It was not parsed, as the next one is.
  expect(longest()).toBeLessThan(100_000);
  expect((await ask(JSON.stringify({ model: 'gpt-5.4', input: `Say hi. ${'x'.repeat(100_000)}` }))).status).toBe(200);
  expect(longest()).toBeGreaterThan(100_000);
});

test('serves 19 MB of JSON', async () => {
  const json = { model: 'gpt-5.4', input: `Say hi. ${'x'.repeat(19 * 1_048_576)}` };
  expect((await gateway.call('/responses', { json })).status).toBe(200);
});

test('limits image edits separately, by JSON and by form', async () => {
  const large = Buffer.concat([drawPng(), Buffer.alloc(1_200_000)]);
  const images = [{ image_url: `data:image/png;base64,${large.toString('base64')}` }];
  const json = await gateway.call('/images/edits', { json: { model: 'gpt-image-2', prompt: 'a hat', images } });
  await expectRefusal(json, { code: 'request_too_large', says: '1 MiB' });
  const form = new FormData();
  form.append('model', 'gpt-image-2');
  form.append('prompt', 'a hat');
  form.append('image', new Blob([new Uint8Array(large)]), 'a.png');
  await expectRefusal(await gateway.call('/images/edits', { body: form }), { code: 'request_too_large' });
});

test('serves the next call after a rejected body', async () => {
  const json = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'x'.repeat(25 * 1_048_576) }] };
  expect((await gateway.call('/chat/completions', { json })).status).toBe(413);
  expect((await gateway.call('/models')).status).toBe(200);
});

const zeros = Buffer.alloc(128 * 1_048_576);
const bombs = {
  gzip: () => gzipSync(zeros, { level: 1 }),
  deflate: () => deflateSync(zeros, { level: 1 }),
  br: () => brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: () => zstdCompressSync(zeros),
} as const;

describe.each(['gzip', 'deflate', 'br', 'zstd'] as const)('F21: compression with %s', (encoding) => {
  const headers = { 'content-type': 'application/json', 'content-encoding': encoding };

  test('rejects a body that decompresses to more than the limit', async () => {
    const body = new Uint8Array(bombs[encoding]());
    expect(body.length).toBeLessThan(1_048_576);
    await expectRefusal(await gateway.call('/responses', { body, headers }), { code: 'request_too_large' });
    expect((await gateway.call('/models')).status).toBe(200);
  });

  test('rejects a content-length above the limit before the body is sent', async () => {
    const answer = await onlyAnswer(head('/responses', [`content-length: ${25 * 1_048_576}`, `content-encoding: ${encoding}`]));
    await expectRefusal(answer, { code: 'request_too_large', says: '20 MiB' });
  });
});

test('F21: limits a compressed image edit separately', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const body = gzipSync(JSON.stringify({ model: 'gpt-image-2', prompt: 'x'.repeat(2_000_000), images: [] }));
  await expectRefusal(await gateway.call('/images/edits', { body, headers }), { code: 'request_too_large', says: '1 MiB' });
});

test('F21: rejects an endless compressed body that decompresses to nothing beyond the limit', async () => {
  // Empty blocks of deflate: they decompress to nothing.
  const blocks = Buffer.from('000000ffff'.repeat(209_715), 'hex');
  const chunk = Buffer.concat([Buffer.from(`${blocks.length.toString(16)}\r\n`), blocks, Buffer.from('\r\n')]);
  const lines = ['transfer-encoding: chunked', 'content-encoding: deflate'];
  const answer = await onlyAnswer(head('/responses', lines), ...Array(25).fill(chunk));
  await expectRefusal(answer, { code: 'request_too_large', says: '20 MiB' });
});

/** Counts the bytes that are decompressed by gzip from now on. */
function countDecompressed(): () => number {
  const push = vi.spyOn(Readable.prototype, 'push');
  onTestFinished(() => push.mockRestore());
  return () => {
    const pieces = push.mock.calls.filter((_, index) => push.mock.contexts[index] instanceof Gunzip);
    return pieces.reduce((sum, [piece]) => sum + (piece?.length ?? 0), 0);
  };
}

test('F21: decompresses at most 22 MiB of a gigabyte of zeros, in less than 100 MiB of memory', async () => {
  const member = gzipSync(zeros, { level: 9 });
  const body = Buffer.concat(Array(8).fill(member));
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 2);
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const decompressed = countDecompressed();
  const answer = await gateway.call('/responses', { body, headers }).finally(() => clearInterval(watch));
  await expectRefusal(answer, { code: 'request_too_large', says: '20 MiB' });
  // Twenty mebibytes, the pieces in between, and garbage that is not collected yet.
  expect(most - before).toBeLessThan(100 * 1_048_576);
  // Of a thousand mebibytes.
  expect(decompressed()).toBeGreaterThan(20 * 1_048_576);
  expect(decompressed()).toBeLessThan(22 * 1_048_576);
});
