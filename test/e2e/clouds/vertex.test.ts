/** Gemini, Claude and open models on Google Vertex AI behind the gateway: addresses, tokens, tools and errors, for both callers, whole and as streams. */
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { failure } from '../../fakes/faults.ts';
import { account, credentialsAt, FakeGoogle, privatePem } from '../../fakes/google.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { type VertexReply, vertex, vertexFailure } from '../../fakes/vertex.ts';
import { startGateway, type TestGateway } from '../../harness/gateway.ts';

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
  vendor = await openFake();
  issuer = await openFake();
  const issuedAt = new URL(issuer.url).origin;
  const { origin } = new URL(vendor.url);
  google = new FakeGoogle(issuedAt);
  issuer.always(google.answer);
  const auth = { type: 'google', credentials: JSON.stringify(credentialsAt(issuedAt).serviceAccount) };
  const baseUrl = `${origin}/v1/projects/${project}/locations/eu`;
  const place = { google: { project, location: 'eu' }, auth };
  const served = { kind: 'text', prices: { input: '1', cachedInput: '0.1', output: '10' } } as const;
  gateway = await startGateway({
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
  });
  sdk = new OpenAI({ baseURL: gateway.baseURL, apiKey: gateway.key, maxRetries: 0 });
  return async () => {
    await gateway.close();
    await vendor.close();
    await issuer.close();
  };
});
function serve(reply: VertexReply = {}): void {
  vendor.clear();
  vendor.always(vertex({ isGood: google.isGood, key, project, location: 'eu', models }, reply));
}
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
    error: { code: 'unsupported_parameter', param: 'input[0].content[1]', message: expect.stringContaining('fetches no addresses') },
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

describe('tools', () => {
  const parameters = { type: 'object', properties: { city: { type: 'string' } } };
  const chatTools = [{ type: 'function' as const, function: { name: 'look', parameters } }];
  const tools = [{ type: 'function' as const, name: 'look', parameters, strict: false }];
  const calling = (id?: string): VertexReply => ({
    gemini: { thoughts: 'Hm.', calls: [{ name: 'look', args: { city: 'Oslo' }, ...(id !== undefined && { id, signature: 'c2ln' }) }] },
    claude: { toolCalls: [{ id: 'toolu_vrtx_01', name: 'look', arguments: ['{"city":', '"Oslo"}'] }] },
  });
  /** The ids of the call and of its result in the last request. */
  const sentIds = (): unknown[] => {
    const parts = JSON.parse(JSON.stringify(vendor.last.fields.contents ?? [])).flatMap((content: { parts: object[] }) => content.parts);
    return parts.flatMap((part: { functionCall?: { id?: string }; functionResponse?: { id?: string } }) => {
      const joined = part.functionCall ?? part.functionResponse;
      return joined ? [joined.id ?? null] : [];
    });
  };

  describe.each([
    ['gemini', 'call_3257537', ['call_3257537', 'call_3257537']],
    ['old', undefined, [null, null]],
    ['claude', undefined, []],
  ])('over %s, with the id %s', (model, id, sent) => {
    test.each([false, true])('are called by a chat caller, who sends the result (streamed: %s)', async (streamed) => {
      serve(calling(id));
      const asked = { model, messages, tools: chatTools };
      const first = streamed ? await sdk.chat.completions.stream(asked).finalChatCompletion() : await sdk.chat.completions.create(asked);
      const message = first.choices[0]?.message ?? expect.fail('no answer');
      const [call] = message.tool_calls ?? [];
      expect(call).toMatchObject({ function: { name: 'look', arguments: '{"city":"Oslo"}' } });
      serve();
      const result = { role: 'tool' as const, tool_call_id: call?.id ?? '', content: 'wet' };
      const second = await sdk.chat.completions.create({ ...asked, messages: [...messages, message, result] });
      expect(second.choices[0]?.message.content).toBeTruthy();
      expect(sentIds()).toEqual(sent);
    });

    test.each([false, true])('are called by a responses caller, who sends the result (streamed: %s)', async (streamed) => {
      serve(calling(id));
      const asked = { model, input: 'Hi', tools };
      const first = streamed ? await sdk.responses.stream(asked).finalResponse() : await sdk.responses.create(asked);
      const call = first.output.flatMap((item) => (item.type === 'function_call' ? [item] : []))[0] ?? expect.fail('no call');
      serve();
      const input = [{ type: 'function_call_output' as const, call_id: call.call_id, output: 'wet' }];
      const second = await sdk.responses.create({ model, input, tools, previous_response_id: first.id });
      expect(second.output_text).toBeTruthy();
      expect(sentIds()).toEqual(sent);
      if (id !== undefined) expect(JSON.stringify(vendor.last.fields)).toContain('"thoughtSignature":"c2ln"');
    });
  });
});

describe.each(['gemini', 'old', 'claude'])('the AI SDK over %s', (model) => {
  const called = { name: 'look', args: { city: 'Oslo' } };
  const replies: readonly VertexReply[] = [
    {
      // Both calls of the third generation have ids, and the first one carries the signature of both.
      gemini: {
        calls:
          model === 'old'
            ? [called, called]
            : [
                { ...called, id: 'a1', signature: 'c2ln' },
                { ...called, id: 'b2' },
              ],
      },
      claude: {
        toolCalls: ['toolu_vrtx_1', 'toolu_vrtx_2'].map((id) => ({ id, name: 'look', arguments: ['{"city":', '"Oslo"}'] })),
      },
    },
    { gemini: { text: ['Wet ', 'twice.'] }, claude: { text: ['Wet ', 'twice.'] } },
  ];

  test.each([
    ['chat', false],
    ['chat', true],
    ['responses', false],
    ['responses', true],
  ] as const)('makes two calls at once and answers, as a caller of %s (streamed: %s)', async (caller, streamed) => {
    const rules = { isGood: google.isGood, project, location: 'eu', models };
    vendor.clear();
    for (const reply of replies) vendor.next(vertex(rules, reply));
    const asked = {
      model: createOpenAI({ baseURL: gateway.baseURL, apiKey: gateway.key })[caller](model),
      prompt: 'Look twice.',
      tools: { look: tool({ inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => `wet in ${city}` }) },
      stopWhen: isStepCount(3),
    };
    expect(await (streamed ? streamText(asked).text : (await generateText(asked)).text)).toBe('Wet twice.');
    expect(vendor.last.body.toString().split('wet in Oslo')).toHaveLength(3);
  });
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
    ['UNAVAILABLE', 503, 'The service is currently unavailable.', 503, 'overloaded'],
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
    expect(await gateway.lineWhere((line) => line.id === id && line.asked !== undefined)).toMatchObject({
      asked: expect.stringMatching(/\/locations\/eu\/publishers\/google\/models\/gemini-9:generateContent$/),
    });
  });
});

describe('a refused token', () => {
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
