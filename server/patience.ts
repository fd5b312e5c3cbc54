/** How long somebody waits for a store, told by one clock for all who wait: a timer for each would cost more than most of what is waited for. */

/**
 * Rejects with what `late` makes where the work takes longer. The work itself goes on: whoever asked for it has to see to what comes of it.
 * Time is counted in turns of the event loop, so that a process which was busy itself does not take its own pause for one of the store.
 */
export type Patience = <T>(work: Promise<T>, waitMs: number, late: () => Error) => Promise<T>;

/** Waits are told to within one tick. */
export function openPatience(tickMs: number): Patience {
  const clock = new Clock(tickMs);
  return (work, waitMs, late) =>
    new Promise((resolve, reject) => {
      // The first tick may be about to come.
      const wait = { ticks: Math.ceil(waitMs / tickMs) + 1, end: () => reject(late()) };
      clock.add(wait);
      work.then(
        (value) => {
          clock.remove(wait);
          resolve(value);
        },
        (error: unknown) => {
          clock.remove(wait);
          reject(error);
        },
      );
    });
}

interface Wait {
  ticks: number;
  readonly end: () => void;
}

class Clock {
  readonly #tickMs: number;
  readonly #waiting = new Set<Wait>();
  #timer: NodeJS.Timeout | undefined;

  constructor(tickMs: number) {
    this.#tickMs = tickMs;
  }

  add(wait: Wait): void {
    this.#waiting.add(wait);
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs);
    if (this.#waiting.size === 1) this.#timer.ref();
  }

  /** Nobody waits: it keeps no process alive. */
  remove(wait: Wait): void {
    if (this.#waiting.delete(wait) && this.#waiting.size === 0) this.#timer?.unref();
  }

  #tick(): void {
    for (const wait of this.#waiting) {
      wait.ticks--;
      if (wait.ticks > 0) continue;
      this.remove(wait);
      wait.end();
    }
  }
}
