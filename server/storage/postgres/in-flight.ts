/** How many statements of one kind are under way, and when the next one leaves: few share the connections, and callers share them. */

/** While one is on its way back, another is at work. */
const MOST_FLIGHTS = 2;
/** One more where the server takes its time: nobody is to spend most of his own before he is sent. */
const MOST_SLOW_FLIGHTS = 3;
/** Of a step's time: where they take long they leave at a distance, so that nobody has to wait for both. */
const LONGEST_DISTANCE = 1 / 4;
/** The last one took longer. */
const SLOW_MS = 100;

export class Flights {
  readonly #timeoutMs: number;
  #count = 0;
  #leftAt = 0;
  #tookMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `timeoutMs`: of one step on the way of a call. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Whether one may leave now. Where that will be so though none comes back, `again` is called then. */
  mayLeave(again: () => void): boolean {
    const waitMs = this.#leftAt + this.#distanceMs() - performance.now();
    if (this.#count === 0 || waitMs <= 0) return true;
    if (Number.isFinite(waitMs)) this.#wait(waitMs, again);
    return false;
  }

  /** When it left. */
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
