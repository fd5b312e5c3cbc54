/** Limits how many batches are in flight: more if the server is slow. */

/** While one response is in transit, the server works on another batch. */
const MAX_IN_FLIGHT = 2;

/** A slow server gets a third batch, so that an order doesn't spend most of its time unsent. */
const MAX_IN_FLIGHT_WHEN_SLOW = 3;

/**
 * The longest interval between two statements, as a share of a step's timeout. Slow statements are spread over time, so that a new order
 * doesn't wait for all of them.
 */
const MAX_INTERVAL_SHARE = 1 / 4;

/** The server is slow if the last statement took at least this long. */
const SLOW_MS = 100;

export class InFlightLimit {
  readonly #timeoutMs: number;
  #count = 0;
  #sentAt = 0;
  #lastDurationMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `timeoutMs`: the timeout of a step of a request. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Whether a statement can be sent now. If only time must pass, `again` is called after that time. */
  canSend(retry: () => void): boolean {
    const waitMs = this.#sentAt + this.#getIntervalMs() - performance.now();
    if (this.#count === 0 || waitMs <= 0) return true;
    if (Number.isFinite(waitMs)) this.#wait(waitMs, retry);
    return false;
  }

  /** Counts a sent statement and returns the current time. */
  noteSent(): number {
    this.#count++;
    this.#sentAt = performance.now();
    return this.#sentAt;
  }

  noteAnswered(sentAt: number): void {
    this.#count--;
    this.#lastDurationMs = performance.now() - sentAt;
  }

  #getIntervalMs(): number {
    const maxIntervalMs = this.#timeoutMs * MAX_INTERVAL_SHARE;
    if (this.#count < MAX_IN_FLIGHT)
      return this.#lastDurationMs < SLOW_MS ? 0 : Math.min(this.#lastDurationMs / MAX_IN_FLIGHT, maxIntervalMs);
    return this.#count < MAX_IN_FLIGHT_WHEN_SLOW ? maxIntervalMs : Number.POSITIVE_INFINITY;
  }

  #wait(ms: number, retry: () => void): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      retry();
    }, ms);
  }
}
