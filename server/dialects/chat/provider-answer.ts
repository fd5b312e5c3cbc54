/** Brings a provider's whole chat response into the shape of the contract: fills in what the provider omitted, and replaces its own spellings. */
import { hash } from 'node:crypto';
import type { ChatCompletion, ChatCompletionChunk } from '../../../contract/chat/completion.ts';
import type { Exact } from '../../../contract/shared/exact.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { type Fields, isFields, isSet } from '../../primitives/fields.ts';
import { chatUsageNames, toldUsage } from '../usage.ts';
import type { Changes } from '../wire/json-body.ts';

/** The fields that an object must have, as they must be; the object itself when they are so already. */
export function withValues(object: Fields, wanted: Fields): Fields {
  for (const name in wanted) if (object[name] !== wanted[name]) return { ...object, ...wanted };
  return object;
}

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Seconds since 1970, as the provider said, or now. */
export const createdOf = ({ created }: Fields): number =>
  typeof created === 'number' && Number.isInteger(created) && created >= 0 ? created : Math.floor(Date.now() / 1000);

/** An ID for what the provider left without one: the same for the same parts. */
export const madeId = (prefix: string, ...parts: readonly unknown[]): string =>
  `${prefix}${hash('sha256', JSON.stringify(parts), 'hex').slice(0, 24)}`;

export function endOf(given: unknown): ChatFinishReason | null {
  const reason = readFinishReason(given);
  if (reason !== 'failed') return reason;
  throw new GatewayError<CallCode>('upstream_error', { message: 'The upstream aborted the response.' });
}

/** Content as a list becomes text, and its thoughts become `reasoning_content`. */
export function withTextContent(message: Fields): Fields {
  const { content, reasoning_content: before } = message;
  if (!Array.isArray(content)) return message;
  const thoughts = (typeof before === 'string' ? before : '') + content.map(thoughtIn).join('');
  const said = content.map(textIn).join('');
  return { ...message, content: said === '' && thoughts !== '' ? null : said, ...(thoughts !== '' && { reasoning_content: thoughts }) };
}

/** The arguments of a call as JSON text: some providers send the object. */
export const withTextArguments = (body: Fields): Fields =>
  isFields(body.arguments) ? { ...body, arguments: JSON.stringify(body.arguments) } : body;

function callOf(call: unknown, at: number, answerId: unknown): unknown {
  if (!isFields(call)) return call;
  const id = isText(call.id) ? call.id : madeId('call_', answerId, at);
  if (isFields(call.custom)) return withValues(call, { id, type: 'custom' });
  const given = isFields(call.function) ? withTextArguments(call.function) : {};
  const body = typeof given.arguments === 'string' ? given : { ...given, arguments: '{}' };
  return withValues(call, { id, type: 'function', function: body });
}

/** A list in which each entry is what `each` makes of it; the list itself when nothing changed. */
export function mapped(list: readonly unknown[], each: (entry: unknown, at: number) => unknown): readonly unknown[] {
  const made = list.map(each);
  return made.every((entry, at) => entry === list[at]) ? list : made;
}

function messageOf(given: Fields, answerId: unknown): Fields {
  const hasCalls = Array.isArray(given.tool_calls) && given.tool_calls.length > 0;
  // A choice that a content filter emptied has no message at all.
  const message = given.content === undefined ? { ...given, content: hasCalls ? null : '' } : given;
  const told = withValues(withTextContent(message), { role: 'assistant' });
  if (!Array.isArray(told.tool_calls)) return told;
  return withValues(told, { tool_calls: mapped(told.tool_calls, (call, at) => callOf(call, at, answerId)) });
}

function choiceOf(choice: unknown, at: number, answerId: unknown): unknown {
  if (!isFields(choice)) return choice;
  const message = messageOf(isFields(choice.message) ? choice.message : {}, answerId);
  const calls = Array.isArray(message.tool_calls) && message.tool_calls.length > 0;
  const finish_reason = endOf(choice.finish_reason) ?? (calls ? 'tool_calls' : 'stop');
  return withValues(choice, { index: typeof choice.index === 'number' ? choice.index : at, message, finish_reason });
}

/** The response itself when it needs no change. Throws `upstream_error` for a response that the provider gave up. */
export function completeAnswer(answer: Fields): Fields {
  const created = createdOf(answer);
  const id = isText(answer.id) ? answer.id : madeId('chatcmpl-', created, answer);
  const told = withValues(answer, { id, object: 'chat.completion', created });
  if (!Array.isArray(told.choices)) return told;
  const whole = withValues(told, { choices: mapped(told.choices, (choice, at) => choiceOf(choice, at, id)) });
  return isFields(whole.usage) ? withValues(whole, { usage: toldUsage(whole.usage, chatUsageNames) }) : whole;
}

/** A call of one choice: its place in the list, and whether its first piece has come. */
interface OpenCall {
  readonly index: number;
  readonly id: string;
}

/** Content of a choice so far. */
interface ChoiceState {
  hasEnded: boolean;
  readonly calls: OpenCall[];
}

export interface ChunkOptions {
  /** The ID of the model that the caller asked for. */
  readonly model: string;
  readonly showUsage: boolean;
}

export class ChunkCompleter {
  readonly #options: ChunkOptions;
  readonly #choices = new Map<number, ChoiceState>();
  #id = '';
  #created = 0;
  /** Usage that the caller requested and that arrived together with text: it's sent in a separate chunk at the end. */
  #owedUsage: Fields | null = null;

  constructor(options: ChunkOptions) {
    this.#options = options;
  }

  /** How many choices have begun, and whether each of them has its finish reason. */
  get begun(): number {
    return this.#choices.size;
  }
  get haveAllEnded(): boolean {
    return [...this.#choices.values()].every(({ hasEnded }) => hasEnded);
  }

  /** The chunk itself when it needs no change; null if nothing of it is left for the caller. Throws when the provider gave its response up. */
  complete(chunk: Fields): Fields | null {
    const told = withValues(this.#withUsage(chunk), this.#head(chunk));
    const choices = Array.isArray(told.choices) ? told.choices : [];
    if (choices.length === 0 && isFields(chunk.usage) && !isFields(told.usage)) return null;
    return withValues(told, { choices: mapped(choices, (choice, at) => (isFields(choice) ? this.#choice(choice, at) : choice)) });
  }

  /** The chunks that the provider owes at the end of a stream that it marked as complete. */
  rest(): Fields[] {
    const open = [...this.#choices].filter(([, { hasEnded }]) => !hasEnded);
    const ends = open.map(([index, state]) => ({ index, delta: {}, finish_reason: this.#end(state) }));
    const usage = this.#owedUsage;
    return [...ends.map((choice) => this.#made({ choices: [choice] })), ...(usage ? [this.#made({ choices: [], usage })] : [])];
  }

  #end(state: ChoiceState): string {
    state.hasEnded = true;
    return state.calls.length > 0 ? 'tool_calls' : 'stop';
  }

  #made(fields: Fields): Fields {
    return { id: this.#id, object: 'chat.completion.chunk', created: this.#created, model: this.#options.model, ...fields };
  }

  /** All chunks of a response have the ID of the first one. */
  #head(chunk: Fields): Fields {
    this.#created ||= createdOf(chunk);
    this.#id ||= isText(chunk.id) ? chunk.id : madeId('chatcmpl-', this.#created, process.hrtime.bigint().toString());
    const created = createdOf(chunk) === chunk.created ? chunk.created : this.#created;
    return { id: this.#id, object: 'chat.completion.chunk', created, model: this.#options.model };
  }

  /** Usage stays only in the chunk that holds nothing else, and only for callers who asked for it. */
  #withUsage(chunk: Fields): Fields {
    if (chunk.usage === undefined) return chunk;
    const { usage, ...rest } = chunk;
    if (!this.#options.showUsage) return rest;
    if (!isFields(usage)) return chunk;
    const told = toldUsage(usage, chatUsageNames);
    const isAlone = !Array.isArray(chunk.choices) || chunk.choices.length === 0;
    this.#owedUsage = isAlone ? null : told;
    return withValues(chunk, { usage: isAlone ? told : null });
  }

  #choice(choice: Fields, at: number): Fields {
    const index = typeof choice.index === 'number' ? choice.index : at;
    const state = this.#stateOf(index);
    const delta = this.#delta(isFields(choice.delta) ? choice.delta : {}, state);
    const finish_reason = endOf(choice.finish_reason);
    state.hasEnded ||= finish_reason !== null;
    const isUnsaid = finish_reason === null && choice.finish_reason === undefined;
    return withValues(choice, { index, delta, ...(!isUnsaid && { finish_reason }) });
  }

  #stateOf(index: number): ChoiceState {
    const known = this.#choices.get(index);
    if (known) return known;
    const state: ChoiceState = { hasEnded: false, calls: [] };
    this.#choices.set(index, state);
    return state;
  }

  #delta(delta: Fields, { calls }: ChoiceState): Fields {
    const told = withTextContent(delta);
    const role = told.role === '' ? withValues(told, { role: null }) : told;
    if (!Array.isArray(role.tool_calls)) return role;
    return withValues(role, { tool_calls: mapped(role.tool_calls, (piece) => (isFields(piece) ? this.#piece(piece, calls) : piece)) });
  }

  /** The first piece of a call has an ID, a type and a name; later ones have none of them. */
  #piece(piece: Fields, calls: OpenCall[]): Fields {
    const body = isFields(piece.custom) ? piece.custom : isFields(piece.function) ? piece.function : {};
    const known = findCall(piece, isText(body.name), calls);
    const index = known?.index ?? (typeof piece.index === 'number' ? piece.index : calls.length);
    const { id, type, function: called, ...rest } = piece;
    const named = isFields(called) ? { function: withoutNulls(withTextArguments(called)) } : {};
    if (known)
      return isSound(piece, known) ? piece : { ...rest, index, ...(isText(id) && { id }), ...(isText(type) && { type }), ...named };
    const first: OpenCall = { index, id: isText(id) ? id : madeId('call_', this.#id, index) };
    calls.push(first);
    const whole = { ...rest, index, id: first.id, type: isFields(piece.custom) ? 'custom' : 'function', ...named };
    return isFields(called) && named.function === called ? withValues(piece, { index, id: whole.id, type: whole.type }) : whole;
  }
}

/** A chunk before the response that holds neither a choice nor usage: Azure tells its verdict on the prompt so. It begins nothing, so another upstream may still be tried. */
export const isPrelude = ({ choices, usage }: Fields): boolean => Array.isArray(choices) && choices.length === 0 && !isFields(usage);

/** Whether a later piece is as the contract says. */
const isSound = ({ index, id, type, function: called }: Fields, known: OpenCall): boolean =>
  index === known.index &&
  id !== null &&
  id !== '' &&
  type !== null &&
  type !== '' &&
  (!isFields(called) || withoutNulls(withTextArguments(called)) === called);

function withoutNulls(body: Fields): Fields {
  const entries = Object.entries(body).filter(([, value]) => value !== null);
  return entries.length === Object.keys(body).length ? body : Object.fromEntries(entries);
}

/** The call that a piece continues: by its index, and where the provider sends none, by its ID, or the last one unless it names another. */
function findCall({ index, id }: Fields, isNamed: boolean, calls: readonly OpenCall[]): OpenCall | undefined {
  if (typeof index === 'number') return calls.find((call) => call.index === index);
  const same = isText(id) ? calls.find((call) => call.id === id) : undefined;
  return same ?? (isNamed || isText(id) ? undefined : calls.at(-1));
}

const listed = (value: unknown): string => (Array.isArray(value) ? value.map(textIn).join('') : typeof value === 'string' ? value : '');

/** The text of a part; empty for a part of another kind. */
export const textIn = (part: unknown): string => (isFields(part) && part.type === 'text' ? listed(part.text) : '');

/** The thoughts of a part; empty for a part of another kind. */
export const thoughtIn = (part: unknown): string => (isThinking(part) ? listed(part.thinking) : '');

/** How an upstream takes the thoughts of earlier responses: as parts, in a field of the message, or (null) not at all. */
export type ThoughtsPlace = 'parts' | { readonly field: string } | null;

const isThinking = (part: unknown): part is Fields => isFields(part) && part.type === 'thinking';

const NONE: readonly unknown[] = [];
const partsOf = (message: unknown): readonly unknown[] =>
  isFields(message) && message.role === 'assistant' && Array.isArray(message.content) ? message.content : NONE;

const hasThoughts = (message: unknown): boolean => partsOf(message).some(isThinking);

/** The message with its thoughts in `field`, or without them. The field that the caller sent wins over the parts. */
function withoutThoughts(message: Fields, field: string | null): Fields {
  const parts = partsOf(message);
  const said = parts.filter((part) => !isThinking(part));
  const thoughts = parts.map(thoughtIn).join('');
  const content = said.length > 0 ? said : hasMore(message) ? null : '';
  return { ...message, content, ...(field !== null && !isSet(message[field]) && { [field]: thoughts }) };
}

const hasMore = ({ tool_calls: calls, refusal }: Fields): boolean => (Array.isArray(calls) && calls.length > 0) || isSet(refusal);

/** The change of a chat body for an upstream that takes thoughts in this place. */
export function thoughtsMoved({ messages }: Fields, place: ThoughtsPlace): Changes {
  if (place === 'parts' || !Array.isArray(messages)) return {};
  if (!messages.some(hasThoughts)) return {};
  const field = place === null ? null : place.field;
  const moved = (message: unknown): unknown => (isFields(message) && hasThoughts(message) ? withoutThoughts(message, field) : message);
  return { messages: messages.map(moved) };
}

/** The paths of thoughts that an upstream isn't sent. */
export function thoughtsLeftOut({ messages }: Fields, place: ThoughtsPlace): readonly string[] {
  if (place !== null || !Array.isArray(messages) || !messages.some(hasThoughts)) return [];
  return messages.flatMap((message: unknown, at) =>
    partsOf(message).flatMap((part, index) => (isThinking(part) ? [`messages[${at}].content[${index}]`] : [])),
  );
}

const known: Readonly<Record<string, ChatFinishReason>> = {
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  max_length: 'length',
  model_length: 'length',
  tool_calls: 'tool_calls',
  tool_call: 'tool_calls',
  tool_use: 'tool_calls',
  function_call: 'function_call',
  content_filter: 'content_filter',
  content_filtered: 'content_filter',
  guardrail_intervened: 'content_filter',
  safety: 'content_filter',
  recitation: 'content_filter',
  refusal: 'content_filter',
};

/** Finish reasons of providers for a response that failed. */
const failures = new Set(['error', 'abort', 'insufficient_system_resource', 'load', 'unload']);

/** The reason by the contract's name; `failed` for a response that the provider gave up; null if nothing has ended. Any other text is a natural end. */
export function readFinishReason(given: unknown): ChatFinishReason | 'failed' | null {
  if (typeof given !== 'string' || given === '') return null;
  const name = given.toLowerCase();
  return failures.has(name) ? 'failed' : (known[name] ?? 'stop');
}

export type Completion = Exact<ChatCompletion>;
export type Message = Completion['choices'][number]['message'];
export type AnsweredCall = Extract<NonNullable<Message['tool_calls']>[number], { readonly type: 'function' | 'custom' }>;
export type Annotation = NonNullable<Message['annotations']>[number];
export type ChatUsage = NonNullable<Completion['usage']>;
export type ChatFinishReason = Completion['choices'][number]['finish_reason'];

export type Chunk = Exact<ChatCompletionChunk>;
export type ChunkHead = Pick<Chunk, 'id' | 'object' | 'created' | 'model'>;
export type Delta = Chunk['choices'][number]['delta'];
export type Logprobs = NonNullable<Chunk['choices'][number]['logprobs']>;
export type TokenLogprob = NonNullable<Logprobs['content']>[number];
