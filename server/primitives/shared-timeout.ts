/** A timeout for calls of a store, with one timer for all: a timer per call would cost more than most calls. */
import { type Member, SwapList } from './swap-list.ts';

/**
 * Rejects with the error from `createError` if the work takes longer. The work itself continues.
 * Time is counted in ticks of the event loop, so that a busy process doesn't mistake its own pause for a slow store.
 */
type SharedTimeout = <T>(work: Promise<T>, waitMs: number, createError: () => Error) => Promise<T>;

const runNow = (end: () => void): void => end();

/**
 * Timeouts are accurate to one tick. `finish` runs the rejection. With setImmediate, data that arrived while the process was busy is read
 * first.
 */
export function openSharedTimeout(tickMs: number, finish: (end: () => void) => unknown = runNow): SharedTimeout {
  const clock = new TimeoutClock(tickMs);
  return (work, waitMs, createError) =>
    new Promise((resolve, reject) => {
      // One extra tick, because the first may come immediately.
      const rejectLate = (): void => {
        clock.remove(member);
        reject(createError());
      };
      const member = clock.add({ ticks: Math.ceil(waitMs / tickMs) + 1, end: () => void finish(rejectLate) });
      work.then(
        (value) => {
          clock.remove(member);
          resolve(value);
        },
        (error: unknown) => {
          clock.remove(member);
          reject(error);
        },
      );
    });
}

interface PendingTimeout {
  ticks: number;
  readonly end: () => void;
}

class TimeoutClock {
  readonly #tickMs: number;
  readonly #timeouts = new SwapList<PendingTimeout>();
  #timer: NodeJS.Timeout | undefined;

  constructor(tickMs: number) {
    this.#tickMs = tickMs;
  }

  add(timeout: PendingTimeout): Member<PendingTimeout> {
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs);
    if (this.#timeouts.size === 0) this.#timer.ref();
    return this.#timeouts.add(timeout);
  }

  /** Lets the process exit when nothing is waiting. */
  remove(member: Member<PendingTimeout>): void {
    this.#timeouts.remove(member);
    if (this.#timeouts.size === 0) this.#timer?.unref();
  }

  #tick(): void {
    // Nothing is waiting and nothing was added since the last tick. Stop the timer, so that it doesn't keep waking an idle process.
    if (this.#timeouts.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    for (const timeout of this.#timeouts) {
      timeout.ticks--;
      if (timeout.ticks <= 0) timeout.end();
    }
  }
}
