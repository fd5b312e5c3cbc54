/** Converts a response in AWS's event stream to Server-Sent Events, which the dialects read. */
import { EventEmitter } from 'node:events';
import { AwsEventStreamReader, type Message } from './aws-event-stream.ts';
import type { ResponseBody, UpstreamResponse } from './upstream.ts';

export const AWS_EVENT_STREAM = 'application/vnd.amazon.eventstream';
/** Errors before the stream are plain JSON and stay unchanged. */
export function toSseResponse(response: UpstreamResponse): UpstreamResponse {
  const type = response.headers['content-type'];
  if (typeof type !== 'string' || !type.startsWith(AWS_EVENT_STREAM)) return response;
  return { ...response, headers: { ...response.headers, 'content-type': 'text/event-stream' }, body: new SseBody(response.body) };
}
/** Forwards each chunk in the turn in which it arrives. Another stream in between would buffer it again. */
class SseBody extends EventEmitter implements ResponseBody {
  readonly #source: ResponseBody;
  readonly #reader = new AwsEventStreamReader();
  #isStarted = false;
  #isBroken = false;
  closed = false;
  readableEnded = false;

  constructor(source: ResponseBody) {
    super();
    this.#source = source;
    source.on('error', (cause) => this.#fail(cause));
    source.on('end', () => this.#end());
    source.on('close', () => {
      this.closed = true;
      this.emit('close');
    });
  }

  /** A `data` listener starts the flow. */
  override on(name: string, listener: (...args: never[]) => void): this {
    // EventEmitter passes each listener the arguments of its event, which `ResponseBody` types.
    super.on(name, listener as (...args: unknown[]) => void);
    if (name === 'data' && !this.#isStarted) {
      this.#isStarted = true;
      this.#source.on('data', (chunk) => this.#onChunk(chunk));
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

  #onChunk(chunk: Buffer): void {
    if (this.#isBroken) return;
    try {
      const [first, ...rest] = this.#reader.push(chunk).map(toSseFrame);
      if (first) this.emit('data', rest.length === 0 ? first : Buffer.concat([first, ...rest]));
    } catch (cause) {
      this.#isBroken = true;
      // `as`: the code above throws only errors.
      this.#source.destroy(cause as Error);
    }
  }

  /** A partial message at the end means that the response was cut. */
  #end(): void {
    if (this.#reader.hasPartialMessage) this.#fail(new Error('The event stream ended inside a message.'));
    else {
      this.readableEnded = true;
      this.emit('end');
    }
  }

  /** An error without a listener would crash the process. */
  #fail(cause: Error): void {
    if (this.listenerCount('error') > 0) this.emit('error', cause);
  }
}
/** Exception names, mapped to the error types of Anthropic's own streams. */
const kinds: Readonly<Record<string, string>> = {
  throttlingexception: 'rate_limit_error',
  servicequotaexceededexception: 'rate_limit_error',
  validationexception: 'invalid_request_error',
  modeltimeoutexception: 'timeout_error',
  serviceunavailableexception: 'overloaded_error',
  modelstreamerrorexception: 'api_error',
  internalserverexception: 'api_error',
};
function toSseFrame({ headers, payload }: Message): Buffer {
  const isEvent = headers.get(':message-type') === 'event';
  if (isEvent && headers.get(':event-type') === 'chunk') return decodeChunkFrame(findBase64(payload));
  const name = headers.get(':exception-type') ?? headers.get(':error-code') ?? headers.get(':event-type') ?? '';
  const isFailure = !isEvent || name.toLowerCase() in kinds;
  if (isFailure) return Buffer.from(writeFailureFrame(name, headers.get(':error-message') ?? readErrorMessage(payload)));
  return Buffer.from(writeNamedFrame(name, payload));
}
const BYTES_FIELD_START = '{"bytes":"';
/**
 * Extracts the base64 of a model event, including padding. Empty if there is none. The provider writes this field first and without escapes, so no parsing
 * is needed.
 */
function findBase64(payload: Buffer): string {
  const text = payload.toString('latin1');
  const end = text.startsWith(BYTES_FIELD_START) ? text.indexOf('"', BYTES_FIELD_START.length) : -1;
  if (end >= 0) return text.slice(BYTES_FIELD_START.length, end);
  const bytes = readField(payload, 'bytes');
  return typeof bytes === 'string' ? bytes : '';
}
const DATA_PREFIX = 'data: ';
/** Decodes base64 into a frame. Empty without an event. */
function decodeChunkFrame(base64: string): Buffer {
  if (base64 === '') return Buffer.alloc(0);
  const frame = Buffer.allocUnsafe(DATA_PREFIX.length + Math.ceil((base64.length * 3) / 4) + 2);
  const end = DATA_PREFIX.length + frame.write(base64, frame.write(DATA_PREFIX, 'latin1'), 'base64');
  return frame.subarray(0, end + frame.write('\n\n', end, 'latin1'));
}
/** Writes a Converse event, whose name is a header, as an object with this one field, like the provider's reference. */
const writeNamedFrame = (name: string, payload: Buffer): string =>
  /^\w+$/.test(name) ? `data: {"${name}":${payload.toString('utf8').replaceAll('\n', ' ')}}\n\n` : '';
const writeFailureFrame = (name: string, message: string): string =>
  `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: kinds[name.toLowerCase()] ?? 'api_error', message } })}\n\n`;
function readErrorMessage(payload: Buffer): string {
  const message = readField(payload, 'message') ?? readField(payload, 'originalMessage');
  return typeof message === 'string' ? message : 'The upstream ended the stream with an error.';
}
function readField(payload: Buffer, name: string): unknown {
  const value: unknown = JSON.parse(payload.toString('utf8'));
  // `as`: an object with unchecked fields.
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
