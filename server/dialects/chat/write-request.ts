/** Writes a turn as the body of a chat completion request. */
import { type CallCode, GatewayError } from '../../errors.ts';
import { containersOf, sharedHints } from '../turn/caller-field-names.ts';
import { Work } from '../turn/schema.ts';
import type { CallItem, Format, MessageItem, OutputItem, ReasoningItem, ResponsesOnlyItem, Settings, Turn } from '../turn/turn.ts';
import { unsupported, writeExtras } from '../turn/unsent-fields.ts';
import {
  type AnswerContent,
  type ChatToolNames,
  chatToolNames,
  type Wire,
  wrapInput,
  writeAnswerContent,
  writeTextContent,
  writeToolContent,
  writeTools,
  writeUserContent,
} from './custom-input.ts';

const join = (before: string | null, next: string | null) => (before === null || next === null ? (before ?? next) : before + next);

/** A message of the assistant that more calls may be added to. */
class Answer {
  readonly #name: string | null;
  readonly #thoughts: Wire;
  readonly #calls: Wire[] = [];
  #said: AnswerContent = { text: null, refusal: null };

  constructor(name: string | null, thoughts: Wire) {
    this.#name = name;
    this.#thoughts = thoughts;
  }

  say({ text, refusal }: AnswerContent): void {
    this.#said = { text: join(this.#said.text, text), refusal: join(this.#said.refusal, refusal) };
  }

  call(call: Wire): void {
    this.#calls.push(call);
  }

  get message(): Wire {
    const { text, refusal } = this.#said;
    const isSilent = refusal === null && this.#calls.length === 0;
    return {
      role: 'assistant',
      content: text ?? (isSilent ? '' : null),
      ...(this.#name !== null && { name: this.#name }),
      ...(refusal !== null && { refusal }),
      ...this.#thoughts,
      ...(this.#calls.length > 0 && { tool_calls: this.#calls }),
    };
  }
}

/** Puts messages into the order that chat upstreams require: a response, all results of its calls, then messages that came in between. */
class Conversation {
  readonly #done: Wire[] = [];
  #answer: Answer | null = null;
  /** Calls of the response without a result yet: ID → path of the call. */
  readonly #open = new Map<string, string>();
  #results: Wire[] = [];
  #shown: Wire[] = [];
  #waiting: Wire[] = [];
  /** The reasoning of the next response. */
  #thoughts: Wire = {};

  think(field: string, text: string): void {
    const before = this.#thoughts[field];
    this.#thoughts = { [field]: typeof before === 'string' ? `${before}\n\n${text}` : text };
  }

  say(message: Wire): void {
    this.#thoughts = {};
    if (this.#open.size > 0) {
      this.#waiting.push(message);
      return;
    }
    this.#flush();
    this.#done.push(message);
  }

  answer(content: AnswerContent, name: string | null): void {
    if (this.#open.size === 0) this.#flush();
    this.#answer ??= this.#begin(name);
    this.#answer.say(content);
  }

  call({ callId, path }: CallItem, call: Wire): void {
    if (this.#open.size === 0 && Object.keys(this.#thoughts).length > 0) this.#flush();
    this.#answer ??= this.#begin(null);
    this.#answer.call(call);
    this.#open.set(callId, path);
  }

  result({ callId, path }: OutputItem, { content, shown }: ReturnType<typeof writeToolContent>): void {
    if (!this.#open.delete(callId)) throw pairless(path, `No tool call with ID '${callId}' is waiting for a result.`);
    this.#results.push({ role: 'tool', tool_call_id: callId, content });
    this.#shown.push(...shown);
    if (this.#open.size === 0) this.#flush();
  }

  close(): readonly Wire[] {
    for (const [callId, path] of this.#open) throw pairless(path, `Tool call '${callId}' has no result in the input.`);
    this.#flush();
    return this.#done;
  }

  #begin(name: string | null): Answer {
    const answer = new Answer(name, this.#thoughts);
    this.#thoughts = {};
    return answer;
  }

  #flush(): void {
    if (this.#answer) this.#done.push(this.#answer.message);
    this.#done.push(...this.#results);
    if (this.#shown.length > 0) this.#done.push({ role: 'user', content: this.#shown });
    this.#done.push(...this.#waiting);
    this.#answer = null;
    this.#results = [];
    this.#shown = [];
    this.#waiting = [];
  }
}

const pairless = (path: string, message: string) => new GatewayError<CallCode>('invalid_value', { param: `${path}.call_id`, message });

/** Developer messages are sent as `system`: every chat upstream has that role, and those with both treat them alike. */
function writeMessage(item: MessageItem, conversation: Conversation): void {
  const path = `${item.path}.content`;
  const name = item.name === null ? {} : { name: item.name };
  if (item.role === 'assistant') conversation.answer(writeAnswerContent(item.parts, path), item.name);
  else if (item.role === 'user') conversation.say({ role: 'user', content: writeUserContent(item.parts, path), ...name });
  else conversation.say({ role: 'system', content: writeTextContent(item.parts, path), ...name });
}

function writeCall(item: CallItem, names: ChatToolNames): Wire {
  const given = item.form === 'custom' ? wrapInput(item.arguments) : item.arguments;
  return { id: item.callId, type: 'function', function: { name: names.ofCall(item), arguments: given } };
}

/** Whether a search has ended; the response that used it follows in the conversation. */
const isOver = ({ value }: ResponsesOnlyItem): boolean =>
  value.status === undefined || value.status === null || value.status === 'completed';
/** Whether the tools of this item were read with the others, or it has none. */
const isOffered = ({ path, value }: ResponsesOnlyItem, containers: ReadonlySet<string>): boolean =>
  (Array.isArray(value.tools) && value.tools.length === 0) || containers.has(path);

/** Items of the responses protocol that can be omitted. */
const spent: Readonly<Record<string, (item: ResponsesOnlyItem, containers: ReadonlySet<string>) => boolean>> = {
  web_search_call: isOver,
  tool_search_call: () => true,
  // Read as foreign only when they answer a search.
  function_call_output: () => true,
  custom_tool_call_output: () => true,
  tool_search_output: isOffered,
  additional_tools: isOffered,
};

function checkForeign(item: ResponsesOnlyItem, containers: ReadonlySet<string>): void {
  if (Object.hasOwn(spent, item.type) && spent[item.type]?.(item, containers)) return;
  throw unsupported(`${item.path}.type`, `Items of type '${item.type}' can't be sent to this model's upstream.`);
}

/** Reasoning as the text that a provider wants back; encrypted reasoning isn't sent, since it belongs to the upstream that made it. */
function thoughtText({ summary, content, encrypted }: ReasoningItem): string | null {
  const text = (content.length > 0 ? content : summary).join('\n\n');
  return encrypted !== null || text === '' ? null : text;
}

function writeThoughts(item: ReasoningItem, field: string | null, conversation: Conversation): void {
  const text = field === null ? null : thoughtText(item);
  if (field !== null && text !== null) conversation.think(field, text);
}

/** Reasoning is sent in its own field or not at all: as content it would read as the model's response. */
export function writeMessages(turn: Turn, names: ChatToolNames, thoughtsIn: string | null): readonly Wire[] {
  const { instructions, items, tools, caller } = turn;
  const conversation = new Conversation();
  const containers = containersOf(tools);
  if (instructions !== null) conversation.say({ role: 'system', content: instructions });
  const outputs = caller === 'chat' ? 'content' : 'output';
  for (const item of items) {
    if (item.kind === 'message') writeMessage(item, conversation);
    else if (item.kind === 'call') conversation.call(item, writeCall(item, names));
    else if (item.kind === 'output') conversation.result(item, writeToolContent(item.parts, `${item.path}.${outputs}`));
    else if (item.kind === 'foreign') checkForeign(item, containers);
    else writeThoughts(item, thoughtsIn, conversation);
  }
  return conversation.close();
}

function writeFormat(format: Format): Wire | null {
  switch (format.kind) {
    case 'text':
      return null;
    case 'json':
      return { type: 'json_object' };
    case 'schema': {
      const { name, description, schema, strict } = format;
      // `strict` is always sent, as for tools: strict rules must not apply to a schema that wasn't written for them.
      const inner = { name, ...(description !== null && { description }), schema, strict: strict === true };
      return { type: 'json_schema', json_schema: inner };
    }
  }
}

function writeSettings(settings: Settings): Wire {
  const { topLogprobs } = settings;
  return {
    max_completion_tokens: settings.maxOutputTokens,
    temperature: settings.temperature,
    top_p: settings.topP,
    stop: settings.stop.length > 0 ? settings.stop : null,
    n: settings.n,
    seed: settings.seed,
    presence_penalty: settings.presencePenalty,
    frequency_penalty: settings.frequencyPenalty,
    logit_bias: settings.logitBias,
    logprobs: topLogprobs === null ? null : true,
    top_logprobs: topLogprobs === 0 ? null : topLogprobs,
  };
}

/** The caller’s `store` isn't sent: upstreams store nothing for us. */
const writeHints = (given: Turn['hints']): Wire => Object.fromEntries(sharedHints.map((name) => [name, given[name]]));

const given = (fields: Wire): Wire =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** `thoughtsIn`: the field in which the provider wants reasoning back; null if it isn't sent. */
export function writeChatRequest(turn: Turn, thoughtsIn: string | null = null, work = new Work()): Wire {
  const names = chatToolNames(turn.tools);
  return given({
    ...writeExtras(turn, 'chat'),
    model: turn.model,
    messages: writeMessages(turn, names, thoughtsIn),
    ...(turn.stream && { stream: true, stream_options: { include_usage: true } }),
    ...writeTools(turn, names, work),
    response_format: writeFormat(turn.format),
    reasoning_effort: turn.effort,
    verbosity: turn.verbosity,
    ...writeSettings(turn.settings),
    ...writeHints(turn.hints),
  });
}
