/** Chat to chat: asks for the usage, hides it from callers who did not, and hands everything else on as it came. */
import { type Fields, isFields } from '../../../contract/rule.ts';
import { GatewayError } from '../../errors.ts';
import type { ModelNames, Relay, RequestOptions, StreamReader } from '../dialect.ts';
import { readFailure } from '../failure.ts';
import { DONE, dataFrame, eachFrame, frameObject } from '../frames.ts';
import { type Changes, type JsonBody, withFields } from '../json-body.ts';
import { renameModel } from '../model-name.ts';
import { readUsage, type Usage } from '../usage.ts';
import { readWholeAnswer } from '../whole.ts';

const asksForUsage = (body: JsonBody): boolean => isFields(body.value.stream_options) && body.value.stream_options.include_usage === true;

/** Bridge tools send `reasoning`; chat upstreams know `reasoning_effort`. */
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

function writeRequest(body: JsonBody, { model }: RequestOptions): JsonBody {
  return withFields(body, { model, ...effort(body), ...metered(body) });
}

const USAGE = Buffer.from('"usage":{');
const FINISH = Buffer.from('"finish_reason":"');
const ERROR = Buffer.from('{"error"');
/** What a chunk of a vendor that writes JSON without spaces holds; others are parsed frame by frame. */
const COMPACT = Buffer.from('"object":"chat.completion.chunk"');

class ChatStream implements StreamReader {
  readonly #names: ModelNames;
  readonly #showUsage: boolean;
  #compact: boolean | null = null;
  #finished = false;
  #done = false;
  usage: Usage | null = null;
  hasBegun = false;

  constructor(names: ModelNames, showUsage: boolean) {
    this.#names = names;
    this.#showUsage = showUsage;
  }

  get isComplete(): boolean {
    return this.#done && this.#finished;
  }

  pass(block: Buffer): Buffer {
    this.#compact ??= block.includes(COMPACT) || null;
    const plain = this.#compact === true && !endsInDone(block) && !block.includes(USAGE) && !block.includes(ERROR);
    if (!plain) return this.#passFrames(block);
    this.hasBegun = true;
    if (!this.#finished) this.#finished = block.includes(FINISH);
    return renameModel(block, this.#names);
  }

  closing(): Buffer {
    if (!this.#finished) throw new GatewayError('upstream_error', { message: 'The upstream broke off in the middle of its answer.' });
    return DONE;
  }

  failing(error: GatewayError): Buffer {
    return dataFrame(error.body);
  }

  #passFrames(block: Buffer): Buffer {
    const out: Buffer[] = [];
    eachFrame(block, (frame) => {
      if (!this.#done) out.push(this.#passFrame(frame));
    });
    return Buffer.concat(out);
  }

  #passFrame(frame: Buffer): Buffer {
    if (endsInDone(frame)) {
      this.#done = true;
      if (!this.#finished) throw new GatewayError('upstream_error', { message: 'The upstream ended its answer without a finish reason.' });
      return NOTHING;
    }
    const chunk = frameObject(frame);
    if (chunk === null) return frame;
    if (chunk.error !== undefined && chunk.error !== null) throw readFailure(chunk.error);
    this.hasBegun = true;
    this.#finished ||=
      Array.isArray(chunk.choices) && chunk.choices.some((choice) => isFields(choice) && typeof choice.finish_reason === 'string');
    return renameModel(isFields(chunk.usage) ? this.#meter(frame, chunk) : frame, this.#names);
  }

  /** A usage that nobody asked for is taken out, and its chunk with it where nothing else is in it. */
  #meter(frame: Buffer, chunk: Fields): Buffer {
    this.usage = readUsage(chunk.usage);
    if (this.#showUsage) return frame;
    const { usage: _, ...rest } = chunk;
    return Array.isArray(chunk.choices) && chunk.choices.length > 0 ? dataFrame(rest) : NOTHING;
  }
}

const NOTHING = Buffer.alloc(0);

const BRACKET = 0x5d;
const MARK = 'data: [DONE]';

/** Whether the last frame of a block is `data: [DONE]`. Its last byte is a bracket, which no JSON object ends in: one look decides. */
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
  readStream: (body, names) => new ChatStream(names, asksForUsage(body)),
};
