/** Claude in Amazon Bedrock behind the gateway: addresses, signatures, the event stream, tools and errors, for both callers, whole and as streams. */
import OpenAI from 'openai';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BedrockReply, bedrock } from '../../fakes/bedrock.ts';
import { fakeText } from '../../fakes/chat.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../../harness/gateway.ts';
import { expectText } from './read-text.ts';

const modelId = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0';
const arn = 'arn:aws:bedrock:eu-central-1:123456789012:application-inference-profile/abc';
const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const token = 'session-token-of-temporary-credentials';
const bearer = 'bedrock-api-key-0123456789';

let vendor: Fake;
let gateway: TestGateway;
let sdk: OpenAI;
beforeAll(async () => {
  vendor = await openFake();
  const { origin: baseUrl } = new URL(vendor.url);
  const place = { kind: 'anthropic', baseUrl, aws: { region: 'eu-central-1' } };
  const auth = (more: object = {}) => ({ type: 'sigv4', accessKeyId: 'AKIDEXAMPLE', secretAccessKey: secret, ...more });
  const served = { kind: 'text', prices: { input: '3', cachedInput: '0.3', cacheWrite: '3.75', output: '15' } } as const;
  gateway = await startGateway({
    upstreams: {
      fixed: { ...place, auth: auth() },
      session: { ...place, auth: auth({ accessKeyId: 'ASIDEXAMPLE', sessionToken: token }) },
      bearer: { ...place, apiKey: bearer },
      beta: { ...place, headers: { 'Anthropic-Beta': 'context-1m-2025-08-07, interleaved-thinking-2025-05-14' }, auth: auth() },
      wrong: { ...place, auth: auth({ secretAccessKey: 'another-secret-0123456789' }) },
    },
    routing: { maxAttempts: 1 },
    models: [
      ...['fixed', 'session', 'bearer', 'beta', 'wrong'].map((id) => ({ ...served, id, upstream: id, upstreamModel: modelId })),
      { ...served, id: 'profile', upstream: 'fixed', upstreamModel: arn },
      { ...served, id: 'nowhere', upstream: 'fixed', upstreamModel: 'anthropic.claude-9' },
    ],
  });
  sdk = new OpenAI({ baseURL: gateway.baseURL, apiKey: gateway.key, maxRetries: 0 });
  return async () => {
    await gateway.close();
    await vendor.close();
  };
});

const keyOf = (id: string) => {
  if (id === 'AKIDEXAMPLE') return { secret };
  return id === 'ASIDEXAMPLE' ? { secret, token } : undefined;
};
function serve(reply: BedrockReply = {}): void {
  vendor.clear();
  vendor.always(bedrock({ region: 'eu-central-1', keyOf, bearer, models: [modelId, arn] }, reply));
}
beforeEach(() => serve());

const messages = [{ role: 'user' as const, content: 'Hi' }];

test.each(['fixed', 'session', 'bearer', 'profile'])('returns text to chat and Responses callers over %s', (model) =>
  expectText(sdk, model, fakeText),
);

test('encodes the model ID as one path segment, and sends streams to their own path', async () => {
  await sdk.chat.completions.create({ model: 'profile', messages });
  await sdk.chat.completions.stream({ model: 'fixed', messages }).finalChatCompletion();
  expect(vendor.requests.map(({ url }) => url)).toEqual([
    '/model/arn%3Aaws%3Abedrock%3Aeu-central-1%3A123456789012%3Aapplication-inference-profile%2Fabc/invoke',
    '/model/eu.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke-with-response-stream',
  ]);
});

test('moves beta features from the configured header to the body for Bedrock', async () => {
  await sdk.chat.completions.create({ model: 'beta', messages });
  expect(vendor.last.fields.anthropic_beta).toEqual(['context-1m-2025-08-07', 'interleaved-thinking-2025-05-14']);
  await sdk.chat.completions.create({ model: 'fixed', messages });
  expect(vendor.last.fields).not.toHaveProperty('anthropic_beta');
});

test('sends a Bedrock key as bearer, without a signature or an Anthropic key', async () => {
  await sdk.responses.create({ model: 'bearer', input: 'Hi' });
  const { headers } = vendor.last;
  expect(headers.authorization).toBe(`Bearer ${bearer}`);
  for (const name of ['x-amz-date', 'x-amz-content-sha256', 'x-api-key']) expect(headers).not.toHaveProperty(name);
});

test('signs twenty concurrent calls correctly, half of them streams in small pieces', async () => {
  serve({ chunkBytes: 11 });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      gateway.call('/chat/completions', { json: { model: 'session', messages, stream: index % 2 === 0 } }),
    ),
  );
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    await answer.text();
  }
});

test('uses one socket for twenty streams in a row, each with its own signature', async () => {
  await sdk.chat.completions.stream({ model: 'session', messages }).finalChatCompletion();
  const { opened } = vendor.connections;
  for (let count = 0; count < 20; count++) {
    const content = `Hi ${count}`;
    await sdk.chat.completions.stream({ model: 'session', messages: [{ role: 'user', content }] }).finalChatCompletion();
  }
  expect(vendor.connections.opened).toBe(opened);
  expect(new Set(vendor.requests.map(({ headers }) => headers.authorization)).size).toBe(21);
});

test('rejects an image by its URL before sending anything', async () => {
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
  const answer = await gateway.call('/chat/completions', { json: { model: 'fixed', messages: [{ role: 'user', content: [image] }] } });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining('base64') } });
  expect(vendor.requests).toEqual([]);
});

describe('an error', () => {
  test('returns 502 for a misconfigured upstream model', async () => {
    expect((await gateway.call('/chat/completions', { json: { model: 'nowhere', messages } })).status).toBe(502);
  });

  test('G13: keeps secrets and signatures out of the log and the response', async () => {
    const answers = [
      await gateway.call('/chat/completions', { json: { model: 'wrong', messages } }),
      await gateway.call('/chat/completions', { json: { model: 'session', messages } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([502, 200]);
    const told = JSON.stringify(gateway.lines) + (await answers[0]?.text());
    for (const hidden of [secret, token, bearer, 'another-secret', 'Signature=']) expect(told).not.toContain(hidden);
  });
});
