/** Decides when a batch of writes starts: at once for a single caller, else after a short wait for others to join (group commit, promise G1). */

/** A batch of this size starts at once: a larger one would not make each write cheaper. */
const ENOUGH = 8;
/** The longest wait for others; negligible beside the time of a model. */
const MOMENT_MS = 4;
/** A batch waits at most this many turns of the event loop, as long as each brings more writes. */
const MOST_TURNS = 4;
/** After this many batches with one write, batches no longer wait for others, except every eighth, to detect new ones. */
const ALONE = 8;
const LOOK_EVERY = 8;
/** After a batch with several writes, more are likely for a while. */
const NOT_ALONE = -64;

export interface BatchSchedulerParts {
  /** Runs everything that waits. */
  readonly go: () => void;
  /** How many steps wait. */
  readonly waiting: () => number;
  /** How many callers are about to add a write. */
  readonly expected: () => number;
}

export class BatchScheduler {
  readonly #parts: BatchSchedulerParts;
  #isPlanned = false;
  #isHurried = false;
  #moment: NodeJS.Timeout | undefined;
  /** Batches of one step in a row. */
  #lone = 0;

  constructor(parts: BatchSchedulerParts) {
    this.#parts = parts;
  }

  /** Schedules a batch. `afterMs`: the earliest start. */
  plan(afterMs = 0): void {
    if (this.#moment !== undefined && this.#isFull()) this.#cutShort();
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    if (afterMs > 0) setTimeout(() => this.#go(), afterMs);
    else if (this.#lone > ALONE && this.#lone % LOOK_EVERY !== 0) queueMicrotask(() => this.#go());
    else setImmediate(() => this.#gather(0, 1));
  }

  /** Starts in this turn of the event loop, with everything that waits. */
  hurry(): void {
    this.#isHurried = true;
    if (this.#moment !== undefined) this.#cutShort();
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => this.#gather(0, 1));
  }

  /** Reports the size of a batch. */
  note(steps: number): void {
    this.#lone = steps > 1 ? NOT_ALONE : this.#lone + 1;
  }

  #isFull(): boolean {
    const waiting = this.#parts.waiting();
    return this.#isHurried || waiting === 0 || waiting >= ENOUGH || this.#parts.expected() === 0;
  }

  #cutShort(): void {
    clearTimeout(this.#moment);
    this.#moment = undefined;
    setImmediate(() => this.#gather(0, 1));
  }

  /** Includes all calls of this turn of the event loop; starts when a turn brings no more. */
  #gather(before: number, turns: number): void {
    const waiting = this.#parts.waiting();
    if (!this.#isHurried && waiting > 1 && waiting > before && turns < MOST_TURNS) setImmediate(() => this.#gather(waiting, turns + 1));
    else if (this.#isFull()) this.#go();
    else this.#moment = setTimeout(() => this.#go(), MOMENT_MS);
  }

  #go(): void {
    this.#moment = undefined;
    this.#isPlanned = false;
    this.#isHurried = false;
    this.#parts.go();
  }
}
