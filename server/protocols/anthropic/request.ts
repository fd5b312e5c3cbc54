/** Writes a canonical request as the body of a Messages request. Rejects what the protocol doesn't support, by the caller's name of the field. */
import type { ModelRules } from '../../config/model-rules.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import { endsWithAssistant, isCallRequired } from '../canonical/apply-model-rules.ts';
import { toPlainCallId } from '../canonical/call-ids.ts';
import { getToolFieldPath } from '../canonical/caller-field-names.ts';
import type {
  CallItem,
  CanonicalRequest,
  FilePart,
  ImagePart,
  MessageItem,
  OutputItem,
  Part,
  ReasoningItem,
  Settings,
} from '../canonical/canonical-request.ts';
import { fitSchema } from '../canonical/fit-schema.ts';
import { createFlatToolNames, type FlatToolNames } from '../canonical/flat-tool-names.ts';
import { unpackReasoning } from '../canonical/packed-reasoning.ts';
import { PromptCachePlan, type Retention } from '../canonical/prompt-cache.ts';
import { getEffortName } from '../canonical/reasoning-effort.ts';
import { WorkBudget } from '../canonical/work-budget.ts';
import {
  type CallableTool,
  filterChosenTools,
  findCalledNames,
  getCallableTools,
  getDescription,
  getParameters,
  NOT_OFFERED_DESCRIPTION,
  readToolSelection,
  type ToolSelection,
} from '../non-openai/callable-tools.ts';
import { getPartPath, type PlainItem, parseArguments, readConversation } from '../non-openai/conversation.ts';
import { type InlineData, readDataUrl } from '../non-openai/data-url.ts';
import { Dialogue, type MessageGroup } from '../non-openai/dialogue.ts';
import { JSON_OBJECT_INSTRUCTION, wantsJsonMode } from '../non-openai/json-mode.ts';
import {
  getFieldName,
  rejectField,
  rejectLogprobs,
  rejectPenalties,
  rejectUnsupportedSettings,
} from '../non-openai/unsupported-settings.ts';
import { claudeSchema, DEFAULT_MAX_TOKENS, MAX_TOOL_NAME, toThinkingBudget } from './rules.ts';
import {
  type AnthropicRequest,
  type Base64Source,
  type Cacheable,
  type CacheControl,
  type ContentBlockParam,
  type DocumentBlock,
  type OutputConfig,
  PROVIDER,
  type ReasoningBlock,
  type TextBlockParam,
  type Tool,
  type ToolChoice,
  type ToolResultContentBlock,
} from './wire.ts';

interface WriteOptions {
  /** The limit to send if the caller sets none, because the protocol requires one. */
  readonly maxTokens?: number | undefined;
  /** Whether the gateway adds prompt cache marks if the caller sets none. */
  readonly isCached?: boolean;
  readonly rules?: ModelRules | undefined;
  readonly work?: WorkBudget | undefined;
}

export function writeRequest(turn: CanonicalRequest, options: WriteOptions = {}): AnthropicRequest {
  const { isCached: isAutoCached = false, work = new WorkBudget() } = options;
  rejectUnsupported(turn);
  const names = createFlatToolNames(turn.tools, MAX_TOOL_NAME);
  const plan = new PromptCachePlan(turn, isAutoCached);
  const { system: systemTexts, items, mark: systemMark } = readConversation(turn, true);
  const text = (wantsJsonMode(turn) ? [...systemTexts, JSON_OBJECT_INSTRUCTION] : systemTexts).join('\n\n');
  const system: readonly TextBlockParam[] = text === '' ? [] : [plan.markBlock({ type: 'text', text }, systemMark)];
  const messages = writeMessages(items, { names, param: getFieldName(turn, 'items'), work, plan });
  const { tools = [], tool_choice: toolChoice } = writeTools(turn, names, { work, plan });
  const markableMessages = messages.map(({ role, blocks }) => ({ role, blocks: blocks.filter(isMarkable) }));
  const retentions = plan.planMarks({ tools, system, speeches: markableMessages });
  const applyMark = <Part extends Cacheable | ReasoningBlock>(part: Part) => withMark(part, retentions.get(part));
  return {
    model: turn.model,
    max_tokens: getMaxTokens(turn, options),
    ...(text !== '' && { system: system.some((block) => retentions.has(block)) ? system.map(applyMark) : text }),
    messages: messages.map(({ role, blocks }) => ({ role, content: blocks.map(applyMark) })),
    ...(tools.length > 0 && { tools: tools.map(applyMark) }),
    ...(toolChoice && { tool_choice: toolChoice }),
    ...writeSettings(turn.settings),
    ...writeReasoning(turn, { ...options, work }),
    ...(turn.stream && { stream: true }),
  };
}

/** Anthropic doesn't allow cache marks on reasoning. */
const isMarkable = ({ type }: ContentBlockParam): boolean => type !== 'thinking' && type !== 'redacted_thinking';

const withMark = <Part extends Cacheable | ReasoningBlock>(part: Part, retention: Retention | undefined): Part =>
  retention === undefined
    ? part
    : { ...part, cache_control: { type: 'ephemeral', ...(retention === '1h' && { ttl: retention }) } satisfies CacheControl };

function rejectUnsupported(turn: CanonicalRequest): void {
  const { seed, temperature } = turn.settings;
  rejectUnsupportedSettings(turn);
  rejectLogprobs(turn);
  rejectPenalties(turn.settings);
  if (seed !== null) rejectField('seed');
  if (temperature !== null && temperature > 1) rejectField('temperature', `must be between 0 and 1 for this model. Got ${temperature}`);
}

function writeSettings({ temperature, topP, stop }: Settings): Pick<AnthropicRequest, 'temperature' | 'top_p' | 'stop_sequences'> {
  return {
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { top_p: topP }),
    ...(stop.length > 0 && { stop_sequences: stop }),
  };
}

type ToolFields = Pick<AnthropicRequest, 'tools' | 'tool_choice'>;

function writeTools(turn: CanonicalRequest, names: FlatToolNames, { work, plan }: Pick<MessagesOptions, 'work' | 'plan'>): ToolFields {
  const tools = getCallableTools(turn);
  const choice = readToolSelection(turn, tools, names);
  if (tools.length === 0) return declarePastTools(turn, names);
  const toolDefinitions = tools.map((tool) =>
    plan.markBlock(writeTool(tool, names.toWire(tool.namespace, tool.name), toInputSchema(tool, turn, work)), tool.cacheMark),
  );
  const toolChoice = writeChoice(choice, turn.parallelToolCalls === false);
  return { tools: filterChosenTools(toolDefinitions, choice), ...(toolChoice && { tool_choice: toolChoice }) };
}

/**
 * Anthropic requires declarations for all tools called in the history, even if none are offered anymore. Agents do this when they ask for a
 * summary.
 */
function declarePastTools(turn: CanonicalRequest, names: FlatToolNames): ToolFields {
  const tools = findCalledNames(turn, names).map((name) => ({
    name,
    description: NOT_OFFERED_DESCRIPTION,
    input_schema: { type: 'object' },
  }));
  return tools.length === 0 ? {} : { tools, tool_choice: { type: 'none' } };
}

/** Anthropic validates only strict schemas. */
function toInputSchema(tool: CallableTool, turn: CanonicalRequest, work: WorkBudget): Fields {
  const schema = getParameters(tool, turn, work);
  return isStrict(tool) ? fitSchema(schema, claudeSchema, work.forField(getToolFieldPath(tool, turn.caller, 'parameters'))) : schema;
}

const isStrict = (tool: CallableTool): boolean => tool.kind === 'function' && tool.strict === true;

function writeTool(tool: CallableTool, name: string, parameters: Fields): Tool {
  const description = getDescription(tool);
  return {
    name,
    ...(description !== null && { description }),
    input_schema: parameters,
    ...(isStrict(tool) && { strict: true }),
  };
}

const modes = { auto: 'auto', required: 'any' } as const;

function writeChoice(choice: ToolSelection | null, isSingle: boolean): ToolChoice | null {
  if (choice?.mode === 'none') return { type: 'none' };
  if (choice === null && !isSingle) return null;
  const singleCallField = isSingle && { disable_parallel_tool_use: true };
  const [name, second] = choice?.only ?? [];
  if (choice?.mode === 'required' && name !== undefined && second === undefined) return { type: 'tool', name, ...singleCallField };
  return { type: modes[choice?.mode ?? 'auto'], ...singleCallField };
}

const getMaxTokens = ({ settings }: CanonicalRequest, { maxTokens = DEFAULT_MAX_TOKENS, rules }: WriteOptions): number =>
  settings.maxOutputTokens ?? Math.min(maxTokens, rules?.maxOutputTokens ?? maxTokens);

/** Newer models have effort levels and adaptive thinking; older models have a token budget. */
function writeReasoning(
  turn: CanonicalRequest,
  options: WriteOptions & { readonly work: WorkBudget },
): Pick<AnthropicRequest, 'thinking' | 'output_config'> {
  const { effort, format } = turn;
  const isEffortSent = effort !== null && effort !== 'none' && getReasoningForms(options).includes('effort');
  const outputConfig: OutputConfig = {
    ...(isEffortSent && { effort: effort === 'minimal' ? 'low' : effort }),
    ...(format.kind === 'schema' && {
      format: { type: 'json_schema', schema: fitSchema(format.schema, claudeSchema, options.work.forField(getFieldName(turn, 'format'))) },
    }),
  };
  return { ...writeThinking(turn, options), ...(Object.keys(outputConfig).length > 0 && { output_config: outputConfig }) };
}

const getReasoningForms = ({ rules }: WriteOptions): NonNullable<ModelRules['reasoning']> => rules?.reasoning ?? ['effort', 'adaptive'];

/** Thinking is incompatible with a forced tool and custom sampling. In those cases, only the effort is sent. */
function writeThinking(turn: CanonicalRequest, options: WriteOptions): Pick<AnthropicRequest, 'thinking'> {
  const { effort, reasoningSummary } = turn;
  const forms = getReasoningForms(options);
  if (effort === null || forms.length === 0) return {};
  if (effort === 'none') return { thinking: { type: options.rules?.off ?? 'disabled' } };
  if (isThinkingExcluded(turn)) return {};
  if (forms.includes('adaptive')) return { thinking: { type: 'adaptive', ...(reasoningSummary !== null && { display: 'summarized' }) } };
  const budget = toThinkingBudget(effort, getMaxTokens(turn, options), options.rules);
  return budget === null ? {} : { thinking: { type: 'enabled', budget_tokens: budget } };
}

const isThinkingExcluded = ({ toolChoice, settings: { temperature, topP }, items }: CanonicalRequest): boolean =>
  isCallRequired(toolChoice) || (temperature ?? 1) !== 1 || (topP ?? 1) < 0.95 || endsWithAssistant(items);

/** The caller's effort and summary, if the upstream request doesn't contain them. */
export function findDroppedReasoning(turn: CanonicalRequest, options: WriteOptions): readonly string[] {
  const { effort, reasoningSummary } = turn;
  const isThinking = effort !== 'none' && 'thinking' in writeThinking(turn, options);
  const isEffortLost = effort !== null && effort !== 'none' && !isThinking && !getReasoningForms(options).includes('effort');
  return [...(isEffortLost ? [getEffortName(turn)] : []), ...(reasoningSummary !== null && !isThinking ? ['reasoning.summary'] : [])];
}

interface MessagesOptions {
  readonly names: FlatToolNames;
  /** The caller's name for the list of items. */
  readonly param: string;
  readonly work: WorkBudget;
  readonly plan: PromptCachePlan;
}

function writeMessages(
  items: readonly PlainItem[],
  { param, ...itemOptions }: MessagesOptions,
): readonly MessageGroup<ContentBlockParam>[] {
  const dialogue = new Dialogue<ContentBlockParam>();
  for (const item of items) writeItem(item, dialogue, itemOptions);
  return dialogue.end(param, true);
}

type ItemOptions = Omit<MessagesOptions, 'param'>;

function writeItem(item: PlainItem, dialogue: Dialogue<ContentBlockParam>, options: ItemOptions): void {
  if (item.kind === 'message') dialogue.addBlocks(item.role === 'assistant' ? 'assistant' : 'user', writeMessage(item, options.plan));
  else if (item.kind === 'call') dialogue.addCall(item.callId, writeCall(item, options));
  else if (item.kind === 'output') dialogue.addResult({ callId: item.callId, path: item.path, result: writeOutput(item, options.plan) });
  else dialogue.addReasoning(unpackThinking(item, options.work));
}

function writeMessage(item: MessageItem, plan: PromptCachePlan): readonly ToolResultContentBlock[] {
  const blocks = writeParts(item, plan);
  const invalidIndex = item.role === 'assistant' ? blocks.findIndex((block) => block.type !== 'text') : -1;
  return invalidIndex < 0 ? blocks : rejectField(item.path, 'is not supported: assistant messages for this model can contain only text');
}

function writeCall(item: CallItem, { names, work }: ItemOptions): ContentBlockParam {
  return {
    type: 'tool_use',
    id: toPlainCallId(item.callId),
    name: names.toWire(item.namespace, item.name),
    input: parseArguments(item, work),
  };
}

/** A cache mark inside a result applies to the entire result. */
function writeOutput(item: OutputItem, plan: PromptCachePlan): ContentBlockParam {
  const blocks = writeParts(item, plan);
  const [first] = blocks;
  const content = blocks.length === 1 && first?.type === 'text' ? first.text : blocks;
  const result: ContentBlockParam = { type: 'tool_result', tool_use_id: toPlainCallId(item.callId), ...(blocks.length > 0 && { content }) };
  return plan.markBlock(result, item.parts.findLast(({ cacheMark }) => cacheMark)?.cacheMark);
}

/** Sends signed reasoning back unchanged. Omits reasoning from other upstreams. */
function unpackThinking(item: ReasoningItem, work: WorkBudget): readonly ReasoningBlock[] {
  const value = item.encrypted === null ? null : unpackReasoning(PROVIDER, item.encrypted, work.forField(item.path));
  return isFields(value) && Array.isArray(value.blocks) ? value.blocks.filter(isThinking) : [];
}

function isThinking(block: unknown): block is ReasoningBlock {
  if (!isFields(block)) return false;
  if (block.type === 'redacted_thinking') return typeof block.data === 'string';
  return block.type === 'thinking' && typeof block.thinking === 'string' && typeof block.signature === 'string';
}

function writeParts(item: MessageItem | OutputItem, plan: PromptCachePlan): readonly ToolResultContentBlock[] {
  return item.parts.flatMap((part, index) =>
    writePart(part, getPartPath(item, index)).map((block) => plan.markBlock(block, part.cacheMark)),
  );
}

function writePart(part: Part, path: string): ToolResultContentBlock[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      // Anthropic rejects text that is only white space.
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
    case 'image':
      return [writeImage(part, path)];
    case 'file':
      return [writeFile(part, path)];
    case 'audio':
      return rejectField(path, "is not supported: this model's upstream doesn't accept audio");
  }
}

const FILE_ID_UNSUPPORTED = "is not supported: file IDs can't be used with this model. Send a base64 data URL";

function writeImage({ url, fileId }: ImagePart, path: string): ToolResultContentBlock {
  if (url === null) return rejectField(path, fileId === null ? 'has no image' : FILE_ID_UNSUPPORTED);
  const inline = readDataUrl(url);
  if (inline !== null) return { type: 'image', source: toBase64Source(inline) };
  return isHttps(url)
    ? { type: 'image', source: { type: 'url', url } }
    : rejectField(path, 'must be a base64 data URL or an https URL for this model');
}

function writeFile({ data, url, fileId, filename }: FilePart, path: string): DocumentBlock {
  const title = filename === null || filename === '' ? {} : { title: filename };
  if (data !== null) return { type: 'document', source: writeDocument(data, path), ...title };
  if (url !== null && isHttps(url)) return { type: 'document', source: { type: 'url', url }, ...title };
  return rejectField(path, fileId === null ? 'must be a base64 data URL or an https URL for this model' : FILE_ID_UNSUPPORTED);
}

function writeDocument(data: string, path: string): DocumentBlock['source'] {
  const inline = readDataUrl(data);
  if (inline?.mediaType === 'application/pdf') return toBase64Source(inline);
  if (inline?.mediaType !== 'text/plain') return rejectField(path, 'must be a file of type application/pdf or text/plain for this model');
  return { type: 'text', media_type: 'text/plain', data: Buffer.from(inline.data, 'base64').toString() };
}

const toBase64Source = ({ mediaType, data }: InlineData): Base64Source => ({ type: 'base64', media_type: mediaType, data });

const isHttps = (url: string): boolean => /^https:\/\//i.test(url);

/** Throws for the first image or file that isn't inline. */
export function rejectUrls({ items }: CanonicalRequest): void {
  for (const item of items) {
    if (item.kind !== 'message' && item.kind !== 'output') continue;
    const partIndex = item.parts.findIndex(isUrlPart);
    if (partIndex >= 0)
      rejectField(getPartPath(item, partIndex), "can't be a URL: this model's upstream doesn't fetch URLs. Send a base64 data URL");
  }
}

const isUrlPart = (part: Part): boolean =>
  (part.kind === 'image' || (part.kind === 'file' && part.data === null)) && part.url !== null && /^https?:\/\//i.test(part.url);
