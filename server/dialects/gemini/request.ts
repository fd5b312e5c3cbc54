/** Writes the items of a turn as contents of user and model (request body: `contents`). */
import { isFields } from '../../primitives/fields.ts';
import { ASK_FOR_OBJECT, reject, rejectCommon, wantsLogprobs, wantsObject, wordOf } from '../non-openai/answers.ts';
import { readDataUrl } from '../non-openai/data-url.ts';
import {
  type CallableTool,
  type Choice,
  callableTools,
  Dialogue,
  descriptionOf,
  type MessageGroup,
  type PlainItem,
  parametersOf,
  parseArguments,
  partPath,
  readChoice,
  readConversation,
  textOf,
} from '../non-openai/items.ts';
import { Work } from '../turn/schema.ts';
import { type FlatToolNames, flatToolNames, shortHash, unpackReasoning } from '../turn/tools.ts';
import {
  type CallItem,
  callIdFor,
  type Effort,
  type Format,
  type MessageItem,
  type OutputItem,
  type ReasoningItem,
  type Settings,
  type Turn,
  type Part as TurnPart,
} from '../turn/turn.ts';

interface Called {
  readonly name: string;
  readonly place: number;
}

interface Writer {
  readonly dialogue: Dialogue<Part>;
  readonly names: FlatToolNames;
  readonly work: Work;
  /** By call ID: a result has to say which function it is of, and results come in the order of their calls. */
  readonly called: Map<string, Called>;
  /** Result → place of its call among all calls. */
  readonly places: Map<Part, number>;
  /** The signature of the call that comes next. */
  signature: string | null;
}

interface ContentsOptions {
  readonly names: FlatToolNames;
  readonly model: string;
  /** The caller's name for the list of items. */
  readonly param: string;
  readonly work: Work;
}

function writeContents(items: readonly PlainItem[], { names, model, param, work }: ContentsOptions) {
  const writer: Writer = { dialogue: new Dialogue(), names, work, called: new Map(), places: new Map(), signature: null };
  for (const item of items) writeItem(item, writer);
  const speeches = writer.dialogue.end(param).map(isOldModel(model) ? (speech) => speech : markUnsigned);
  return speeches.map(({ role, blocks }) => ({ role: role === 'user' ? 'user' : 'model', parts: inOrder(blocks, writer.places) }));
}

/** Without IDs, the provider joins calls and results by their order. Results are ahead of everything else. */
function inOrder(parts: readonly Part[], places: ReadonlyMap<Part, number>): readonly Part[] {
  const placeOf = (part: Part): number => places.get(part) ?? Number.MAX_SAFE_INTEGER;
  return parts.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function writeItem(item: PlainItem, writer: Writer): void {
  if (item.kind === 'reasoning') {
    writeThought(item, writer);
    return;
  }
  if (item.kind === 'message') writer.dialogue.say(item.role === 'assistant' ? 'assistant' : 'user', writeMessage(item));
  else if (item.kind === 'call') writer.dialogue.call(item.callId, writeCall(item, writer));
  else writeOutput(item, writer);
  writer.signature = null;
}

/** Marks the first call of a speech when it has no signature. */
function markUnsigned(speech: MessageGroup<Part>): MessageGroup<Part> {
  const first = speech.blocks.findIndex((part) => part.functionCall !== undefined);
  const call = speech.blocks[first];
  if (call === undefined || call.thoughtSignature !== undefined) return speech;
  return { ...speech, blocks: speech.blocks.with(first, { ...call, thoughtSignature: UNSIGNED }) };
}

function writeMessage(item: MessageItem): readonly Part[] {
  return item.parts.flatMap((part, index) => writePart(part, partPath(item, index)));
}

function writePart(part: TurnPart, path: string): Part[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ text: part.text }];
    case 'image':
      return [writeInline(part.url, path, 'must be a base64 data URL for this model')];
    case 'file':
      return [writeInline(part.data, path, 'must be a base64 data URL for this model')];
    case 'audio':
      return reject(path, "is not supported: the gateway doesn't send audio to this model's upstream");
  }
}

function writeInline(url: string | null, path: string, wanted: string): Part {
  const inline = url === null ? null : readDataUrl(url);
  return inline === null ? reject(path, wanted) : { inlineData: { mimeType: inline.mediaType, data: inline.data } };
}

function writeCall(item: CallItem, { names, work, called, signature }: Writer): Part {
  const name = names.toWire(item.namespace, item.name);
  called.set(item.callId, { name, place: called.size });
  return {
    functionCall: { ...idOf(item.callId), name, args: parseArguments(item, work) },
    ...(signature !== null && { thoughtSignature: signature }),
  };
}

function idOf(callId: string): { readonly id?: string } {
  const id = givenId(callId);
  return id === null ? {} : { id };
}

/** A result holds text; its images and files come after the results. */
function writeOutput(item: OutputItem, { dialogue, called, places }: Writer): void {
  const { callId, path, parts } = item;
  const shown = parts.flatMap((part, index) => (textOf(part) === null ? writePart(part, partPath(item, index)) : []));
  const result = parts.map((part) => textOf(part) ?? '').join('');
  const { name = '', place = 0 } = called.get(callId) ?? {};
  const part: Part = { functionResponse: { ...idOf(callId), name, response: { result } } };
  places.set(part, place);
  dialogue.answer({ callId, path, result: part, companions: shown });
}

/** A signature is sent back on the part that it came with; those of other upstreams are omitted. */
function writeThought(item: ReasoningItem, writer: Writer): void {
  const signed = item.encrypted === null ? null : unpackReasoning(PROVIDER, item.encrypted, writer.work.on(item.path));
  if (!isSigned(signed)) return;
  if (signed.on === 'call') writer.signature = signed.signature;
  else if (signed.on === 'text') signText(signed, writer.dialogue);
  else writer.dialogue.think([{ text: item.summary.join(''), thought: true, thoughtSignature: signed.signature }]);
}

const isSigned = (value: unknown): value is Signed =>
  isFields(value) && typeof value.signature === 'string' && typeof value.on === 'string' && typeof value.length === 'number';

/** Only the piece that came with the signature carries it: the text before it is cut there. */
function signText({ signature, length }: Signed, dialogue: Dialogue<Part>): void {
  const last = dialogue.lastSaid;
  if (last === null) return;
  const signed = { text: '', thoughtSignature: signature };
  const text = last.text ?? '';
  if (length === 0) dialogue.say('assistant', [signed]);
  else if (last.thoughtSignature === undefined && text.length >= length) {
    const at = text.length - length;
    dialogue.replaceLast([...(at > 0 ? [{ text: text.slice(0, at) }] : []), { ...signed, text: text.slice(at) }]);
  }
}

type Body = Readonly<Record<string, unknown>>;

/** Older models take no form of a response alongside functions. */
export const asksInWords = (turn: Turn): boolean => wantsObject(turn) && isOldModel(turn.model) && callableTools(turn).length > 0;

export function writeRequest(turn: Turn, work = new Work()): Body {
  rejectCommon(turn);
  const names = flatToolNames(turn.tools, MAX_TOOL_NAME);
  const { system: given, items } = readConversation(turn);
  const isInWords = asksInWords(turn);
  const system = isInWords ? [...given, ASK_FOR_OBJECT] : given;
  const format = isInWords ? {} : writeFormat(turn.format);
  const config = { ...writeSettings(turn.settings), ...writeLogprobs(turn), ...format, ...writeThinking(turn) };
  return {
    ...(system.length > 0 && { systemInstruction: { parts: system.map((text) => ({ text })) } }),
    contents: writeContents(items, { names, model: turn.model, param: wordOf(turn, 'items'), work }),
    ...writeTools(turn, names, work),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
  };
}

function writeSettings(settings: Settings): Body {
  const { maxOutputTokens, temperature, topP, stop, presencePenalty, frequencyPenalty, seed } = settings;
  if (seed !== null && seed !== Math.trunc(seed)) reject('seed', `must be a whole number for this model. Got ${seed}`);
  return {
    ...(maxOutputTokens !== null && { maxOutputTokens }),
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { topP }),
    ...(stop.length > 0 && { stopSequences: stop }),
    ...(seed !== null && { seed }),
    // Not every model takes a penalty; zero is none.
    ...(presencePenalty ? { presencePenalty } : {}),
    ...(frequencyPenalty ? { frequencyPenalty } : {}),
  };
}

function writeLogprobs(turn: Turn): Body {
  if (!wantsLogprobs(turn)) return {};
  const { topLogprobs } = turn.settings;
  return { responseLogprobs: true, ...(topLogprobs ? { logprobs: topLogprobs } : {}) };
}

function writeFormat(format: Format): Body {
  if (format.kind === 'text') return {};
  return { responseMimeType: 'application/json', ...(format.kind === 'schema' && { responseJsonSchema: format.schema }) };
}

const levels: Readonly<Record<Effort, string>> = {
  // Thinking can't be switched off with levels; this is the least of it.
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
};
/** Sizes in tokens that the provider itself uses for these values. */
const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

function writeThinking({ model, effort, reasoningSummary }: Turn): Body {
  const config = {
    ...(effort !== null && (isOldModel(model) ? { thinkingBudget: budgets[effort] } : { thinkingLevel: levels[effort] })),
    ...(reasoningSummary !== null && { includeThoughts: true }),
  };
  return Object.keys(config).length > 0 ? { thinkingConfig: config } : {};
}

function writeTools(turn: Turn, names: FlatToolNames, work: Work): Body {
  const tools = callableTools(turn);
  const choice = readChoice(turn, tools, names);
  if (tools.length === 0) return {};
  if (turn.parallelToolCalls === false)
    reject('parallel_tool_calls', "can't be false for this model: its upstream can't limit parallel tool calls");
  const config = writeChoice(choice, tools);
  return {
    tools: [
      {
        functionDeclarations: tools.map((tool) => writeTool(tool, names.toWire(tool.namespace, tool.name), parametersOf(tool, turn, work))),
      },
    ],
    ...(config && { toolConfig: { functionCallingConfig: config } }),
  };
}

function writeTool(tool: CallableTool, name: string, parameters: Body) {
  const description = descriptionOf(tool);
  return {
    name,
    ...(description !== null && { description }),
    parametersJsonSchema: parameters,
  };
}

const modes = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const;

/** `VALIDATED` lets the model talk or call, and holds a call to its schema: what `strict` asks for, and the way to narrow a free choice. */
function writeChoice(choice: Choice | null, tools: readonly CallableTool[]): Body | null {
  const mode = choice?.mode ?? 'auto';
  const isStrict = tools.some((tool) => tool.kind === 'function' && tool.strict === true);
  if (choice === null && !isStrict) return null;
  const isValidated = mode === 'auto' && (isStrict || choice?.only);
  return { mode: isValidated ? 'VALIDATED' : modes[mode], ...(choice?.only && { allowedFunctionNames: choice.only }) };
}

/** The tag of packed encrypted reasoning. */
export const PROVIDER = 'gemini';

/** Longest name of a function. */
export const MAX_TOOL_NAME = 64;

/** The provider's own word for a call that it didn't sign itself, or whose signature is lost: newer models reject a call without one. */
const UNSIGNED = 'skip_thought_signature_validator';

/** Models before the third generation take a budget of tokens where later ones take a level, and never ask for signatures. */
const isOldModel = (model: string): boolean => /^(models\/)?(gemini-[12](\D|$)|gemma|learnlm)/.test(model);

interface Part {
  readonly text?: string;
  readonly thought?: true;
  readonly thoughtSignature?: string;
  readonly inlineData?: { readonly mimeType: string; readonly data: string };
  /** `id`: only one that the provider gave. */
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args: Readonly<Record<string, unknown>> };
  readonly functionResponse?: { readonly id?: string; readonly name: string; readonly response: { readonly result: string } };
}

/** A signature, and the kind of part that it must be sent back on. `length`: characters of the signed part's text. */
export interface Signed {
  readonly provider: typeof PROVIDER;
  readonly on: 'call' | 'text' | 'thought';
  readonly signature: string;
  readonly length: number;
}

/** The ID for the caller: the provider's, and a mark by which it is known again. Empty if the provider gave none. */
export function markId(given: string): string {
  const shown = callIdFor(given);
  const isWhole = given !== '' && shown.endsWith(given);
  return isWhole ? `${shown}_${shortHash(given)}` : shown;
}

/** The ID that the provider gave; null if the gateway, a caller or another provider made it. */
export function givenId(callId: string): string | null {
  const [, shown = '', bare = '', mark] = /^(call_(.+))_([0-9a-f]{8})$/s.exec(callId) ?? [];
  return [shown, bare].find((id) => shortHash(id) === mark) ?? null;
}
