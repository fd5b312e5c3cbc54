/** Between unlike sides: the caller's body becomes a turn, the turn the upstream's body; events come back the same way. */
import type { Fields } from '../../contract/rule.ts';
import { GatewayError } from '../errors.ts';
import type { StreamReader, WholeAnswer } from './dialect.ts';
import { eachFrame, frameObject, isDone } from './frames.ts';
import { type JsonBody, jsonBody } from './json-body.ts';
import type { AnswerHead, CallerDialect, TurnEvent, TurnStreamReader, TurnStreamWriter, UpstreamDialect } from './turn.ts';
import type { Usage } from './usage.ts';

export interface Translation {
  readonly body: JsonBody;
  /** Behind the base URL of the upstream. */
  readonly path: string;
  /** Top-level fields that nobody knows: left out, and named in the answer. */
  readonly ignored: readonly string[];
  readWhole(bytes: Buffer): WholeAnswer;
  readStream(): StreamReader;
}

export interface TranslationOptions {
  readonly caller: CallerDialect;
  readonly upstream: UpstreamDialect;
  readonly body: Fields;
  /** The upstream's own id of the model. */
  readonly model: string;
  readonly head: AnswerHead;
}

export function translate({ caller, upstream, body, model, head }: TranslationOptions): Translation {
  const turn = caller.readRequest(body, model);
  return {
    body: jsonBody(upstream.writeRequest(turn)),
    path: upstream.path(turn),
    ignored: turn.unknown,
    readWhole: (bytes) => readWhole(upstream.readWhole(parse(bytes), turn), caller, head),
    readStream: () => new TranslatedStream(upstream.openStream(turn), caller.openStream(head)),
  };
}

function readWhole(events: readonly TurnEvent[], caller: CallerDialect, head: AnswerHead): WholeAnswer {
  return { bytes: Buffer.from(JSON.stringify(caller.writeWhole(events, head))), usage: lastUsage(events) };
}

const lastUsage = (events: readonly TurnEvent[]): Usage | null =>
  events.reduce<Usage | null>((usage, event) => (event.kind === 'usage' ? event.usage : usage), null);

function parse(bytes: Buffer): Fields {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    // Checked right here to be an object and no array.
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch (cause) {
    throw new GatewayError('upstream_error', { message: 'The upstream answered something that is not JSON.', cause });
  }
  throw new GatewayError('upstream_error', { message: 'The upstream answered something that is no JSON object.' });
}

const NOTHING = Buffer.alloc(0);
const PREFIX = 'event: ';

/** Frames of one dialect in, frames of another out. */
class TranslatedStream implements StreamReader {
  readonly #reader: TurnStreamReader;
  readonly #writer: TurnStreamWriter;
  #isDone = false;
  failure: GatewayError | null = null;
  usage: Usage | null = null;
  hasBegun = false;

  constructor(reader: TurnStreamReader, writer: TurnStreamWriter) {
    this.#reader = reader;
    this.#writer = writer;
  }

  get isComplete(): boolean {
    return (this.#isDone || this.#reader.isComplete) && this.failure === null;
  }

  pass(frames: Buffer): Buffer {
    const out: Buffer[] = [];
    try {
      eachFrame(frames, (frame) => {
        if (this.failure === null && !this.#reader.isComplete) out.push(this.#passFrame(frame));
      });
    } catch (thrown) {
      // A frame that cannot be read; what came before it has been written.
      this.failure = thrown instanceof GatewayError ? thrown : new GatewayError('upstream_error', { cause: thrown });
    }
    return Buffer.concat(out);
  }

  closing(): Buffer {
    const last = this.#write(this.#reader.end());
    if (this.failure) throw this.failure;
    return Buffer.concat([last, this.#writer.end()]);
  }

  failing(error: GatewayError): Buffer {
    return Buffer.concat([this.#writer.write({ kind: 'failed', error }), this.#writer.end()]);
  }

  #passFrame(frame: Buffer): Buffer {
    const data = frameObject(frame);
    if (data === null) {
      this.#isDone ||= isDone(frame);
      return NOTHING;
    }
    const first = frame.toString('utf8', 0, Math.min(frame.length, 80)).split(/\r?\n/, 1)[0] ?? '';
    return this.#write(this.#reader.read(data, first.startsWith(PREFIX) ? first.slice(PREFIX.length) : null));
  }

  #write(events: readonly TurnEvent[]): Buffer {
    const out: Buffer[] = [];
    for (const event of events) {
      if (event.kind === 'failed') this.failure = event.error;
      if (this.failure) break;
      if (event.kind === 'usage') this.usage = event.usage;
      this.hasBegun ||= event.kind !== 'start' && event.kind !== 'usage';
      out.push(this.#writer.write(event));
    }
    return Buffer.concat(out);
  }
}
