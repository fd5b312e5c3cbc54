/** Writes a canonical request as the body of a chat completion request, and the smallest request that tests a model. */

import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import { MAX_CHAT_CALL_ID, shortenCallId } from '../canonical/call-ids.ts';
import { getToolContainers } from '../canonical/caller-field-names.ts';
import type {
  CallItem,
  CanonicalRequest,
  Format,
  MessageItem,
  OutputItem,
  ReasoningItem,
  ResponsesOnlyItem,
  Settings,
} from '../canonical/canonical-request.ts';
import { wrapCustomInput } from '../canonical/custom-input.ts';
import { createUnsupportedError } from '../canonical/dropped-fields.ts';
import { writeExtras } from '../canonical/extras.ts';
import { sharedHints } from '../canonical/hints.ts';
import { WorkBudget } from '../canonical/work-budget.ts';
import { createJsonBody, type JsonBody } from '../wire/json-body.ts';
import { unsealFields } from './unseal-fields.ts';
import type { WireObject } from './wire.ts';
import { type AssistantContent, writeAssistantContent, writeTextContent, writeToolContent, writeUserContent } from './write-content.ts';
import { type ChatToolNames, createChatToolNames, writeTools } from './write-tools.ts';

const joinText = (previous: string | null, next: string | null) =>
  previous === null || next === null ? (previous ?? next) : previous + next;

/** An assistant message that can get more calls. */
class AssistantMessage {
  readonly #name: string | null;
  readonly #reasoning: WireObject;
  readonly #calls: WireObject[] = [];
  #extraFields: WireObject;
  #content: AssistantContent = { text: null, refusal: null };

  constructor(
    name: string | null,
    { thoughts: reasoning, kept: extraFields }: { readonly thoughts: WireObject; readonly kept: WireObject },
  ) {
    this.#name = name;
    this.#reasoning = reasoning;
    this.#extraFields = extraFields;
  }

  addFields(fields: WireObject): void {
    this.#extraFields = { ...this.#extraFields, ...fields };
  }

  addContent({ text, refusal }: AssistantContent): void {
    this.#content = { text: joinText(this.#content.text, text), refusal: joinText(this.#content.refusal, refusal) };
  }

  addCall(call: WireObject): void {
    this.#calls.push(call);
  }

  get message(): WireObject {
    const { text, refusal } = this.#content;
    const isEmpty = refusal === null && this.#calls.length === 0;
    return {
      role: 'assistant',
      content: text ?? (isEmpty ? '' : null),
      ...(this.#name !== null && { name: this.#name }),
      ...(refusal !== null && { refusal }),
      ...this.#reasoning,
      ...this.#extraFields,
      ...(this.#calls.length > 0 && { tool_calls: this.#calls }),
    };
  }
}

/** Reorders messages as chat upstreams require: a response, the results of all its calls, then messages that came in between. */
class Conversation {
  readonly #messages: WireObject[] = [];
  #openMessage: AssistantMessage | null = null;
  /** Calls of the response that have no result yet: ID → path. */
  readonly #pendingCalls = new Map<string, string>();
  #results: WireObject[] = [];
  #attachments: WireObject[] = [];
  #deferredMessages: WireObject[] = [];
  /** The reasoning for the next response. */
  #reasoning: WireObject = {};
  /** Provider-specific fields for the next assistant message. */
  #extraFields: WireObject = {};

  /** The fields belong to the preceding response. If a caller moved the item ahead of its response, they belong to the next one. */
  addFields(fields: WireObject): void {
    if (this.#openMessage) this.#openMessage.addFields(fields);
    else this.#extraFields = { ...this.#extraFields, ...fields };
  }

  addReasoning(field: string, text: string): void {
    const previousText = this.#reasoning[field];
    this.#reasoning = { [field]: typeof previousText === 'string' ? `${previousText}\n\n${text}` : text };
  }

  addMessage(message: WireObject): void {
    this.#reasoning = {};
    this.#extraFields = {};
    if (this.#pendingCalls.size > 0) {
      this.#deferredMessages.push(message);
      return;
    }
    this.#flush();
    this.#messages.push(message);
  }

  addAssistantContent(content: AssistantContent, name: string | null): void {
    if (this.#pendingCalls.size === 0) this.#flush();
    this.#openMessage ??= this.#createMessage(name);
    this.#openMessage.addContent(content);
  }

  addCall({ callId, path }: CallItem, call: WireObject): void {
    if (this.#pendingCalls.size === 0 && Object.keys(this.#reasoning).length > 0) this.#flush();
    this.#openMessage ??= this.#createMessage(null);
    this.#openMessage.addCall(call);
    this.#pendingCalls.set(callId, path);
  }

  addResult({ callId, path }: OutputItem, { content, shown: attachments }: ReturnType<typeof writeToolContent>): void {
    if (!this.#pendingCalls.delete(callId)) throw createPairingError(path, `No tool call with ID '${callId}' is waiting for a result.`);
    this.#results.push({ role: 'tool', tool_call_id: shortenCallId(callId, MAX_CHAT_CALL_ID), content });
    this.#attachments.push(...attachments);
    if (this.#pendingCalls.size === 0) this.#flush();
  }

  close(): readonly WireObject[] {
    for (const [callId, path] of this.#pendingCalls) throw createPairingError(path, `Tool call '${callId}' has no result in the input.`);
    this.#flush();
    return this.#messages;
  }

  #createMessage(name: string | null): AssistantMessage {
    const message = new AssistantMessage(name, { thoughts: this.#reasoning, kept: this.#extraFields });
    this.#reasoning = {};
    this.#extraFields = {};
    return message;
  }

  #flush(): void {
    if (this.#openMessage) this.#messages.push(this.#openMessage.message);
    this.#messages.push(...this.#results);
    if (this.#attachments.length > 0) this.#messages.push({ role: 'user', content: this.#attachments });
    this.#messages.push(...this.#deferredMessages);
    this.#openMessage = null;
    this.#results = [];
    this.#attachments = [];
    this.#deferredMessages = [];
  }
}

const createPairingError = (path: string, message: string) =>
  new GatewayError<CallCode>('invalid_value', { param: `${path}.call_id`, message });

/** Developer messages become `system`, because every chat upstream has that role. Upstreams with both roles treat them the same. */
function writeMessage(item: MessageItem, conversation: Conversation): void {
  const path = `${item.path}.content`;
  const name = item.name === null ? {} : { name: item.name };
  if (item.role === 'assistant') conversation.addAssistantContent(writeAssistantContent(item.parts, path), item.name);
  else if (item.role === 'user') conversation.addMessage({ role: 'user', content: writeUserContent(item.parts, path), ...name });
  else conversation.addMessage({ role: 'system', content: writeTextContent(item.parts, path), ...name });
}

function writeCall(item: CallItem, names: ChatToolNames, extraFields: WireObject | undefined): WireObject {
  const argumentText = item.form === 'custom' ? wrapCustomInput(item.arguments) : item.arguments;
  const id = shortenCallId(item.callId, MAX_CHAT_CALL_ID);
  return { id, type: 'function', function: { name: names.getCallName(item), arguments: argumentText }, ...extraFields };
}

/** True if a search has completed. The response that used it follows in the conversation. */
const isSearchCompleted = ({ value }: ResponsesOnlyItem): boolean =>
  value.status === undefined || value.status === null || value.status === 'completed';
/** True if the tools of this item were read with the other tools, or if the item has none. */
const areToolsCollected = ({ path, value }: ResponsesOnlyItem, containers: ReadonlySet<string>): boolean =>
  (Array.isArray(value.tools) && value.tools.length === 0) || containers.has(path);

/** Responses-only items that can be omitted. */
const omittableItems: Readonly<Record<string, (item: ResponsesOnlyItem, containers: ReadonlySet<string>) => boolean>> = {
  web_search_call: isSearchCompleted,
  tool_search_call: () => true,
  // These outputs are foreign only if they belong to a search.
  function_call_output: () => true,
  custom_tool_call_output: () => true,
  tool_search_output: areToolsCollected,
  additional_tools: areToolsCollected,
};

function rejectUnsendable(item: ResponsesOnlyItem, containers: ReadonlySet<string>): void {
  if (Object.hasOwn(omittableItems, item.type) && omittableItems[item.type]?.(item, containers)) return;
  throw createUnsupportedError(`${item.path}.type`, `Items of type '${item.type}' can't be sent to this model's upstream.`);
}

/** Reasoning as text, for providers that require it back. Encrypted reasoning isn't sent, because only the original upstream can read it. */
function findReasoningText({ summary, content, encrypted }: ReasoningItem): string | null {
  const text = (content.length > 0 ? content : summary).join('\n\n');
  return encrypted !== null || text === '' ? null : text;
}

function writeReasoning(item: ReasoningItem, field: string | null, conversation: Conversation): void {
  const text = field === null ? null : findReasoningText(item);
  if (field !== null && text !== null) conversation.addReasoning(field, text);
}

/** Reasoning is sent in its own field or not at all. As content, it would look like the model's response. */
function writeMessages(
  turn: CanonicalRequest,
  names: ChatToolNames,
  { thoughtsIn: reasoningField = null, upstream = '', work = new WorkBudget() }: ChatOptions,
): readonly WireObject[] {
  const { instructions, items, tools, caller } = turn;
  const conversation = new Conversation();
  const containers = getToolContainers(tools);
  if (instructions !== null) conversation.addMessage({ role: 'system', content: instructions });
  const outputField = caller === 'chat' ? 'content' : 'output';
  const sealedFields = new Map(
    items.flatMap((item) => (item.kind === 'reasoning' ? [[item, unsealFields(item, upstream, work)] as const] : [])),
  );
  const callFields = new Map([...sealedFields.values()].flatMap((seal) => seal?.calls ?? []));
  for (const item of items) {
    if (item.kind === 'message') writeMessage(item, conversation);
    else if (item.kind === 'call') conversation.addCall(item, writeCall(item, names, callFields.get(item.callId)));
    else if (item.kind === 'output') conversation.addResult(item, writeToolContent(item.parts, `${item.path}.${outputField}`));
    else if (item.kind === 'foreign') rejectUnsendable(item, containers);
    else {
      writeReasoning(item, reasoningField, conversation);
      conversation.addFields(sealedFields.get(item)?.message ?? {});
    }
  }
  return conversation.close();
}

function writeFormat(format: Format): WireObject | null {
  switch (format.kind) {
    case 'text':
      return null;
    case 'json':
      return { type: 'json_object' };
    case 'schema': {
      const { name, description, schema, strict } = format;
      // Always sends `strict`, as with tools: strict rules must not apply to a schema that wasn't written for them.
      const jsonSchema = { name, ...(description !== null && { description }), schema, strict: strict === true };
      return { type: 'json_schema', json_schema: jsonSchema };
    }
  }
}

function writeSettings(settings: Settings): WireObject {
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

/** Excludes the caller's `store`, because upstreams must not store requests. */
const writeHints = (hints: CanonicalRequest['hints']): WireObject => Object.fromEntries(sharedHints.map((name) => [name, hints[name]]));

const omitUnset = (fields: WireObject): WireObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

interface ChatOptions {
  /** The provider's field for reasoning of earlier turns. Null if reasoning isn't sent back. */
  readonly thoughtsIn?: string | null;
  /** The upstream that gets its own sealed fields back. */
  readonly upstream?: string;
  readonly work?: WorkBudget | undefined;
}

export function writeChatRequest(turn: CanonicalRequest, options: ChatOptions = {}): WireObject {
  const work = options.work ?? new WorkBudget();
  const names = createChatToolNames(turn.tools);
  return omitUnset({
    ...writeExtras(turn, 'chat'),
    model: turn.model,
    messages: writeMessages(turn, names, { ...options, work }),
    ...(turn.stream && { stream: true, stream_options: { include_usage: true } }),
    ...writeTools(turn, names, work),
    response_format: writeFormat(turn.format),
    reasoning_effort: turn.effort,
    verbosity: turn.verbosity,
    ...writeSettings(turn.settings),
    ...writeHints(turn.hints),
  });
}

/** OpenAI's minimum in the Responses protocol. Other protocols accept a single token. */
const MIN_RESPONSE_TOKENS = 16;

/** `protocols` lists the upstream's protocols. The request is translated if they don't include chat. */
export function createMinimalRequest(model: string, protocols: readonly string[]): JsonBody {
  const isOnlyResponses = protocols.includes('responses') && !protocols.includes('chat');
  const tokens = isOnlyResponses ? MIN_RESPONSE_TOKENS : 1;
  return createJsonBody({ model, messages: [{ role: 'user', content: 'Say ok.' }], max_completion_tokens: tokens });
}
