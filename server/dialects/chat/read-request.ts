/** Reads a chat request into a turn. */

import type { ChatCompletionRequest } from '../../../contract/chat.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import { readExtras, readHints, readUnknown } from '../turn/caller-field-names.ts';
import { rejectNewer } from '../turn/newer.ts';
import { readCacheMark } from '../turn/prompt-cache.ts';
import type {
  AudioPart,
  CallItem,
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
  Turn,
} from '../turn/turn.ts';

export function readChatRequest(body: Fields, model: string): Turn {
  rejectNewer(body, 'createChatCompletion');
  // The contract has validated this body before any dialect sees it, and known words are left.
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
    verbosity: (request.verbosity ?? null) as Turn['verbosity'],
    hints: readHints(body),
    extras: readExtras(body),
    unknown: readUnknown(body).filter((name) => name !== 'reasoning'),
  };
}

/** On chat an absent `strict` means false. */
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
type Of<Role extends Message['role']> = Extract<Message, { role: Role }>;
type UserContent = Of<'user'>['content'];
type UserPart = Exclude<UserContent, string>[number];

/** State from earlier messages that reading a message needs. */
interface Conversation {
  /** The form of every call so far, by its ID: a result doesn't name the form of its call. */
  readonly forms: Map<string, CallItem['form']>;
  /** The older form has no IDs: a result belongs to the last call of that function. */
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
      const parts = readContent(message.content);
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

/** Its text first, then its calls. Empty text alongside calls, which many clients send, is dropped. */
function readAssistant(message: Of<'assistant'>, path: string, conversation: Conversation): Item[] {
  if (message.audio) {
    const text = "'audio' is not supported: only chat upstreams accept audio from earlier responses. Send its transcript as 'content'.";
    throw new GatewayError<CallCode>('unsupported_parameter', { param: `${path}.audio`, message: text });
  }
  const calls = readCalls(message, path, conversation);
  const parts = readAnswer(message).filter((part) => calls.length === 0 || part.text !== '');
  const said: Item[] =
    parts.length === 0 ? [] : [{ kind: 'message', role: 'assistant', parts, phase: null, name: message.name ?? null, path }];
  return [...said, ...calls];
}

function readAnswer({ content, refusal }: Of<'assistant'>): Extract<Part, { kind: 'text' | 'refusal' }>[] {
  const pieces = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? []);
  const parts = pieces.flatMap((piece) => readPiece(piece) ?? []);
  return typeof refusal === 'string' ? [...parts, { kind: 'refusal', text: refusal }] : parts;
}

type Piece = Exclude<NonNullable<Of<'assistant'>['content']>, string>[number];

/** Null for thoughts: no other protocol takes them back without the seal of the upstream that thought them. */
function readPiece(piece: Piece): Extract<Part, { kind: 'text' | 'refusal' }> | null {
  if (piece.type === 'thinking') return null;
  const mark = readCacheMark(piece);
  return piece.type === 'text' ? { kind: 'text', text: piece.text, ...mark } : { kind: 'refusal', text: piece.refusal, ...mark };
}

function readCalls({ tool_calls, function_call }: Of<'assistant'>, path: string, { forms, functionCalls }: Conversation): CallItem[] {
  const calls = (tool_calls ?? []).map((call, index): CallItem => {
    const place = { kind: 'call', callId: call.id, namespace: null, path: `${path}.tool_calls[${index}]` } as const;
    return call.type === 'custom'
      ? { ...place, form: 'custom', name: call.custom.name, arguments: call.custom.input }
      : { ...place, form: 'function', name: call.function.name, arguments: call.function.arguments };
  });
  if (function_call) {
    // Derived from its path, so that the same conversation always gives the same ID.
    const callId = `call_${path.replace(/\D/g, '')}_function`;
    const place = { kind: 'call', form: 'function', callId, namespace: null, path: `${path}.function_call` } as const;
    calls.push({ ...place, name: function_call.name, arguments: function_call.arguments });
    functionCalls.set(function_call.name, callId);
  }
  for (const { callId, form } of calls) forms.set(callId, form);
  return calls;
}

function readResult(message: Of<'tool'>, path: string, { forms }: Conversation): OutputItem {
  const callId = message.tool_call_id;
  return { kind: 'output', form: forms.get(callId) ?? 'function', callId, parts: readContent(message.content), path };
}

function readFunctionResult({ name, content }: Of<'function'>, path: string, { functionCalls }: Conversation): OutputItem {
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
type ChatChoice = NonNullable<ChatCompletionRequest['tool_choice']>;
type NamedChoice = Exclude<ChatChoice, string | { type: 'allowed_tools' }>;

function readTools({ tools, functions }: ChatCompletionRequest): Tool[] {
  const newer = (tools ?? []).map((tool, index) => readTool(tool, `tools[${index}]`));
  return [...newer, ...(functions ?? []).map((definition, index) => readFunction(definition, `functions[${index}]`))];
}

function readTool(tool: ChatTool, path: string): Tool {
  if (tool.type === 'function') return { ...readFunction(tool.function, path), ...readCacheMark(tool) };
  const { name, description, format } = tool.custom;
  const grammar = format?.type === 'grammar' ? { syntax: format.grammar.syntax, definition: format.grammar.definition } : null;
  return { kind: 'custom', name, namespace: null, description: description ?? null, grammar, path };
}

/** On chat an absent `strict` means false. */
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

function readChoice(choice: ChatChoice): ToolChoice {
  if (typeof choice === 'string') return { kind: choice };
  if (choice.type !== 'allowed_tools') return { kind: 'tool', tool: readName(choice) };
  const { mode, tools } = choice.allowed_tools;
  return { kind: 'allowed', mode, tools: tools.map(readName) };
}

function readName(named: NamedChoice): ToolName {
  return { form: named.type, name: named.type === 'custom' ? named.custom.name : named.function.name };
}

/** The IDs of the tool calls after the last user message: models ignore reasoning from before that message. */
export function callsSinceUser({ messages }: Fields): string[] {
  if (!Array.isArray(messages)) return [];
  const last = messages.findLastIndex((message) => isFields(message) && message.role === 'user');
  const calls = messages
    .slice(last + 1)
    .flatMap((message) => (isFields(message) && Array.isArray(message.tool_calls) ? message.tool_calls : []));
  return calls.flatMap((call) => (isFields(call) && typeof call.id === 'string' ? [call.id] : []));
}
