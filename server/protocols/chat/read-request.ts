/** Reads a chat request into a canonical request, and checks whether it offers functions, asks for usage, or has the older form. */

import type { ChatCompletionRequest } from '../../../contract/chat.ts';
import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import type {
  AudioPart,
  CallItem,
  CanonicalRequest,
  Effort,
  Format,
  ImagePart,
  Item,
  OutputItem,
  Part,
  Settings,
  Tool,
  ToolChoice,
  ToolName,
} from '../canonical/canonical-request.ts';
import { readExtras, readUnknownFields } from '../canonical/extras.ts';
import { readHints } from '../canonical/hints.ts';
import { rejectNewerValues } from '../canonical/newer-values.ts';
import { readCacheMark } from '../canonical/prompt-cache.ts';
import { isCostRequested } from '../response-cost.ts';

export function readChatRequest(body: Fields, model: string): CanonicalRequest {
  rejectNewerValues(body, 'createChatCompletion');
  // The contract has already validated this body, and `rejectNewerValues` leaves only known values.
  const request = body as ChatCompletionRequest;
  return {
    caller: 'chat',
    model,
    stream: request.stream === true,
    instructions: null,
    items: readMessages(request.messages),
    tools: readTools(request),
    toolChoice: readToolChoice(request),
    parallelToolCalls: request.parallel_tool_calls ?? null,
    format: readFormat(request),
    settings: readSettings(request),
    effort: (request.reasoning_effort ?? request.reasoning?.effort ?? null) as Effort | null,
    reasoningSummary: null,
    verbosity: (request.verbosity ?? null) as CanonicalRequest['verbosity'],
    hints: readHints(body),
    extras: readExtras(body),
    unknown: readUnknownFields(body).filter((name) => name !== 'reasoning'),
  };
}

/** In chat, `strict` defaults to false. */
function readFormat({ response_format }: ChatCompletionRequest): Format {
  if (response_format?.type === 'json_object') return { kind: 'json' };
  if (response_format?.type !== 'json_schema') return { kind: 'text' };
  const { name, description, schema, strict } = response_format.json_schema;
  return { kind: 'schema', name, description: description ?? null, schema: schema ?? {}, strict: strict ?? false };
}

function readSettings(request: ChatCompletionRequest): Settings {
  const { stop, logit_bias: bias } = request;
  return {
    maxOutputTokens: request.max_completion_tokens ?? request.max_tokens ?? null,
    temperature: request.temperature ?? null,
    topP: request.top_p ?? null,
    stop: typeof stop === 'string' ? [stop] : (stop ?? []),
    n: request.n ?? null,
    seed: request.seed ?? null,
    presencePenalty: request.presence_penalty ?? null,
    frequencyPenalty: request.frequency_penalty ?? null,
    logitBias: bias && Object.keys(bias).length > 0 ? bias : null,
    topLogprobs: request.logprobs === true ? (request.top_logprobs ?? 0) : null,
  };
}

type Message = ChatCompletionRequest['messages'][number];
type MessageWithRole<Role extends Message['role']> = Extract<Message, { role: Role }>;
type UserContent = MessageWithRole<'user'>['content'];
type UserPart = Exclude<UserContent, string>[number];

/** State from earlier messages, needed to read later ones. */
interface Conversation {
  /** Whether each call, by ID, is a function call or a custom tool call. A tool result doesn't repeat it. */
  readonly forms: Map<string, CallItem['form']>;
  /** Call IDs by function name. The older format has no IDs: a result belongs to the last call of its function. */
  readonly functionCalls: Map<string, string>;
}

function readMessages(messages: readonly Message[]): Item[] {
  const conversation: Conversation = { forms: new Map(), functionCalls: new Map() };
  return messages.flatMap((message, index) => readMessage(message, `messages[${index}]`, conversation));
}

function readMessage(message: Message, path: string, conversation: Conversation): Item[] {
  switch (message.role) {
    case 'system':
    case 'developer':
    case 'user': {
      const parts = withMessageMark(readContent(message.content), message);
      return [{ kind: 'message', role: message.role, parts, phase: null, name: message.name ?? null, path }];
    }
    case 'assistant':
      return readAssistant(message, path, conversation);
    case 'tool':
      return [readResult(message, path, conversation)];
    case 'function':
      return [readFunctionResult(message, path, conversation)];
  }
}

function readContent(content: UserContent): Part[] {
  return typeof content === 'string'
    ? [{ kind: 'text', text: content }]
    : content.map((part) => ({ ...readPart(part), ...readCacheMark(part) }));
}

/** Many clients put a cache mark on the message. It applies to the last part. */
function withMessageMark<Content extends Part>(parts: readonly Content[], message: Fields): Content[] {
  const mark = readCacheMark(message);
  return parts.map((part, index) => (index === parts.length - 1 ? { ...mark, ...part } : part));
}

function readPart(part: UserPart): Part {
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: part.text };
    case 'image_url':
      return readImage(part.image_url);
    case 'input_audio':
      return { kind: 'audio', data: part.input_audio.data, format: part.input_audio.format as AudioPart['format'] };
    case 'file': {
      const { filename, file_data, file_id } = part.file;
      return { kind: 'file', filename: filename ?? null, data: file_data ?? null, url: null, fileId: file_id ?? null };
    }
  }
}

function readImage(image: Extract<UserPart, { type: 'image_url' }>['image_url']): Part {
  const { url, detail } = typeof image === 'string' ? { url: image } : image;
  return { kind: 'image', url, fileId: null, detail: (detail ?? null) as ImagePart['detail'] };
}

/** Returns the text first, then the calls. Many clients send empty text alongside calls; it's dropped. */
function readAssistant(message: MessageWithRole<'assistant'>, path: string, conversation: Conversation): Item[] {
  if (message.audio) {
    const text = "'audio' is not supported: only chat upstreams accept audio from earlier responses. Send its transcript as 'content'.";
    throw new GatewayError<CallCode>('unsupported_parameter', { param: `${path}.audio`, message: text });
  }
  const calls = readCalls(message, path, conversation);
  const parts = withMessageMark(
    readAssistantParts(message).filter((part) => calls.length === 0 || part.text !== ''),
    message,
  );
  const content: Item[] =
    parts.length === 0 ? [] : [{ kind: 'message', role: 'assistant', parts, phase: null, name: message.name ?? null, path }];
  return [...content, ...calls];
}

function readAssistantParts({ content, refusal }: MessageWithRole<'assistant'>): Extract<Part, { kind: 'text' | 'refusal' }>[] {
  const pieces = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? []);
  const parts = pieces.flatMap((piece) => readAssistantPart(piece) ?? []);
  return typeof refusal === 'string' ? [...parts, { kind: 'refusal', text: refusal }] : parts;
}

type AssistantPart = Exclude<NonNullable<MessageWithRole<'assistant'>['content']>, string>[number];

/** Null for thinking parts: other protocols accept them only with the original upstream's seal. */
function readAssistantPart(piece: AssistantPart): Extract<Part, { kind: 'text' | 'refusal' }> | null {
  if (piece.type === 'thinking') return null;
  const mark = readCacheMark(piece);
  return piece.type === 'text' ? { kind: 'text', text: piece.text, ...mark } : { kind: 'refusal', text: piece.refusal, ...mark };
}

function readCalls(
  { tool_calls, function_call }: MessageWithRole<'assistant'>,
  path: string,
  { forms, functionCalls }: Conversation,
): CallItem[] {
  const calls = (tool_calls ?? []).map((call, index): CallItem => {
    const callFields = { kind: 'call', callId: call.id, namespace: null, path: `${path}.tool_calls[${index}]` } as const;
    return call.type === 'custom'
      ? { ...callFields, form: 'custom', name: call.custom.name, arguments: call.custom.input }
      : { ...callFields, form: 'function', name: call.function.name, arguments: call.function.arguments };
  });
  if (function_call) {
    // The ID is derived from the path, so that the same conversation always has the same IDs.
    const callId = `call_${path.replace(/\D/g, '')}_function`;
    const callFields = { kind: 'call', form: 'function', callId, namespace: null, path: `${path}.function_call` } as const;
    calls.push({ ...callFields, name: function_call.name, arguments: function_call.arguments });
    functionCalls.set(function_call.name, callId);
  }
  for (const { callId, form } of calls) forms.set(callId, form);
  return calls;
}

function readResult(message: MessageWithRole<'tool'>, path: string, { forms }: Conversation): OutputItem {
  const callId = message.tool_call_id;
  return {
    kind: 'output',
    form: forms.get(callId) ?? 'function',
    callId,
    parts: withMessageMark(readContent(message.content), message),
    path,
  };
}

function readFunctionResult({ name, content }: MessageWithRole<'function'>, path: string, { functionCalls }: Conversation): OutputItem {
  const callId = functionCalls.get(name);
  if (callId === undefined) {
    const message = `'${path}' is the result of function '${name}', but no earlier message calls it.`;
    throw new GatewayError<CallCode>('invalid_value', { param: `${path}.name`, message });
  }
  functionCalls.delete(name);
  return { kind: 'output', form: 'function', callId, parts: [{ kind: 'text', text: content ?? '' }], path };
}

type ChatTool = NonNullable<ChatCompletionRequest['tools']>[number];
type ChatFunction = NonNullable<ChatCompletionRequest['functions']>[number];
type ChatToolChoice = NonNullable<ChatCompletionRequest['tool_choice']>;
type NamedToolChoice = Exclude<ChatToolChoice, string | { type: 'allowed_tools' }>;

function readTools({ tools, functions }: ChatCompletionRequest): Tool[] {
  const currentTools = (tools ?? []).map((tool, index) => readTool(tool, `tools[${index}]`));
  return [...currentTools, ...(functions ?? []).map((definition, index) => readFunction(definition, `functions[${index}]`))];
}

function readTool(tool: ChatTool, path: string): Tool {
  if (tool.type === 'function') return { ...readFunction(tool.function, path), ...readCacheMark(tool.function), ...readCacheMark(tool) };
  const { name, description, format } = tool.custom;
  const grammar = format?.type === 'grammar' ? { syntax: format.grammar.syntax, definition: format.grammar.definition } : null;
  return { kind: 'custom', name, namespace: null, description: description ?? null, grammar, path };
}

/** In chat, `strict` defaults to false. */
function readFunction(definition: ChatFunction & { readonly strict?: boolean | null | undefined }, path: string): Tool {
  const { name, description, parameters, strict } = definition;
  return {
    kind: 'function',
    name,
    namespace: null,
    description: description ?? null,
    parameters: parameters ?? null,
    strict: strict ?? false,
    path,
  };
}

function readToolChoice({ tool_choice, function_call }: ChatCompletionRequest): ToolChoice | null {
  if (tool_choice !== null && tool_choice !== undefined) return readChoice(tool_choice);
  if (function_call === null || function_call === undefined) return null;
  if (typeof function_call === 'string') return { kind: function_call };
  return { kind: 'tool', tool: { form: 'function', name: function_call.name } };
}

function readChoice(choice: ChatToolChoice): ToolChoice {
  if (typeof choice === 'string') return { kind: choice };
  if (choice.type !== 'allowed_tools') return { kind: 'tool', tool: readName(choice) };
  const { mode, tools } = choice.allowed_tools;
  return { kind: 'allowed', mode, tools: tools.map(readName) };
}

function readName(choice: NamedToolChoice): ToolName {
  return { form: choice.type, name: choice.type === 'custom' ? choice.custom.name : choice.function.name };
}

/** The IDs of the tool calls after the last user message. Models ignore reasoning from before that message. */
export function findCallsSinceUser({ messages }: Fields): string[] {
  if (!Array.isArray(messages)) return [];
  const last = messages.findLastIndex((message) => isFields(message) && message.role === 'user');
  const calls = messages
    .slice(last + 1)
    .flatMap((message) => (isFields(message) && Array.isArray(message.tool_calls) ? message.tool_calls : []));
  return calls.flatMap((call) => (isFields(call) && typeof call.id === 'string' ? [call.id] : []));
}

/** True if a chat request offers the caller's own tools, in the current format or the older one. */
export const hasFunctions = ({ tools, functions }: Fields): boolean =>
  [tools, functions].some((list) => Array.isArray(list) && list.length > 0);

/** True if the caller wants a final chunk with the stream's usage. The cost goes there too. */
export const isUsageRequested = (request: Fields): boolean =>
  isCostRequested(request) || (isFields(request.stream_options) && request.stream_options.include_usage === true);

/** True if the response uses the older format. A caller who also offers `tools` gets the newer one. */
export function isLegacyFunctionRequest(request: Fields): boolean {
  const hasEntries = (list: unknown) => Array.isArray(list) && list.length > 0;
  return hasEntries(request.functions) && !hasEntries(request.tools);
}
