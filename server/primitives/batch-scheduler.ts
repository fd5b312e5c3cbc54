/** When a batch of steps goes: at once for a caller who is alone, else after a moment in which others can join it (promise G1 at a low price). */

/** For so many a commit costs each but little: nobody waits for more. */
const ENOUGH = 8;
/** A caller waits no longer for others; nobody feels it who waits for a model. */
const MOMENT_MS = 4;
/** A batch waits so many turns of the event loop as long as each brings more steps. */
const MOST_TURNS = 4;
/** After so many batches of one step each nobody is waited for, but at every eighth, to see whether there are others by now. */
const ALONE = 8;
const LOOK_EVERY = 8;
/** Where there were others, there will be for a while. */
const NOT_ALONE = -64;

export interface BatchSchedulerParts {
  /** Takes all that waits. */
  readonly go: () => void;
  /** How many steps wait. */
  readonly waiting: () => number;
  /** How many callers are under way who will come with a step. */
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

  /** Somebody waits, or wants the end. `afterMs`: where nothing can be done before. */
  plan(afterMs = 0): void {
    if (this.#moment !== undefined && this.#isFull()) this.#cutShort();
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    if (afterMs > 0) setTimeout(() => this.#go(), afterMs);
    else if (this.#lone > ALONE && this.#lone % LOOK_EVERY !== 0) queueMicrotask(() => this.#go());
    else setImmediate(() => this.#gather(0, 1));
  }

  /** Somebody waits for no others: all that wait go along in this turn of the event loop. */
  hurry(): void {
    this.#isHurried = true;
    if (this.#moment !== undefined) this.#cutShort();
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => this.#gather(0, 1));
  }

  /** So many steps went together. */
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

  /** Whoever calls within this turn of the event loop goes along, and as soon as a turn brings no more of them all go. */
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
