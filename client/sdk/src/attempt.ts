/** One attempt of a request: its abort signal, its timeout, and the reason why it ended. */
import { AbortError, ConnectionError, type ModelgateError, TimeoutError } from './errors.ts';
import { asFields } from './fields.ts';

/** The error for a signal that its owner aborted. */
const givenUp = (signal: AbortSignal | undefined) =>
  new AbortError('The request was aborted.', signal?.aborted ? { cause: signal.reason } : {});

/** A timer with a larger value would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** fetch wraps the cause in one or two errors; the outer one says "fetch failed". */
function reasonOf(error: unknown): string {
  const { cause = error } = asFields(error) ?? {};
  const { message, code } = asFields(cause) ?? {};
  return String(message || code || cause);
}

/** The caller's options for one attempt. */
export interface AttemptOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
}

export class Attempt {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  /** Longest silence of the gateway. */
  timeoutMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ signal, timeoutMs }: AttemptOptions) {
    this.#caller = signal;
    this.timeoutMs = timeoutMs;
    this.startTimer();
    if (signal?.aborted) this.abort();
    else signal?.addEventListener('abort', this.abort);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends the attempt: the request is closed, and reading from it fails. A second call does nothing. */
  readonly abort = (): void => {
    this.#controller.abort(givenUp(this.#caller));
    this.close();
  };

  /** The timeout counts only while the client waits for the gateway, not while the caller handles an event. */
  startTimer(): void {
    this.stopTimer();
    const expire = () => this.#controller.abort(new TimeoutError(`No answer within ${this.timeoutMs} ms.`));
    this.#timer = setTimeout(expire, Math.min(this.timeoutMs, MAX_TIMER_MS));
  }

  stopTimer(): void {
    clearTimeout(this.#timer);
  }

  /** Releases the timer and the caller's signal. */
  close(): void {
    this.stopTimer();
    this.#caller?.removeEventListener('abort', this.abort);
  }

  /** Why sending or reading failed: aborted, timed out, or a connection error. */
  explain(error: unknown, otherwise: typeof ModelgateError = ConnectionError): ModelgateError {
    if (this.signal.aborted) return this.signal.reason;
    return new otherwise(`The connection to the gateway failed: ${reasonOf(error)}`, { cause: error });
  }
}
