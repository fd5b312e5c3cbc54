/** Writes a canonical request as the body of a Gemini request. */

import type { ModelRules } from '../../config/model-rules.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import type {
  CallItem,
  CanonicalRequest,
  MessageItem,
  OutputItem,
  ReasoningItem,
  Settings,
  Part as TurnPart,
} from '../canonical/canonical-request.ts';
import { fitSchema } from '../canonical/fit-schema.ts';
import { createFlatToolNames, type FlatToolNames } from '../canonical/flat-tool-names.ts';
import { unpackReasoning } from '../canonical/packed-reasoning.ts';
import { WorkBudget } from '../canonical/work-budget.ts';
import {
  type CallableTool,
  getCallableTools,
  getDescription,
  getParameters,
  readToolSelection,
  type ToolSelection,
} from '../non-openai/callable-tools.ts';
import { findText, getPartPath, type PlainItem, parseArguments, readConversation } from '../non-openai/conversation.ts';
import { readDataUrl } from '../non-openai/data-url.ts';
import { Dialogue, type MessageGroup } from '../non-openai/dialogue.ts';
import { JSON_OBJECT_INSTRUCTION, wantsJsonMode } from '../non-openai/json-mode.ts';
import { getFieldName, rejectField, rejectUnsupportedSettings, wantsLogprobs } from '../non-openai/unsupported-settings.ts';
import { geminiSchema, isBeforeGemini3, levels, MAX_TOOL_NAME, toThinkingBudget } from './rules.ts';
import {
  type Content,
  type FunctionCallingConfig,
  type FunctionDeclaration,
  findProviderCallId,
  type GenerateContentRequest,
  type GenerationConfig,
  type Part,
  PROVIDER,
  type SignedPart,
  type ThinkingConfig,
  UNSIGNED_CALL_PLACEHOLDER,
} from './wire.ts';

interface WriteContext {
  readonly dialogue: Dialogue<Part>;
  readonly names: FlatToolNames;
  readonly work: WorkBudget;
  /** Function name and position by call ID: a result must name its function, and results follow the order of their calls. */
  readonly called: Map<string, { name: string; place: number }>;
  /** Result → position of its call among all calls. */
  readonly places: Map<Part, number>;
  /** Matches URLs that the provider fetches. */
  readonly fetched: RegExp;
  /** The signature for the next call. */
  signature: string | null;
}

interface ContentsOptions {
  readonly names: FlatToolNames;
  readonly model: string;
  /** The caller's name for the list of items. */
  readonly param: string;
  readonly work: WorkBudget;
  readonly fetched: RegExp;
}

function writeContents(
  items: readonly PlainItem[],
  { names, model, param, work, fetched: fetchableUrl }: ContentsOptions,
): readonly Content[] {
  const context: WriteContext = {
    dialogue: new Dialogue(),
    names,
    work,
    called: new Map(),
    places: new Map(),
    fetched: fetchableUrl,
    signature: null,
  };
  for (const item of items) writeItem(item, context);
  const groups = context.dialogue.end(param).map(isBeforeGemini3(model) ? (speech) => speech : markUnsigned);
  return groups.map(({ role, blocks }) => ({ role: role === 'user' ? 'user' : 'model', parts: sortParts(blocks, context.places) }));
}

/** Without IDs, Gemini matches calls and results by order. Results come before everything else. */
function sortParts(parts: readonly Part[], callPositions: ReadonlyMap<Part, number>): readonly Part[] {
  const getPosition = (part: Part): number => callPositions.get(part) ?? Number.MAX_SAFE_INTEGER;
  return parts.toSorted((one, other) => getPosition(one) - getPosition(other));
}

function writeItem(item: PlainItem, context: WriteContext): void {
  if (item.kind === 'reasoning') {
    writeReasoning(item, context);
    return;
  }
  if (item.kind === 'message') context.dialogue.addBlocks(item.role === 'assistant' ? 'assistant' : 'user', writeMessage(item, context));
  else if (item.kind === 'call') context.dialogue.addCall(item.callId, writeCall(item, context));
  else writeOutput(item, context);
  context.signature = null;
}

/** Adds a placeholder signature to the first call of a message group if the call has none. */
function markUnsigned(group: MessageGroup<Part>): MessageGroup<Part> {
  const first = group.blocks.findIndex((part) => part.functionCall !== undefined);
  const call = group.blocks[first];
  if (call === undefined || call.thoughtSignature !== undefined) return group;
  return { ...group, blocks: group.blocks.with(first, { ...call, thoughtSignature: UNSIGNED_CALL_PLACEHOLDER }) };
}

function writeMessage(item: MessageItem, { fetched: fetchableUrl }: WriteContext): readonly Part[] {
  return item.parts.flatMap((part, index) => writePart(part, getPartPath(item, index), fetchableUrl));
}

function writePart(part: TurnPart, path: string, fetchableUrl: RegExp): Part[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ text: part.text }];
    case 'image':
      return [writeUrl(part.url, fetchableUrl, 'image/jpeg') ?? writeInline(part.url, path)];
    case 'file':
      return [(part.data === null && writeUrl(part.url, fetchableUrl, 'application/pdf')) || writeInline(part.data, path)];
    case 'audio':
      return rejectField(path, "is not supported: the gateway doesn't send audio to this model's upstream");
  }
}

function writeInline(url: string | null, path: string): Part {
  const inline = url === null ? null : readDataUrl(url);
  return inline === null
    ? rejectField(path, 'must be a base64 data URL or an https URL for this model')
    : { inlineData: { mimeType: inline.mediaType, data: inline.data } };
}

const geminiFetchableUrl = /^https:/i;
const vertexFetchableUrl = /^(https?|gs):/i;

/** Gemini requires a media type, and only a URL's extension indicates one. */
const typesByExtension: ReadonlyMap<string, string> = new Map([
  ...['png', 'jpeg', 'webp', 'gif', 'heic', 'heif'].map((name) => [name, `image/${name}`] as const),
  ['jpg', 'image/jpeg'],
  ['pdf', 'application/pdf'],
]);

/** A part that Gemini fetches itself. Null if it doesn't fetch this URL. `defaultType` is the media type for an unknown extension. */
function writeUrl(url: string | null, fetchableUrl: RegExp, defaultType: string): Part | null {
  if (url === null || !fetchableUrl.test(url) || !URL.canParse(url)) return null;
  const extension = /\.(\w+)$/.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? '';
  return { fileData: { fileUri: url, mimeType: typesByExtension.get(extension) ?? defaultType } };
}

function writeCall(item: CallItem, { names, work, called: calledFunctions, signature }: WriteContext): Part {
  const name = names.toWire(item.namespace, item.name);
  calledFunctions.set(item.callId, { name, place: calledFunctions.size });
  return {
    functionCall: { ...toIdField(item.callId), name, args: parseArguments(item, work) },
    ...(signature !== null && { thoughtSignature: signature }),
  };
}

function toIdField(callId: string): { readonly id?: string } {
  const id = findProviderCallId(callId);
  return id === null ? {} : { id };
}

/** A result contains only text. Its images and files come after the results. */
function writeOutput(
  item: OutputItem,
  { dialogue, called: calledFunctions, places: callPositions, fetched: fetchableUrl }: WriteContext,
): void {
  const { callId, path, parts } = item;
  const attachments = parts.flatMap((part, index) =>
    findText(part) === null ? writePart(part, getPartPath(item, index), fetchableUrl) : [],
  );
  const result = parts.map((part) => findText(part) ?? '').join('');
  const { name = '', place: position = 0 } = calledFunctions.get(callId) ?? {};
  const part: Part = { functionResponse: { ...toIdField(callId), name, response: { result } } };
  callPositions.set(part, position);
  dialogue.addResult({ callId, path, result: part, companions: attachments });
}

/** Sends a signature back on its original part. Omits signatures from other upstreams. */
function writeReasoning(item: ReasoningItem, context: WriteContext): void {
  const signedPart = item.encrypted === null ? null : unpackReasoning(PROVIDER, item.encrypted, context.work.forField(item.path));
  if (!isSigned(signedPart)) return;
  if (signedPart.on === 'call') context.signature = signedPart.signature;
  else if (signedPart.on === 'text') signText(signedPart, context.dialogue);
  else context.dialogue.addReasoning([{ text: item.summary.join(''), thought: true, thoughtSignature: signedPart.signature }]);
}

const isSigned = (value: unknown): value is SignedPart =>
  isFields(value) && typeof value.signature === 'string' && typeof value.on === 'string' && typeof value.length === 'number';

/** Only the original piece gets the signature, so the preceding text is split off. */
function signText({ signature, length }: SignedPart, dialogue: Dialogue<Part>): void {
  const last = dialogue.lastBlock;
  if (last === null) return;
  const signaturePart = { text: '', thoughtSignature: signature };
  const text = last.text ?? '';
  if (length === 0) dialogue.addBlocks('assistant', [signaturePart]);
  else if (last.thoughtSignature === undefined && text.length >= length) {
    const splitIndex = text.length - length;
    dialogue.replaceLast([
      ...(splitIndex > 0 ? [{ text: text.slice(0, splitIndex) }] : []),
      { ...signaturePart, text: text.slice(splitIndex) },
    ]);
  }
}

/** Older models don't support a response format together with functions. */
export const needsJsonInstruction = (turn: CanonicalRequest): boolean =>
  wantsJsonMode(turn) && isBeforeGemini3(turn.model) && getCallableTools(turn).length > 0;

interface GeminiOptions {
  readonly work?: WorkBudget | undefined;
  readonly rules?: ModelRules | undefined;
  /** Vertex AI fetches more kinds of URLs than the Gemini API. */
  readonly isVertex?: boolean | undefined;
}

export function writeRequest(
  turn: CanonicalRequest,
  { work = new WorkBudget(), rules = {}, isVertex = false }: GeminiOptions = {},
): GenerateContentRequest {
  rejectUnsupportedSettings(turn);
  const names = createFlatToolNames(turn.tools, MAX_TOOL_NAME);
  const { system: systemTexts, items } = readConversation(turn);
  const hasJsonInstruction = needsJsonInstruction(turn);
  const system = hasJsonInstruction ? [...systemTexts, JSON_OBJECT_INSTRUCTION] : systemTexts;
  const format = hasJsonInstruction ? {} : writeFormat(turn, work);
  const generationConfig: GenerationConfig = {
    ...writeSettings(turn.settings),
    ...writeLogprobs(turn),
    ...format,
    ...writeThinking(turn, rules),
  };
  return {
    ...(system.length > 0 && { systemInstruction: { parts: system.map((text) => ({ text })) } }),
    contents: writeContents(items, {
      names,
      model: turn.model,
      param: getFieldName(turn, 'items'),
      work,
      fetched: isVertex ? vertexFetchableUrl : geminiFetchableUrl,
    }),
    ...writeTools(turn, names, work),
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
  };
}

function writeSettings(settings: Settings): GenerationConfig {
  const { maxOutputTokens, temperature, topP, stop, presencePenalty, frequencyPenalty, seed } = settings;
  if (seed !== null && seed !== Math.trunc(seed)) rejectField('seed', `must be a whole number for this model. Got ${seed}`);
  return {
    ...(maxOutputTokens !== null && { maxOutputTokens }),
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { topP }),
    ...(stop.length > 0 && { stopSequences: stop }),
    ...(seed !== null && { seed }),
    // Not every model supports penalties. A penalty of 0 is none.
    ...(presencePenalty ? { presencePenalty } : {}),
    ...(frequencyPenalty ? { frequencyPenalty } : {}),
  };
}

function writeLogprobs(turn: CanonicalRequest): GenerationConfig {
  if (!wantsLogprobs(turn)) return {};
  const { topLogprobs } = turn.settings;
  return { responseLogprobs: true, ...(topLogprobs ? { logprobs: topLogprobs } : {}) };
}

function writeFormat(turn: CanonicalRequest, work: WorkBudget): GenerationConfig {
  const { format } = turn;
  if (format.kind === 'text') return {};
  const schema = format.kind === 'schema' && fitSchema(format.schema, geminiSchema, work.forField(getFieldName(turn, 'format')));
  return { responseMimeType: 'application/json', ...(schema && { responseJsonSchema: schema }) };
}

function writeThinking({ model, effort, reasoningSummary }: CanonicalRequest, { reasoning, budget }: ModelRules): GenerationConfig {
  const [form] = reasoning ?? (isBeforeGemini3(model) ? ['budget'] : ['level']);
  if (form === undefined) return {};
  const config: ThinkingConfig = {
    ...(effort !== null && (form === 'budget' ? { thinkingBudget: toThinkingBudget(effort, budget) } : { thinkingLevel: levels[effort] })),
    ...(reasoningSummary !== null && { includeThoughts: true }),
  };
  return Object.keys(config).length > 0 ? { thinkingConfig: config } : {};
}

function writeTools(turn: CanonicalRequest, names: FlatToolNames, work: WorkBudget): Pick<GenerateContentRequest, 'tools' | 'toolConfig'> {
  const tools = getCallableTools(turn);
  const choice = readToolSelection(turn, tools, names);
  if (tools.length === 0) return {};
  const config = writeChoice(choice, tools);
  return {
    tools: [
      {
        functionDeclarations: tools.map((tool) =>
          writeTool(tool, names.toWire(tool.namespace, tool.name), getParameters(tool, turn, work)),
        ),
      },
    ],
    ...(config && { toolConfig: { functionCallingConfig: config } }),
  };
}

function writeTool(tool: CallableTool, name: string, parameters: Fields): FunctionDeclaration {
  const description = getDescription(tool);
  return {
    name,
    ...(description !== null && { description }),
    parametersJsonSchema: parameters,
  };
}

const modes = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const;

/** `VALIDATED` lets the model respond or call, and enforces the call's schema. This matches `strict`, and can also restrict the allowed functions. */
function writeChoice(choice: ToolSelection | null, tools: readonly CallableTool[]): FunctionCallingConfig | null {
  const mode = choice?.mode ?? 'auto';
  const isStrict = tools.some((tool) => tool.kind === 'function' && tool.strict === true);
  if (choice === null && !isStrict) return null;
  const isValidated = mode === 'auto' && (isStrict || choice?.only);
  return { mode: isValidated ? 'VALIDATED' : modes[mode], ...(choice?.only && { allowedFunctionNames: choice.only }) };
}
