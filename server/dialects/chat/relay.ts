/** Chat to chat: asks the upstream for usage, removes it for callers who did not ask, and forwards everything else unchanged. */
import type { ErrorBody } from '../../../contract/errors.ts';
import { type Fields, isFields } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import type { ModelNames, Relay, RequestOptions, StreamReader } from '../dialect.ts';
import { readFailure } from '../failure.ts';
import { readUsage, type Usage } from '../usage.ts';
import { readWholeAnswer } from '../wire/complete-answer.ts';
import { DONE, dataFrame, frameObject, NOTHING, passEach, withoutData } from '../wire/frames.ts';
import { type Changes, type JsonBody, withFields } from '../wire/json-body.ts';
import { renameModel } from '../wire/model-name.ts';

const asksForUsage = (body: JsonBody): boolean => isFields(body.value.stream_options) && body.value.stream_options.include_usage === true;

/** Some bridges send `reasoning`; chat upstreams have `reasoning_effort`. */
function effort(body: JsonBody): Changes {
  const { reasoning, reasoning_effort } = body.value;
  if (reasoning === undefined) return {};
  const given = isFields(reasoning) ? reasoning.effort : undefined;
  return { reasoning: undefined, reasoning_effort: reasoning_effort ?? given ?? undefined };
}

function metered(body: JsonBody): Changes {
  if (body.value.stream !== true || asksForUsage(body)) return {};
  const options = isFields(body.value.stream_options) ? body.value.stream_options : {};
  return { stream_options: { ...options, include_usage: true } };
}

/** The changes to a chat body for every vendor. */
export const chatChanges = (body: JsonBody, { model }: RequestOptions): Changes => ({ model, ...effort(body), ...metered(body) });

/** Upstreams must store nothing for us, and some store unless told not to. */
const KEPT_NOWHERE = { store: false };

/** The caller's request to store, reported as ignored. */
export const unkeptFields = ({ store }: Fields): readonly string[] => (store === true ? ['store'] : []);

function writeRequest(body: JsonBody, options: RequestOptions): JsonBody {
  return withFields(body, { ...chatChanges(body, options), ...KEPT_NOWHERE });
}

// Searched in chunks as Latin-1, one character for each byte: searches in a text cost half of those in a Buffer.
const USAGE = '"usage":{';
const FINISH = '"finish_reason":"';
const ERROR = '"error":';
/** Found in chunks of vendors that write JSON without spaces; other streams are parsed frame by frame. */
const COMPACT = Buffer.from('"object":"chat.completion.chunk"');

interface ChatStreamOptions {
  readonly names: ModelNames;
  readonly showUsage: boolean;
  /** The number of answers that were requested. */
  readonly choices: number;
}

class ChatStream implements StreamReader {
  readonly #options: ChatStreamOptions;
  #compact: boolean | null = null;
  /** For each choice seen: whether it has its finish reason. */
  readonly #finished = new Map<number, boolean>();
  #done = false;
  usage: Usage | null = null;
  failure: GatewayError | null = null;
  hasBegun = false;

  constructor(options: ChatStreamOptions) {
    this.#options = options;
  }

  get isComplete(): boolean {
    return this.#done && this.#isFinished(1);
  }

  pass(block: Buffer): Buffer {
    const { names, choices, showUsage } = this.#options;
    this.#compact ??= block.includes(COMPACT) || null;
    if (this.#compact === null || choices !== 1) return this.#passFrames(block);
    const text = block.toString('latin1');
    if (text.includes(USAGE) || text.includes(ERROR) || !holdsObjects(text)) return this.#passFrames(block);
    this.hasBegun = true;
    if (!this.#finished.get(0)) this.#finished.set(0, text.includes(FINISH));
    return renameModel(showUsage ? block : withoutNullUsage(block, text), names);
  }

  /** Without `[DONE]` every requested choice must be finished; with it there may be fewer. */
  closing(): Buffer {
    if (!this.#isFinished(this.#done ? 1 : this.#options.choices))
      throw new GatewayError<CallCode>('upstream_error', { message: 'The upstream broke off in the middle of its answer.' });
    return DONE;
  }

  failing(error: GatewayError): Buffer {
    return dataFrame<ErrorBody>(error.body);
  }

  #isFinished(choices: number): boolean {
    return this.#finished.size >= choices && [...this.#finished.values()].every(Boolean);
  }

  #passFrames(block: Buffer): Buffer {
    const { out, failure } = passEach(block, (frame) => (this.#done ? NOTHING : this.#passFrame(frame)));
    this.failure = failure;
    return out;
  }

  #passFrame(frame: Buffer): Buffer {
    if (endsInDone(frame)) {
      this.#done = true;
      if (!this.#isFinished(1))
        throw new GatewayError<CallCode>('upstream_error', { message: 'The upstream ended its answer without a finish reason.' });
      return NOTHING;
    }
    const chunk = frameObject(frame);
    if (chunk === null) return withoutData(frame);
    if ((chunk.error !== undefined && chunk.error !== null) || chunk.type === 'error') throw this.#failure(chunk);
    this.hasBegun = true;
    this.#noteFinish(chunk.choices);
    return renameModel(this.#meter(frame, chunk), this.#options.names);
  }

  /** The usage of a failed answer is charged too. */
  #failure(chunk: Fields): GatewayError {
    this.usage = readUsage(chunk.usage) ?? this.usage;
    return readFailure(chunk.error ?? chunk);
  }

  #noteFinish(choices: unknown): void {
    if (!Array.isArray(choices)) return;
    for (const choice of choices) {
      if (!isFields(choice)) continue;
      const index = Number(choice.index ?? 0);
      this.#finished.set(index, this.#finished.get(index) === true || typeof choice.finish_reason === 'string');
    }
  }

  /** Removes usage that the caller did not ask for, with its chunk when that holds nothing else. */
  #meter(frame: Buffer, chunk: Fields): Buffer {
    if (isFields(chunk.usage)) this.usage = readUsage(chunk.usage);
    if (chunk.usage === undefined || this.#options.showUsage) return frame;
    const bytes = chunk.usage === null ? withoutNullUsage(frame) : frame;
    if (bytes !== frame) return bytes;
    const { usage, ...rest } = chunk;
    const isEmpty = isFields(usage) && (!Array.isArray(chunk.choices) || chunk.choices.length === 0);
    return isEmpty ? NOTHING : dataFrame<Fields>(rest);
  }
}

const NULL_USAGE = ',"usage":null';

/** Removes `"usage":null` for callers who did not ask for usage. Quotes inside a JSON string are escaped, so this matches only the field. */
function withoutNullUsage(block: Buffer, text = block.toString('latin1')): Buffer {
  const pieces = text.split(NULL_USAGE);
  return pieces.length === 1 ? block : Buffer.from(pieces.join(''), 'latin1');
}

/** Whether each frame is one line that begins and ends like a JSON object; other frames are parsed. */
function holdsObjects(text: string): boolean {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    if (text[from] !== 'd' || text[from + 5] !== ' ' || text[from + 6] !== '{') return false;
    if (text[end - 1] !== '}' || text[end + 1] !== '\n') return false;
    from = end + 2;
  }
  return true;
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
  readWhole: (bytes, names) => readWholeAnswer(bytes, 'choices', names),
  readStream: (body, names) =>
    new ChatStream({ names, showUsage: asksForUsage(body), choices: typeof body.value.n === 'number' ? body.value.n : 1 }),
};
