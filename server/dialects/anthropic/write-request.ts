/** Writes a turn as the body of a Messages request. What the protocol can't say is rejected by the caller's own name for it. */

import { isFields } from '../../primitives/fields.ts';
import { ASK_FOR_OBJECT, reject, rejectCommon, rejectLogprobs, rejectPenalties, wantsObject, wordOf } from '../non-openai/answers.ts';
import { readDataUrl } from '../non-openai/data-url.ts';
import {
  type CallableTool,
  type Choice,
  callableTools,
  calledNames,
  Dialogue,
  descriptionOf,
  type MessageGroup,
  NOT_OFFERED,
  onlyChosen,
  type PlainItem,
  parametersOf,
  parseArguments,
  partPath,
  plainCallId,
  readChoice,
  readConversation,
} from '../non-openai/items.ts';
import { CachePlan, type Retention } from '../turn/prompt-cache.ts';
import { Work } from '../turn/schema.ts';
import { type FlatToolNames, flatToolNames, unpackReasoning } from '../turn/tools.ts';
import type { CallItem, FilePart, ImagePart, MessageItem, OutputItem, Part, ReasoningItem, Settings, Turn } from '../turn/turn.ts';
import { type Block, base64, type ContentBlock, DEFAULT_MAX_TOKENS, MAX_TOOL_NAME, PROVIDER, type ThinkingBlock } from './wire.ts';

type Body = Readonly<Record<string, unknown>>;

interface WriteOptions {
  /** The protocol wants a limit on every request: this one where the caller sets none. */
  readonly maxTokens?: number | undefined;
  /** Whether a caller who marks nothing gets marks of the prompt cache. */
  readonly isCached?: boolean;
  readonly work?: Work | undefined;
}

export function writeRequest(turn: Turn, { maxTokens = DEFAULT_MAX_TOKENS, isCached = false, work = new Work() }: WriteOptions = {}): Body {
  rejectUnsupported(turn);
  const names = flatToolNames(turn.tools, MAX_TOOL_NAME);
  const plan = new CachePlan(turn, isCached);
  const { system: given, items, mark } = readConversation(turn, true);
  const text = (wantsObject(turn) ? [...given, ASK_FOR_OBJECT] : given).join('\n\n');
  const system = text === '' ? [] : [plan.note({ type: 'text', text }, mark)];
  const messages = writeMessages(items, { names, param: wordOf(turn, 'items'), work, plan });
  const { tools = [], tool_choice: toolChoice } = writeTools(turn, names, { work, plan });
  const speeches = messages.map(({ role, blocks }) => ({ role, blocks: blocks.filter(isMarkable) }));
  const marks = plan.settle({ tools, system, speeches });
  const marked = <Part extends object>(part: Part) => withMark(part, marks.get(part));
  return {
    model: turn.model,
    max_tokens: turn.settings.maxOutputTokens ?? maxTokens,
    ...(text !== '' && { system: system.some((block) => marks.has(block)) ? system.map(marked) : text }),
    messages: messages.map(({ role, blocks }) => ({ role, content: blocks.map(marked) })),
    ...(tools.length > 0 && { tools: tools.map(marked) }),
    ...(toolChoice && { tool_choice: toolChoice }),
    ...writeSettings(turn.settings),
    ...writeThinking(turn, toolChoice),
    ...writeOutputConfig(turn),
    ...(turn.stream && { stream: true }),
  };
}

/** The provider marks no reasoning. */
const isMarkable = ({ type }: Block): boolean => type !== 'thinking' && type !== 'redacted_thinking';

const withMark = <Part extends object>(part: Part, retention: Retention | undefined): Part =>
  retention === undefined ? part : { ...part, cache_control: { type: 'ephemeral', ...(retention === '1h' && { ttl: retention }) } };

function rejectUnsupported(turn: Turn): void {
  const { seed, temperature } = turn.settings;
  rejectCommon(turn);
  rejectLogprobs(turn);
  rejectPenalties(turn.settings);
  if (seed !== null) reject('seed');
  if (temperature !== null && temperature > 1) reject('temperature', `must be between 0 and 1 for this model. Got ${temperature}`);
}

function writeSettings({ temperature, topP, stop }: Settings): Body {
  return {
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { top_p: topP }),
    ...(stop.length > 0 && { stop_sequences: stop }),
  };
}

interface Tools {
  readonly tools?: readonly object[];
  readonly tool_choice?: Readonly<Record<string, unknown>>;
}

function writeTools(turn: Turn, names: FlatToolNames, { work, plan }: Pick<MessagesOptions, 'work' | 'plan'>): Tools {
  const tools = callableTools(turn);
  const choice = readChoice(turn, tools, names);
  if (tools.length === 0) return pastTools(turn, names);
  const written = tools.map((tool) =>
    plan.note(writeTool(tool, names.toWire(tool.namespace, tool.name), parametersOf(tool, turn, work)), tool.cacheMark),
  );
  const toolChoice = writeChoice(choice, turn.parallelToolCalls === false);
  return { tools: onlyChosen(written, choice), ...(toolChoice && { tool_choice: toolChoice }) };
}

/** A history with calls needs their tools declared, also where none is offered anymore, as when an agent asks for a summary. */
function pastTools(turn: Turn, names: FlatToolNames): Tools {
  const tools = calledNames(turn, names).map((name) => ({ name, description: NOT_OFFERED, input_schema: { type: 'object' } }));
  return tools.length === 0 ? {} : { tools, tool_choice: { type: 'none' } };
}

function writeTool(tool: CallableTool, name: string, parameters: Body) {
  const description = descriptionOf(tool);
  return {
    name,
    ...(description !== null && { description }),
    input_schema: parameters,
    ...(tool.kind === 'function' && tool.strict === true && { strict: true }),
  };
}

const modes = { auto: 'auto', none: 'none', required: 'any' } as const;

function writeChoice(choice: Choice | null, isSingle: boolean): Readonly<Record<string, unknown>> | null {
  if (choice?.mode === 'none') return { type: 'none' };
  if (choice === null && !isSingle) return null;
  const single = isSingle && { disable_parallel_tool_use: true };
  const [name, second] = choice?.only ?? [];
  if (choice?.mode === 'required' && name !== undefined && second === undefined) return { type: 'tool', name, ...single };
  return { type: modes[choice?.mode ?? 'auto'], ...single };
}

/** Thinking excludes a forced tool and a temperature of the caller's own; then the effort alone has to say it. */
function writeThinking({ effort, reasoningSummary, settings }: Turn, toolChoice: Tools['tool_choice']): Body {
  if (effort === null) return {};
  if (effort === 'none') return { thinking: { type: 'disabled' } };
  const isForced = toolChoice?.type === 'any' || toolChoice?.type === 'tool';
  if (isForced || (settings.temperature ?? 1) !== 1) return {};
  return { thinking: { type: 'adaptive', ...(reasoningSummary !== null && { display: 'summarized' }) } };
}

function writeOutputConfig({ effort, format }: Turn): Body {
  const config = {
    ...(effort !== null && effort !== 'none' && { effort: effort === 'minimal' ? 'low' : effort }),
    ...(format.kind === 'schema' && { format: { type: 'json_schema', schema: format.schema } }),
  };
  return Object.keys(config).length > 0 ? { output_config: config } : {};
}

interface MessagesOptions {
  readonly names: FlatToolNames;
  /** The caller's name for the list of items. */
  readonly param: string;
  readonly work: Work;
  readonly plan: CachePlan;
}

function writeMessages(items: readonly PlainItem[], { param, ...given }: MessagesOptions): readonly MessageGroup<Block>[] {
  const dialogue = new Dialogue<Block>();
  for (const item of items) writeItem(item, dialogue, given);
  return dialogue.end(param, true);
}

type Given = Omit<MessagesOptions, 'param'>;

function writeItem(item: PlainItem, dialogue: Dialogue<Block>, given: Given): void {
  if (item.kind === 'message') dialogue.say(item.role === 'assistant' ? 'assistant' : 'user', writeMessage(item, given.plan));
  else if (item.kind === 'call') dialogue.call(item.callId, writeCall(item, given));
  else if (item.kind === 'output') dialogue.answer({ callId: item.callId, path: item.path, result: writeOutput(item, given.plan) });
  else dialogue.think(openThoughts(item, given.work));
}

function writeMessage(item: MessageItem, plan: CachePlan): readonly ContentBlock[] {
  const blocks = writeParts(item, plan);
  const strange = item.role === 'assistant' ? blocks.findIndex((block) => block.type !== 'text') : -1;
  return strange < 0 ? blocks : reject(item.path, 'is not supported: assistant messages for this model can contain only text');
}

function writeCall(item: CallItem, { names, work }: Given): Block {
  return {
    type: 'tool_use',
    id: plainCallId(item.callId),
    name: names.toWire(item.namespace, item.name),
    input: parseArguments(item, work),
  };
}

/** A mark inside a result is one of the result. */
function writeOutput(item: OutputItem, plan: CachePlan): Block {
  const blocks = writeParts(item, plan);
  const [first] = blocks;
  const content = blocks.length === 1 && first?.type === 'text' ? first.text : blocks;
  const result: Block = { type: 'tool_result', tool_use_id: plainCallId(item.callId), ...(blocks.length > 0 && { content }) };
  return plan.note(result, item.parts.findLast(({ cacheMark }) => cacheMark)?.cacheMark);
}

/** Signed reasoning is sent back unchanged; that of other upstreams is omitted. */
function openThoughts(item: ReasoningItem, work: Work): readonly ThinkingBlock[] {
  const value = item.encrypted === null ? null : unpackReasoning(PROVIDER, item.encrypted, work.on(item.path));
  return isFields(value) && Array.isArray(value.blocks) ? value.blocks.filter(isThinking) : [];
}

function isThinking(block: unknown): block is ThinkingBlock {
  if (!isFields(block)) return false;
  if (block.type === 'redacted_thinking') return typeof block.data === 'string';
  return block.type === 'thinking' && typeof block.thinking === 'string' && typeof block.signature === 'string';
}

function writeParts(item: MessageItem | OutputItem, plan: CachePlan): readonly ContentBlock[] {
  return item.parts.flatMap((part, index) => writePart(part, partPath(item, index)).map((block) => plan.note(block, part.cacheMark)));
}

function writePart(part: Part, path: string): ContentBlock[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      // The provider rejects text that is only white space.
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
    case 'image':
      return [writeImage(part, path)];
    case 'file':
      return [writeFile(part, path)];
    case 'audio':
      return reject(path, "is not supported: this model's upstream doesn't accept audio");
  }
}

const NO_FILE_IDS = "is not supported: file IDs can't be used with this model. Send a base64 data URL";

function writeImage({ url, fileId }: ImagePart, path: string): ContentBlock {
  if (url === null) return reject(path, fileId === null ? 'has no image' : NO_FILE_IDS);
  const inline = readDataUrl(url);
  if (inline !== null) return { type: 'image', source: base64(inline) };
  return isHttps(url)
    ? { type: 'image', source: { type: 'url', url } }
    : reject(path, 'must be a base64 data URL or an https URL for this model');
}

function writeFile({ data, url, fileId, filename }: FilePart, path: string): ContentBlock {
  const title = filename === null || filename === '' ? {} : { title: filename };
  if (data !== null) return { type: 'document', source: writeDocument(data, path), ...title };
  if (url !== null && isHttps(url)) return { type: 'document', source: { type: 'url', url }, ...title };
  return reject(path, fileId === null ? 'must be a base64 data URL or an https URL for this model' : NO_FILE_IDS);
}

function writeDocument(data: string, path: string) {
  const inline = readDataUrl(data);
  if (inline?.mediaType === 'application/pdf') return base64(inline);
  if (inline?.mediaType !== 'text/plain') return reject(path, 'must be a file of type application/pdf or text/plain for this model');
  return { type: 'text', media_type: 'text/plain', data: Buffer.from(inline.data, 'base64').toString() } as const;
}

const isHttps = (url: string): boolean => /^https:\/\//i.test(url);

/** Throws for the first image or file that isn't in the request itself. */
export function rejectAddresses({ items }: Turn): void {
  for (const item of items) {
    if (item.kind !== 'message' && item.kind !== 'output') continue;
    const at = item.parts.findIndex(isAddress);
    if (at >= 0) reject(partPath(item, at), "can't be a URL: this model's upstream doesn't fetch URLs. Send a base64 data URL");
  }
}

const isAddress = (part: Part): boolean =>
  (part.kind === 'image' || (part.kind === 'file' && part.data === null)) && part.url !== null && /^https?:\/\//i.test(part.url);
