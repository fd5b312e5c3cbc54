/** How long somebody waits for a store, told by one clock for all who wait: a timer for each would cost more than most of what is waited for. */
import { type Member, SwapList } from './swap-list.ts';

/**
 * Rejects with what `late` makes where the work takes longer. The work itself goes on: whoever asked for it has to see to what comes of it.
 * Time is counted in turns of the event loop, so that a process which was busy itself does not take its own pause for one of the store.
 */
export type SharedTimeout = <T>(work: Promise<T>, waitMs: number, late: () => Error) => Promise<T>;

const atOnce = (end: () => void): void => end();

/** Waits are told to within one tick. `finish`: calls what ends a wait; by setImmediate, what came in while the process was busy is read first. */
export function openSharedTimeout(tickMs: number, finish: (end: () => void) => unknown = atOnce): SharedTimeout {
  const clock = new Clock(tickMs);
  return (work, waitMs, late) =>
    new Promise((resolve, reject) => {
      // The first tick may be about to come.
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

  /** Nobody waits: it keeps no process alive. */
  remove(waiting: Member<Wait>): void {
    this.#waiting.remove(waiting);
    if (this.#waiting.size === 0) this.#timer?.unref();
  }

  #tick(): void {
    // Nobody waits, nor came since the last one: an idle process has no need to be woken for it.
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
