/** `@modelgate/client/migrate`: pure functions that convert chat completions code to the Responses API. */
import type {
  ChatCompletionRequest,
  ChatMessage,
  ChatTextPart,
  ChatTool,
  InputItem,
  MessagePart,
  ResponseRequest,
  TextFormat,
  Tool,
} from './types.gen.ts';

export { toChatCompletion } from './migrate-answer.ts';

/** A part of the chat request that doesn't exist in responses requests, or has another meaning there. */
export interface MigrationNote {
  /** Path of the field in the chat request. */
  readonly field: string;
  /** How to replace it. */
  readonly remedy: string;
}

/** A request for `POST /v1/responses`, and what to check before you use it. */
export interface Migration {
  readonly request: ResponseRequest;
  readonly notes: readonly MigrationNote[];
}

const MIN_OUTPUT_TOKENS = 16;
const LOGPROBS = 'message.output_text.logprobs';

/** Fields that only chat has, and their replacements. */
const left: Readonly<Record<string, string>> = {
  stop: 'Ask for the ending in `instructions`, or cut the text in your code.',
  seed: "Remove it: output can't be reproduced.",
  logit_bias: 'List preferred and unwanted words in `instructions`.',
  audio: 'Keep using chat for audio output.',
  prediction: 'Remove it: the output is the same, but may take longer.',
};

const isSet = (value: unknown) => value !== null && value !== undefined;

/** Converts a chat request into a responses request. Doesn't change the chat request. */
export function toResponseRequest(chat: ChatCompletionRequest): Migration {
  const { messages, tools, functions, function_call, tool_choice, response_format, verbosity, web_search_options, ...others } = chat;
  const { reasoning, reasoning_effort, max_completion_tokens, max_tokens, logprobs, stream_options, store, ...more } = others;
  const { n, stop: _stop, seed: _seed, logit_bias: _bias, modalities, audio: _audio, prediction: _prediction, ...same } = more;
  const notes: MigrationNote[] = [];
  const effort = reasoning_effort ?? reasoning?.effort;
  const format = moveFormat(response_format, notes);
  const request: ResponseRequest = {
    ...same,
    ...moveMessages(messages, notes),
    ...(isSet(effort) && { reasoning: { effort } }),
    ...((format || isSet(verbosity)) && { text: { ...(format && { format }), ...(isSet(verbosity) && { verbosity }) } }),
    ...moveTools({ tools, functions, web_search_options }),
    ...moveToolChoice(tool_choice ?? function_call),
    ...moveLimit(max_completion_tokens ?? max_tokens, isSet(max_completion_tokens) ? 'max_completion_tokens' : 'max_tokens', notes),
    ...(logprobs && { include: [LOGPROBS] }),
    ...(isSet(stream_options?.include_obfuscation) && { stream_options: { include_obfuscation: stream_options?.include_obfuscation } }),
    // Set explicitly, because the defaults differ: chat stores nothing by default, and responses are stored by default.
    store: store ?? false,
  };
  notes.push(...listFieldNotes(chat), ...listCountNotes(n, modalities));
  return { request, notes };
}

function moveLimit(limit: number | null | undefined, field: string, notes: MigrationNote[]): Pick<ResponseRequest, 'max_output_tokens'> {
  if (limit === null || limit === undefined) return {};
  if (limit < MIN_OUTPUT_TOKENS)
    notes.push({ field, remedy: `\`max_output_tokens\` must be at least ${MIN_OUTPUT_TOKENS}, and was raised to that.` });
  return { max_output_tokens: Math.max(limit, MIN_OUTPUT_TOKENS) };
}

function listFieldNotes(chat: ChatCompletionRequest): MigrationNote[] {
  // `as`: only the field names are read, to see which fields are set.
  const fields = chat as unknown as Readonly<Record<string, unknown>>;
  const notes = Object.entries(left).flatMap(([field, remedy]) => (isSet(fields[field]) ? [{ field, remedy }] : []));
  if (chat.stream) notes.push({ field: 'stream', remedy: 'Read events by their `type`, instead of chunks with `choices`.' });
  if (chat.stream_options?.include_usage) {
    notes.push({ field: 'stream_options.include_usage', remedy: 'Remove it: the last event of a stream always has the usage.' });
  }
  if (!isSet(chat.store)) {
    notes.push({ field: 'store', remedy: 'It was set to false, as in chat; set it to true to continue with `previous_response_id`.' });
  }
  return notes;
}

function listCountNotes(n: number | null | undefined, modalities: ChatCompletionRequest['modalities']): MigrationNote[] {
  return [
    ...((n ?? 1) > 1 ? [{ field: 'n', remedy: 'A response has one output: send the request once for each.' }] : []),
    ...(modalities?.includes('audio') ? [{ field: 'modalities', remedy: 'Keep using chat for audio output.' }] : []),
  ];
}

type Role<R> = Extract<ChatMessage, { role: R }>;
type UserPart = Exclude<Role<'user'>['content'], string>[number];

/** State of the message conversion. */
interface MigrationState {
  readonly notes: MigrationNote[];
  /** IDs of calls to custom tools, whose results have a separate item type. */
  readonly custom: Set<string>;
  /** Generated ID of the latest `function_call`, which has no ID. */
  legacyId: string | undefined;
}

const isInstruction = (message: ChatMessage): message is Role<'system'> => message.role === 'system' || message.role === 'developer';
const joinText = (content: string | readonly ChatTextPart[]): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('\n');

/** Moves instructions at the start to `instructions`. Later instructions stay in the input. */
function moveMessages(messages: readonly ChatMessage[], notes: MigrationNote[]): Pick<ResponseRequest, 'input' | 'instructions'> {
  const walk: MigrationState = { notes, custom: new Set(), legacyId: undefined };
  const found = messages.findIndex((message) => !isInstruction(message));
  const start = found === -1 ? messages.length : found;
  const head = messages.slice(0, start).filter(isInstruction);
  noteNames(messages, notes);
  const rest = messages.slice(start);
  const [only] = rest;
  const isPlain = rest.length === 1 && only?.role === 'user' && typeof only.content === 'string';
  return {
    ...(head.length > 0 && { instructions: head.map(({ content }) => joinText(content)).join('\n\n') }),
    input: isPlain ? (only.content as string) : rest.flatMap((message, index) => moveMessage(message, `messages[${start + index}]`, walk)),
  };
}

function noteNames(messages: readonly ChatMessage[], notes: MigrationNote[]): void {
  for (const [index, message] of messages.entries()) {
    if (message.role === 'function' || message.role === 'tool' || !message.name) continue;
    notes.push({ field: `messages[${index}].name`, remedy: 'Input messages have no name: say in the text who is speaking.' });
  }
}

function moveMessage(message: ChatMessage, field: string, walk: MigrationState): InputItem[] {
  switch (message.role) {
    case 'user':
      return [
        { type: 'message', role: 'user', content: typeof message.content === 'string' ? message.content : message.content.map(movePart) },
      ];
    case 'assistant':
      return moveAssistantMessage(message, field, walk);
    case 'tool':
      return [moveResult(message, walk)];
    case 'function':
      return moveLegacyResult(message, field, walk);
    default:
      return [{ type: 'message', role: message.role, content: joinText(message.content) }];
  }
}

function movePart(part: UserPart): MessagePart {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text };
    case 'image_url':
      if (typeof part.image_url === 'string') return { type: 'input_image', image_url: part.image_url };
      return { type: 'input_image', image_url: part.image_url.url, ...(part.image_url.detail && { detail: part.image_url.detail }) };
    case 'file':
      return { type: 'input_file', ...part.file };
    default:
      return { type: 'input_audio', input_audio: part.input_audio };
  }
}

function moveAssistantMessage(message: Role<'assistant'>, field: string, walk: MigrationState): InputItem[] {
  const { content, refusal, audio, tool_calls, function_call } = message;
  if (audio) walk.notes.push({ field: `${field}.audio`, remedy: 'Send the transcript as text: only chat has audio output.' });
  const contentParts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? []);
  const parts = contentParts.flatMap((part, index): MessagePart[] => {
    if (part.type === 'thinking') {
      walk.notes.push({ field: `${field}.content[${index}]`, remedy: "Remove it: reasoning of another API can't be sent back." });
      return [];
    }
    if (part.type === 'refusal') return [{ type: 'refusal', refusal: part.refusal }];
    return part.text === '' ? [] : [{ type: 'output_text', text: part.text }];
  });
  if (refusal) parts.push({ type: 'refusal', refusal });
  const items: InputItem[] = parts.length > 0 ? [{ type: 'message', role: 'assistant', content: parts }] : [];
  for (const call of tool_calls ?? []) items.push(moveCall(call, walk));
  if (function_call) {
    walk.legacyId = `call_${field.replace(/\D/g, '')}`;
    items.push({ type: 'function_call', call_id: walk.legacyId, name: function_call.name, arguments: function_call.arguments });
  }
  return items;
}

function moveCall(call: NonNullable<Role<'assistant'>['tool_calls']>[number], { custom }: MigrationState): InputItem {
  if (call.type === 'function') {
    return { type: 'function_call', call_id: call.id, name: call.function.name, arguments: call.function.arguments };
  }
  custom.add(call.id);
  return { type: 'custom_tool_call', call_id: call.id, name: call.custom.name, input: call.custom.input };
}

function moveResult({ tool_call_id, content }: Role<'tool'>, { custom }: MigrationState): InputItem {
  const output = typeof content === 'string' ? content : content.map(({ text }) => ({ type: 'input_text' as const, text }));
  return { type: custom.has(tool_call_id) ? 'custom_tool_call_output' : 'function_call_output', call_id: tool_call_id, output };
}

/** A `function` message has no call ID. It belongs to the latest `function_call`. */
function moveLegacyResult({ content }: Role<'function'>, field: string, walk: MigrationState): InputItem[] {
  const { legacyId } = walk;
  if (legacyId !== undefined) return [{ type: 'function_call_output', call_id: legacyId, output: content ?? '' }];
  walk.notes.push({ field, remedy: 'Add the function call before this result, with the same `call_id`.' });
  return [];
}

type Chat = ChatCompletionRequest;

/** Sets `strict` explicitly. If omitted, chat uses false, but for responses the upstream decides. */
function moveTool(tool: ChatTool): Tool {
  if (tool.type === 'function') return { type: 'function', ...tool.function, strict: tool.function.strict ?? false };
  const { format, ...rest } = tool.custom;
  if (!format) return { type: 'custom', ...rest };
  return { type: 'custom', ...rest, format: format.type === 'grammar' ? { type: 'grammar', ...format.grammar } : { type: 'text' } };
}

/** In chat, the location is nested in `approximate`. */
function moveSearch({ search_context_size, user_location }: NonNullable<Chat['web_search_options']>): Tool {
  const { approximate, ...place } = user_location ?? {};
  return {
    type: 'web_search',
    ...(search_context_size && { search_context_size }),
    ...(user_location && { user_location: { ...place, ...(typeof approximate === 'object' && approximate) } }),
  };
}

/** Converts tools, deprecated functions, and the web search, which is a separate option in chat. */
function moveTools({
  tools,
  functions,
  web_search_options,
}: Pick<Chat, 'tools' | 'functions' | 'web_search_options'>): Pick<ResponseRequest, 'tools'> {
  const moved: Tool[] = [
    ...(tools ?? []).map(moveTool),
    ...(functions ?? []).map((definition): Tool => ({ type: 'function', ...definition, strict: false })),
    ...(web_search_options ? [moveSearch(web_search_options)] : []),
  ];
  return moved.length > 0 ? { tools: moved } : {};
}

const toNamedChoice = (choice: { type: 'function'; function: { name: string } } | { type: 'custom'; custom: { name: string } }) =>
  choice.type === 'function' ? { type: choice.type, name: choice.function.name } : { type: choice.type, name: choice.custom.name };

function moveToolChoice(choice: Chat['tool_choice'] | Chat['function_call']): Pick<ResponseRequest, 'tool_choice'> {
  if (choice === null || choice === undefined) return {};
  if (typeof choice === 'string') return { tool_choice: choice };
  if (!('type' in choice)) return { tool_choice: { type: 'function', name: String(choice.name) } };
  // `as`: only the deprecated choice has no type, and the line above handles it.
  const typed = choice as Exclude<NonNullable<Chat['tool_choice']>, string>;
  if (typed.type !== 'allowed_tools') return { tool_choice: toNamedChoice(typed) };
  const { mode, tools } = typed.allowed_tools;
  return { tool_choice: { type: 'allowed_tools', mode, tools: tools.map(toNamedChoice) } };
}

/** Converts `response_format` to `text.format`. */
function moveFormat(format: Chat['response_format'], notes: MigrationNote[]): TextFormat | undefined {
  if (!format) return undefined;
  if (format.type !== 'json_schema') return { type: format.type };
  const { name, description, schema, strict } = format.json_schema;
  if (strict !== true) {
    notes.push({
      field: 'response_format.json_schema.strict',
      remedy: 'Set `strict: true` in `text.format` to have the schema followed exactly.',
    });
  }
  return { type: 'json_schema', name, ...(description && { description }), schema: schema ?? {}, strict: strict ?? false };
}
