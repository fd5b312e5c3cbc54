/** One attempt of a request, with its abort signal, its timeout, and the reason why it ended. */
import { AbortError, ConnectionError, type ModelgateError, TimeoutError } from './errors.ts';
import { toFields } from './fields.ts';

/** Returns the error for an abort by the caller, with the caller's reason as the cause. */
const createAbortError = (signal: AbortSignal | undefined) =>
  new AbortError('The request was aborted.', signal?.aborted ? { cause: signal.reason } : {});

/** `setTimeout` fires immediately for larger values. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Reads the actual reason of a fetch error, because its own message says only "fetch failed". */
function getReason(error: unknown): string {
  const { cause = error } = toFields(error) ?? {};
  const { message, code } = toFields(cause) ?? {};
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
  /** Maximum time without data from the gateway, in milliseconds. */
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

  /** Aborts the attempt: closes the request, so that reading from it fails. A second call does nothing. */
  readonly abort = (): void => {
    this.#controller.abort(createAbortError(this.#caller));
    this.close();
  };

  /** Starts the timer again. It runs only while the client waits for the gateway, not while the caller handles an event. */
  startTimer(): void {
    this.stopTimer();
    const expire = () => this.#controller.abort(new TimeoutError(`No answer within ${this.timeoutMs} ms.`));
    this.#timer = setTimeout(expire, Math.min(this.timeoutMs, MAX_TIMER_MS));
  }

  stopTimer(): void {
    clearTimeout(this.#timer);
  }

  /** Stops the timer, and removes the listener from the caller's signal. */
  close(): void {
    this.stopTimer();
    this.#caller?.removeEventListener('abort', this.abort);
  }

  /** Returns the error that explains a failed attempt: aborted, timed out, or a connection error. */
  explain(error: unknown, otherwise: typeof ModelgateError = ConnectionError): ModelgateError {
    if (this.signal.aborted) return this.signal.reason;
    return new otherwise(`The connection to the gateway failed: ${getReason(error)}`, { cause: error });
  }
}
