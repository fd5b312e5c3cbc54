/** Gemini, Claude and open models on Google Vertex AI behind the gateway: addresses, tokens and errors, for both callers, whole and as streams. */
import type OpenAI from 'openai';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { stream } from '../../fakes/delivery.ts';
import { failure } from '../../fakes/faults.ts';
import { geminiFrames } from '../../fakes/gemini.ts';
import { account, type FakeGoogle, privatePem } from '../../fakes/google.ts';
import type { Fake } from '../../fakes/upstream.ts';
import { vertexFailure } from '../../fakes/vertex.ts';
import { endedCharge } from '../../harness/ended-charge.ts';
import type { TestGateway } from '../../harness/gateway.ts';
import { key, openVertex, project, type VertexStage } from './vertex-stage.ts';

let vendor: Fake;
let issuer: Fake;
let google: FakeGoogle;
let gateway: TestGateway;
let sdk: OpenAI;
let serve: VertexStage['serve'];
beforeAll(async () => {
  const stage = await openVertex();
  ({ vendor, issuer, google, gateway, sdk, serve } = stage);
  return stage.close;
});
beforeEach(() => serve());
afterEach(() => vendor.clear());

const messages = [{ role: 'user' as const, content: 'Hi' }];
const ids = ['gemini', 'old', 'tuned', 'express', 'claude', 'open'];

describe.each(ids)('over %s', (model) => {
  test('both callers read text, whole and as a stream, under the id that they asked for', async () => {
    const whole = await sdk.chat.completions.create({ model, messages });
    const text = whole.choices[0]?.message.content ?? '';
    expect([text.length > 0, whole.model]).toEqual([true, model]);
    const streamed = await sdk.chat.completions.stream({ model, messages }).finalChatCompletion();
    expect([streamed.choices[0]?.message.content, streamed.model]).toEqual([text, model]);
    const response = await sdk.responses.create({ model, input: 'Hi' });
    expect([response.output_text, response.model]).toEqual([text, model]);
    const final = await sdk.responses.stream({ model, input: 'Hi' }).finalResponse();
    expect([final.output_text, final.model, final.usage?.total_tokens]).toEqual([text, model, response.usage?.total_tokens]);
  });
});

test.each([
  ['gemini', `/publishers/google/models/gemini-3.5-flash:generateContent`, `:streamGenerateContent?alt=sse`],
  ['tuned', `/endpoints/1234567890:generateContent`, `:streamGenerateContent?alt=sse`],
  ['claude', `/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict`, ':streamRawPredict'],
])('the address of %s is %s, and of a stream %s', async (model, path, streamed) => {
  await sdk.chat.completions.create({ model, messages });
  await sdk.chat.completions.stream({ model, messages }).finalChatCompletion();
  const prefix = `/v1/projects/${project}/locations/eu`;
  const [whole, streaming] = vendor.requests.map(({ url }) => url);
  expect(whole).toBe(prefix + path);
  expect(streaming).toBe(prefix + path.replace(/:\w+$/, streamed));
});

test('Claude gets its version in the body, and neither a model nor a key', async () => {
  await sdk.responses.create({ model: 'claude', input: 'Hi' });
  const { fields, headers } = vendor.last;
  expect(fields).toMatchObject({ anthropic_version: 'vertex-2023-10-16' });
  expect(fields).not.toHaveProperty('model');
  expect(headers).not.toHaveProperty('x-api-key');
});

test.each([
  ['an image of a message', { type: 'input_image', detail: 'auto', image_url: 'https://example.com/a.png' }],
  ['a file of a message', { type: 'input_file', file_url: 'https://example.com/a.pdf' }],
])('Claude is not sent the address of %s: the caller reads which part it is', async (_, part) => {
  const input = [{ role: 'user', content: [{ type: 'input_text', text: 'Look.' }, part] }];
  const answer = await gateway.call('/responses', { json: { model: 'claude', input } });
  expect([answer.status, vendor.requests.length]).toEqual([400, 0]);
  expect(await answer.json()).toMatchObject({
    error: { code: 'unsupported_parameter', param: 'input[0].content[1]', message: expect.stringContaining("doesn't fetch URLs") },
  });
  const data = { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,iVBORw0KGgo=' };
  expect((await gateway.call('/responses', { json: { model: 'claude', input: [{ role: 'user', content: [data] }] } })).status).toBe(200);
});

test('a result of a tool with the address of an image is not sent to Claude either, and a caller of chat reads its own field', async () => {
  const content = [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }];
  const chat = await gateway.call('/chat/completions', { json: { model: 'claude', messages: [{ role: 'user', content }] } });
  expect(await chat.json()).toMatchObject({ error: { code: 'unsupported_parameter', param: 'messages[0].content[0]' } });
  const call = { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' };
  const output = [{ type: 'input_image', detail: 'auto', image_url: 'https://example.com/a.png' }];
  const input = [{ role: 'user', content: 'Look.' }, call, { type: 'function_call_output', call_id: 'call_1', output }];
  const answer = await gateway.call('/responses', { json: { model: 'claude', input } });
  expect(await answer.json()).toMatchObject({ error: { code: 'unsupported_parameter', param: 'input[2].output[0]' } });
  expect(vendor.requests).toEqual([]);
});

test('express mode gets its key and no token', async () => {
  await sdk.responses.create({ model: 'express', input: 'Hi' });
  expect(vendor.last.headers).toMatchObject({ 'x-goog-api-key': key });
  expect(vendor.last.headers).not.toHaveProperty('authorization');
});

test('a stream that breaks off before its counts is charged for what was read, not for nothing', async () => {
  vendor.clear();
  const pieces = geminiFrames({ text: ['A first piece of the answer, ', 'and the rest.'], usage: { trafficType: 'ON_DEMAND' } });
  vendor.always(stream(pieces, { stopAfter: { frames: 1 }, ending: 'cut' }));
  const answer = await gateway.call('/chat/completions', { json: { model: 'gemini', messages, stream: true } });
  expect(await answer.text()).toContain('A first piece');
  const ledger = gateway.gateway.money?.ledger ?? expect.fail('no ledger');
  expect((await endedCharge(ledger, answer.headers.get('x-request-id') ?? '')).charged).toBeGreaterThan(0n);
});

describe('an access token', () => {
  test('that ends while calls run is replaced: no call fails, and it is fetched once for each upstream', async () => {
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
  const tooLong = 'The input token count (1000001) exceeds the maximum number of tokens allowed (1000000).';
  test.each([
    ['UNAUTHENTICATED', 401, 'Request had invalid authentication credentials.', 502, 'upstream_error'],
    ['PERMISSION_DENIED', 403, "Permission 'aiplatform.endpoints.predict' denied.", 502, 'upstream_error'],
    ['FAILED_PRECONDITION', 400, 'Your organization is not allowed to use Publisher Model `x`.', 502, 'upstream_error'],
    ['NOT_FOUND', 404, 'Publisher Model was not found.', 502, 'upstream_error'],
    ['RESOURCE_EXHAUSTED', 429, 'Resource exhausted. Please try again later.', 429, 'rate_limit_exceeded'],
    ['INVALID_ARGUMENT', 400, tooLong, 400, 'context_length_exceeded'],
    ['INVALID_ARGUMENT', 400, 'Temperature must be lower.', 400, 'invalid_value'],
    ['UNAVAILABLE', 503, 'The service is currently unavailable.', 503, 'upstream_unavailable'],
    ['INTERNAL', 500, 'Internal error encountered.', 502, 'upstream_error'],
  ])('%s (%i: %s) is %i %s for both callers over each shape', async (word, status, message, ours, code) => {
    vendor.clear();
    vendor.always(({ path }) => vertexFailure(status, word, message, path.includes('/openapi/')));
    for (const model of ['gemini', 'claude', 'open']) {
      const answers = [
        await gateway.call('/chat/completions', { json: { model, messages } }),
        await gateway.call('/responses', { json: { model, input: 'Hi', stream: true } }),
      ];
      for (const answer of answers) {
        expect([model, answer.status]).toEqual([model, ours]);
        expect(await answer.json()).toMatchObject({ error: { code } });
      }
    }
  });

  test("of Claude itself is read in Anthropic's words", async () => {
    vendor.clear();
    vendor.always(failure(400, { message: 'prompt is too long: 200001 tokens > 200000 maximum', code: null }));
    const answer = await gateway.call('/chat/completions', { json: { model: 'claude', messages } });
    expect(await answer.json()).toMatchObject({ error: { code: 'context_length_exceeded' } });
  });

  test('of a model that the file names wrongly is not blamed on the caller, and its address is in the log', async () => {
    const answer = await gateway.call('/chat/completions', { json: { model: 'nowhere', messages } });
    expect(answer.status).toBe(502);
    const id = answer.headers.get('x-request-id');
    expect(await gateway.lineWhere((line) => line.id === id && line.request !== undefined)).toMatchObject({
      request: expect.stringMatching(/\/locations\/eu\/publishers\/google\/models\/gemini-9:generateContent$/),
    });
  });
});

describe('a rejected token', () => {
  test('G13: neither it nor the key of the account is in the log, also when the endpoint refuses', async () => {
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
