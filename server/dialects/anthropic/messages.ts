/** Writes the items of a turn as messages of user and assistant (request body: `messages`). */
import { isFields } from '../../../contract/rule.ts';
import { plainCallId } from '../non-openai/call-ids.ts';
import { readDataUrl } from '../non-openai/data-url.ts';
import { Dialogue, type Speech } from '../non-openai/dialogue.ts';
import { type PlainItem, parseArguments, partPath } from '../non-openai/items.ts';
import { refuse } from '../non-openai/refusal.ts';
import { unpackReasoning } from '../turn/encrypted-reasoning.ts';
import type { FlatToolNames } from '../turn/tool-names.ts';
import type { CallItem, FilePart, ImagePart, MessageItem, OutputItem, Part, ReasoningItem } from '../turn/turn.ts';
import type { Work } from '../turn/work-budget.ts';
import { type Block, base64, type ContentBlock, PROVIDER, type ThinkingBlock } from './wire.ts';

export interface MessagesOptions {
  readonly names: FlatToolNames;
  /** The caller's name for the list of items. */
  readonly param: string;
  readonly work: Work;
}

export function writeMessages(items: readonly PlainItem[], { param, ...given }: MessagesOptions): readonly Speech<Block>[] {
  const dialogue = new Dialogue<Block>();
  for (const item of items) writeItem(item, dialogue, given);
  return dialogue.end(param, true);
}

type Given = Omit<MessagesOptions, 'param'>;

function writeItem(item: PlainItem, dialogue: Dialogue<Block>, given: Given): void {
  if (item.kind === 'message') dialogue.say(item.role === 'assistant' ? 'assistant' : 'user', writeMessage(item));
  else if (item.kind === 'call') dialogue.call(item.callId, writeCall(item, given));
  else if (item.kind === 'output') dialogue.answer({ callId: item.callId, path: item.path, result: writeOutput(item) });
  else dialogue.think(openThoughts(item, given.work));
}

function writeMessage(item: MessageItem): readonly ContentBlock[] {
  const blocks = writeParts(item);
  const strange = item.role === 'assistant' ? blocks.findIndex((block) => block.type !== 'text') : -1;
  return strange < 0 ? blocks : refuse(item.path, 'an assistant of this upstream says text alone');
}

function writeCall(item: CallItem, { names, work }: Given): Block {
  return {
    type: 'tool_use',
    id: plainCallId(item.callId),
    name: names.toWire(item.namespace, item.name),
    input: parseArguments(item, work),
  };
}

function writeOutput(item: OutputItem): Block {
  const blocks = writeParts(item);
  const [first] = blocks;
  const content = blocks.length === 1 && first?.type === 'text' ? first.text : blocks;
  return { type: 'tool_result', tool_use_id: plainCallId(item.callId), ...(blocks.length > 0 && { content }) };
}

/** Signed reasoning is sent back unchanged; that of other upstreams is left out. */
function openThoughts(item: ReasoningItem, work: Work): readonly ThinkingBlock[] {
  const value = item.encrypted === null ? null : unpackReasoning(PROVIDER, item.encrypted, work.on(item.path));
  return isFields(value) && Array.isArray(value.blocks) ? value.blocks.filter(isThinking) : [];
}

function isThinking(block: unknown): block is ThinkingBlock {
  if (!isFields(block)) return false;
  if (block.type === 'redacted_thinking') return typeof block.data === 'string';
  return block.type === 'thinking' && typeof block.thinking === 'string' && typeof block.signature === 'string';
}

function writeParts(item: MessageItem | OutputItem): readonly ContentBlock[] {
  return item.parts.flatMap((part, index) => writePart(part, partPath(item, index)));
}

function writePart(part: Part, path: string): ContentBlock[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      // The vendor refuses text that is only white space.
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
    case 'image':
      return [writeImage(part, path)];
    case 'file':
      return [writeFile(part, path)];
    case 'audio':
      return refuse(path, 'its upstream takes no audio');
  }
}

function writeImage({ url, fileId }: ImagePart, path: string): ContentBlock {
  if (url === null) return refuse(path, fileId === null ? 'the image is missing' : 'an id of a file means nothing to its upstream');
  const inline = readDataUrl(url);
  if (inline !== null) return { type: 'image', source: base64(inline) };
  return isHttps(url) ? { type: 'image', source: { type: 'url', url } } : refuse(path, 'an image is a base64 data URL or an https address');
}

function writeFile({ data, url, fileId, filename }: FilePart, path: string): ContentBlock {
  const title = filename === null || filename === '' ? {} : { title: filename };
  if (data !== null) return { type: 'document', source: writeDocument(data, path), ...title };
  if (url !== null && isHttps(url)) return { type: 'document', source: { type: 'url', url }, ...title };
  return refuse(path, fileId === null ? 'a file is a data URL or an https address' : 'an id of a file means nothing to its upstream');
}

function writeDocument(data: string, path: string) {
  const inline = readDataUrl(data);
  if (inline?.mediaType === 'application/pdf') return base64(inline);
  if (inline?.mediaType !== 'text/plain') return refuse(path, 'its upstream takes files of the types application/pdf and text/plain');
  return { type: 'text', media_type: 'text/plain', data: Buffer.from(inline.data, 'base64').toString() } as const;
}

const isHttps = (url: string): boolean => /^https:\/\//i.test(url);
