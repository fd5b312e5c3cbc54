/** A stream of typed events. A stream that was cut ends with an error, so that it never looks complete. */
import type { Attempt } from './attempt.ts';
import { ModelgateError, StreamError } from './errors.ts';
import { readEventFailure } from './failures.ts';
import { type Fields, parseJson, toFields, truncateText } from './fields.ts';
import { readEventData } from './sse.ts';
import type { ModelResponse, ResponseStreamEvent, UnknownEvent } from './types.gen.ts';

/** The types of a stream's events that this version knows. Chunks of a chat stream have none. */
export type EventType<Event> = Event extends { readonly type: infer Type extends string } ? Exclude<Type, UnknownEvent['type']> : never;
/** The events of a stream with this type. */
export type EventOf<Event, Type> = Event extends { readonly type: infer Types } ? (Type extends Types ? Event : never) : never;

/** Maximum time to wait for the end of the response after the last event, so that the connection can be reused. In milliseconds. */
const CLOSING_MS = 1_000;
const DONE = '[DONE]';

async function* readChunks(body: ReadableStream<Uint8Array> | null, attempt: Attempt): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body?.getReader();
  while (reader) {
    attempt.startTimer();
    const { done, value } = await reader.read().catch((error) => Promise.reject(attempt.explain(error, StreamError)));
    attempt.stopTimer();
    if (done) return;
    yield value;
  }
}

function readEvent(data: string, headers: Headers): Fields {
  const event = toFields(parseJson(data));
  if (!event) throw new StreamError(`The stream has an invalid event: ${truncateText(data)}`, { headers });
  const failure = readEventFailure(event, headers);
  if (failure) throw failure;
  return event;
}

/**
 * The events of a streamed response, for one `for await` loop. Leaving the loop early (`break`, `return`, `throw`) closes the request.
 * The loop ends normally only after the event that ends the response: `[DONE]` on chat; completed, incomplete, or failed on
 * responses; completed on images. Otherwise it throws: the error that the gateway sent, a `StreamError`, `TimeoutError`, or `AbortError`.
 */
export class EventStream<Event> implements AsyncIterable<Event> {
  /** The response as fetch returned it, for its headers. The loop reads its body. */
  declare readonly response: Response;
  /** Request ID (`x-request-id`), for the gateway's operator. */
  declare readonly requestId: string | null;
  readonly #attempt: Attempt;
  readonly #ends: readonly string[];
  readonly #listeners: (readonly [type: string, listener: (event: never) => unknown])[] = [];
  #taken = false;
  #last: unknown;

  private constructor(response: Response, attempt: Attempt, ends: readonly string[] = []) {
    this.response = response;
    this.requestId = response.headers.get('x-request-id');
    this.#attempt = attempt;
    this.#ends = ends;
    attempt.stopTimer();
  }

  /**
   * `ends` lists the event types (or data without a type) that can end the stream.
   * @internal
   */
  static open<Event>(response: Response, attempt: Attempt, ends?: readonly string[]): EventStream<Event> {
    return new EventStream(response, attempt, ends);
  }

  /** Closes the request from outside the loop, which then throws an `AbortError`. Call it if you don't read the stream. */
  abort(): void {
    this.#attempt.abort();
  }

  /**
   * Calls a listener with every event of this type, while a loop or `finalResponse()` reads the stream. A promise that it returns is
   * awaited before the next event. If it throws, the stream ends with that error. Add it before the stream is read.
   *
   * @example
   * stream.on('response.output_text.delta', ({ delta }) => process.stdout.write(delta));
   */
  on<Type extends EventType<Event>>(type: Type, listener: (event: EventOf<Event, Type>) => unknown): this {
    this.#listeners.push([type, listener]);
    return this;
  }

  /**
   * The complete response of a responses stream, from its last event; `status` says whether it was completed. Reads the stream to its
   * end, unless a loop already did. Rejects if the stream is cut, and with a `ModelgateError` if a loop left it early.
   */
  async finalResponse(this: EventStream<ResponseStreamEvent>): Promise<ModelResponse> {
    if (!this.#taken) for await (const _ of this);
    if (!this.#last) throw new ModelgateError('The stream was left before its last event.');
    // `as`: the last event of a responses stream contains the complete response.
    return (this.#last as { response: ModelResponse }).response;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    if (this.#taken) throw new ModelgateError('A stream can be read once.');
    this.#taken = true;
    const attempt = this.#attempt;
    let isOver = false;
    try {
      for await (const data of readEventData(readChunks(this.response.body, attempt))) {
        if (isOver) continue;
        // After an abort, events of the last chunk can still be in the buffer.
        attempt.signal.throwIfAborted();
        const event = data === DONE ? undefined : readEvent(data, this.response.headers);
        // Before `isOver`, because an error of a listener must reach the caller, also at the last event. `as`: the listener is of this type.
        for (const [type, listener] of this.#listeners) if (type === event?.type) await listener(event as never);
        isOver = this.#ends.includes(event ? String(event.type) : data);
        if (isOver) {
          this.#last = event;
          attempt.timeoutMs = CLOSING_MS;
        }
        // `as`: responses of the gateway follow the contract, which defines these types.
        if (event) yield event as Event;
        else if (!isOver) break;
      }
      if (!isOver) throw new StreamError('The stream ended before its last event.', { headers: this.response.headers });
    } catch (error) {
      if (!isOver) throw error;
    } finally {
      attempt.abort();
    }
  }
}
