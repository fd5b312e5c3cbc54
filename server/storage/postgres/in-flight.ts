/** Limits the statements of one kind that run at once, and decides when the next one is sent: few statements, each with many orders. */

/** While the answer of one is on its way, the server works on another. */
const MOST_FLIGHTS = 2;
/** A third one when the server is slow: an order must not spend most of its time before it is sent. */
const MOST_SLOW_FLIGHTS = 3;
/** The longest interval between two statements, as a part of a step's time. Slow statements are spread over time, so that a new order does not have to wait for all of them. */
const LONGEST_DISTANCE = 1 / 4;
/** The server is slow when the last statement took at least this long. */
const SLOW_MS = 100;

export class Flights {
  readonly #timeoutMs: number;
  #count = 0;
  #leftAt = 0;
  #tookMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `timeoutMs`: of one step of a call. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Whether a statement may be sent now. If only time has to pass until then, `again` is called after that time. */
  mayLeave(again: () => void): boolean {
    const waitMs = this.#leftAt + this.#distanceMs() - performance.now();
    if (this.#count === 0 || waitMs <= 0) return true;
    if (Number.isFinite(waitMs)) this.#wait(waitMs, again);
    return false;
  }

  /** Counts a statement that is sent; returns the time. */
  left(): number {
    this.#count++;
    this.#leftAt = performance.now();
    return this.#leftAt;
  }

  landed(leftAt: number): void {
    this.#count--;
    this.#tookMs = performance.now() - leftAt;
  }

  #distanceMs(): number {
    const longestMs = this.#timeoutMs * LONGEST_DISTANCE;
    if (this.#count < MOST_FLIGHTS) return this.#tookMs < SLOW_MS ? 0 : Math.min(this.#tookMs / MOST_FLIGHTS, longestMs);
    return this.#count < MOST_SLOW_FLIGHTS ? longestMs : Number.POSITIVE_INFINITY;
  }

  #wait(ms: number, again: () => void): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      again();
    }, ms);
  }
}
