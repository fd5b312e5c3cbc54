/** An answer in AWS's event stream as Server-Sent Events, which is what the readers of the dialects know. */
import { Readable } from 'node:stream';
import type { AnswerBody, UpstreamAnswer } from '../upstream.ts';
import { EventStreamReader, type Message } from './event-stream.ts';

const EVENT_STREAM = 'application/vnd.amazon.eventstream';

/** Errors before the stream are plain JSON, and stay as they are. */
export function eventsAsSse(answer: UpstreamAnswer): UpstreamAnswer {
  const type = answer.headers['content-type'];
  if (typeof type !== 'string' || !type.startsWith(EVENT_STREAM)) return answer;
  return { ...answer, headers: { ...answer.headers, 'content-type': 'text/event-stream' }, body: new SseBody(answer.body) };
}

class SseBody extends Readable implements AnswerBody {
  readonly #source: AnswerBody;
  readonly #reader = new EventStreamReader();
  #isStarted = false;

  constructor(source: AnswerBody) {
    super();
    this.#source = source;
  }

  override _read(): void {
    if (this.#isStarted) {
      this.#source.resume();
      return;
    }
    this.#isStarted = true;
    this.#source.on('error', (cause) => this.destroy(cause));
    this.#source.on('end', () => this.#end());
    this.#source.on('data', (chunk) => this.#take(chunk));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#source.destroy(error ?? undefined);
    done(error);
  }

  #take(chunk: Buffer): void {
    if (this.destroyed) return;
    try {
      for (const message of this.#reader.take(chunk)) if (!this.push(frameOf(message))) this.#source.pause();
    } catch (cause) {
      // `as`: only errors are thrown there.
      this.destroy(cause as Error);
    }
  }

  /** Half a message at the end is an answer that was cut. */
  #end(): void {
    if (this.#reader.isInside) this.destroy(new Error('The event stream ended inside a message.'));
    else this.push(null);
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

function frameOf({ headers, payload }: Message): string {
  const name = headers.get(':exception-type') ?? headers.get(':error-code') ?? headers.get(':event-type') ?? '';
  const isFailure = headers.get(':message-type') !== 'event' || name.toLowerCase() in kinds;
  if (isFailure) return failureFrame(name, headers.get(':error-message') ?? wordsIn(payload));
  if (name !== 'chunk') return namedFrame(name, payload);
  const bytes = fieldIn(payload, 'bytes');
  // Padding beside it is of no use.
  return typeof bytes === 'string' ? `data: ${Buffer.from(bytes, 'base64').toString('utf8')}\n\n` : '';
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
