/** A tool loop of five calls, with each way of keeping the conversation. */
import OpenAI from 'openai';
import { expect } from 'vitest';
import type { FakeRequest } from '../fakes/exchange.ts';
import { unmarked } from '../fakes/gemini.ts';
import type { Fake } from '../fakes/upstream.ts';
import { type Kind, kinds, modelOver, openPairs, type Pairs, type Reply, say, seals } from '../harness/pairs.ts';
import type { Fields } from './translation-callers.ts';

const question = 'Count to five with the tool.';
export const turns = 5;
export const finalAnswer = `${question} 1, 2, 3, 4, 5 — done ☕.`;
const tool = {
  name: 'next_number',
  description: 'The number after n.',
  parameters: { type: 'object', properties: { n: { type: 'integer' } } },
};

/** Opens a vendor of each kind that plays the model of the loop. */
export async function openLoops(data?: string): Promise<Pairs> {
  const pairs = await openPairs(data === undefined ? {} : { data });
  for (const kind of kinds) playModel(kind, pairs.fakes[kind]);
  return pairs;
}

export const playModel = (kind: Kind, fake: Fake): void => {
  fake.always((request) => say(kind, request, think(kind, request)));
};

/**
 * A model that only knows what the request tells it: calls until it sees five calls of its own with their results, then repeats what it was
 * asked and told. A call that is lost or changed, or a result that answers none, shows in what it says.
 */
function think(kind: Kind, request: FakeRequest): Reply {
  const results = stepsIn[kind](request.fields).map(({ id, name, input, result }, index) =>
    isIdOf(id, index) && name === tool.name && input === JSON.stringify({ n: index })
      ? result
      : `a call that was not made: ${id} ${name} ${input}`,
  );
  const said = JSON.stringify(request.fields).includes(question) ? question : 'nothing was asked';
  if (results.length >= turns) return { thought: 'All is there.', text: `${said} ${results.join(', ')} — done ☕.` };
  const n = results.length;
  return { thought: `I am at ${n}.`, calls: [{ id: `call_${n}`, name: tool.name, input: JSON.stringify({ n }) }] };
}

/** Gemini gets the ids that it gave, and no others. */
const isIdOf = (id: unknown, index: number): boolean => id === undefined || (typeof id === 'string' && unmarked(id) === `call_${index}`);

/** A call in a request, with what was answered to its id. */
interface Step {
  readonly id: unknown;
  readonly name: unknown;
  /** JSON text. */
  readonly input: unknown;
  readonly result: unknown;
}

const list = (value: unknown): Fields[] => (Array.isArray(value) ? value : []);
const inner = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {});
const resultOf = (results: readonly Fields[], key: string, id: unknown): Fields => results.find((each) => each[key] === id) ?? {};

const stepsIn: Readonly<Record<Kind, (fields: Fields) => Step[]>> = {
  chat({ messages }) {
    const calls = list(messages).flatMap(({ tool_calls }) => list(tool_calls));
    return calls.map((call) => {
      const { name, arguments: input } = inner(call.function);
      return { id: call.id, name, input, result: resultOf(list(messages), 'tool_call_id', call.id).content };
    });
  },
  responses({ input: items }) {
    const outputs = list(items).filter(({ type }) => type === 'function_call_output');
    const calls = list(items).filter(({ type }) => type === 'function_call');
    return calls.map(({ call_id, name, arguments: input }) => ({
      id: call_id,
      name,
      input,
      result: resultOf(outputs, 'call_id', call_id).output,
    }));
  },
  anthropic({ messages }) {
    const blocks = list(messages).flatMap(({ content }) => list(content));
    const calls = blocks.filter(({ type }) => type === 'tool_use');
    return calls.map(({ id, name, input }) => ({
      id,
      name,
      input: JSON.stringify(input),
      result: resultOf(blocks, 'tool_use_id', id).content,
    }));
  },
  converse({ messages }) {
    const blocks = list(messages).flatMap(({ content }) => list(content));
    const results = blocks.flatMap(({ toolResult }) => (toolResult ? [inner(toolResult)] : []));
    const calls = blocks.flatMap(({ toolUse }) => (toolUse ? [inner(toolUse)] : []));
    return calls.map(({ toolUseId: id, name, input }) => ({
      id,
      name,
      input: JSON.stringify(input),
      result: list(resultOf(results, 'toolUseId', id).content)
        .map(({ text }) => text)
        .join(''),
    }));
  },
  gemini({ contents }) {
    const parts = list(contents).flatMap((content) => list(content.parts));
    const results = parts.flatMap(({ functionResponse }) => (functionResponse ? [inner(functionResponse)] : []));
    const calls = parts.flatMap(({ functionCall }) => (functionCall ? [inner(functionCall)] : []));
    return calls.map(({ id, name, args }, index) => ({
      id,
      name,
      input: JSON.stringify(args),
      result: results[index]?.id === id ? inner(results[index]?.response).result : 'a result of another call',
    }));
  },
};

export interface Loop {
  /** The kinds of upstream of the turns, repeated. */
  readonly over: readonly Kind[];
  readonly isStream: boolean;
  /** The caller's field `reasoning`. */
  readonly reasoning?: { readonly effort: 'low' };
  /** Called before each turn but the first. */
  readonly between?: () => Promise<void>;
}

export type Way = 'previous_response_id' | 'manual items' | 'stateless';
export const ways: readonly Way[] = ['previous_response_id', 'manual items', 'stateless'];

const kindAt = ({ over }: Loop, turn: number): Kind => over[turn % over.length] ?? 'chat';
/** The address of the gateway, which may change between two turns. */
export interface Door {
  readonly gateway: { readonly baseURL: string; readonly key: string };
}
const client = ({ gateway }: Door) => new OpenAI({ baseURL: gateway.baseURL, apiKey: gateway.key, maxRetries: 0 });

const respond = (
  sdk: OpenAI,
  body: OpenAI.Responses.ResponseCreateParamsNonStreaming,
  isStream: boolean,
): Promise<OpenAI.Responses.Response> =>
  isStream ? sdk.responses.stream({ ...body, stream: true }).finalResponse() : sdk.responses.create(body);

/** The loop of a responses caller; returns the final text. */
export async function runResponses(door: Door, way: Way, loop: Loop): Promise<string> {
  const history: OpenAI.Responses.ResponseInput = [{ role: 'user', content: question }];
  let added: OpenAI.Responses.ResponseInput = history.slice();
  let previous: string | undefined;
  for (let turn = 0; turn <= turns; turn++) {
    if (turn > 0) await loop.between?.();
    const answer = await respond(
      client(door),
      {
        model: modelOver(kindAt(loop, turn)),
        tools: [{ type: 'function', strict: false, ...tool }],
        ...(loop.reasoning && { reasoning: loop.reasoning }),
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
    // Output items may be sent back as input.
    history.push(...(answer.output as OpenAI.Responses.ResponseInput), ...added);
    previous = answer.id;
  }
  throw new Error('the loop did not end');
}

export async function runChat(door: Door, loop: Loop): Promise<string> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }];
  for (let turn = 0; turn <= turns; turn++) {
    const body = { model: modelOver(kindAt(loop, turn)), messages, tools: [{ type: 'function' as const, function: tool }] };
    const answer = loop.isStream
      ? await client(door)
          .chat.completions.stream({ ...body, stream: true })
          .finalChatCompletion()
      : await client(door).chat.completions.create(body);
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

/** Expects that reasoning was sent only to the vendor that made it. */
export function expectNoForeignSeals(pairs: Pairs): void {
  for (const kind of kinds) {
    for (const { body } of pairs.fakes[kind].requests) {
      expect(body.toString(), `${kind} is sent a seal of the gateway`).not.toContain('mg1.');
      for (const [maker, seal] of Object.entries(seals))
        if (maker !== kind) expect(body.toString(), `${kind} is sent a seal of ${maker}`).not.toContain(seal);
    }
  }
}
