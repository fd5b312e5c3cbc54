/** Messages of a chat request as the instructions and the input of a responses request. */
import type { MigrationNote } from './migrate.ts';
import type { ChatMessage, ChatTextPart, InputItem, MessagePart, ResponseRequest } from './types.gen.ts';

type Role<R> = Extract<ChatMessage, { role: R }>;
type UserPart = Exclude<Role<'user'>['content'], string>[number];

/** State while the messages are converted. */
interface Walk {
  readonly notes: MigrationNote[];
  /** Ids of calls to tools that take free text: their results have a type of their own. */
  readonly custom: Set<string>;
  /** The id made for the latest call of the older kind, which has none. */
  legacyId: string | undefined;
}

const isInstruction = (message: ChatMessage): message is Role<'system'> => message.role === 'system' || message.role === 'developer';
const textOf = (content: string | readonly ChatTextPart[]): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('\n');

/** Instructions at the beginning become `instructions`; later ones stay in the input. */
export function moveMessages(messages: readonly ChatMessage[], notes: MigrationNote[]): Pick<ResponseRequest, 'input' | 'instructions'> {
  const walk: Walk = { notes, custom: new Set(), legacyId: undefined };
  const found = messages.findIndex((message) => !isInstruction(message));
  const start = found === -1 ? messages.length : found;
  const head = messages.slice(0, start).filter(isInstruction);
  noteNames(messages, notes);
  const rest = messages.slice(start);
  const [only] = rest;
  const isPlain = rest.length === 1 && only?.role === 'user' && typeof only.content === 'string';
  return {
    ...(head.length > 0 && { instructions: head.map(({ content }) => textOf(content)).join('\n\n') }),
    input: isPlain ? (only.content as string) : rest.flatMap((message, index) => moveMessage(message, `messages[${start + index}]`, walk)),
  };
}

function noteNames(messages: readonly ChatMessage[], notes: MigrationNote[]): void {
  for (const [index, message] of messages.entries()) {
    if (message.role === 'function' || message.role === 'tool' || !message.name) continue;
    notes.push({ field: `messages[${index}].name`, remedy: 'Messages of the input have no name: say in the text who speaks.' });
  }
}

function moveMessage(message: ChatMessage, field: string, walk: Walk): InputItem[] {
  switch (message.role) {
    case 'user':
      return [
        { type: 'message', role: 'user', content: typeof message.content === 'string' ? message.content : message.content.map(movePart) },
      ];
    case 'assistant':
      return moveAnswer(message, field, walk);
    case 'tool':
      return [moveResult(message, walk)];
    case 'function':
      return moveLegacyResult(message, field, walk);
    default:
      return [{ type: 'message', role: message.role, content: textOf(message.content) }];
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

function moveAnswer(message: Role<'assistant'>, field: string, walk: Walk): InputItem[] {
  const { content, refusal, audio, tool_calls, function_call } = message;
  if (audio) walk.notes.push({ field: `${field}.audio`, remedy: 'Send the transcript as text: spoken answers exist on chat only.' });
  const said = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? []);
  const parts = said.flatMap((part, index): MessagePart[] => {
    if (part.type === 'thinking') {
      walk.notes.push({ field: `${field}.content[${index}]`, remedy: 'Leave it out: thoughts of another protocol cannot be sent back.' });
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

function moveCall(call: NonNullable<Role<'assistant'>['tool_calls']>[number], { custom }: Walk): InputItem {
  if (call.type === 'function') {
    return { type: 'function_call', call_id: call.id, name: call.function.name, arguments: call.function.arguments };
  }
  custom.add(call.id);
  return { type: 'custom_tool_call', call_id: call.id, name: call.custom.name, input: call.custom.input };
}

function moveResult({ tool_call_id, content }: Role<'tool'>, { custom }: Walk): InputItem {
  const output = typeof content === 'string' ? content : content.map(({ text }) => ({ type: 'input_text' as const, text }));
  return { type: custom.has(tool_call_id) ? 'custom_tool_call_output' : 'function_call_output', call_id: tool_call_id, output };
}

/** A result of the older form names no call: it belongs to the call before it. */
function moveLegacyResult({ content }: Role<'function'>, field: string, walk: Walk): InputItem[] {
  const { legacyId } = walk;
  if (legacyId !== undefined) return [{ type: 'function_call_output', call_id: legacyId, output: content ?? '' }];
  walk.notes.push({ field, remedy: 'No call stands before this result: add the call, with a `call_id` that both carry.' });
  return [];
}
