/** The load generator: a bounded number of calls over loopback, each answer looked at, so that a fast wrong one fails. */
import { performance } from 'node:perf_hooks';
import { type Dispatcher, Pool } from 'undici';
import { contentMarks, doneMark } from './answers.ts';
import { type Asked, rightText, type StreamAsked } from './asked.ts';
import type { Asking } from './child.ts';

const timeoutMs = 60_000;

/** An answer that is not what the vendor said. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
  /** Of an answer that came; 0 for none. */
  readonly status: number;

  constructor(message: string, status = 0) {
    super(message);
    this.status = status;
  }
}

export class Caller {
  readonly #pool: Pool;
  readonly #asked: Asked;
  /** One for each key. */
  readonly #requests: readonly Dispatcher.DispatchOptions[];
  #turn = 0;
  /** Content events seen by this caller, over all streams. */
  events = 0;
  /** Streams that have had their first content event. */
  begun = 0;

  constructor({ origin, key, keys = [key], headers }: Asking, asked: Asked, connections: number) {
    this.#pool = new Pool(origin, { connections, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
    this.#asked = asked;
    const body = JSON.stringify(asked.body);
    this.#requests = keys.map((one) => {
      const sent = { 'content-type': 'application/json', authorization: `Bearer ${one}`, ...headers };
      return { path: asked.path, method: 'POST', headers: sent, body };
    });
  }

  /** Milliseconds until the first content event of a stream, until the end of anything else. */
  call(): Promise<number> {
    return this.#asked.kind === 'json' ? this.#callJson(this.#asked.readText) : this.#callStream(this.#asked);
  }

  /** Hangs up at the first content event of a stream; returns when that was, by the clock of the machine in nanoseconds. */
  leave(): Promise<bigint> {
    const { promise, resolve, reject } = Promise.withResolvers<bigint>();
    const mark = contentMarks[this.#asked.kind === 'json' ? 'chat' : this.#asked.caller];
    let heard = Buffer.alloc(0);
    this.#pool.dispatch(this.#next(), {
      onRequestStart: () => undefined,
      onResponseStart: () => undefined,
      onResponseData: (controller, bytes) => {
        heard = Buffer.concat([heard, bytes]);
        if (!heard.includes(mark)) return;
        resolve(process.hrtime.bigint());
        controller.abort(new Error('the caller hangs up'));
      },
      onResponseEnd: () => reject(new WrongAnswer(`no stream to leave: ${heard.toString().slice(0, 400)}`)),
      // Where it is the hang-up itself, all has been told.
      onResponseError: (_controller, error) => reject(new WrongAnswer(`no answer: ${error.message}`)),
    });
    return promise;
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  #next(): Dispatcher.DispatchOptions {
    const request = this.#requests[this.#turn++ % this.#requests.length];
    if (!request) throw new Error('the list of keys is empty');
    return request;
  }

  #callJson(readText: (answer: unknown) => unknown): Promise<number> {
    const body: Buffer[] = [];
    return this.#dispatch(
      (bytes) => void body.push(bytes),
      () => {
        const text = Buffer.concat(body).toString('utf8');
        return readText(JSON.parse(text)) === rightText ? null : `another answer: ${text.slice(0, 400)}`;
      },
    );
  }

  #callStream({ events: expected, caller }: StreamAsked): Promise<number> {
    const reader = new EventCounter(contentMarks[caller]);
    return this.#dispatch(
      (bytes) => {
        const found = reader.read(bytes);
        if (found > 0 && reader.count === found) this.begun++;
        this.events += found;
        return reader.count > 0;
      },
      () => (reader.isDone && reader.count === expected ? null : `${reader.count} events of ${expected}, [DONE]: ${reader.isDone}`),
    );
  }

  /** `onBytes` says by true that the time to be measured is over; `judge` names what is wrong. */
  #dispatch(onBytes: (bytes: Buffer) => unknown, judge: () => string | null): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const startedAt = performance.now();
    let ms: number | null = null;
    let status = 0;
    const text: Buffer[] = [];
    this.#pool.dispatch(this.#next(), {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, statusCode) => {
        status = statusCode;
      },
      onResponseData: (_controller, bytes) => {
        if (status !== 200) text.push(bytes);
        else if (onBytes(bytes) === true) ms ??= performance.now() - startedAt;
      },
      onResponseEnd: () => {
        ms ??= performance.now() - startedAt;
        const fault = status === 200 ? attempt(judge) : `status ${status}: ${Buffer.concat(text).toString().slice(0, 400)}`;
        if (fault === null) resolve(ms);
        else reject(new WrongAnswer(fault, status));
      },
      onResponseError: (_controller, error) => reject(new WrongAnswer(`no answer: ${error.message}`)),
    });
    return promise;
  }
}

function attempt(judge: () => string | null): string | null {
  try {
    return judge();
  } catch (error) {
    return String(error);
  }
}

/** Counts content events in whole frames; what is left of a frame waits for the next bytes. */
class EventCounter {
  count = 0;
  isDone = false;
  readonly #mark: Buffer;
  #rest: Buffer | null = null;

  constructor(mark: Buffer) {
    this.#mark = mark;
  }

  read(bytes: Buffer): number {
    const all = this.#rest === null ? bytes : Buffer.concat([this.#rest, bytes]);
    const end = all.lastIndexOf('\n\n');
    this.#rest = end + 2 === all.length ? null : all.subarray(end < 0 ? 0 : end + 2);
    const whole = end < 0 ? all.subarray(0, 0) : all.subarray(0, end + 2);
    let found = 0;
    for (let at = whole.indexOf(this.#mark); at >= 0; at = whole.indexOf(this.#mark, at + this.#mark.length)) found++;
    // Whatever follows [DONE] would be wrong, so it has to come last.
    this.isDone = whole.length === 0 ? this.isDone : whole.subarray(-doneMark.length).equals(doneMark);
    this.count += found;
    return found;
  }
}
