/** Steps that go to a store together: while some are under way those that come wait for their answers, so that a busy process writes seldom and much. */

export class Turns {
  /** Nobody waits longer than this for the answers of others; the timer is coarse, so it may be a little more. */
  readonly #longestMs: number;
  #flying = 0;
  #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  /** Resolves when it may go. A lone one goes at once: null. */
  enter(): Promise<void> | null {
    if (this.#flying === 0) {
      this.#flying++;
      return null;
    }
    this.#timer ??= setTimeout(() => this.#go(), this.#longestMs);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Of each that went, whatever came of it. */
  leave(): void {
    this.#flying--;
    if (this.#flying === 0 && this.#waiting.length > 0) this.#go();
  }

  #go(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const going = this.#waiting;
    this.#waiting = [];
    this.#flying += going.length;
    for (const go of going) go();
  }
}
