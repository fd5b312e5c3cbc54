/** A timeout for calls of a store, with one timer for all: a timer per call would cost more than most calls. */
import { type Member, SwapList } from './swap-list.ts';

/**
 * Rejects with the error from `late` when the work takes longer. The work itself continues; the caller must handle its result.
 * Time is counted in ticks of the event loop, so that a busy process does not mistake its own pause for one of the store.
 */
export type SharedTimeout = <T>(work: Promise<T>, waitMs: number, late: () => Error) => Promise<T>;

const atOnce = (end: () => void): void => end();

/** Timeouts are accurate to one tick. `finish` ends a wait; with setImmediate, data that arrived while the process was busy is read first. */
export function openSharedTimeout(tickMs: number, finish: (end: () => void) => unknown = atOnce): SharedTimeout {
  const clock = new Clock(tickMs);
  return (work, waitMs, late) =>
    new Promise((resolve, reject) => {
      // One more tick, because the first may come at once.
      const tooLate = (): void => {
        clock.remove(waiting);
        reject(late());
      };
      const waiting = clock.add({ ticks: Math.ceil(waitMs / tickMs) + 1, end: () => void finish(tooLate) });
      work.then(
        (value) => {
          clock.remove(waiting);
          resolve(value);
        },
        (error: unknown) => {
          clock.remove(waiting);
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
  readonly #waiting = new SwapList<Wait>();
  #timer: NodeJS.Timeout | undefined;

  constructor(tickMs: number) {
    this.#tickMs = tickMs;
  }

  add(wait: Wait): Member<Wait> {
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs);
    if (this.#waiting.size === 0) this.#timer.ref();
    return this.#waiting.add(wait);
  }

  /** The timer does not keep the process alive. */
  remove(waiting: Member<Wait>): void {
    this.#waiting.remove(waiting);
    if (this.#waiting.size === 0) this.#timer?.unref();
  }

  #tick(): void {
    // Nobody waits, and nobody came since the last tick: stop the timer, so that an idle process is not woken.
    if (this.#waiting.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    for (const wait of this.#waiting) {
      wait.ticks--;
      if (wait.ticks <= 0) wait.end();
    }
  }
}
