/** The items of a turn as `input` of a responses call, for an upstream that keeps nothing. */
import { isPackedHere } from '../turn/encrypted-reasoning.ts';
import type {
  CallItem,
  FilePart,
  ForeignItem,
  ImagePart,
  Item,
  MessageItem,
  OutputItem,
  Part,
  ReasoningItem,
  RefusalPart,
} from '../turn/turn.ts';
import { unsupported } from '../turn/unsupported.ts';

export type Wire = Readonly<Record<string, unknown>>;

const given = (fields: Wire): Wire => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

const writeImage = ({ url, fileId, detail }: ImagePart): Wire =>
  given({ type: 'input_image', image_url: url, file_id: fileId, detail: detail ?? 'auto' });

const writeFile = ({ filename, data, url, fileId }: FilePart): Wire =>
  given({ type: 'input_file', filename, file_data: data, file_url: url, file_id: fileId });

const writeRefusal = ({ text }: RefusalPart): Wire => ({ type: 'refusal', refusal: text });

function writePart(part: Part): Wire {
  switch (part.kind) {
    case 'text':
      return { type: 'input_text', text: part.text };
    case 'image':
      return writeImage(part);
    case 'file':
      return writeFile(part);
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } };
    case 'refusal':
      return writeRefusal(part);
  }
}

/** What the assistant said has part types of its own. */
function writeSaid(part: Part, path: string): Wire {
  if (part.kind === 'text') return { type: 'output_text', text: part.text, annotations: [] };
  if (part.kind === 'refusal') return writeRefusal(part);
  throw unsupported(path, `A part of this kind (${part.kind}) has no place in a message of the assistant.`);
}

/** A single text is a string, which every upstream accepts. */
function writeContent(parts: readonly Part[], write: (part: Part, index: number) => Wire): unknown {
  const only = parts.length === 1 ? parts[0] : undefined;
  return only?.kind === 'text' ? only.text : parts.length === 0 ? '' : parts.map(write);
}

function writeMessage({ role, parts, phase, name, path }: MessageItem): Wire {
  if (name !== null) throw unsupported(`${path}.name`, '`name` cannot be sent to the upstream of this model: say in the text who speaks.');
  const content = writeContent(parts, (part, index) =>
    role === 'assistant' ? writeSaid(part, `${path}.content[${index}]`) : writePart(part),
  );
  return given({ type: 'message', role, content, phase });
}

function writeCall({ form, callId, name, namespace, arguments: text }: CallItem): Wire {
  const call = { call_id: callId, name, namespace };
  return given(
    form === 'custom' ? { type: 'custom_tool_call', ...call, input: text } : { type: 'function_call', ...call, arguments: text },
  );
}

function writeOutput({ form, callId, parts }: OutputItem): Wire {
  return { type: `${form === 'custom' ? 'custom_tool' : 'function'}_call_output`, call_id: callId, output: writeContent(parts, writePart) };
}

/** Only encrypted reasoning is sent, since the upstream stores nothing. It cannot read what was packed here for another protocol. */
function writeReasoning({ summary, content, encrypted }: ReasoningItem): readonly Wire[] {
  if (encrypted === null || isPackedHere(encrypted)) return [];
  const item = { type: 'reasoning', summary: summary.map((text) => ({ type: 'summary_text', text })), encrypted_content: encrypted };
  return [content.length === 0 ? item : { ...item, content: content.map((text) => ({ type: 'reasoning_text', text })) }];
}

/** Leaves out the id, which means nothing to another upstream, and the agents' own notes. */
function writeForeign({ type, path, value }: ForeignItem): Wire {
  if (type === 'item_reference') {
    throw unsupported(`${path}.type`, 'The upstream of this model keeps no items: send the item itself instead of a reference.');
  }
  const { id: _, internal_chat_message_metadata_passthrough: __, ...item } = value;
  return { ...item, type };
}

function writeItem(item: Item): readonly Wire[] {
  switch (item.kind) {
    case 'message':
      return [writeMessage(item)];
    case 'call':
      return [writeCall(item)];
    case 'output':
      return [writeOutput(item)];
    case 'reasoning':
      return writeReasoning(item);
    case 'foreign':
      return [writeForeign(item)];
  }
}

export const writeInput = (items: readonly Item[]): readonly Wire[] => items.flatMap(writeItem);
