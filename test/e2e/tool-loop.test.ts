/** Loops of five calls and an answer over every kind of upstream, in every way of keeping the conversation (specification 4.6 and 5.5). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FakeRequest } from '../fakes/exchange.ts';
import { type Kind, kinds, modelOver, openPairs, type Pairs, type Reply, say, seals } from '../harness/pairs.ts';
import type { Fields } from './translation-callers.ts';

const question = 'Count to five with the tool.';
const turns = 5;
const finalAnswer = `${question} 1, 2, 3, 4, 5 — done ☕.`;
const tool = {
  name: 'next_number',
  description: 'The number after n.',
  parameters: { type: 'object', properties: { n: { type: 'integer' } } },
};

let data: string;
let pairs: Pairs;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'modelgate-loop-'));
  pairs = await openPairs({ data });
  for (const kind of kinds) pairs.fakes[kind].always((request) => say(kind, request, think(kind, request)));
});
afterAll(async () => {
  await pairs.close();
  await rm(data, { recursive: true, force: true });
});
beforeEach(() => {
  for (const kind of kinds) pairs.fakes[kind].requests.length = 0;
});

/** A model that only knows what the request tells it: calls until it sees five results, then repeats what it was asked and told. */
function think(kind: Kind, request: FakeRequest): Reply {
  const results = resultsIn[kind](request.fields);
  const said = JSON.stringify(request.fields).includes(question) ? question : 'nothing was asked';
  if (results.length >= turns) return { thought: 'All is there.', text: `${said} ${results.join(', ')} — done ☕.` };
  const n = results.length;
  return { thought: `I am at ${n}.`, calls: [{ id: `call_${n}`, name: tool.name, input: JSON.stringify({ n }) }] };
}

const list = (value: unknown): Fields[] => (Array.isArray(value) ? value : []);
const resultsIn: Readonly<Record<Kind, (fields: Fields) => unknown[]>> = {
  chat: ({ messages }) => list(messages).flatMap(({ role, content }) => (role === 'tool' ? [content] : [])),
  responses: ({ input }) => list(input).flatMap(({ type, output }) => (type === 'function_call_output' ? [output] : [])),
  anthropic: ({ messages }) =>
    list(messages).flatMap(({ content }) => list(content).flatMap((block) => (block.type === 'tool_result' ? [block.content] : []))),
  gemini: ({ contents }) =>
    list(contents).flatMap(({ parts }) =>
      // The shape is what the vendor is sent; anything else fails the comparison of the answer.
      list(parts).flatMap(({ functionResponse }) =>
        functionResponse ? [(functionResponse as { response: { result: unknown } }).response.result] : [],
      ),
    ),
};

interface Loop {
  /** The kind of upstream of each turn, over and over. */
  readonly over: readonly Kind[];
  readonly isStream: boolean;
  /** Before each turn but the first. */
  readonly between?: () => Promise<void>;
}

type Way = 'previous_response_id' | 'manual items' | 'stateless';
const ways: readonly Way[] = ['previous_response_id', 'manual items', 'stateless'];

const kindAt = ({ over }: Loop, turn: number): Kind => over[turn % over.length] ?? 'chat';
const client = () => new OpenAI({ baseURL: pairs.gateway.baseURL, apiKey: key, maxRetries: 0 });
let key: string;
beforeAll(() => {
  key = pairs.gateway.key;
});

async function respond(body: OpenAI.Responses.ResponseCreateParamsNonStreaming, isStream: boolean): Promise<OpenAI.Responses.Response> {
  return isStream
    ? client()
        .responses.stream({ ...body, stream: true })
        .finalResponse()
    : client().responses.create(body);
}

/** The loop of a responses caller; returns the final text. */
async function runResponses(way: Way, loop: Loop): Promise<string> {
  const history: OpenAI.Responses.ResponseInput = [{ role: 'user', content: question }];
  let added: OpenAI.Responses.ResponseInput = history.slice();
  let previous: string | undefined;
  for (let turn = 0; turn <= turns; turn++) {
    if (turn > 0) await loop.between?.();
    const answer = await respond(
      {
        model: modelOver(kindAt(loop, turn)),
        tools: [{ type: 'function', strict: false, ...tool }],
        ...(way === 'previous_response_id' ? { input: added, ...(previous && { previous_response_id: previous }) } : { input: history }),
        ...(way === 'stateless' && { store: false, include: ['reasoning.encrypted_content'] }),
      },
      loop.isStream,
    );
    const calls = answer.output.filter((item) => item.type === 'function_call');
    if (calls.length === 0) return answer.output_text;
    added = calls.map(({ call_id, arguments: json }) => ({
      type: 'function_call_output',
      call_id,
      output: String(JSON.parse(json).n + 1),
    }));
    // What comes out goes in again: that is the promise of items kept by hand.
    history.push(...(answer.output as OpenAI.Responses.ResponseInput), ...added);
    previous = answer.id;
  }
  throw new Error('the loop did not end');
}

async function runChat(loop: Loop): Promise<string> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }];
  for (let turn = 0; turn <= turns; turn++) {
    const body = { model: modelOver(kindAt(loop, turn)), messages, tools: [{ type: 'function' as const, function: tool }] };
    const answer = loop.isStream
      ? await client()
          .chat.completions.stream({ ...body, stream: true })
          .finalChatCompletion()
      : await client().chat.completions.create(body);
    const message = answer.choices[0]?.message;
    if (!message) throw new Error('an answer without a message');
    messages.push(message);
    const calls = (message.tool_calls ?? []).filter((call) => call.type === 'function');
    if (calls.length === 0) return message.content ?? '';
    for (const call of calls)
      messages.push({ role: 'tool', tool_call_id: call.id, content: String(JSON.parse(call.function.arguments).n + 1) });
  }
  throw new Error('the loop did not end');
}

/** Thoughts are for the vendor that had them. */
function expectNoForeignSeals(): void {
  for (const kind of kinds) {
    for (const { body } of pairs.fakes[kind].requests) {
      expect(body.toString(), `${kind} is sent a seal of the gateway`).not.toContain('mg1.');
      for (const [maker, seal] of Object.entries(seals))
        if (maker !== kind) expect(body.toString(), `${kind} is sent a seal of ${maker}`).not.toContain(seal);
    }
  }
}

const forms = [false, true].flatMap((isStream) => kinds.map((kind) => ({ kind, isStream, form: isStream ? 'streamed' : 'whole' })));
/** Each kind follows each other kind once. */
const mixed: readonly Kind[] = ['anthropic', 'responses', 'gemini', 'chat', 'anthropic', 'gemini'];
const otherwise: readonly Kind[] = ['responses', 'chat', 'responses', 'anthropic', 'chat', 'responses'];

describe.each(forms)('over $kind, $form', ({ kind, isStream }) => {
  test.each(ways)('F10: a loop of five calls with %s comes to its answer', async (way) => {
    expect(await runResponses(way, { over: [kind], isStream })).toBe(finalAnswer);
    expect(pairs.fakes[kind].requests).toHaveLength(turns + 1);
    expectNoForeignSeals();
  });

  test('the same loop of a chat caller comes to the same answer', async () => {
    expect(await runChat({ over: [kind], isStream })).toBe(finalAnswer);
  });
});

describe.each([
  { over: mixed, isStream: false },
  { over: mixed, isStream: true },
  { over: otherwise, isStream: false },
  { over: otherwise, isStream: true },
])('the upstream changes in mid-chain: $over (streamed: $isStream)', (loop) => {
  test.each(ways)('F12: with %s the answer is the same, and no thought goes to a vendor that did not have it', async (way) => {
    expect(await runResponses(way, loop)).toBe(finalAnswer);
    expectNoForeignSeals();
  });

  test('a chat caller comes to the same answer', async () => {
    expect(await runChat(loop)).toBe(finalAnswer);
  });
});

describe('the gateway is started anew between the turns', () => {
  const between = () => pairs.restart();
  test.each(kinds)('over %s the chain goes on from where it was', async (kind) => {
    expect(await runResponses('previous_response_id', { over: [kind], isStream: false, between })).toBe(finalAnswer);
  });

  test.each(ways)('over upstreams that change, with %s, the answer is the same', async (way) => {
    expect(await runResponses(way, { over: mixed, isStream: true, between })).toBe(finalAnswer);
    expectNoForeignSeals();
  });
});

test.each(kinds)('F10: over %s each vendor gets its own thoughts back on every later turn', async (kind) => {
  await runResponses('previous_response_id', { over: [kind], isStream: true });
  if (kind === 'chat') return expect(pairs.fakes.chat.last.body.toString()).not.toContain('I am at');
  const seen = pairs.fakes[kind].requests.map(({ body }) => body.toString().split(seals[kind]).length - 1);
  expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
});
