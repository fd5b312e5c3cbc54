/** Chat to chat: asks the upstream for usage, removes it for callers who didn't ask, and forwards everything else unchanged. */
import { ChatCompletionRequest } from '../../../contract/chat.ts';
import { ImageEditRequest, ImageGenerationRequest } from '../../../contract/images.ts';
import { ResponseRequest } from '../../../contract/responses.ts';
import type { ErrorBody } from '../../../contract/shared/error-bodies.ts';
import { type CallCode, CLOSED_EARLY, GatewayError, shown } from '../../errors.ts';
import { type Fields, isFields, isSet } from '../../primitives/fields.ts';
import { asksForCost } from '../cost.ts';
import { type ModelNames, type Relay, type RequestOptions, readFailure, type StreamReader } from '../failure.ts';
import { fitForHeader, unsupported } from '../turn/unsent-fields.ts';
import { readUsage, type Usage } from '../usage.ts';
import { readWholeAnswer } from '../wire/complete-answer.ts';
import { DONE, dataFrame, frameObject, NOTHING, passEach, withoutData } from '../wire/frames.ts';
import { type Changes, type JsonBody, jsonBody, withFields } from '../wire/json-body.ts';
import { ChunkCompleter, completeAnswer, isPrelude, thoughtsMoved } from './provider-answer.ts';

/** Words of a name in snake case. A list of such names is never complete; their words are few. */
const choosing = new Set(
  [
    'model models engine deployment provider providers provider providers upstream upstreams route routes router routing fallback fallbacks',
    'api base url uri endpoint host key keys extra body header headers region location zone project organization org account',
    'tier priority speed fast latency flex batch background transform transforms cache',
    'tool tools plugin plugins function functions mcp server servers search web browse browsing grounding connector connectors',
    'data source sources retrieval file files agent agents skill skills container containers code exec',
    'price prices pricing budget spend cost costs billing credit credits charge charges',
    'max min limit limits token tokens length predict best completions candidate candidates sample samples count num number',
    'image images audio video frame frames resolution quality size scale upscale variation variations duration',
  ].flatMap((words) => words.split(' ')),
);

/** Also a name in other signs than small ASCII letters, which some readers take for a field of the API: `MAX_TOKENS`. */
export const mayChoose = (name: string): boolean =>
  !/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name) || name.split('_').some((word) => choosing.has(word));

/** Whether the caller wants a last chunk with the usage of a stream, where the cost goes too. */
export const asksForUsage = (asked: Fields): boolean =>
  asksForCost(asked) || (isFields(asked.stream_options) && asked.stream_options.include_usage === true);

/** Some bridges send `reasoning`; chat upstreams have `reasoning_effort`. */
function effort(body: JsonBody): Changes {
  const { reasoning, reasoning_effort } = body.value;
  if (reasoning === undefined) return {};
  const given = isFields(reasoning) ? reasoning.effort : undefined;
  return { reasoning: undefined, reasoning_effort: reasoning_effort ?? given ?? undefined };
}

function metered(body: JsonBody): Changes {
  const options = isFields(body.value.stream_options) ? body.value.stream_options : {};
  if (body.value.stream !== true || options.include_usage === true) return {};
  return { stream_options: { ...options, include_usage: true } };
}

/** The changes to a chat body for every provider. */
export const chatChanges = (body: JsonBody, { model }: RequestOptions): Changes => ({
  model,
  usage: undefined,
  ...effort(body),
  ...metered(body),
});

/** Fields of `reasoning` that aren't sent to an upstream without that object; the effort has a separate field. */
export const reasoningLeftOut = ({ reasoning }: Fields): readonly string[] =>
  isFields(reasoning)
    ? Object.keys(reasoning)
        .filter((name) => name !== 'effort' && isSet(reasoning[name]))
        .map((name) => `reasoning.${name}`)
    : [];

/** Upstreams must store nothing for us, and some store unless told not to. */
const DO_NOT_STORE = { store: false };

/** The caller's request to store, reported as ignored. */
export const unkeptFields = ({ store }: Fields): readonly string[] => (store === true ? ['store'] : []);

function writeRequest(body: JsonBody, options: RequestOptions): JsonBody {
  return withFields(body, { ...chatChanges(body, options), ...thoughtsMoved(body.value, null), ...DO_NOT_STORE });
}

interface ChatStreamOptions {
  readonly names: ModelNames;
  readonly showUsage: boolean;
  /** The number of responses that were requested. */
  readonly choices: number;
}

class ChatStream implements StreamReader {
  readonly #options: ChatStreamOptions;
  readonly #completer: ChunkCompleter;
  readonly #plain: PlainChunks;
  #done = false;
  usage: Usage | null = null;
  failure: GatewayError | null = null;
  hasBegun = false;

  constructor(options: ChatStreamOptions) {
    this.#options = options;
    this.#completer = new ChunkCompleter({ model: options.names.asked, showUsage: options.showUsage });
    this.#plain = new PlainChunks(options.showUsage);
  }

  get isComplete(): boolean {
    return this.#done;
  }

  pass(block: Buffer): Buffer {
    const plain = this.#done ? null : this.#plain.pass(block);
    if (plain !== null) return plain;
    const { out, failure } = passEach(block, (frame) => (this.#done ? NOTHING : this.#passFrame(frame)));
    this.failure = failure;
    return out;
  }

  /** Without `[DONE]` every requested choice must be finished; `[DONE]` ends those that began. */
  closing(): Buffer {
    const { begun, haveAllEnded } = this.#completer;
    if (begun === 0 || (!this.#done && (!haveAllEnded || begun < this.#options.choices)))
      throw new GatewayError<CallCode>('upstream_error', { message: CLOSED_EARLY });
    return Buffer.concat([...this.#completer.rest().map((chunk) => dataFrame<Fields>(chunk)), DONE]);
  }

  failing(error: GatewayError): Buffer {
    return dataFrame<ErrorBody>(error.body);
  }

  #passFrame(frame: Buffer): Buffer {
    if (endsInDone(frame)) {
      this.#done = true;
      return NOTHING;
    }
    const chunk = frameObject(frame);
    if (chunk === null) return withoutData(frame);
    if ((chunk.error !== undefined && chunk.error !== null) || chunk.type === 'error') throw this.#failure(chunk);
    if (isPrelude(chunk)) return NOTHING;
    this.hasBegun = true;
    if (isFields(chunk.usage)) this.usage = readUsage(chunk.usage);
    const told = this.#completer.complete(chunk);
    if (told === null) return NOTHING;
    const out = told === chunk ? frame : dataFrame<Fields>(told);
    if (this.#options.choices === 1 && this.#completer.begun === 1) this.#plain.learn(frame, out);
    return out;
  }

  /** The usage of a failed answer is charged too. */
  #failure(chunk: Fields): GatewayError {
    this.usage = readUsage(chunk.usage) ?? this.usage;
    return readFailure(chunk.error ?? chunk);
  }
}

const BRACKET = 0x5d;
const MARK = 'data: [DONE]';

/** Whether the last frame of a block is `data: [DONE]`. No JSON object ends in a bracket, so the last byte decides in most cases. */
function endsInDone(block: Buffer): boolean {
  let end = block.length;
  while (end > 0 && isBlank(block[end - 1])) end--;
  if (block[end - 1] !== BRACKET) return false;
  return /(^|\n)data: ?\[DONE\]$/.test(block.toString('latin1', Math.max(0, end - MARK.length - 1), end));
}
const isBlank = (byte: number | undefined) => byte === 0x0a || byte === 0x0d || byte === 0x20;

export const chatRelay: Relay = {
  writeRequest,
  readWhole: (bytes, names) => readWholeAnswer(bytes, { required: 'choices', model: names.asked, complete: completeAnswer }),
  readStream: (body, names) =>
    new ChatStream({ names, showUsage: asksForUsage(body.value), choices: typeof body.value.n === 'number' ? body.value.n : 1 }),
};

/** Words that an upstream accepts, by the field that they stand in. */
export interface AcceptedValues extends Readonly<Record<ListedPlace, readonly string[]>> {
  readonly untypedTools: boolean;
}
type ListedPlace = 'tools' | 'parts' | 'toolChoices' | 'serviceTiers';
type Place = keyof AcceptedValues;

/** A value that the contract doesn't know, and where it is: `messages[2].content[0].type`. */
interface ProviderValue {
  readonly place: Place;
  readonly value: string;
  readonly param: string;
}

/** A body for the contract to check, and what was replaced in it. */
interface Checkable {
  readonly body: Fields;
  readonly found: readonly ProviderValue[];
}

/** Replaces the values that are accepted. Without any, the body is the one that was given. */
export function withStandIns(body: Fields, accepts: AcceptedValues): Checkable {
  const found: ProviderValue[] = [];
  const take = (place: ListedPlace, value: unknown, param: string): boolean => {
    if (typeof value !== 'string' || !accepts[place].includes(value)) return false;
    found.push({ place, value, param });
    return true;
  };
  const part = (each: unknown, param: string): unknown =>
    isFields(each) && take('parts', each.type, `${param}.type`) ? { type: 'text', text: '' } : each;
  const message = (each: unknown, index: number): unknown =>
    isFields(each) && Array.isArray(each.content)
      ? { ...each, content: each.content.map((one, at) => part(one, `messages[${index}].content[${at}]`)) }
      : each;
  const tool = (each: unknown, index: number): unknown => {
    if (!isFields(each)) return each;
    if (take('tools', each.type, `tools[${index}].type`)) return { type: 'function', function: { name: `tool_${index}` } };
    if (!accepts.untypedTools || each.type !== undefined) return each;
    found.push({ place: 'untypedTools', value: '', param: `tools[${index}].type` });
    return { ...each, type: 'function' };
  };
  const choice = isFields(body.tool_choice) ? body.tool_choice.type : body.tool_choice;
  const changes = {
    ...(Array.isArray(body.messages) && { messages: body.messages.map(message) }),
    ...(Array.isArray(body.tools) && { tools: body.tools.map(tool) }),
    ...((take('toolChoices', choice, 'tool_choice') || take('tools', choice, 'tool_choice.type')) && { tool_choice: 'auto' }),
    ...(take('serviceTiers', body.service_tier, 'service_tier') && { service_tier: 'auto' }),
  };
  return { body: found.length === 0 ? body : { ...body, ...changes }, found };
}

/** Whether an upstream takes the value. */
const takes = (accepts: AcceptedValues | undefined, { place, value }: Pick<ProviderValue, 'place' | 'value'>): boolean =>
  accepts !== undefined && (place === 'untypedTools' ? accepts.untypedTools : accepts[place].includes(value));

interface Taking {
  readonly accepts?: AcceptedValues;
  readonly quirks?: { readonly accepts?: AcceptedValues | undefined } | undefined;
}

/** Throws 400 when a candidate doesn't take a value that another candidate of its model takes. */
export function checkProviderValues(body: Fields, { accepts, quirks }: Taking): void {
  if (accepts === undefined) return;
  const wrong = withStandIns(body, accepts).found.find((value) => !takes(quirks?.accepts, value));
  if (!wrong) return;
  throw new GatewayError<CallCode>('unsupported_value', {
    param: wrong.param,
    message: `'${shown(wrong.param)}' is not supported: one of this model's upstreams doesn't accept this value.`,
  });
}

interface FieldRules {
  /** `*`: all. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Whether the upstream judges the fields that no operation knows: it gets those that choose nothing. */
  readonly isOpen?: boolean;
}

const known = {
  createChatCompletion: new Set(Object.keys(ChatCompletionRequest.shape)),
  createResponse: new Set(Object.keys(ResponseRequest.shape)),
  generateImages: new Set(Object.keys(ImageGenerationRequest.shape)),
  editImages: new Set(Object.keys(ImageEditRequest.shape)),
} as const;

interface Kept<Body> {
  readonly body: Body;
  /** Fields that were set and are omitted, fit for a header. */
  readonly ignored: readonly string[];
}

/** Throws `unsupported_parameter` for a field that the operator denies. */
export function checkDenied(body: Fields, { deny }: FieldRules): void {
  const denied = deny.find((name) => Object.hasOwn(body, name) && isSet(body[name]));
  if (denied !== undefined) throw unsupported(denied, `'${denied}' is not allowed for this model.`);
}

/** The maximum number of fields that are cut out of the bytes; with more, the body is serialized again. */
const MAX_CUTS = 4;

export function withKnownFields(body: JsonBody, operation: keyof typeof known, rules: FieldRules): Kept<JsonBody> {
  const gone = unknownIn(body.value, operation, rules);
  if (gone.length === 0) return { body, ignored: [] };
  const ignored = namesOf(body.value, gone);
  if (gone.length > MAX_CUTS) return { body: jsonBody(without(body.value, gone)), ignored };
  const { bytes } = withFields(body, Object.fromEntries(gone.map((name) => [name, undefined])));
  return { body: { kind: 'json', value: without(body.value, gone), bytes }, ignored };
}

/** The same for the text fields of a form. */
export function withKnownTexts(value: Fields, operation: keyof typeof known, rules: FieldRules): Kept<Fields> {
  const gone = unknownIn(value, operation, rules);
  return { body: gone.length === 0 ? value : without(value, gone), ignored: namesOf(value, gone) };
}

function unknownIn(value: Fields, operation: keyof typeof known, { allow, isOpen = false }: FieldRules): readonly string[] {
  if (allow.includes('*')) return [];
  return Object.keys(value).filter((name) => !known[operation].has(name) && !allow.includes(name) && !(isOpen && !mayChoose(name)));
}

const namesOf = (value: Fields, gone: readonly string[]): readonly string[] => fitForHeader(gone.filter((name) => isSet(value[name])));

function without(value: Fields, gone: readonly string[]): Fields {
  const names = new Set(gone);
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
}

const START = 'data: {';
const CHOICES = '"choices":[';
/** The rest of a plain chunk after `"choices":[`, to its last byte. */
const PLAIN =
  /\{"index":0,"delta":\{(?:"role":"assistant",)?"content":"[^"\\]*(?:\\.[^"\\]*)*"\},(?:"logprobs":null,)?"finish_reason":null\}\](,"usage":null)?(?:,"obfuscation":"[^"\\]*")?\}\n\n/y;

class PlainChunks {
  readonly #showUsage: boolean;
  /** How the parsed chunk before began, up to its choices, and how its copy for the caller does; empty: not known. */
  #head = '';
  #told = '';

  constructor(showUsage: boolean) {
    this.#showUsage = showUsage;
  }

  /** Takes a chunk that was parsed, and what the caller got of it. */
  learn(frame: Buffer, told: Buffer): void {
    this.#head = headOf(frame);
    this.#told = frame === told ? this.#head : headOf(told);
  }

  /** The bytes for the caller; null if the block holds any other chunk. */
  pass(block: Buffer): Buffer | null {
    if (this.#head === '' || this.#told === '') return null;
    // As Latin-1, one character for each byte: searches in a text cost half of those in a Buffer.
    const text = block.toString('latin1');
    const isSame = this.#head === this.#told;
    let out = '';
    let kept = 0;
    for (let at = 0; at < text.length; at = PLAIN.lastIndex) {
      if (!text.startsWith(this.#head, at)) return null;
      PLAIN.lastIndex = at + this.#head.length;
      const usage = PLAIN.exec(text);
      if (usage === null) return null;
      if (!isSame) {
        out += text.slice(kept, at) + this.#told;
        kept = at + this.#head.length;
      }
      if (usage[1] !== undefined && !this.#showUsage) {
        const cut = text.lastIndexOf(usage[1], PLAIN.lastIndex);
        out += text.slice(kept, cut);
        kept = cut + usage[1].length;
      }
    }
    return kept === 0 ? block : Buffer.from(out + text.slice(kept), 'latin1');
  }
}

/** A chunk's bytes up to its choices, as Latin-1; empty if it begins otherwise. */
function headOf(frame: Buffer): string {
  const text = frame.toString('latin1');
  const end = text.indexOf(CHOICES);
  return text.startsWith(START) && end > 0 ? text.slice(0, end + CHOICES.length) : '';
}

/** Whether the response has the older form; a caller who offers `tools` too gets the newer one. */
export function isLegacy(request: Fields): boolean {
  const hasSome = (list: unknown) => Array.isArray(list) && list.length > 0;
  return hasSome(request.functions) && !hasSome(request.tools);
}
