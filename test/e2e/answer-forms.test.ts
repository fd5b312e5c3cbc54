/** Providers that answer a whole call with a stream, a stream with JSON, or add to the JSON: the caller gets the form it asked for, from one attempt. */
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chatCompletion, chatFrames, chatUsage } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import { response, responseFrames } from '../fakes/responses.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

const messages = [{ role: 'user' as const, content: 'Hi' }];
const reply = {
  text: 'Grüße aus Oslo.',
  toolCalls: [
    { id: 'call_1', name: 'f', arguments: ['{"a":', '1}'] },
    { id: 'call_2', name: 'g', arguments: ['{"b":', '2}'] },
  ],
};
const called = [
  ['f', '{"a":1}'],
  ['g', '{"b":2}'],
];

let chatFake: Fake;
let responsesFake: Fake;
let gateway: TestGateway;
let client: OpenAI;
beforeAll(async () => {
  [chatFake, responsesFake] = await Promise.all([openFake(), openFake()]);
  gateway = await startGateway({
    upstreams: {
      local: { kind: 'openai-compatible', baseUrl: chatFake.url },
      openai: { kind: 'openai', baseUrl: responsesFake.url, apiKey: 'sk-openai' },
    },
    models: [
      { id: 'over-chat', kind: 'text', candidates: [{ upstream: 'local' }] },
      { id: 'over-responses', kind: 'text', candidates: [{ upstream: 'openai', protocols: ['responses'] }] },
    ],
  });
  client = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.origin}/v1`, maxRetries: 0 });
});
beforeEach(() => {
  chatFake.clear();
  responsesFake.clear();
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([chatFake.close(), responsesFake.close()]);
});

const toFunctions = (calls: OpenAI.ChatCompletionMessage['tool_calls'] = []) =>
  calls.map((call) => call.type === 'function' && [call.function.name, call.function.arguments]);
const toOutput = ({ output }: OpenAI.Responses.Response) => ({
  text: output.flatMap((item) => (item.type === 'message' ? item.content : [])).map((part) => part.type === 'output_text' && part.text),
  calls: output.flatMap((item) => (item.type === 'function_call' ? [[item.name, item.arguments]] : [])),
});

const upstreams = [
  ['over-chat', () => chatFake, json(chatCompletion(reply)), stream(chatFrames({ ...reply, includeUsage: true }))],
  ['over-responses', () => responsesFake, json(response(reply)), stream(responseFrames(reply))],
] as const;

describe.each(upstreams)('%s', (model, fake, whole, streamed) => {
  test('returns whole responses from a stream', async () => {
    fake().next(streamed);
    const { choices, usage } = await client.chat.completions.create({ model, messages });
    expect(choices).toMatchObject([{ finish_reason: 'tool_calls', message: { role: 'assistant', content: reply.text } }]);
    expect(toFunctions(choices[0]?.message.tool_calls)).toEqual(called);
    expect(usage?.total_tokens).toBe(chatUsage.total_tokens);
    fake().next(streamed);
    const answer = await client.responses.create({ model, input: 'Hi' });
    expect([answer.status, toOutput(answer)]).toEqual(['completed', { text: [reply.text], calls: called }]);
    expect(fake().requests).toHaveLength(2);
  });

  test('streams whole responses', async () => {
    fake().next(whole);
    const { choices, usage } = await client.chat.completions
      .stream({ model, messages, stream_options: { include_usage: true } })
      .finalChatCompletion();
    expect(choices).toMatchObject([{ finish_reason: 'tool_calls', message: { role: 'assistant', content: reply.text } }]);
    expect(toFunctions(choices[0]?.message.tool_calls)).toEqual(called);
    expect(usage?.total_tokens).toBe(chatUsage.total_tokens);
    fake().next(whole);
    const streamOf = client.responses.stream({ model, input: 'Hi' });
    let said = '';
    streamOf.on('response.output_text.delta', ({ delta }) => {
      said += delta;
    });
    const answer = await streamOf.finalResponse();
    expect([said, answer.status, toOutput(answer)]).toEqual([reply.text, 'completed', { text: [reply.text], calls: called }]);
    expect(fake().requests).toHaveLength(2);
  });

  test('returns 502 for a stream that was cut, whole', async () => {
    fake().always(stream((model === 'over-chat' ? chatFrames(reply) : responseFrames(reply)).slice(0, 4)));
    await expect(client.chat.completions.create({ model, messages })).rejects.toMatchObject({ status: 502, code: 'upstream_error' });
  });
});

describe.each([
  ['a byte order mark before it', (text: string) => `\ufeff${text}`],
  ['[DONE] after it', (text: string) => `${text}\n\ndata: [DONE]\n\n`],
])('JSON with %s', (_, change) => {
  test.each([
    ['over-chat', () => chatFake, chatCompletion()],
    ['over-responses', () => responsesFake, response()],
  ] as const)('accepts it for the model %s', async (model, fake, answer) => {
    fake()
      .next(json(change(JSON.stringify(answer))))
      .next(json(change(JSON.stringify(answer))));
    const { choices } = await client.chat.completions.create({ model, messages });
    expect(choices[0]?.message.content).toContain('fake vendor');
    expect((await client.responses.create({ model, input: 'Hi' })).output_text).toContain('fake vendor');
    expect(fake().requests).toHaveLength(2);
  });
});

test('returns each choice of a stream, with what its chunks repeat once', async () => {
  chatFake.next(stream(chatFrames({ text: 'Hi there.', n: 2, includeUsage: true })));
  const { id, choices } = await client.chat.completions.create({ model: 'over-chat', messages, n: 2 });
  expect(id).toBe('chatcmpl-fake');
  expect(choices.map(({ index, message }) => [index, message.content])).toEqual([
    [0, 'Hi there.'],
    [1, 'Hi there.'],
  ]);
});

test('returns the error in JSON to a caller of a stream', async () => {
  const error = { message: 'Too long.', type: 'invalid_request_error', code: 'context_length_exceeded' };
  chatFake.always(json({ error }));
  await expect(client.chat.completions.create({ model: 'over-chat', messages, stream: true })).rejects.toMatchObject({
    status: 400,
    code: 'context_length_exceeded',
  });
});
