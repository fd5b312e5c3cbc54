/** Mantle, the second host of Amazon Bedrock, behind the gateway: OpenAI's protocols and Messages, signed and with a key, for both callers. */
import OpenAI from 'openai';
import { beforeAll, expect, test } from 'vitest';
import { fakeText } from '../../fakes/chat.ts';
import { mantle } from '../../fakes/mantle.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../../harness/gateway.ts';
import { expectText } from './read-text.ts';

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const bearer = 'bedrock-api-key-0123456789';
const named = { openai: 'openai.gpt-oss-120b', anthropic: 'anthropic.claude-haiku-4-5' };

let vendor: Fake;
let gateway: TestGateway;
let sdk: OpenAI;
beforeAll(async () => {
  vendor = await openFake();
  const keyOf = (id: string) => (id === 'AKIDEXAMPLE' ? { secret } : undefined);
  vendor.always(mantle({ region: 'eu-central-1', keyOf, bearer, models: Object.values(named) }));
  const { origin } = new URL(vendor.url);
  const place = { aws: { region: 'eu-central-1', endpoint: 'mantle' } };
  const signed = { ...place, auth: { type: 'sigv4', accessKeyId: 'AKIDEXAMPLE', secretAccessKey: secret } };
  const keyed = { ...place, apiKey: bearer };
  const prices = { input: '0.15', output: '0.6' };
  const model = (id: string, upstreamModel: string) => ({
    id,
    upstream: id,
    kind: 'text' as const,
    upstreamModel,
    prices,
    maxOutputTokens: 1_000,
  });
  gateway = await startGateway({
    upstreams: {
      'openai-signed': { kind: 'openai', protocols: ['chat', 'responses'], baseUrl: `${origin}/v1`, ...signed },
      'compatible-keyed': { kind: 'openai-compatible', baseUrl: `${origin}/v1`, ...keyed },
      'claude-signed': { kind: 'anthropic', baseUrl: `${origin}/anthropic/v1`, ...signed },
      'claude-keyed': { kind: 'anthropic', baseUrl: `${origin}/anthropic/v1`, ...keyed },
      runtime: { kind: 'openai', protocols: ['chat'], baseUrl: `${origin}/v1`, ...signed, aws: { region: 'eu-central-1' } },
    },
    routing: { maxAttempts: 1 },
    models: [
      ...['openai-signed', 'compatible-keyed', 'runtime'].map((id) => model(id, named.openai)),
      ...['claude-signed', 'claude-keyed'].map((id) => model(id, named.anthropic)),
      { ...model('nowhere', 'openai.gpt-9'), upstream: 'openai-signed' },
    ],
  });
  sdk = new OpenAI({ baseURL: gateway.baseURL, apiKey: gateway.key, maxRetries: 0 });
  return async () => {
    await gateway.close();
    await vendor.close();
  };
});

const messages = [{ role: 'user' as const, content: 'Hi' }];

test.each(['openai-signed', 'compatible-keyed', 'claude-signed', 'claude-keyed'])(
  'returns text to chat and Responses callers over %s',
  (model) => expectText(sdk, model, fakeText),
);

test('signs for the Mantle service, and sends a key as bearer without signing', async () => {
  await sdk.chat.completions.create({ model: 'claude-signed', messages });
  expect(vendor.last.headers.authorization).toMatch(/\/eu-central-1\/bedrock-mantle\/aws4_request/);
  await sdk.chat.completions.create({ model: 'claude-keyed', messages });
  expect(vendor.last.headers).toMatchObject({ authorization: `Bearer ${bearer}`, 'anthropic-version': '2023-06-01' });
  for (const name of ['x-amz-date', 'x-api-key']) expect(vendor.last.headers).not.toHaveProperty(name);
});

test('returns 502 when the signature is for the other host, without its details', async () => {
  const rejected = await gateway.call('/chat/completions', { json: { model: 'runtime', messages } });
  const text = await rejected.text();
  expect([rejected.status, text]).toEqual([502, expect.stringContaining('upstream_error')]);
  for (const word of ['bedrock', 'AKIDEXAMPLE', secret]) expect(text).not.toContain(word);
});

test("returns 502 for a model that Mantle doesn't have", async () => {
  const rejected = await gateway.call('/responses', { json: { model: 'nowhere', input: 'Hi' } });
  expect(rejected.status).toBe(502);
});
