/** Chat to chat: asks the upstream for usage, removes it for callers who did not ask, and forwards everything else unchanged. */
import type { ErrorBody } from '../../../contract/errors.ts';
import { type Fields, isFields, isSet } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import type { ModelNames, Relay, RequestOptions, StreamReader } from '../dialect.ts';
import { readFailure } from '../failure.ts';
import { readUsage, type Usage } from '../usage.ts';
import { readWholeAnswer } from '../wire/complete-answer.ts';
import { DONE, dataFrame, frameObject, NOTHING, passEach, withoutData } from '../wire/frames.ts';
import { type Changes, type JsonBody, withFields } from '../wire/json-body.ts';
import { PlainChunks } from './plain-chunks.ts';
import { thoughtsMoved } from './thinking-parts.ts';
import { completeAnswer } from './vendor-answer.ts';
import { ChunkCompleter, isPrelude } from './vendor-chunk.ts';

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

/** Fields of `reasoning` that an upstream without that object is not sent; its effort has a field of its own. */
export const reasoningLeftOut = ({ reasoning }: Fields): readonly string[] =>
  isFields(reasoning)
    ? Object.keys(reasoning)
        .filter((name) => name !== 'effort' && isSet(reasoning[name]))
        .map((name) => `reasoning.${name}`)
    : [];

/** Upstreams must store nothing for us, and some store unless told not to. */
const KEPT_NOWHERE = { store: false };

/** The caller's request to store, reported as ignored. */
export const unkeptFields = ({ store }: Fields): readonly string[] => (store === true ? ['store'] : []);

function writeRequest(body: JsonBody, options: RequestOptions): JsonBody {
  return withFields(body, { ...chatChanges(body, options), ...thoughtsMoved(body.value, null), ...KEPT_NOWHERE });
}

interface ChatStreamOptions {
  readonly names: ModelNames;
  readonly showUsage: boolean;
  /** The number of answers that were requested. */
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
      throw new GatewayError<CallCode>('upstream_error', { message: 'The upstream broke off in the middle of its answer.' });
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
    new ChatStream({ names, showUsage: asksForUsage(body), choices: typeof body.value.n === 'number' ? body.value.n : 1 }),
};
