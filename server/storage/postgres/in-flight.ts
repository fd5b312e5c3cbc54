/** Limits the statements of one kind that run at once, and decides when the next one is sent: few statements, each with many orders. */

/** While the answer of one is on its way, the server works on another. */
const MOST_IN_FLIGHT = 2;
/** A third one when the server is slow: an order must not spend most of its time before it is sent. */
const MOST_IN_FLIGHT_WHEN_SLOW = 3;
/** The longest interval between two statements, as a part of a step's time. Slow statements are spread over time, so that a new order does not have to wait for all of them. */
const LONGEST_INTERVAL = 1 / 4;
/** The server is slow when the last statement took at least this long. */
const SLOW_MS = 100;

export class InFlightLimit {
  readonly #timeoutMs: number;
  #count = 0;
  #sentAt = 0;
  #tookMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `timeoutMs`: of one step of a call. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Whether a statement may be sent now. If only time has to pass until then, `again` is called after that time. */
  canSend(again: () => void): boolean {
    const waitMs = this.#sentAt + this.#intervalMs() - performance.now();
    if (this.#count === 0 || waitMs <= 0) return true;
    if (Number.isFinite(waitMs)) this.#wait(waitMs, again);
    return false;
  }

  /** Counts a statement that is sent; returns the time. */
  noteSent(): number {
    this.#count++;
    this.#sentAt = performance.now();
    return this.#sentAt;
  }

  noteAnswered(sentAt: number): void {
    this.#count--;
    this.#tookMs = performance.now() - sentAt;
  }

  #intervalMs(): number {
    const longestMs = this.#timeoutMs * LONGEST_INTERVAL;
    if (this.#count < MOST_IN_FLIGHT) return this.#tookMs < SLOW_MS ? 0 : Math.min(this.#tookMs / MOST_IN_FLIGHT, longestMs);
    return this.#count < MOST_IN_FLIGHT_WHEN_SLOW ? longestMs : Number.POSITIVE_INFINITY;
  }

  #wait(ms: number, again: () => void): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      again();
    }, ms);
  }
}
