/** Status 404: an unknown model, an unknown path, and the base URL to use instead. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawPng } from '../fakes/images.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { request, talk } from '../harness/raw.ts';
import { expectRefusal } from '../harness/refusal.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const model = 'gpt-99';
const image = { image_url: `data:image/png;base64,${drawPng().toString('base64')}` };
const bodies = [
  ['/chat/completions', { model, messages: [{ role: 'user', content: 'hi' }] }],
  ['/responses', { model, input: 'hi' }],
  ['/images/generations', { model, prompt: 'a cat' }],
  ['/images/edits', { model, prompt: 'a cat', images: [image] }],
] as const;

describe.each(bodies)('on %s', (path, json) => {
  test.each([false, true])('returns `model_not_found` for an unknown model and names the list (stream: %s)', async (stream) => {
    const answer = await gateway.call(path, { json: { ...json, stream } });
    await expectRefusal(answer, { code: 'model_not_found', param: 'model', says: "'gpt-99'" });
  });

  test('returns `model_not_found` for odd model IDs', async () => {
    for (const trap of ['__proto__', 'constructor', 'toString', '../gpt-5.4', 'gpt-5.4 ', 'GPT-5.4', 'gpt-5.4\n\u0000é']) {
      await expectRefusal(await gateway.call(path, { json: { ...json, model: trap } }), { code: 'model_not_found', param: 'model' });
    }
  });
});

const anything = { models: null, operations: null, mayStore: true };

test('suggests a model that the key can call', async () => {
  const { key } = await gateway.newKey({ permissions: { ...anything, models: ['gpt-5.4-mini'] } });
  const ask = (given: string) => gateway.call('/responses', { key, json: { model: given, input: 'hi' } });
  await expectRefusal(await ask('gpt-5.4-mni'), { code: 'model_not_found', param: 'model', says: "Did you mean 'gpt-5.4-mini'?" });
  const { error } = await expectRefusal(await ask('gpt-image-3'), { code: 'model_not_found', param: 'model' });
  expect(error.message).not.toContain('Did you mean');
  await expectRefusal(await gateway.call('/models/gpt-5.4-mni'), {
    code: 'model_not_found',
    param: 'model',
    says: "Did you mean 'gpt-5.4-mini'?",
  });
});

test('returns `model_not_found` for an unknown model in a form', async () => {
  const form = new FormData();
  form.append('model', model);
  form.append('prompt', 'a hat');
  form.append('image', new Blob([new Uint8Array(drawPng())]), 'a.png');
  await expectRefusal(await gateway.call('/images/edits', { body: form }), { code: 'model_not_found', param: 'model' });
});

const strays = [
  ['GET', '/models', 'ends without /v1'],
  ['POST', '/chat/completions', 'ends without /v1'],
  ['POST', '/responses', 'ends without /v1'],
  ['POST', '/v1/v1/chat/completions', 'has /v1 twice'],
  ['POST', '/v1/chat/completions/', 'is followed by a slash'],
  ['GET', '/v1/models/?x=1', 'is followed by a slash and a query'],
  ['GET', '/models/gpt-5.4', 'ends without /v1'],
  ['GET', '/v1/responses/', 'is followed by a slash'],
  ['GET', '/responses/resp_1', 'ends without /v1'],
  ['DELETE', '/v1/responses/resp_1/', 'is followed by a slash'],
] as const;

test.each(strays)('returns `unknown_url` with the base URL for %s %s, which %s', async (method, path) => {
  const answer = await fetch(`${gateway.origin}${path}`, { method, ...(method === 'POST' && { body: '{}' }) });
  await expectRefusal(answer, { code: 'unknown_url', says: gateway.baseURL });
});

const unknown = ['/v1', '/v1/', '/v1/responses//input_items', '/V1/models', '//v1/models'];

test.each([
  ['/v1', 'This is the base URL'],
  ['/health', '/livez and /readyz'],
  ['/healthz', '/livez and /readyz'],
  ['/v1/models/', 'Remove the slash at the end'],
])('returns `unknown_url` for %s with what to change', async (path, says) => {
  await expectRefusal(await fetch(`${gateway.origin}${path}`), { code: 'unknown_url', says });
});

test.each(unknown)('returns `unknown_url` for %s with any method', async (path) => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    const answer = await fetch(`${gateway.origin}${path}`, { method });
    await expectRefusal(answer, { code: 'unknown_url' });
  }
});

test.each([
  ['/v1/embeddings', /Embeddings aren't supported\. Available endpoints: .*\/v1\/responses/],
  ['/v1/messages', /The Anthropic Messages API isn't supported\. Use \/v1\/chat\/completions/],
  ['/v1/messages/count_tokens', /The Anthropic Messages API isn't supported/],
  ['/v1/completions', /Use \/v1\/chat\/completions\./],
  [
    '/v1/responses/resp_1/input',
    /This gateway doesn't have this endpoint\. Available endpoints: .*\/v1\/responses\/\{response_id\}\/input_items/,
  ],
  ['/v1/audio/speech', /This gateway doesn't have this endpoint/],
])('returns `unknown_url` for %s with the available endpoints, without the base URL', async (path, says) => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    const answer = await fetch(`${gateway.origin}${path}`, { method });
    const { error } = await expectRefusal(answer, { code: 'unknown_url', says });
    expect(error.message).not.toContain('base URL');
  }
});

test('names both base URLs for a doubled /v1, for clients that add /v1 and for others', async () => {
  const answer = await fetch(`${gateway.baseURL}/v1/models`);
  await expectRefusal(answer, { code: 'unknown_url', says: `${gateway.origin} for a client` });
});

test('logs a request row for calls only, not for pages and browser sessions', async () => {
  const { activity } = gateway.gateway;
  const idOf = async (path: string, method = 'GET') =>
    (await fetch(`${gateway.origin}${path}`, { method, headers: { 'sec-fetch-site': 'same-origin' } })).headers.get('x-request-id') ?? '';
  const pages = await Promise.all(['/portal/v1/session', '/docs/nothing', '/healthz', '/favicon.ico'].map((path) => idOf(path)));
  const calls = [await idOf('/v1/models'), await idOf('/chat/completions', 'POST'), await idOf('/v1/none')];
  for (const id of calls) expect(await activity.find(id)).toMatchObject({ account_id: null });
  for (const id of pages) expect(await activity.find(id)).toBeUndefined();
});

test('returns `unknown_url` for a path with broken percent encoding', async () => {
  for (const path of ['/v1/%zz', '/v1/%', '/%c0%af']) {
    const [answer] = await talk(gateway.origin, request([`GET ${path} HTTP/1.1`, 'connection: close']));
    if (!answer) throw new Error('no answer');
    await expectRefusal(answer, { code: 'unknown_url' });
  }
});

test('repeats no invalid Host header in the message', async () => {
  const [answer] = await talk(gateway.origin, 'GET /models HTTP/1.1\r\nhost: <script>alert(1)</script>\r\nconnection: close\r\n\r\n');
  if (!answer) throw new Error('no answer');
  const { error } = await expectRefusal(answer, { code: 'unknown_url', says: 'http://<host>/v1' });
  expect(error.message).not.toContain('script');
});
