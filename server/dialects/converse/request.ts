/** Writes the items of a turn as messages of user and assistant (request body: `messages`). */
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
import { toolField } from '../turn/caller-field-names.ts';
import { CachePlan, type Retention, unusedCacheOptions } from '../turn/prompt-cache.ts';
import { Work } from '../turn/schema.ts';
import { type FlatToolNames, flatToolNames, shortHash, unpackReasoning } from '../turn/tools.ts';
import type { CallItem, Effort, FilePart, Format, MessageItem, OutputItem, Part, ReasoningItem, Settings, Turn } from '../turn/turn.ts';

interface MessagesOptions {
  readonly names: FlatToolNames;
  readonly model: string;
  /** The caller's name for the list of items. */
  readonly param: string;
  readonly work: Work;
  readonly plan: CachePlan;
}

interface Writer extends Omit<MessagesOptions, 'param'> {
  readonly dialogue: Dialogue<Block>;
  readonly provider: string;
  /** Names of documents so far: each may occur once. */
  readonly documents: Set<string>;
}

function writeMessages(items: readonly PlainItem[], { param, ...given }: MessagesOptions): readonly MessageGroup<Block>[] {
  const writer: Writer = { ...given, dialogue: new Dialogue(), provider: providerOf(given.model), documents: new Set() };
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
  return isStrange ? reject(item.path, 'is not supported: assistant messages for this model can contain only text') : blocks;
}

function writeCall(item: CallItem, { names, work, provider }: Writer): Block {
  const input = parseArguments(item, work);
  return { toolUse: { toolUseId: callId(item.callId, provider), name: names.toWire(item.namespace, item.name), input } };
}

/** A mark inside a result is one of the result. */
function writeOutput(item: OutputItem, writer: Writer): Block {
  const content = writeParts(item, writer);
  const result: Block = { toolResult: { toolUseId: callId(item.callId, writer.provider), content } };
  return writer.plan.note(result, item.parts.findLast(({ cacheMark }) => cacheMark)?.cacheMark);
}

/** Models of Mistral take IDs of nine letters and digits alone. */
const callId = (id: string, provider: string): string =>
  provider === 'mistral' && !/^[A-Za-z0-9]{9}$/.test(id) ? `m${shortHash(id)}` : plainCallId(id, MAX_CALL_ID);

/** Signed reasoning goes back unchanged, to models of the provider that signed it. */
function openThoughts(item: ReasoningItem, { work, provider }: Writer): readonly Block[] {
  const value = item.encrypted === null ? null : unpackReasoning(PROVIDER, item.encrypted, work.on(item.path));
  if (!isFields(value) || value.provider !== provider || !isReasoning(value.block)) return [];
  return [{ reasoningContent: value.block }];
}

function isReasoning(block: unknown): block is ReasoningBlock {
  if (!isFields(block)) return false;
  const { reasoningText, redactedContent } = block;
  if (isFields(reasoningText)) return typeof reasoningText.text === 'string' && typeof reasoningText.signature === 'string';
  return typeof redactedContent === 'string';
}

function writeParts(item: MessageItem | OutputItem, writer: Writer): readonly ContentBlock[] {
  return item.parts.flatMap((part, index) =>
    writePart(part, partPath(item, index), writer).map((block) => writer.plan.note(block, part.cacheMark)),
  );
}

function writePart(part: Part, path: string, writer: Writer): readonly ContentBlock[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      // The provider rejects text that is only white space.
      return part.text.trim() === '' ? [] : [{ text: part.text }];
    case 'image':
      return [writeImage(part.url, path)];
    case 'file':
      return [writeDocument(part, path, writer)];
    case 'audio':
      return reject(path, "is not supported: this model's upstream doesn't accept audio");
  }
}

const images = new Map(['png', 'jpeg', 'gif', 'webp'].map((format) => [`image/${format}`, format]));

function writeImage(url: string | null, path: string): ContentBlock {
  const inline = url === null ? null : readDataUrl(url);
  const format = images.get(inline?.mediaType ?? '');
  if (inline === null || format === undefined)
    return reject(path, 'must be a base64 data URL of a PNG, JPEG, GIF, or WebP image for this model');
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
  if (inline === null) return reject(path, 'must be a base64 data URL for this model');
  const format = documents.get(inline.mediaType);
  if (format === undefined) return reject(path, `must be one of these file types for this model: ${[...documents.values()].join(', ')}`);
  return { document: { format, name: nameFor(filename, writer.documents), source: { bytes: inline.data } } };
}

/** Longest name of a document, with room for a number after it. */
const MAX_DOCUMENT_NAME = 190;

/** The provider takes letters, digits, hyphens, brackets and single spaces in a name, and each name once. */
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

type Body = Readonly<Record<string, unknown>>;

/** `isCached`: whether a caller who marks nothing gets marks of the prompt cache. Only models of Anthropic cache what is marked. */
export function writeRequest(turn: Turn, work = new Work(), isCached = false): Body {
  rejectUnsupported(turn);
  const names = flatToolNames(turn.tools, MAX_TOOL_NAME);
  const plan = new CachePlan(turn, isCached);
  const { system: given, items, mark } = readConversation(turn);
  const texts = wantsObject(turn) ? [...given, ASK_FOR_OBJECT] : given;
  const system = texts.map((text, index) => plan.note({ text }, index === texts.length - 1 ? mark : undefined));
  const messages = writeMessages(items, { names, model: turn.model, param: wordOf(turn, 'items'), work, plan });
  const [config, inference, effort] = [writeTools(turn, names, { work, plan }), writeSettings(turn.settings), effortField(turn)];
  const tools = config?.tools ?? [];
  const speeches = messages.map(({ role, blocks }) => ({ role, blocks: blocks.filter((block) => !('reasoningContent' in block)) }));
  const marks = cachesMarks(turn.model) ? plan.settle({ tools, system, speeches }) : NO_MARKS;
  const marked = (blocks: readonly object[]) => blocks.flatMap((block) => withPoint(block, marks.get(block)));
  return {
    messages: messages.map(({ role, blocks }) => ({ role, content: marked(blocks) })),
    ...(system.length > 0 && { system: marked(system) }),
    ...(Object.keys(inference).length > 0 && { inferenceConfig: inference }),
    ...(config !== null && { toolConfig: { ...config, tools: marked(tools) } }),
    ...writeFormat(turn.format),
    ...(effort !== null && { additionalModelRequestFields: effort }),
  };
}

/** The others cache by their own rules. */
const cachesMarks = (model: string): boolean => providerOf(model) === 'anthropic';

const markedPaths = ({ items }: Turn): readonly string[] =>
  items.flatMap((item) =>
    item.kind === 'message' || item.kind === 'output'
      ? item.parts.flatMap(({ cacheMark }, index) => (cacheMark?.breakpoint ? [`${partPath(item, index)}.prompt_cache_breakpoint`] : []))
      : [],
  );

const NO_MARKS: ReadonlyMap<object, Retention> = new Map();

/** A mark is a block after the one that it marks. */
const withPoint = (block: object, retention: Retention | undefined): readonly object[] =>
  retention === undefined ? [block] : [block, { cachePoint: { type: 'default', ...(retention === '1h' && { ttl: retention }) } }];

/** Fields that can be omitted, by the caller's names: the effort if the model has no field for it, strict schemas, and marks of the prompt cache. */
export function leftOut(turn: Turn, isCached = false): readonly string[] {
  const isLost = turn.effort !== null && effortField(turn) === null;
  const strict = callableTools(turn).filter((tool) => tool.kind === 'function' && tool.strict === true);
  return [
    ...(isLost ? [turn.caller === 'chat' ? 'reasoning_effort' : 'reasoning.effort'] : []),
    ...strict.map((tool) => toolField(tool, turn.caller, 'strict')),
    ...(cachesMarks(turn.model)
      ? unusedCacheOptions(turn, isCached)
      : [...unusedCacheOptions({ ...turn, items: [], tools: [] }, false), ...markedPaths(turn)]),
  ];
}

function rejectUnsupported(turn: Turn): void {
  const { seed, temperature } = turn.settings;
  rejectCommon(turn);
  rejectLogprobs(turn);
  rejectPenalties(turn.settings);
  if (seed !== null) reject('seed');
  if (temperature !== null && temperature > 1) reject('temperature', `must be between 0 and 1 for this model. Got ${temperature}`);
}

function writeSettings({ maxOutputTokens, temperature, topP, stop }: Settings): Body {
  return {
    ...(maxOutputTokens !== null && { maxTokens: maxOutputTokens }),
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { topP }),
    ...(stop.length > 0 && { stopSequences: stop }),
  };
}

/** The schema is written as a text. */
function writeFormat(format: Format): Body {
  if (format.kind !== 'schema') return {};
  const jsonSchema = {
    schema: JSON.stringify(format.schema),
    name: format.name,
    ...(format.description !== null && { description: format.description }),
  };
  return { outputConfig: { textFormat: { type: 'json_schema', structure: { jsonSchema } } } };
}

interface ToolSpec {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: { readonly json: Body };
}

/** The protocol has no choice `none`: tools that can't be called are omitted, unless the conversation has calls of them. */
function writeTools(turn: Turn, names: FlatToolNames, { work, plan }: Pick<MessagesOptions, 'work' | 'plan'>): ToolConfig | null {
  const tools = callableTools(turn);
  const choice = readChoice(turn, tools, names);
  if (tools.length > 0 && turn.parallelToolCalls === false)
    reject('parallel_tool_calls', "can't be false for this model: its upstream can't limit parallel tool calls");
  if (tools.length === 0 || choice?.mode === 'none') return pastTools(turn, names);
  const specs = tools.map((tool) => writeTool(tool, names.toWire(tool.namespace, tool.name), parametersOf(tool, turn, work)));
  const toolChoice = writeChoice(choice);
  const marks = new Map(tools.map(({ cacheMark }, index) => [specs[index]?.name, cacheMark]));
  const written = onlyChosen(specs, choice).map((toolSpec) => plan.note({ toolSpec }, marks.get(toolSpec.name)));
  return { tools: written, ...(toolChoice && { toolChoice }) };
}

interface ToolConfig {
  readonly tools: readonly { readonly toolSpec: ToolSpec }[];
  readonly toolChoice?: Body;
}

const declared = (specs: readonly ToolSpec[]): ToolConfig => ({ tools: specs.map((toolSpec) => ({ toolSpec })) });

function pastTools(turn: Turn, names: FlatToolNames): ToolConfig | null {
  const called = calledNames(turn, names);
  if (called.length === 0) return null;
  return declared(called.map((name) => ({ name, description: NOT_OFFERED, inputSchema: { json: { type: 'object' } } })));
}

function writeTool(tool: CallableTool, name: string, parameters: Body): ToolSpec {
  const description = descriptionOf(tool);
  // An empty description is rejected.
  return { name, ...(description && { description }), inputSchema: { json: parameters } };
}

function writeChoice(choice: Choice | null): Body | null {
  if (choice === null) return null;
  const [name, second] = choice.only ?? [];
  if (choice.mode === 'required' && name !== undefined && second === undefined) return { tool: { name } };
  return choice.mode === 'required' ? { any: {} } : { auto: {} };
}

/** The tag of packed encrypted reasoning. */
export const PROVIDER = 'converse';

/** Longest name of a tool, and longest ID of a call. */
export const MAX_TOOL_NAME = 64;
const MAX_CALL_ID = 64;

interface Bytes {
  /** Base64. */
  readonly bytes: string;
}

type ContentBlock =
  | { readonly text: string }
  | { readonly image: { readonly format: string; readonly source: Bytes } }
  | { readonly document: { readonly format: string; readonly name: string; readonly source: Bytes } };

export type ReasoningBlock =
  | { readonly reasoningText: { readonly text: string; readonly signature: string } }
  | { readonly redactedContent: string };

type Block =
  | ContentBlock
  | { readonly reasoningContent: ReasoningBlock }
  | { readonly toolUse: { readonly toolUseId: string; readonly name: string; readonly input: Readonly<Record<string, unknown>> } }
  | { readonly toolResult: { readonly toolUseId: string; readonly content: readonly ContentBlock[] } };

/** Signed reasoning as it is packed. `provider`: whose models can read it. */
export interface Signed {
  readonly provider: string;
  readonly block: ReasoningBlock;
}

/** Who made the model (`amazon`, `anthropic`, `meta`, …); the whole ID where that doesn't tell, as with the ARN of a profile. */
export function providerOf(model: string): string {
  const id = model.slice(model.lastIndexOf('/') + 1).replace(/^(?:us-gov|us|eu|apac|ap|jp|au|ca|sa|me|global)\./, '');
  return /^([a-z]\w*)\./.exec(id)?.[1] ?? model;
}

type Word = 'low' | 'medium' | 'high';

const words: Readonly<Record<Effort, Word>> = {
  none: 'low',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
};

/** Nova can think from its second generation on. */
const thinkingNova = /amazon\.nova-(?:[2-9]|\d\d)/;

/** The field of the model for this effort; null if it has none. */
function effortField({ model, effort }: Pick<Turn, 'model' | 'effort'>): Body | null {
  if (effort === null) return null;
  if (thinkingNova.test(model))
    return { reasoningConfig: effort === 'none' ? { type: 'disabled' } : { type: 'enabled', maxReasoningEffort: words[effort] } };
  return providerOf(model) === 'openai' ? { reasoning_effort: words[effort] } : null;
}
