/** Gemini, Claude and open models on Google Vertex AI behind the gateway: addresses, tokens and errors, for both callers, whole and as streams. */
import OpenAI from 'openai';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fakeText } from '../../fakes/chat.ts';
import { failure } from '../../fakes/faults.ts';
import { account, credentialsAt, FakeGoogle, privatePem } from '../../fakes/google.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { vertex, vertexFailure } from '../../fakes/vertex.ts';
import { startGateway, type TestGateway } from '../../harness/gateway.ts';
import { expectRefusal } from '../../harness/refusal.ts';
import { expectText } from './read-text.ts';

const models = {
  google: ['gemini-3.5-flash', 'gemini-2.5-pro'],
  anthropic: ['claude-sonnet-4-5@20250929'],
  openapi: ['meta/llama-4-maverick-17b-128e-instruct-maas'],
  endpoints: ['1234567890'],
};
const key = 'AQ.express-key-0123456789';
const project = 'my-project';

let vendor: Fake;
let issuer: Fake;
let google: FakeGoogle;
let gateway: TestGateway;
let sdk: OpenAI;
beforeAll(async () => {
  [vendor, issuer] = [await openFake(), await openFake()];
  google = new FakeGoogle(new URL(issuer.url).origin);
  issuer.always(google.answer);
  gateway = await startGateway(settingsOver(new URL(vendor.url).origin, google.origin));
  sdk = new OpenAI({ baseURL: gateway.baseURL, apiKey: gateway.key, maxRetries: 0 });
  return async () => {
    await gateway.close();
    await vendor.close();
    await issuer.close();
  };
});
beforeEach(() => {
  vendor.clear();
  vendor.always(vertex({ isGood: google.isGood, key, project, location: 'eu', models }));
});

function settingsOver(origin: string, issuedAt: string): Record<string, unknown> {
  const auth = { type: 'google', credentials: JSON.stringify(credentialsAt(issuedAt).serviceAccount) };
  const baseUrl = `${origin}/v1/projects/${project}/locations/eu`;
  const place = { google: { project, location: 'eu' }, auth };
  const served = { kind: 'text', prices: { input: '1', cachedInput: '0.1', output: '10' } };
  return {
    upstreams: {
      gemini: { kind: 'gemini', baseUrl, ...place },
      claude: { kind: 'anthropic', baseUrl, ...place },
      open: { kind: 'openai-compatible', baseUrl: `${baseUrl}/endpoints/openapi`, ...place },
      express: { kind: 'gemini', baseUrl: `${origin}/v1`, google: {}, apiKey: key },
    },
    routing: { maxAttempts: 1 },
    models: [
      { ...served, id: 'gemini', upstream: 'gemini', upstreamModel: 'gemini-3.5-flash' },
      { ...served, id: 'old', upstream: 'gemini', upstreamModel: 'gemini-2.5-pro' },
      { ...served, id: 'tuned', upstream: 'gemini', upstreamModel: 'endpoints/1234567890' },
      { ...served, id: 'express', upstream: 'express', upstreamModel: 'gemini-3.5-flash' },
      { ...served, id: 'claude', upstream: 'claude', upstreamModel: 'claude-sonnet-4-5@20250929' },
      { ...served, id: 'open', upstream: 'open', upstreamModel: 'meta/llama-4-maverick-17b-128e-instruct-maas' },
      { ...served, id: 'nowhere', upstream: 'gemini', upstreamModel: 'gemini-9' },
    ],
  };
}

const messages = [{ role: 'user' as const, content: 'Hi' }];
const ids = ['gemini', 'old', 'tuned', 'express', 'claude', 'open'];

test.each(ids)('returns text to chat and Responses callers over %s', (model) => expectText(sdk, model, fakeText));

test.each([
  ['gemini', `/publishers/google/models/gemini-3.5-flash:generateContent`, `:streamGenerateContent?alt=sse`],
  ['tuned', `/endpoints/1234567890:generateContent`, `:streamGenerateContent?alt=sse`],
  ['claude', `/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict`, ':streamRawPredict'],
])('sends calls of %s to %s, and streams to %s', async (model, path, streamed) => {
  await sdk.chat.completions.create({ model, messages });
  await sdk.chat.completions.stream({ model, messages }).finalChatCompletion();
  const prefix = `/v1/projects/${project}/locations/eu`;
  const [whole, streaming] = vendor.requests.map(({ url }) => url);
  expect(whole).toBe(prefix + path);
  expect(streaming).toBe(prefix + path.replace(/:\w+$/, streamed));
});

test.each(['https://pictures.example/a.png', 'http://pictures.example/a.png', 'gs://bucket/a.png'])(
  'sends an image at %s as a URL over express mode',
  async (fileUri) => {
    const content = [{ type: 'input_image' as const, detail: 'auto' as const, image_url: fileUri }];
    await sdk.responses.create({ model: 'express', input: [{ role: 'user', content }] });
    expect(vendor.last.fields.contents).toEqual([{ role: 'user', parts: [{ fileData: { fileUri, mimeType: 'image/png' } }] }]);
  },
);

const image = { type: 'input_image', detail: 'auto', image_url: 'https://example.com/a.png' };
const file = { type: 'input_file', file_url: 'https://example.com/a.pdf' };
const call = { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' };
test.each([
  ['an image of a message', 'input[0].content[0]', [{ role: 'user', content: [image] }]],
  ['a file of a message', 'input[0].content[0]', [{ role: 'user', content: [file] }]],
  ['an image of a result', 'input[2].output[0]', [...messages, call, { type: 'function_call_output', call_id: 'call_1', output: [image] }]],
])('returns 400 for %s at a URL over Claude', async (_, param, input) => {
  const answer = await gateway.call('/responses', { json: { model: 'claude', input } });
  await expectRefusal(answer, { code: 'unsupported_parameter', param, says: "doesn't fetch URLs" });
  expect(vendor.requests).toEqual([]);
});

test('express mode gets its key and no token', async () => {
  await sdk.responses.create({ model: 'express', input: 'Hi' });
  expect(vendor.last.headers).toMatchObject({ 'x-goog-api-key': key });
  expect(vendor.last.headers).not.toHaveProperty('authorization');
});

describe('an access token', () => {
  test('renews one that expires during calls once per upstream, and fails no call', async () => {
    const ask = (): Promise<number[]> =>
      Promise.all(
        Array.from({ length: 60 }, async (_, index) => {
          const model = ids[index % ids.length] ?? 'gemini';
          const answer = await gateway.call('/chat/completions', { json: { model, messages, stream: index % 2 === 0 } });
          await answer.text();
          return answer.status;
        }),
      );
    expect(new Set(await ask())).toEqual(new Set([200]));
    const before = issuer.requests.length;
    google.revoke();
    expect(new Set(await ask())).toEqual(new Set([200]));
    expect(issuer.requests.length - before).toBe(3);
  });
});

describe('an error', () => {
  test('returns 502 for a misconfigured upstream model, and logs its URL', async () => {
    const answer = await gateway.call('/chat/completions', { json: { model: 'nowhere', messages } });
    expect(answer.status).toBe(502);
    const id = answer.headers.get('x-request-id');
    expect(await gateway.lineWhere((line) => line.id === id && line.request !== undefined)).toMatchObject({
      request: expect.stringMatching(/\/locations\/eu\/publishers\/google\/models\/gemini-9:generateContent$/),
    });
  });
});

describe('a rejected token', () => {
  test('G13: keeps it and the account key out of the log, also when the token endpoint rejects the key', async () => {
    vendor.clear();
    vendor.always(({ headers }) => vertexFailure(401, 'UNAUTHENTICATED', `Bad credentials ${headers.authorization}`));
    issuer.clear();
    issuer.always(({ body }) => failure(400, { message: `Invalid ${body}`, code: null }));
    const answer = await gateway.call('/chat/completions', { json: { model: 'gemini', messages } });
    expect(answer.status).toBe(502);
    const told = JSON.stringify(gateway.lines) + (await answer.text());
    for (const secret of ['ya29.', 'eyJ', 'PRIVATE KEY', privatePem.slice(40, 80), account]) expect(told).not.toContain(secret);
    issuer.clear();
    issuer.always(google.answer);
  });
});
