/** Writes a canonical request as the body of a Converse request. */

import { type Fields, isFields, type Unchecked } from '../../primitives/fields.ts';
import { claudeSchema } from '../anthropic/rules.ts';
import { toMistralCallId, toPlainCallId } from '../canonical/call-ids.ts';
import { getToolFieldPath } from '../canonical/caller-field-names.ts';
import type {
  CallItem,
  CanonicalRequest,
  FilePart,
  MessageItem,
  OutputItem,
  Part,
  ReasoningItem,
  Settings,
} from '../canonical/canonical-request.ts';
import { fitSchema } from '../canonical/fit-schema.ts';
import { createFlatToolNames, type FlatToolNames } from '../canonical/flat-tool-names.ts';
import { unpackReasoning } from '../canonical/packed-reasoning.ts';
import { findDroppedMarks, findUnusedCacheOptions, getMarkPath, PromptCachePlan, type Retention } from '../canonical/prompt-cache.ts';
import { WorkBudget } from '../canonical/work-budget.ts';
import {
  type CallableTool,
  filterChosenTools,
  findCalledNames,
  findDroppedParallelCalls,
  getCallableTools,
  getDescription,
  getParameters,
  NOT_OFFERED_DESCRIPTION,
  readToolSelection,
  type ToolSelection,
} from '../non-openai/callable-tools.ts';
import { getPartPath, type PlainItem, parseArguments, readConversation } from '../non-openai/conversation.ts';
import { readDataUrl } from '../non-openai/data-url.ts';
import { Dialogue, type MessageGroup } from '../non-openai/dialogue.ts';
import { JSON_OBJECT_INSTRUCTION, wantsJsonMode } from '../non-openai/json-mode.ts';
import {
  getFieldName,
  rejectField,
  rejectLogprobs,
  rejectPenalties,
  rejectUnsupportedSettings,
} from '../non-openai/unsupported-settings.ts';
import { findEffortField, getModelProvider, MAX_CALL_ID, MAX_TOOL_NAME, supportsCacheMarks } from './rules.ts';
import {
  type CachePoint,
  type ContentBlock,
  type ConverseRequest,
  type DocumentBlock,
  type ImageBlock,
  type InferenceConfiguration,
  PROVIDER,
  type ReasoningContentBlock,
  type ToolChoice,
  type ToolConfiguration,
  type ToolResultContentBlock,
  type ToolSpecification,
} from './wire.ts';

interface MessagesOptions {
  readonly names: FlatToolNames;
  readonly model: string;
  /** The caller's name for the list of items. */
  readonly param: string;
  readonly work: WorkBudget;
  readonly plan: PromptCachePlan;
}

interface WriteContext extends Omit<MessagesOptions, 'param'> {
  readonly dialogue: Dialogue<ContentBlock>;
  readonly provider: string;
  /** Document names so far. Each name must be unique. */
  readonly documents: Set<string>;
}

function writeMessages(items: readonly PlainItem[], { param, ...writeOptions }: MessagesOptions): readonly MessageGroup<ContentBlock>[] {
  const writer: WriteContext = {
    ...writeOptions,
    dialogue: new Dialogue(),
    provider: getModelProvider(writeOptions.model),
    documents: new Set(),
  };
  for (const item of items) writeItem(item, writer);
  return writer.dialogue.end(param).map(withText);
}

/** Bedrock rejects a message with a document but no text. */
function withText(message: MessageGroup<ContentBlock>): MessageGroup<ContentBlock> {
  const { blocks } = message;
  const needsText = blocks.some((block) => 'document' in block) && !blocks.some((block) => 'text' in block);
  return needsText ? { ...message, blocks: [...blocks, { text: 'See the attached file.' }] } : message;
}

function writeItem(item: PlainItem, writer: WriteContext): void {
  const { dialogue } = writer;
  if (item.kind === 'message') dialogue.addBlocks(item.role === 'assistant' ? 'assistant' : 'user', writeMessage(item, writer));
  else if (item.kind === 'call') dialogue.addCall(item.callId, writeCall(item, writer));
  else if (item.kind === 'output') dialogue.addResult({ callId: item.callId, path: item.path, result: writeOutput(item, writer) });
  else dialogue.addReasoning(unpackReasoningBlocks(item, writer));
}

function writeMessage(item: MessageItem, writer: WriteContext): readonly ToolResultContentBlock[] {
  const blocks = writeParts(item, writer);
  const hasInvalidBlocks = item.role === 'assistant' && blocks.some((block) => !('text' in block));
  return hasInvalidBlocks ? rejectField(item.path, 'is not supported: assistant messages for this model can contain only text') : blocks;
}

function writeCall(item: CallItem, { names, work, provider }: WriteContext): ContentBlock {
  const input = parseArguments(item, work);
  return { toolUse: { toolUseId: toCallId(item.callId, provider), name: names.toWire(item.namespace, item.name), input } };
}

/** A cache mark inside a result applies to the entire result. */
function writeOutput(item: OutputItem, writer: WriteContext): ContentBlock {
  const content = writeParts(item, writer);
  const result: ContentBlock = { toolResult: { toolUseId: toCallId(item.callId, writer.provider), content } };
  return writer.plan.markBlock(result, item.parts.findLast(({ cacheMark }) => cacheMark)?.cacheMark);
}

const toCallId = (id: string, provider: string): string => (provider === 'mistral' ? toMistralCallId(id) : toPlainCallId(id, MAX_CALL_ID));

/** Sends signed reasoning back unchanged, but only to models of the provider that signed it. */
function unpackReasoningBlocks(item: ReasoningItem, { work, provider }: WriteContext): readonly ContentBlock[] {
  const value = item.encrypted === null ? null : unpackReasoning(PROVIDER, item.encrypted, work.forField(item.path));
  if (!isFields(value) || value.provider !== provider || !isReasoning(value.block)) return [];
  return [{ reasoningContent: value.block }];
}

function isReasoning(block: unknown): block is ReasoningContentBlock {
  if (!isFields(block)) return false;
  const { reasoningText, redactedContent }: Unchecked<ReasoningContentBlock> = block;
  if (isFields(reasoningText)) return typeof reasoningText.text === 'string' && typeof reasoningText.signature === 'string';
  return typeof redactedContent === 'string';
}

function writeParts(item: MessageItem | OutputItem, writer: WriteContext): readonly ToolResultContentBlock[] {
  return item.parts.flatMap((part, index) =>
    writePart(part, getPartPath(item, index), writer).map((block) => writer.plan.markBlock(block, part.cacheMark)),
  );
}

function writePart(part: Part, path: string, writer: WriteContext): readonly ToolResultContentBlock[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      // Bedrock rejects text that is only white space.
      return part.text.trim() === '' ? [] : [{ text: part.text }];
    case 'image':
      return [writeImage(part.url, path)];
    case 'file':
      return [writeDocument(part, path, writer)];
    case 'audio':
      return rejectField(path, "is not supported: this model's upstream doesn't accept audio");
  }
}

const images = new Map<string, ImageBlock['format']>(
  (['png', 'jpeg', 'gif', 'webp'] as const).map((format) => [`image/${format}`, format]),
);

function writeImage(url: string | null, path: string): ToolResultContentBlock {
  const inline = url === null ? null : readDataUrl(url);
  const format = images.get(inline?.mediaType ?? '');
  if (inline === null || format === undefined)
    return rejectField(path, 'must be a base64 data URL of a PNG, JPEG, GIF, or WebP image for this model');
  return { image: { format, source: { bytes: inline.data } } };
}

const documents = new Map<string, DocumentBlock['format']>([
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

function writeDocument({ data, filename }: FilePart, path: string, writer: WriteContext): ToolResultContentBlock {
  const inline = data === null ? null : readDataUrl(data);
  if (inline === null) return rejectField(path, 'must be a base64 data URL for this model');
  const format = documents.get(inline.mediaType);
  if (format === undefined)
    return rejectField(path, `must be one of these file types for this model: ${[...documents.values()].join(', ')}`);
  return { document: { format, name: createDocumentName(filename, writer.documents), source: { bytes: inline.data } } };
}

/** The maximum length of a document name, minus room for a number. */
const MAX_DOCUMENT_NAME = 190;

/** Bedrock accepts letters, digits, hyphens, brackets, and single spaces in names. Each name must be unique. */
function createDocumentName(filename: string | null, usedNames: Set<string>): string {
  const cleanName = (filename ?? '')
    .slice(0, MAX_DOCUMENT_NAME)
    .replace(/[^A-Za-z0-9()[\]-]+/g, ' ')
    .trim();
  const base = cleanName === '' ? 'document' : cleanName;
  let name = base;
  for (let number = 2; usedNames.has(name); number++) name = `${base} (${number})`;
  usedNames.add(name);
  return name;
}

/** `isAutoCached`: add prompt cache marks if the caller sets none. Only Anthropic models support cache marks. */
export function writeRequest(turn: CanonicalRequest, work = new WorkBudget(), isAutoCached = false): ConverseRequest {
  rejectUnsupported(turn);
  const names = createFlatToolNames(turn.tools, MAX_TOOL_NAME);
  const plan = new PromptCachePlan(turn, isAutoCached);
  const { system: systemTexts, items, mark: systemMark } = readConversation(turn);
  const texts = wantsJsonMode(turn) ? [...systemTexts, JSON_OBJECT_INSTRUCTION] : systemTexts;
  const system = texts.map((text, index) => plan.markBlock({ text }, index === texts.length - 1 ? systemMark : undefined));
  const messages = writeMessages(items, { names, model: turn.model, param: getFieldName(turn, 'items'), work, plan });
  const [config, inference, effort] = [writeTools(turn, names, { work, plan }), writeSettings(turn.settings), findEffortField(turn)];
  const tools = config?.tools ?? [];
  const markableMessages = messages.map(({ role, blocks }) => ({ role, blocks: blocks.filter((block) => !('reasoningContent' in block)) }));
  const retentions = supportsCacheMarks(turn.model) ? plan.planMarks({ tools, system, speeches: markableMessages }) : NO_MARKS;
  const addCachePoints = <Block extends object>(blocks: readonly Block[]) =>
    blocks.flatMap((block) => withCachePoint(block, retentions.get(block)));
  return {
    messages: messages.map(({ role, blocks }) => ({ role, content: addCachePoints(blocks) })),
    ...(system.length > 0 && { system: addCachePoints(system) }),
    ...(Object.keys(inference).length > 0 && { inferenceConfig: inference }),
    ...(config !== null && { toolConfig: { ...config, tools: addCachePoints(tools) } }),
    ...writeFormat(turn, work),
    ...(effort !== null && { additionalModelRequestFields: effort }),
  };
}

const findMarkedPaths = ({ items }: CanonicalRequest): readonly string[] =>
  items.flatMap((item) =>
    item.kind === 'message' || item.kind === 'output'
      ? item.parts.flatMap(({ cacheMark }, index) => (cacheMark ? [getMarkPath(getPartPath(item, index), cacheMark)] : []))
      : [],
  );

const NO_MARKS: ReadonlyMap<object, Retention> = new Map();

/** A cache mark is a separate block after the marked block. */
const withCachePoint = <Block extends object>(block: Block, retention: Retention | undefined): readonly (Block | CachePoint)[] =>
  retention === undefined ? [block] : [block, { cachePoint: { type: 'default', ...(retention === '1h' && { ttl: retention }) } }];

/** Fields that can be dropped, by the caller's names: the effort if the model has no field for it, strict schemas, and prompt cache marks. */
export function findDroppedFields(turn: CanonicalRequest, isAutoCached = false): readonly string[] {
  const isEffortDropped = turn.effort !== null && findEffortField(turn) === null;
  const strictTools = getCallableTools(turn).filter((tool) => tool.kind === 'function' && tool.strict === true);
  return [
    ...(isEffortDropped ? [turn.caller === 'chat' ? 'reasoning_effort' : 'reasoning.effort'] : []),
    ...strictTools.map((tool) => getToolFieldPath(tool, turn.caller, 'strict')),
    ...findDroppedParallelCalls(turn),
    ...(supportsCacheMarks(turn.model)
      ? [...findUnusedCacheOptions(turn, isAutoCached), ...findDroppedMarks(turn, getPartPath)]
      : [...findUnusedCacheOptions({ ...turn, items: [], tools: [] }, false), ...findMarkedPaths(turn)]),
  ];
}

function rejectUnsupported(turn: CanonicalRequest): void {
  const { seed, temperature } = turn.settings;
  rejectUnsupportedSettings(turn);
  rejectLogprobs(turn);
  rejectPenalties(turn.settings);
  if (seed !== null) rejectField('seed');
  if (temperature !== null && temperature > 1) rejectField('temperature', `must be between 0 and 1 for this model. Got ${temperature}`);
}

function writeSettings({ maxOutputTokens, temperature, topP, stop }: Settings): InferenceConfiguration {
  return {
    ...(maxOutputTokens !== null && { maxTokens: maxOutputTokens }),
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { topP }),
    ...(stop.length > 0 && { stopSequences: stop }),
  };
}

/** The schema is sent as a string. */
function writeFormat(turn: CanonicalRequest, work: WorkBudget): Pick<ConverseRequest, 'outputConfig'> {
  const { format } = turn;
  if (format.kind !== 'schema') return {};
  const jsonSchema = {
    schema: JSON.stringify(fitSchema(format.schema, claudeSchema, work.forField(getFieldName(turn, 'format')))),
    name: format.name,
    ...(format.description !== null && { description: format.description }),
  };
  return { outputConfig: { textFormat: { type: 'json_schema', structure: { jsonSchema } } } };
}

/** The protocol has no `none` choice. Tools that can't be called are omitted, unless the conversation contains calls to them. */
function writeTools(
  turn: CanonicalRequest,
  names: FlatToolNames,
  { work, plan }: Pick<MessagesOptions, 'work' | 'plan'>,
): ToolConfiguration | null {
  const tools = getCallableTools(turn);
  const choice = readToolSelection(turn, tools, names);
  if (tools.length === 0 || choice?.mode === 'none') return declarePastTools(turn, names);
  const specs = tools.map((tool) => writeTool(tool, names.toWire(tool.namespace, tool.name), getParameters(tool, turn, work)));
  const toolChoice = writeChoice(choice);
  const cacheMarks = new Map(tools.map(({ cacheMark }, index) => [specs[index]?.name, cacheMark]));
  const toolEntries = filterChosenTools(specs, choice).map((toolSpec) => plan.markBlock({ toolSpec }, cacheMarks.get(toolSpec.name)));
  return { tools: toolEntries, ...(toolChoice && { toolChoice }) };
}

function declarePastTools(turn: CanonicalRequest, names: FlatToolNames): ToolConfiguration | null {
  const calledNames = findCalledNames(turn, names);
  if (calledNames.length === 0) return null;
  return {
    tools: calledNames.map((name) => ({
      toolSpec: { name, description: NOT_OFFERED_DESCRIPTION, inputSchema: { json: { type: 'object' } } },
    })),
  };
}

function writeTool(tool: CallableTool, name: string, parameters: Fields): ToolSpecification {
  const description = getDescription(tool);
  // Bedrock rejects an empty description.
  return { name, ...(description && { description }), inputSchema: { json: parameters } };
}

function writeChoice(choice: ToolSelection | null): ToolChoice | null {
  if (choice === null) return null;
  const [name, second] = choice.only ?? [];
  if (choice.mode === 'required' && name !== undefined && second === undefined) return { tool: { name } };
  return choice.mode === 'required' ? { any: {} } : { auto: {} };
}
