/**
 * The orders that wait for a store, and when a batch of them goes: at once for a caller who is alone, else after a moment in which others can join it
 * (promise G1 at a low price).
 */

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

/** An order and the caller who waits for its answer. */
export interface Waiting<Order, Answer> {
  readonly order: Order;
  readonly promise: Promise<Answer>;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  /** Its caller was told something else meanwhile. */
  isDropped: boolean;
}

export interface BatcherParts {
  /** A batch may go: takes what it can carry. Nothing may wait by then. */
  readonly go: () => void;
  /** How many callers are under way who will come with an order. Left out: nobody is expected. */
  readonly expected?: (() => number) | undefined;
}

export class Batcher<Order, Answer> {
  readonly #parts: BatcherParts;
  #waiting: Waiting<Order, Answer>[] = [];
  #isPlanned = false;
  #isHurried = false;
  #moment: NodeJS.Timeout | undefined;
  /** Batches of one order in a row. */
  #lone = 0;

  constructor(parts: BatcherParts) {
    this.#parts = parts;
  }

  /** How many wait. */
  get size(): number {
    return this.#waiting.length;
  }

  /** `plan` or `hurry` says when it goes. */
  add(order: Order): Waiting<Order, Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const one = { order, promise, resolve, reject, isDropped: false };
    this.#waiting.push(one);
    return one;
  }

  /** The first that wait, at most so many; of those with one name the first alone, where names are given. */
  take(most: number, nameOf?: (order: Order) => string): Waiting<Order, Answer>[] {
    const batch = nameOf ? this.#takeByName(most, nameOf) : this.#waiting.splice(0, most);
    if (batch.length > 0) this.#lone = batch.length > 1 ? NOT_ALONE : this.#lone + 1;
    return batch;
  }

  /** They could not go; they are the first again. */
  putBack(batch: readonly Waiting<Order, Answer>[]): void {
    this.#waiting.unshift(...batch);
  }

  /** Nobody waits for this one any more; where it has gone, it is marked alone. */
  drop(one: Waiting<Order, Answer>): void {
    one.isDropped = true;
    this.#waiting = this.#waiting.filter((other) => other !== one);
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

  #takeByName(most: number, nameOf: (order: Order) => string): Waiting<Order, Answer>[] {
    const batch = new Map<string, Waiting<Order, Answer>>();
    const rest: Waiting<Order, Answer>[] = [];
    for (const one of this.#waiting) {
      const name = nameOf(one.order);
      if (batch.size === most || batch.has(name)) rest.push(one);
      else batch.set(name, one);
    }
    this.#waiting = rest;
    return [...batch.values()];
  }

  #isFull(): boolean {
    const { size } = this;
    return this.#isHurried || size === 0 || size >= ENOUGH || (this.#parts.expected?.() ?? 0) === 0;
  }

  #cutShort(): void {
    clearTimeout(this.#moment);
    this.#moment = undefined;
    setImmediate(() => this.#gather(0, 1));
  }

  /** Whoever calls within this turn of the event loop goes along, and as soon as a turn brings no more of them all go. */
  #gather(before: number, turns: number): void {
    const { size } = this;
    if (!this.#isHurried && size > 1 && size > before && turns < MOST_TURNS) setImmediate(() => this.#gather(size, turns + 1));
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
