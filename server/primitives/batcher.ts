/**
 * Collects orders for a store and decides when a batch is sent: immediately for a single caller, otherwise after a short wait in which more orders can
 * join it (promise G1 at a low cost).
 */

/** A batch of this size is sent immediately: the commit costs little for each order. */
const FULL_BATCH = 8;
/** The longest wait for more orders, where a commit waits for a network: short compared with the time of a model. */
const COLLECT_MS = 4;
/** While each turn of the event loop adds orders, a batch waits for at most this many turns. */
const MAX_TURNS = 4;
/** After this many batches of one order, the next ones are sent without a wait. Every eighth still waits, to find out whether there are other callers now. */
const LONE_BATCHES = 8;
const PROBE_EVERY = 8;
/** The count of lone batches after a larger one: other callers are expected for a while. */
const AFTER_COMPANY = -64;

/** An order, and the promise of its response. */
export interface Waiting<Order, Answer> {
  readonly order: Order;
  readonly promise: Promise<Answer>;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  /** Its caller has timed out. */
  isDropped: boolean;
}

export interface BatcherParts {
  /** Sends a batch of the waiting orders. It is also called when none waits. */
  readonly send: () => void;
  /** How many callers will soon add an order. Defaults to none. */
  readonly expected?: (() => number) | undefined;
  /** The longest wait for them, in milliseconds. Defaults to `COLLECT_MS`. */
  readonly collectMs?: number;
}

export class Batcher<Order, Answer> {
  readonly #parts: BatcherParts;
  #waiting: Waiting<Order, Answer>[] = [];
  #isPlanned = false;
  #isUrgent = false;
  #collecting: NodeJS.Timeout | undefined;
  /** Consecutive batches of one order. */
  #lone = 0;

  constructor(parts: BatcherParts) {
    this.#parts = parts;
  }

  /** The number of waiting orders. */
  get size(): number {
    return this.#waiting.length;
  }

  /** The caller must then call `plan` or `sendSoon`. */
  add(order: Order): Waiting<Order, Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const one = { order, promise, resolve, reject, isDropped: false };
    this.#waiting.push(one);
    return one;
  }

  /** Removes and returns the first waiting orders, at most `most`. With `nameOf`, no two of them have the same name. */
  take(most: number, nameOf?: (order: Order) => string): Waiting<Order, Answer>[] {
    const batch = nameOf ? this.#takeByName(most, nameOf) : this.#waiting.splice(0, most);
    if (batch.length > 0) this.#lone = batch.length > 1 ? AFTER_COMPANY : this.#lone + 1;
    return batch;
  }

  /** Puts a batch that could not be sent back in front. */
  putBack(batch: readonly Waiting<Order, Answer>[]): void {
    this.#waiting.unshift(...batch);
  }

  /** Removes an order whose caller has timed out. An order that was sent already is only marked. */
  drop(one: Waiting<Order, Answer>): void {
    one.isDropped = true;
    this.#waiting = this.#waiting.filter((other) => other !== one);
  }

  /** Plans the next call of `send`. `afterMs`: the store can't be used before. */
  plan(afterMs = 0): void {
    if (this.#collecting !== undefined && this.#isFull()) this.#stopCollecting();
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    if (afterMs > 0) setTimeout(() => this.#send(), afterMs);
    else if (this.#lone > LONE_BATCHES && this.#lone % PROBE_EVERY !== 0) queueMicrotask(() => this.#send());
    else setImmediate(() => this.#collect(0, 1));
  }

  /** Sends all waiting orders after this turn of the event loop, without waiting for more. */
  sendSoon(): void {
    this.#isUrgent = true;
    if (this.#collecting !== undefined) this.#stopCollecting();
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => this.#collect(0, 1));
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
    return this.#isUrgent || size === 0 || size >= FULL_BATCH || (this.#parts.expected?.() ?? 0) === 0;
  }

  #stopCollecting(): void {
    clearTimeout(this.#collecting);
    this.#collecting = undefined;
    setImmediate(() => this.#collect(0, 1));
  }

  /** Waits while turns of the event loop add orders; then sends the batch, or waits `COLLECT_MS` for expected orders. */
  #collect(before: number, turns: number): void {
    const { size } = this;
    if (!this.#isUrgent && size > 1 && size > before && turns < MAX_TURNS) setImmediate(() => this.#collect(size, turns + 1));
    else if (this.#isFull()) this.#send();
    else this.#collecting = setTimeout(() => this.#send(), this.#parts.collectMs ?? COLLECT_MS);
  }

  #send(): void {
    this.#collecting = undefined;
    this.#isPlanned = false;
    this.#isUrgent = false;
    this.#parts.send();
  }
}
