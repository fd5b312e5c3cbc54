/** Status 431: headers over the limit, as one large header or as many small ones. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { request, talk } from '../harness/raw.ts';
import { expectRefusal } from '../harness/refusal.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const large: readonly (readonly [title: string, path: string, headers: readonly string[]])[] = [
  ['one header of 20 KB', '/v1/models', [`x-note: ${'a'.repeat(20_000)}`]],
  ['a thousand headers', '/v1/models', Array.from({ length: 1000 }, (_, index) => `x-note-${index}: ${'a'.repeat(20)}`)],
  ['a key of 20 KB', '/v1/models', [`authorization: Bearer ${'a'.repeat(20_000)}`]],
  ['a URL of 20 KB', `/v1/models?q=${'a'.repeat(20_000)}`, []],
];

test.each(large)('rejects %s as too large', async (_title, path, headers) => {
  const [answer] = await talk(gateway.origin, request([`GET ${path} HTTP/1.1`, ...headers, 'connection: close']));
  if (!answer) throw new Error('no answer');
  await expectRefusal(answer, { code: 'headers_too_large', says: 'too large' });
});

test('accepts 10 KB of headers, as coding agents send', async () => {
  expect((await gateway.call('/models', { headers: { 'x-codex-turn-metadata': 'a'.repeat(10_000) } })).status).toBe(200);
});
