/** Chat answers as real vendors write them, for both callers: what the caller reads keeps the contract, and what is charged is what the vendor counted. */
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ChatCompletion, ChatCompletionChunk } from '../../../contract/chat/completion.ts';
import { json, stream } from '../../fakes/delivery.ts';
import type { Script } from '../../fakes/script.ts';
import { endedCharge } from '../../harness/ended-charge.ts';
import { openStage, type Stage } from '../ceilings/stage.ts';

let stage: Stage;
let client: OpenAI;
beforeAll(async () => {
  const prices = { input: '1', cachedInput: '0.1', output: '10' };
  stage = await openStage({}, [{ id: 'asked', kind: 'text', prices, maxOutputTokens: 1_000, protocols: ['chat'], upstreamModel: 'sent' }]);
  client = new OpenAI({ baseURL: stage.gateway.baseURL, apiKey: stage.gateway.key, maxRetries: 0 });
});
beforeEach(() => stage.fake.clear());
afterAll(() => stage.close());

const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }] as const;
const chat = { model: 'asked', messages: [{ role: 'user' as const, content: 'Hi' }], tools: [...tools] };
const say = (script: Script) => stage.fake.next(script);

/** The frames of a stream, each as the vendor's bytes. */
const frames = (...data: readonly (string | object)[]): Script =>
  stream([...data.map((one) => ({ raw: `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n` }))]);
const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'sent-2026-01-02' };
const part = (delta: object, finish_reason: unknown = null, more: object = {}) => ({
  ...head,
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
});
const answer = (message: object, more: object = {}, finish_reason: unknown = 'stop') => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'sent-2026-01-02',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
  ...more,
});

/** The answer as a chat caller reads it, with the chunks of a stream checked against the contract and joined. */
async function readChat(streamed: boolean) {
  const body = { ...chat, ...(streamed && { stream: true, stream_options: { include_usage: true } }) };
  const reply = await stage.gateway.call('/chat/completions', { json: body });
  expect(reply.status).toBe(200);
  const text = await reply.text();
  const charged = await chargedFor(reply);
  if (!streamed) {
    const whole = ChatCompletion.parse(JSON.parse(text));
    const [choice] = whole.choices;
    return { model: whole.model, id: whole.id, message: choice?.message, reason: choice?.finish_reason, usage: whole.usage, charged };
  }
  const blocks = text.trimEnd().split('\n\n');
  expect(blocks.at(-1)).toBe('data: [DONE]');
  const chunks = blocks.slice(0, -1).map((block) => ChatCompletionChunk.parse(JSON.parse(block.slice(6))));
  const choices = chunks.flatMap(({ choices: some }) => some);
  const joined = (field: string) =>
    choices
      .map(({ delta }) => delta[field])
      .filter((piece) => typeof piece === 'string')
      .join('');
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  return {
    model: chunks[0]?.model,
    id: chunks[0]?.id,
    message: { content: joined('content'), reasoning_content: joined('reasoning_content') },
    calls: choices.flatMap(({ delta }) => delta.tool_calls ?? []),
    reason: choices.flatMap(({ finish_reason }) => finish_reason ?? []).at(-1),
    usage: chunks.flatMap(({ usage }) => usage ?? []).at(-1),
    charged,
  };
}

async function readResponse(streamed: boolean) {
  const ask = {
    model: 'asked',
    input: 'Hi',
    store: false,
    tools: [{ type: 'function' as const, name: 'look', parameters: {}, strict: false }],
  };
  if (!streamed) return await client.responses.create(ask);
  const events = await client.responses.create({ ...ask, stream: true });
  for await (const event of events) if (event.type === 'response.completed') return event.response;
  throw new Error('the stream had no response.completed');
}

async function chargedFor(reply: Response): Promise<bigint> {
  const ledger = stage.gateway.gateway.money?.ledger;
  if (!ledger) throw new Error('billing is off');
  return (await endedCharge(ledger, reply.headers.get('x-request-id') ?? '')).charged;
}

const usage = { prompt_tokens: 10, completion_tokens: 500, total_tokens: 510 };

describe('V1: the last chunk of a compact stream is written with spaces', () => {
  const last = `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1790000000,"model":"sent","choices":[{"index":0,"delta":{},"finish_reason": "stop"}],"usage": {"prompt_tokens": 10, "completion_tokens": 500, "total_tokens": 510}}`;
  const script = () => frames(part({ role: 'assistant', content: '' }), part({ content: 'Hel' }), part({ content: 'lo' }), last, '[DONE]');

  test('returns the whole response to a chat caller, and charges the usage', async () => {
    say(script());
    const read = await readChat(true);
    expect(read).toMatchObject({ message: { content: 'Hello' }, reason: 'stop', usage, charged: 5_010n });
  });

  test('returns the same to a responses caller', async () => {
    say(script());
    const { output, usage: told } = await readResponse(true);
    expect(output).toMatchObject([{ type: 'message', content: [{ text: 'Hello' }] }]);
    expect(told).toMatchObject({ input_tokens: 10, output_tokens: 500 });
  });
});

describe('V2: the provider names another model in its response', () => {
  test.each([false, true])('returns the requested ID to a chat caller, streamed: %s', async (streamed) => {
    say(streamed ? frames(part({ content: 'a' }), part({}, 'stop'), '[DONE]') : json(answer({ content: 'a' })));
    expect((await readChat(streamed)).model).toBe('asked');
  });

  test("keeps fields of other objects named 'model' unchanged", async () => {
    say(json(answer({ content: 'a' }, { x_vendor: { model: 'sent-2026-01-02' } })));
    const reply = await stage.gateway.call('/chat/completions', { json: chat });
    expect(await reply.json()).toMatchObject({ model: 'asked', x_vendor: { model: 'sent-2026-01-02' } });
  });
});

describe('V3: the provider counts reasoning beside the output, and only the total has it', () => {
  const beside = { prompt_tokens: 12, completion_tokens: 2, total_tokens: 334, completion_tokens_details: { reasoning_tokens: 320 } };
  test.each([false, true])('charges and reports it as output, streamed: %s', async (streamed) => {
    say(
      streamed
        ? frames(part({ content: 'a' }), part({}, 'stop', { usage: beside }), '[DONE]')
        : json(answer({ content: 'a' }, { usage: beside })),
    );
    const read = await readChat(streamed);
    const told = { prompt_tokens: 12, completion_tokens: 322, total_tokens: 334, completion_tokens_details: { reasoning_tokens: 320 } };
    expect(read).toMatchObject({ usage: told, charged: 3_232n });
  });

  test('returns the same counts to a responses caller', async () => {
    say(json(answer({ content: 'a' }, { usage: beside })));
    const { usage: told } = await readResponse(false);
    expect(told).toMatchObject({
      input_tokens: 12,
      output_tokens: 322,
      total_tokens: 334,
      output_tokens_details: { reasoning_tokens: 320 },
    });
  });

  test('charges audio that only the total includes as input', async () => {
    say(json(answer({ content: 'a' }, { usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 107, prompt_audio_seconds: 4 } })));
    expect(await readChat(false)).toMatchObject({ usage: { prompt_tokens: 105, completion_tokens: 2 }, charged: 125n });
  });
});

describe('V6: the provider sends its content as parts, thoughts among them', () => {
  const parts = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'Let me see.' }] },
    { type: 'text', text: 'Yes.' },
  ];
  const script = (streamed: boolean) =>
    streamed ? frames(...parts.map((one) => part({ content: [one] })), part({}, 'stop'), '[DONE]') : json(answer({ content: parts }));

  test.each([false, true])('returns text and reasoning to a chat caller, streamed: %s', async (streamed) => {
    say(script(streamed));
    expect((await readChat(streamed)).message).toMatchObject({ content: 'Yes.', reasoning_content: 'Let me see.' });
  });

  test.each([false, true])('returns a reasoning item and a message to a responses caller, streamed: %s', async (streamed) => {
    say(script(streamed));
    const { output } = await readResponse(streamed);
    expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
    expect(JSON.stringify(output[0])).toContain('Let me see.');
  });
});

describe('V8: the provider sends no finish reason, or an empty one', () => {
  const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } };
  test.each([
    ['none before [DONE]', [part({ content: 'a' })], 'stop'],
    ['none after a call', [part({ tool_calls: [call] })], 'tool_calls'],
    ['an empty one', [part({ content: 'a' }, ''), part({}, '')], 'stop'],
  ] as const)('returns a complete response to both callers: %s', async (_, chunks, reason) => {
    say(frames(...chunks, { ...head, choices: [], usage }, '[DONE]'));
    expect(await readChat(true)).toMatchObject({ reason, usage, charged: 5_010n });
    say(frames(...chunks, { ...head, choices: [], usage }, '[DONE]'));
    expect(await readResponse(true)).toMatchObject({ status: 'completed' });
  });

  test('ends a stream without a finish reason and without [DONE] as broken', async () => {
    say(frames(part({ content: 'a' })));
    const reply = await stage.gateway.call('/chat/completions', { json: { ...chat, stream: true } });
    expect(await reply.text()).toContain('"code":"upstream_error"');
  });
});

describe('V12: the provider omits fields of the contract', () => {
  test('chunks without id, object, model and created get them', async () => {
    const bare = { id: '', object: '', created: 0, model: '', prompt_filter_results: [], choices: [] };
    say(frames(bare, { choices: [{ delta: { role: 'assistant', content: 'a' } }] }, part({ content: 'b' }), part({}, 'stop'), '[DONE]'));
    const read = await readChat(true);
    expect(read).toMatchObject({ model: 'asked', message: { content: 'ab' }, reason: 'stop' });
    expect(read.id).toMatch(/^chatcmpl-/);
  });

  test('pieces of calls without index, type or text arguments get them', async () => {
    const first = { id: 'call_1', function: { name: 'look', arguments: '' } };
    const second = { id: 'call_2', type: 'function', function: { name: 'look', arguments: { a: 1 } } };
    say(
      frames(
        part({ tool_calls: [first] }),
        part({ tool_calls: [{ id: null, function: { name: null, arguments: '{}' } }] }),
        part({ tool_calls: [second] }),
        part({}, 'tool_calls'),
        '[DONE]',
      ),
    );
    const { calls } = await readChat(true);
    expect(calls).toEqual([
      { index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '' } },
      { index: 0, function: { arguments: '{}' } },
      { index: 1, id: 'call_2', type: 'function', function: { name: 'look', arguments: '{"a":1}' } },
    ]);
  });

  test('reports usage that is in each chunk once, at the end', async () => {
    const growing = [1, 2, 500].map((completion_tokens) => ({
      prompt_tokens: 10,
      completion_tokens,
      total_tokens: 10 + completion_tokens,
    }));
    say(frames(...growing.map((one, at) => part({ content: 'a' }, at === 2 ? 'stop' : null, { usage: one })), '[DONE]'));
    const reply = await stage.gateway.call('/chat/completions', {
      json: { ...chat, stream: true, stream_options: { include_usage: true } },
    });
    const told = (await reply.text()).split('\n\n').filter((block) => block.includes('"usage":{'));
    expect(told).toHaveLength(1);
    expect(JSON.parse(told[0]?.slice(6) ?? '')).toMatchObject({ choices: [], usage });
    expect(await chargedFor(reply)).toBe(5_010n);
  });

  test('adds ID, object, role, finish reason and call IDs to a whole response', async () => {
    const message = { content: null, tool_calls: [{ function: { name: 'look', arguments: { a: 1 } } }] };
    say(json({ model: 'sent', choices: [{ message }], usage }));
    const read = await readChat(false);
    expect(read).toMatchObject({ reason: 'tool_calls', message: { role: 'assistant' }, charged: 5_010n });
    expect(read.message).toMatchObject({ tool_calls: [{ type: 'function', function: { name: 'look', arguments: '{"a":1}' } }] });
  });
});

describe('V14: more cached tokens than input', () => {
  const wrong = { prompt_tokens: 100, completion_tokens: 1, total_tokens: 101, prompt_tokens_details: { cached_tokens: 164 } };
  test('returns the number that is charged', async () => {
    say(json(answer({ content: 'a' }, { usage: wrong })));
    expect(await readChat(false)).toMatchObject({ usage: { prompt_tokens_details: { cached_tokens: 100 } }, charged: 20n });
  });
});

describe('Azure', () => {
  const verdict = { hate: { filtered: false, severity: 'safe' } };
  const prelude = {
    id: '',
    object: '',
    created: 0,
    model: '',
    choices: [],
    prompt_filter_results: [{ prompt_index: 0, content_filter_results: verdict }],
  };

  test('sends its verdict on the prompt before the response: the caller reads none of it', async () => {
    say(frames(prelude, part({ role: 'assistant', content: 'Hello' }, null, {}), part({}, 'stop'), '[DONE]'));
    const { id, message } = await readChat(true);
    expect({ id, content: message?.content }).toEqual({ id: 'chatcmpl-1', content: 'Hello' });
  });

  test('leaves a filtered answer without a message: it becomes an empty one', async () => {
    const { choices: _, ...rest } = answer({});
    say(json({ ...rest, choices: [{ index: 0, finish_reason: 'content_filter', content_filter_results: verdict }] }));
    const { message, reason } = await readChat(false);
    expect({ content: message?.content, reason }).toEqual({ content: '', reason: 'content_filter' });
  });
});
