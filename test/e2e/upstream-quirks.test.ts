/** A chat upstream with quirks: the requests that it gets, and the answers and errors of its callers. */
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { chatFrames, chatUsage } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import { failure } from '../fakes/faults.ts';
import { startGateway } from '../harness/gateway.ts';
import { useFake, useOpened } from '../harness/opened.ts';
import { expectRefusal } from '../harness/refusal.ts';

const quirks = {
  developerRole: false,
  streamUsage: false,
  structuredOutput: 'json',
  reasoningEffort: 'ignore',
  hints: false,
  seedField: 'random_seed',
  unsupported: ['logit_bias'],
};
const fake = useFake();
const gateway = useOpened(() => {
  const local = { kind: 'openai-compatible', baseUrl: fake.url, quirks };
  return startGateway({ upstreams: { local }, models: [{ id: 'small', kind: 'text', upstreamModel: 'qwen3:8b' }] });
});

const chat = (body: object) =>
  gateway.call('/chat/completions', { json: { model: 'small', messages: [{ role: 'user', content: 'Hi' }], ...body } });
const responses = (body: object) => gateway.call('/responses', { json: { model: 'small', input: 'Hi', ...body } });

test('sends an upstream without a key no authorization header, and its own model name', async () => {
  expect((await chat({})).status).toBe(200);
  expect(fake.last).toMatchObject({ path: '/v1/chat/completions', fields: { model: 'qwen3:8b' } });
  expect(fake.last.headers).not.toHaveProperty('authorization');
});

test('sends the same request for chat and responses callers, with the provider’s field names', async () => {
  const said = [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
  ];
  const asked = {
    model: 'qwen3:8b',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ],
    max_tokens: 50,
  };
  await chat({ messages: said, max_completion_tokens: 50, metadata: { a: 'b' }, seed: 3 });
  expect(fake.last.fields).toEqual({ ...asked, random_seed: 3 });
  await responses({ input: said, max_output_tokens: 50, metadata: { a: 'b' } });
  expect(fake.last.fields).toEqual(asked);
});

test('names a field that the provider ignores in the header, and rejects one that it lacks', async () => {
  expect((await chat({ reasoning_effort: 'high' })).headers.get('x-modelgate-dropped')).toBe('reasoning_effort');
  fake.clear();
  const rejected = await chat({ logit_bias: { 1: 2 }, stream: true });
  await expectRefusal(rejected, { code: 'unsupported_parameter', param: 'logit_bias' });
  expect(fake.requests).toEqual([]);
});

describe('a provider’s error about a field', () => {
  const script = failure(400, { message: 'max_tokens is too large', param: 'max_tokens' });
  const says = (name: string) => `'max_tokens' is '${name}' in your request`;
  test.each([
    ['chat, the newer name', () => chat({ max_completion_tokens: 9 }), 'max_completion_tokens'],
    ['responses', () => responses({ max_output_tokens: 16 }), 'max_output_tokens'],
    ['responses, streamed', () => responses({ max_output_tokens: 16, stream: true }), 'max_output_tokens'],
  ] as const)('names the field that the caller used: %s', async (_, ask, param) => {
    fake.next(script);
    await expectRefusal(await ask(), { code: 'invalid_value', param, says: says(param) });
  });
  test('keeps the provider’s own name on chat', async () => {
    fake.next(script);
    const { error } = await expectRefusal(await chat({ max_tokens: 9 }), { code: 'invalid_value', param: 'max_tokens' });
    expect(error.message).toBe('max_tokens is too large');
  });
});

test('streams without stream_options, and keeps usage that the provider sends', async () => {
  const client = new OpenAI({ apiKey: gateway.key, baseURL: gateway.baseURL, maxRetries: 0 });
  const frames = chatFrames({ model: 'qwen3:8b', text: 'Hello there.' });
  const last = frames.at(-2);
  if (typeof last?.data !== 'object' || last.data === null) throw new Error('the last chunk is no object');
  const unasked = stream(frames.with(-2, { data: { ...last.data, usage: chatUsage } }));
  const body = { model: 'small', messages: [{ role: 'user' as const, content: 'Hi' }] };
  fake.next(unasked).next(unasked);
  const answer = await client.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion();
  expect(fake.last.fields).not.toHaveProperty('stream_options');
  expect(answer).toMatchObject({ model: 'small', usage: { total_tokens: 18 }, choices: [{ message: { content: 'Hello there.' } }] });
  const response = await client.responses.stream({ model: 'small', input: 'Hi' }).finalResponse();
  expect(fake.last.fields).not.toHaveProperty('stream_options');
  expect(response).toMatchObject({ output_text: 'Hello there.', usage: { total_tokens: 18 } });
});
