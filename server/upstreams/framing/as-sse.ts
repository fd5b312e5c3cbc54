/** An answer in AWS's event stream as Server-Sent Events, which is what the readers of the dialects know. */
import { EventEmitter } from 'node:events';
import type { AnswerBody, UpstreamAnswer } from '../upstream.ts';
import { EventStreamReader, type Message } from './event-stream.ts';

const EVENT_STREAM = 'application/vnd.amazon.eventstream';

/** Errors before the stream are plain JSON, and stay as they are. */
export function eventsAsSse(answer: UpstreamAnswer): UpstreamAnswer {
  const type = answer.headers['content-type'];
  if (typeof type !== 'string' || !type.startsWith(EVENT_STREAM)) return answer;
  return { ...answer, headers: { ...answer.headers, 'content-type': 'text/event-stream' }, body: new SseBody(answer.body) };
}

/** Hands each chunk on in the turn in which it came: another stream in between would buffer it once more. */
class SseBody extends EventEmitter implements AnswerBody {
  readonly #source: AnswerBody;
  readonly #reader = new EventStreamReader();
  #isStarted = false;
  #isBroken = false;
  closed = false;
  readableEnded = false;

  constructor(source: AnswerBody) {
    super();
    this.#source = source;
    source.on('error', (cause) => this.#fail(cause));
    source.on('end', () => this.#end());
    source.on('close', () => {
      this.closed = true;
      this.emit('close');
    });
  }

  /** A listener for `data` starts the flow. */
  override on(name: string, listener: (...told: never[]) => void): this {
    // An emitter calls each listener with the arguments of its event; `AnswerBody` types them.
    super.on(name, listener as (...told: unknown[]) => void);
    if (name === 'data' && !this.#isStarted) {
      this.#isStarted = true;
      this.#source.on('data', (chunk) => this.#take(chunk));
    }
    return this;
  }

  pause(): void {
    this.#source.pause();
  }

  resume(): void {
    this.#source.resume();
  }

  destroy(error?: Error): void {
    this.#source.destroy(error);
  }

  #take(chunk: Buffer): void {
    if (this.#isBroken) return;
    try {
      const [first, ...rest] = this.#reader.take(chunk).map(frameOf);
      if (first) this.emit('data', rest.length === 0 ? first : Buffer.concat([first, ...rest]));
    } catch (cause) {
      this.#isBroken = true;
      // `as`: only errors are thrown there.
      this.#source.destroy(cause as Error);
    }
  }

  /** Half a message at the end is an answer that was cut. */
  #end(): void {
    if (this.#reader.isInside) this.#fail(new Error('The event stream ended inside a message.'));
    else {
      this.readableEnded = true;
      this.emit('end');
    }
  }

  /** An error that nobody listens for would end the process. */
  #fail(cause: Error): void {
    if (this.listenerCount('error') > 0) this.emit('error', cause);
  }
}

/** Kinds of exceptions, as Anthropic's own streams name them. */
const kinds: Readonly<Record<string, string>> = {
  throttlingexception: 'rate_limit_error',
  servicequotaexceededexception: 'rate_limit_error',
  validationexception: 'invalid_request_error',
  modeltimeoutexception: 'timeout_error',
  serviceunavailableexception: 'overloaded_error',
  modelstreamerrorexception: 'api_error',
  internalserverexception: 'api_error',
};

function frameOf({ headers, payload }: Message): Buffer {
  const isEvent = headers.get(':message-type') === 'event';
  if (isEvent && headers.get(':event-type') === 'chunk') return chunkFrame(baseIn(payload));
  const name = headers.get(':exception-type') ?? headers.get(':error-code') ?? headers.get(':event-type') ?? '';
  const isFailure = !isEvent || name.toLowerCase() in kinds;
  if (isFailure) return Buffer.from(failureFrame(name, headers.get(':error-message') ?? wordsIn(payload)));
  return Buffer.from(namedFrame(name, payload));
}

const OPENING = '{"bytes":"';

/** The base64 of a model's event, with padding beside it; empty where there is none. The vendor writes it first; it needs no escapes, so it is cut out without parsing. */
function baseIn(payload: Buffer): string {
  const text = payload.toString('latin1');
  const end = text.startsWith(OPENING) ? text.indexOf('"', OPENING.length) : -1;
  if (end >= 0) return text.slice(OPENING.length, end);
  const bytes = fieldIn(payload, 'bytes');
  return typeof bytes === 'string' ? bytes : '';
}

const DATA = 'data: ';

/** Decoded into its frame; nothing where there is no event. */
function chunkFrame(base64: string): Buffer {
  if (base64 === '') return Buffer.alloc(0);
  const frame = Buffer.allocUnsafe(DATA.length + Math.ceil((base64.length * 3) / 4) + 2);
  const end = DATA.length + frame.write(base64, frame.write(DATA, 'latin1'), 'base64');
  return frame.subarray(0, end + frame.write('\n\n', end, 'latin1'));
}

/** An event of Converse, whose name is a header: an object with this one field, as the vendor's reference writes it. */
const namedFrame = (name: string, payload: Buffer): string =>
  /^\w+$/.test(name) ? `data: {"${name}":${payload.toString('utf8').replaceAll('\n', ' ')}}\n\n` : '';

const failureFrame = (name: string, message: string): string =>
  `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: kinds[name.toLowerCase()] ?? 'api_error', message } })}\n\n`;

function wordsIn(payload: Buffer): string {
  const message = fieldIn(payload, 'message') ?? fieldIn(payload, 'originalMessage');
  return typeof message === 'string' ? message : 'The upstream ended the stream with an exception.';
}

function fieldIn(payload: Buffer, name: string): unknown {
  const value: unknown = JSON.parse(payload.toString('utf8'));
  // `as`: an object whose fields nobody has checked.
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
