/** Reads the messages of a chat request into items; each call and each result becomes its own item. */
import type { ChatCompletionRequest } from '../../../contract/chat.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import type { CallItem, Item, OutputItem, Part } from '../turn/turn.ts';

type Message = ChatCompletionRequest['messages'][number];
type Of<Role extends Message['role']> = Extract<Message, { role: Role }>;
type UserContent = Of<'user'>['content'];
type UserPart = Exclude<UserContent, string>[number];

/** What reading a message needs from the messages before it. */
interface Conversation {
  /** The form of every call so far, by its id: a result does not name the form of its call. */
  readonly forms: Map<string, CallItem['form']>;
  /** The older form has no ids: a result belongs to the last call of that function. */
  readonly functionCalls: Map<string, string>;
}

export function readMessages(messages: readonly Message[]): Item[] {
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
  return typeof content === 'string' ? [{ kind: 'text', text: content }] : content.map(readPart);
}

function readPart(part: UserPart): Part {
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: part.text };
    case 'image_url':
      return readImage(part.image_url);
    case 'input_audio':
      return { kind: 'audio', data: part.input_audio.data, format: part.input_audio.format };
    case 'file': {
      const { filename, file_data, file_id } = part.file;
      return { kind: 'file', filename: filename ?? null, data: file_data ?? null, url: null, fileId: file_id ?? null };
    }
  }
}

function readImage(image: Extract<UserPart, { type: 'image_url' }>['image_url']): Part {
  const { url, detail } = typeof image === 'string' ? { url: image } : image;
  return { kind: 'image', url, fileId: null, detail: detail ?? null };
}

/** Its text first, then its calls. Empty text beside calls, which many clients send, is dropped. */
function readAssistant(message: Of<'assistant'>, path: string, conversation: Conversation): Item[] {
  if (message.audio) {
    const text = 'Audio of an earlier answer can only go back to an upstream that speaks chat; send its transcript as content.';
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
  return piece.type === 'text' ? { kind: 'text', text: piece.text } : { kind: 'refusal', text: piece.refusal };
}

function readCalls({ tool_calls, function_call }: Of<'assistant'>, path: string, { forms, functionCalls }: Conversation): CallItem[] {
  const calls = (tool_calls ?? []).map((call, index): CallItem => {
    const place = { kind: 'call', callId: call.id, namespace: null, path: `${path}.tool_calls[${index}]` } as const;
    return call.type === 'custom'
      ? { ...place, form: 'custom', name: call.custom.name, arguments: call.custom.input }
      : { ...place, form: 'function', name: call.function.name, arguments: call.function.arguments };
  });
  if (function_call) {
    // Derived from its path, so that the same conversation always gives the same id.
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
    const message = `${path} is the result of '${name}', which no earlier message calls.`;
    throw new GatewayError<CallCode>('invalid_value', { param: `${path}.name`, message });
  }
  functionCalls.delete(name);
  return { kind: 'output', form: 'function', callId, parts: [{ kind: 'text', text: content ?? '' }], path };
}
