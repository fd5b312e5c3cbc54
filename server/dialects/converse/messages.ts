/** Writes the items of a turn as messages of user and assistant (request body: `messages`). */
import { isFields } from '../../../contract/rule.ts';
import { plainCallId } from '../non-openai/call-ids.ts';
import { readDataUrl } from '../non-openai/data-url.ts';
import { Dialogue, type Speech } from '../non-openai/dialogue.ts';
import { type PlainItem, parseArguments, partPath } from '../non-openai/items.ts';
import { refuse } from '../non-openai/refusal.ts';
import { unpackReasoning } from '../turn/encrypted-reasoning.ts';
import { type FlatToolNames, shortHash } from '../turn/tool-names.ts';
import type { CallItem, FilePart, MessageItem, OutputItem, Part, ReasoningItem } from '../turn/turn.ts';
import type { Work } from '../turn/work-budget.ts';
import { type Block, type ContentBlock, MAX_CALL_ID, PROVIDER, type ReasoningBlock, vendorOf } from './wire.ts';

export interface MessagesOptions {
  readonly names: FlatToolNames;
  readonly model: string;
  /** The caller's name for the list of items. */
  readonly param: string;
  readonly work: Work;
}

interface Writer extends Omit<MessagesOptions, 'param'> {
  readonly dialogue: Dialogue<Block>;
  readonly vendor: string;
  /** Names of documents so far: each may occur once. */
  readonly documents: Set<string>;
}

export function writeMessages(items: readonly PlainItem[], { param, ...given }: MessagesOptions): readonly Speech<Block>[] {
  const writer: Writer = { ...given, dialogue: new Dialogue(), vendor: vendorOf(given.model), documents: new Set() };
  for (const item of items) writeItem(item, writer);
  return writer.dialogue.end(param);
}

function writeItem(item: PlainItem, writer: Writer): void {
  const { dialogue } = writer;
  if (item.kind === 'message') dialogue.say(item.role === 'assistant' ? 'assistant' : 'user', writeMessage(item, writer));
  else if (item.kind === 'call') dialogue.call(item.callId, writeCall(item, writer));
  else if (item.kind === 'output') dialogue.answer({ callId: item.callId, path: item.path, result: writeOutput(item, writer) });
  else dialogue.think(openThoughts(item, writer));
}

function writeMessage(item: MessageItem, writer: Writer): readonly ContentBlock[] {
  const blocks = writeParts(item, writer);
  const isStrange = item.role === 'assistant' && blocks.some((block) => !('text' in block));
  return isStrange ? refuse(item.path, 'an assistant of this upstream says text alone') : blocks;
}

function writeCall(item: CallItem, { names, work, vendor }: Writer): Block {
  const input = parseArguments(item, work);
  return { toolUse: { toolUseId: callId(item.callId, vendor), name: names.toWire(item.namespace, item.name), input } };
}

function writeOutput(item: OutputItem, writer: Writer): Block {
  const content = writeParts(item, writer);
  return { toolResult: { toolUseId: callId(item.callId, writer.vendor), content } };
}

/** Models of Mistral take ids of nine letters and digits alone. */
const callId = (id: string, vendor: string): string =>
  vendor === 'mistral' && !/^[A-Za-z0-9]{9}$/.test(id) ? `m${shortHash(id)}` : plainCallId(id, MAX_CALL_ID);

/** Signed reasoning goes back unchanged, to models of the vendor that signed it. */
function openThoughts(item: ReasoningItem, { work, vendor }: Writer): readonly Block[] {
  const value = item.encrypted === null ? null : unpackReasoning(PROVIDER, item.encrypted, work.on(item.path));
  if (!isFields(value) || value.vendor !== vendor || !isReasoning(value.block)) return [];
  return [{ reasoningContent: value.block }];
}

function isReasoning(block: unknown): block is ReasoningBlock {
  if (!isFields(block)) return false;
  const { reasoningText, redactedContent } = block;
  if (isFields(reasoningText)) return typeof reasoningText.text === 'string' && typeof reasoningText.signature === 'string';
  return typeof redactedContent === 'string';
}

function writeParts(item: MessageItem | OutputItem, writer: Writer): readonly ContentBlock[] {
  return item.parts.flatMap((part, index) => writePart(part, partPath(item, index), writer));
}

function writePart(part: Part, path: string, writer: Writer): readonly ContentBlock[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      // The vendor refuses text that is only white space.
      return part.text.trim() === '' ? [] : [{ text: part.text }];
    case 'image':
      return [writeImage(part.url, path)];
    case 'file':
      return [writeDocument(part, path, writer)];
    case 'audio':
      return refuse(path, 'its upstream takes no audio');
  }
}

const images = new Map(['png', 'jpeg', 'gif', 'webp'].map((format) => [`image/${format}`, format]));

function writeImage(url: string | null, path: string): ContentBlock {
  const inline = url === null ? null : readDataUrl(url);
  const format = images.get(inline?.mediaType ?? '');
  if (inline === null || format === undefined) return refuse(path, 'an image is a base64 data URL of a PNG, JPEG, GIF or WebP');
  return { image: { format, source: { bytes: inline.data } } };
}

const documents = new Map([
  ['application/pdf', 'pdf'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
  ['text/csv', 'csv'],
  ['text/html', 'html'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
]);

function writeDocument({ data, filename }: FilePart, path: string, writer: Writer): ContentBlock {
  const inline = data === null ? null : readDataUrl(data);
  if (inline === null) return refuse(path, 'a file is a base64 data URL');
  const format = documents.get(inline.mediaType);
  if (format === undefined) return refuse(path, `its upstream takes files of the kinds ${[...documents.values()].join(', ')}`);
  return { document: { format, name: nameFor(filename, writer.documents), source: { bytes: inline.data } } };
}

/** Longest name of a document, with room for a number behind it. */
const MAX_DOCUMENT_NAME = 190;

/** The vendor takes letters, digits, hyphens, brackets and single spaces in a name, and each name once. */
function nameFor(filename: string | null, taken: Set<string>): string {
  const clean = (filename ?? '')
    .slice(0, MAX_DOCUMENT_NAME)
    .replace(/[^A-Za-z0-9()[\]-]+/g, ' ')
    .trim();
  const base = clean === '' ? 'document' : clean;
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base} (${number})`;
  taken.add(name);
  return name;
}
