/** Responses of providers that leave the standard: what callers of both protocols read, and what is charged. */
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Fields } from '../../server/primitives/fields.ts';
import { chatCompletion, chatFrames } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import { done, type SseEvent } from '../fakes/frames.ts';
import { response, responseFrames } from '../fakes/responses.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';

const messages = [{ role: 'user' as const, content: 'Hi' }];
const usage = { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 };

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
      { id: 'kimi-k3', kind: 'text', candidates: [{ upstream: 'local' }] },
      ...['mistral-large-latest', 'mistralai/Ministral-3-14B'].map((id) => ({ id, kind: 'text', candidates: [{ upstream: 'local' }] })),
      { id: 'gpt-5.4', kind: 'text', candidates: [{ upstream: 'openai' }] },
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

async function read(create: Promise<AsyncIterable<OpenAI.ChatCompletionChunk>>): Promise<OpenAI.ChatCompletionChunk[]> {
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  for await (const each of await create) chunks.push(each);
  return chunks;
}

const chunk = (choice: object, rest: object = {}): SseEvent => ({
  data: {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'kimi-k3',
    choices: [{ index: 0, delta: {}, finish_reason: null, ...choice }],
    ...rest,
  },
});

describe('the finish reason of a chat upstream', () => {
  const reasons = [
    ['model_context_window_exceeded', 'length', 'incomplete'],
    ['something_new', 'length', 'incomplete'],
    ['constructor', 'length', 'incomplete'],
    ['sensitive', 'content_filter', 'incomplete'],
    ['eos', 'stop', 'completed'],
    ['max_tokens', 'length', 'incomplete'],
  ] as const;
  test.each(reasons)('turns %s into %s for chat and %s for responses, whole and streamed', async (finishReason, reason, status) => {
    chatFake.next(json(chatCompletion({ finishReason }))).next(json(chatCompletion({ finishReason })));
    const whole = await client.chat.completions.create({ model: 'kimi-k3', messages });
    expect(whole.choices[0]?.finish_reason).toBe(reason);
    expect((await client.responses.create({ model: 'kimi-k3', input: 'Hi' })).status).toBe(status);

    chatFake.next(stream(chatFrames({ finishReason }))).next(stream(chatFrames({ finishReason })));
    const chunks = await read(client.chat.completions.create({ model: 'kimi-k3', messages, stream: true }));
    const ends = chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? []);
    expect(ends).toEqual([reason]);
    const last = await client.responses.stream({ model: 'kimi-k3', input: 'Hi' }).finalResponse();
    expect(last.status).toBe(status);
  });

  test('returns upstream_error for network_error', async () => {
    chatFake.next(json(chatCompletion({ finishReason: 'network_error' }))).next(json(chatCompletion({ finishReason: 'network_error' })));
    await expect(client.chat.completions.create({ model: 'kimi-k3', messages })).rejects.toMatchObject({ code: 'upstream_error' });
  });
});

describe('stop after tool calls', () => {
  const called = { tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }] };
  const expected = ['tool_calls', 'stop', 'stop', 'length'];

  test('becomes tool_calls in each choice that has some, whole', async () => {
    const answered = [called, {}, { tool_calls: [] }, called];
    const choices = answered.map((message, index) => ({
      index,
      message: { role: 'assistant', content: null, ...message },
      finish_reason: index === 3 ? 'length' : 'stop',
    }));
    chatFake.next(json({ ...chatCompletion(), choices }));
    const whole = await client.chat.completions.create({ model: 'kimi-k3', messages, n: 4 });
    expect(whole.choices.map(({ finish_reason }) => finish_reason)).toEqual(expected);
  });

  test('becomes tool_calls in each choice that has some, streamed', async () => {
    const [call] = called.tool_calls;
    const deltas = [
      { tool_calls: [{ index: 0, ...call }] },
      { content: 'Hi' },
      { tool_calls: [] },
      { tool_calls: [{ index: 0, ...call }] },
    ];
    const begun = deltas.map((delta, index) => chunk({ index, delta }));
    const ended = deltas.map((_, index) => chunk({ index, finish_reason: index === 3 ? 'length' : 'stop' }));
    chatFake.next(stream([...begun, ...ended, done]));
    const chunks = await read(client.chat.completions.create({ model: 'kimi-k3', messages, n: 4, stream: true }));
    expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(expected);
  });

  test('becomes tool_calls when the last call and the reason share a chunk', async () => {
    const delta = { tool_calls: [{ index: 0, ...called.tool_calls[0] }] };
    chatFake.next(stream([chunk({ delta, finish_reason: 'stop' }), done]));
    const chunks = await read(client.chat.completions.create({ model: 'kimi-k3', messages, stream: true }));
    expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(['tool_calls']);
  });
});

describe('a stream of parallel tool calls', () => {
  const piece = (call: object) => chunk({ delta: { tool_calls: [call] } });
  const calls = [
    { id: 'call_1', function: { name: 'f', arguments: '{"a":1}' } },
    { id: 'call_2', function: { name: 'g', arguments: '{"a":2}' } },
  ];
  const streams: Readonly<Record<string, readonly SseEvent[]>> = {
    'share the index 0': calls.map((call) => piece({ index: 0, type: 'function', ...call })),
    'share the index 0 and come in several pieces': calls.flatMap(({ id, function: { name, arguments: text } }) => [
      piece({ index: 0, id, type: 'function', function: { name, arguments: '' } }),
      piece({ index: 0, function: { arguments: text.slice(0, 3) } }),
      piece({ index: 0, id: '', function: { name: '', arguments: text.slice(3) } }),
    ]),
    'repeat their ID and name': calls.flatMap(({ id, function: { name, arguments: text } }, index) =>
      [text.slice(0, 3), text.slice(3)].map((part) => piece({ index, id, type: 'function', function: { name, arguments: part } })),
    ),
  };
  test.each(Object.entries(streams))('gets one index, ID and name per call when the pieces %s', async (_, pieces) => {
    chatFake.next(stream([...pieces, chunk({ finish_reason: 'tool_calls' }), done]));
    const chunks = await read(client.chat.completions.create({ model: 'kimi-k3', messages, stream: true }));
    const deltas = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    for (const [index, { id, function: called }] of calls.entries()) {
      const own = deltas.filter((delta) => delta.index === index);
      expect(own.flatMap((delta) => delta.id ?? [])).toEqual([id]);
      expect(own.flatMap((delta) => delta.function?.name ?? [])).toEqual([called.name]);
      expect(own.map((delta) => delta.function?.arguments ?? '').join('')).toBe(called.arguments);
    }
  });
});

describe('usage in another place', () => {
  const receipt = async (answer: Response) => gateway.lineOf(answer);
  const ask = (path: string, body: object) => gateway.call(path, { json: { model: 'kimi-k3', ...body } });
  const frames = [
    chunk({ delta: { role: 'assistant', content: 'Hi' } }),
    chunk({ finish_reason: 'stop', usage: { ...usage, cached_tokens: 900 } }),
    done,
  ];

  test('charges and returns that of the last choice of a stream', async () => {
    chatFake.next(stream(frames)).next(stream(frames));
    const overChat = await ask('/chat/completions', { messages, stream: true, stream_options: { include_usage: true } });
    expect(await overChat.text()).toContain('"choices":[],"usage":{"prompt_tokens":1000,"completion_tokens":200,"total_tokens":1200');
    expect(await receipt(overChat)).toMatchObject({ inputTokens: 1000, outputTokens: 200 });
    const overResponses = await ask('/responses', { input: 'Hi', stream: true });
    expect(await overResponses.text()).toContain('"input_tokens_details":{"cached_tokens":900');
    expect(await receipt(overResponses)).toMatchObject({ inputTokens: 1000, outputTokens: 200 });
  });

  test.each([['cached_tokens'], ['prompt_cache_hit_tokens']])('charges and returns cached tokens in usage.%s', async (name) => {
    chatFake.next(json(chatCompletion({ usage: { ...usage, [name]: 900 } })));
    const answer = await ask('/chat/completions', { messages });
    expect(await answer.json()).toMatchObject({ usage: { ...usage, prompt_tokens_details: { cached_tokens: 900 } } });
    expect(await receipt(answer)).toMatchObject({ inputTokens: 1000, outputTokens: 200 });
  });
});

/** The frames with this output in the last event. */
const withOutput = (frames: readonly SseEvent[], output: readonly object[]): SseEvent[] =>
  frames.map((frame) => {
    const data = frame.data as { readonly type: string; readonly response: object };
    return data.type === 'response.completed' ? { ...frame, data: { ...data, response: { ...data.response, output } } } : frame;
  });

describe('a responses stream whose last event lacks items', () => {
  const reply = { text: 'Hello.', toolCalls: [{ id: 'call_1', name: 'f', arguments: '{}' }] };
  const [message, call] = response(reply).output as readonly object[];

  test.each([
    ['all', []],
    ['the first', [call ?? {}]],
  ])('returns and stores %s of them from the earlier events', async (_, output) => {
    responsesFake.next(stream(withOutput(responseFrames(reply), output)));
    const last = await client.responses.stream({ model: 'gpt-5.4', input: 'Hi' }).finalResponse();
    expect(last.output).toMatchObject([message, call]);
    expect((await client.responses.retrieve(last.id)).output).toEqual([message, call]);

    await client.responses.create({
      model: 'gpt-5.4',
      previous_response_id: last.id,
      input: [{ type: 'function_call_output', call_id: 'call_1', output: 'ok' }],
    });
    expect(responsesFake.last.fields.input).toMatchObject([
      { role: 'user' },
      { type: 'message' },
      { type: 'function_call' },
      { type: 'function_call_output' },
    ]);
  });
});

describe('an output_text part without its text', () => {
  const whole = response({ text: '' });
  const [message = {}] = whole.output as readonly object[];
  const bare = { ...message, content: [{ type: 'output_text' }] };
  const told = [{ type: 'output_text', text: '', annotations: [] }];
  const frames = responseFrames({ text: '' }).map((frame) => {
    const data = frame.data as { readonly type: string };
    return data.type === 'response.output_item.done' ? { ...frame, data: { ...data, item: bare } } : frame;
  });

  test('returns and stores an empty text', async () => {
    responsesFake.next(json({ ...whole, output: [bare] }));
    const answer = await client.responses.create({ model: 'gpt-5.4', input: 'Hi' });
    expect(answer.output).toMatchObject([{ content: told }]);
    expect((await client.responses.retrieve(answer.id)).output).toMatchObject([{ content: told }]);
  });

  test.each([
    ['with', frames],
    ['without', frames.map(({ data }) => ({ data }))],
  ])('streams and stores an empty text, from events %s names', async (_, events) => {
    responsesFake.next(stream(withOutput(events, [bare])));
    const items: unknown[] = [];
    const answers: OpenAI.Responses.Response[] = [];
    for await (const event of await client.responses.create({ model: 'gpt-5.4', input: 'Hi', stream: true })) {
      if (event.type === 'response.output_item.done') items.push(event.item);
      if (event.type === 'response.completed') answers.push(event.response);
    }
    expect(items).toMatchObject([{ content: told }]);
    expect(answers).toMatchObject([{ output: [{ content: told }] }]);
    expect((await client.responses.retrieve(answers[0]?.id ?? '')).output).toMatchObject([{ content: told }]);
  });

  test('streams an empty text for items that the last event lacks', async () => {
    responsesFake.next(stream(withOutput(frames, [])));
    const last = await client.responses.stream({ model: 'gpt-5.4', input: 'Hi' }).finalResponse();
    expect(last.output).toMatchObject([{ content: told }]);
  });
});

describe('tool call IDs', () => {
  const sent = { name: 'f', arguments: '{}' };
  const call = (id: string) => ({ id, type: 'function', function: sent });
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' });
  const conversation = (...ids: readonly string[]) => [
    ...messages,
    { role: 'assistant', content: null, tool_calls: ids.map(call) },
    ...ids.map(result),
  ];
  const sentIds = () =>
    (chatFake.last.fields.messages as Fields[]).flatMap(({ tool_calls: calls, tool_call_id: id }) => [
      ...(Array.isArray(calls) ? calls.map((each) => each.id) : []),
      ...(id === undefined ? [] : [id]),
    ]);
  const developer = { role: 'developer', content: 'Be brief.' };
  const long = 'call_1234567890';

  test.each(['mistral-large-latest', 'mistralai/Ministral-3-14B'])('changes them to nine letters and digits for %s', async (model) => {
    chatFake.next(json(chatCompletion())).next(json(chatCompletion()));
    expect(
      (await gateway.call('/chat/completions', { json: { model, messages: [developer, ...conversation(long, 'abc123XYZ')] } })).status,
    ).toBe(200);
    expect(chatFake.last.fields.messages).toMatchObject([{ role: 'system' }, {}, {}, {}, {}]);
    const [first, second, ...others] = sentIds();
    expect([first, second, others]).toEqual([expect.stringMatching(/^[A-Za-z0-9]{9}$/), 'abc123XYZ', [first, second]]);
    const item = { type: 'function_call', call_id: long, ...sent };
    const output = { type: 'function_call_output', call_id: long, output: 'ok' };
    expect((await gateway.call('/responses', { json: { model, input: [{ role: 'user', content: 'Hi' }, item, output] } })).status).toBe(
      200,
    );
    expect(sentIds()).toEqual([first, first]);
  });

  test('keeps them for other models', async () => {
    chatFake.next(json(chatCompletion()));
    await gateway.call('/chat/completions', { json: { model: 'kimi-k3', messages: conversation(long) } });
    expect(sentIds()).toEqual([long, long]);
  });
});
