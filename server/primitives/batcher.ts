/**
 * Collects orders for a store and decides when a batch is sent: after a short wait if more orders come that often, otherwise immediately (promise G1 at
 * a low cost).
 */

/** A batch of this size is sent immediately, because its commit costs little per order. */
const FULL_BATCH = 8;
/** The longest wait for more orders when a commit crosses the network. It's short compared with the latency of a model. */
const COLLECT_MS = 4;
/** A batch waits for at most this many turns of the event loop while each turn adds orders. */
const MAX_TURNS = 4;
/** The share of the last gap between two orders in the average. */
const GAP_WEIGHT = 1 / 8;
/** A longer gap counts as this many waits, so that a few orders after an idle time make the average short again. */
const MAX_GAP_WAITS = 2;

/** An order, and the promise for its result. */
export interface PendingOrder<Order, Answer> {
  readonly order: Order;
  readonly promise: Promise<Answer>;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  /** Whether the order's caller has timed out. */
  isDropped: boolean;
}

interface BatcherOptions {
  /** Sends a batch of the waiting orders. Also called when none are waiting. */
  readonly send: () => void;
  /** Returns how many callers will soon add an order. Defaults to none. */
  readonly expected?: (() => number) | undefined;
  /** The longest wait for the expected orders, in milliseconds. Defaults to `COLLECT_MS`. */
  readonly collectMs?: number;
}

export class Batcher<Order, Answer> {
  readonly #options: BatcherOptions;
  #pendingOrders: PendingOrder<Order, Answer>[] = [];
  #isSendScheduled = false;
  #isUrgent = false;
  #collectTimer: NodeJS.Timeout | undefined;
  #lastOrderAt = 0;
  /** The average time between two orders, in milliseconds. Starts at 0: the first orders wait for others. */
  #meanGapMs = 0;

  constructor(options: BatcherOptions) {
    this.#options = options;
  }

  /** The number of waiting orders. */
  get size(): number {
    return this.#pendingOrders.length;
  }

  /** The caller must then call `scheduleSend` or `sendSoon`. */
  add(order: Order): PendingOrder<Order, Answer> {
    this.#recordGap(performance.now());
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const pendingOrder = { order, promise, resolve, reject, isDropped: false };
    this.#pendingOrders.push(pendingOrder);
    return pendingOrder;
  }

  /** Removes and returns the first `maxOrders` waiting orders. With `getName`, no two orders in the batch have the same name. */
  takeBatch(maxOrders: number, getName?: (order: Order) => string): PendingOrder<Order, Answer>[] {
    return getName ? this.#dequeueDistinct(maxOrders, getName) : this.#pendingOrders.splice(0, maxOrders);
  }

  /** Puts an unsent batch back at the front of the queue. */
  putBack(batch: readonly PendingOrder<Order, Answer>[]): void {
    this.#pendingOrders.unshift(...batch);
  }

  /** Removes an order whose caller has timed out. An order that was already sent is only marked. */
  drop(pendingOrder: PendingOrder<Order, Answer>): void {
    pendingOrder.isDropped = true;
    this.#pendingOrders = this.#pendingOrders.filter((other) => other !== pendingOrder);
  }

  /** Schedules the next call of `send`. `afterMs`: the store isn't available until then. */
  scheduleSend(afterMs = 0): void {
    if (this.#collectTimer !== undefined && this.#shouldSendNow()) this.#stopCollecting();
    if (this.#isSendScheduled) return;
    this.#isSendScheduled = true;
    if (afterMs > 0) setTimeout(() => this.#send(), afterMs);
    else if (this.#areOrdersRare) queueMicrotask(() => this.#send());
    else setImmediate(() => this.#collect(0, 1));
  }

  /** Sends all waiting orders after this turn of the event loop, without waiting for more. */
  sendSoon(): void {
    this.#isUrgent = true;
    if (this.#collectTimer !== undefined) this.#stopCollecting();
    if (this.#isSendScheduled) return;
    this.#isSendScheduled = true;
    setImmediate(() => this.#collect(0, 1));
  }

  #dequeueDistinct(maxOrders: number, getName: (order: Order) => string): PendingOrder<Order, Answer>[] {
    const batch = new Map<string, PendingOrder<Order, Answer>>();
    const remainingOrders: PendingOrder<Order, Answer>[] = [];
    for (const one of this.#pendingOrders) {
      const name = getName(one.order);
      if (batch.size === maxOrders || batch.has(name)) remainingOrders.push(one);
      else batch.set(name, one);
    }
    this.#pendingOrders = remainingOrders;
    return [...batch.values()];
  }

  get #collectMs(): number {
    return this.#options.collectMs ?? COLLECT_MS;
  }

  /** Whether a wait would rarely meet another order. */
  get #areOrdersRare(): boolean {
    return this.#meanGapMs > this.#collectMs;
  }

  #recordGap(now: number): void {
    const gapMs = Math.min(now - this.#lastOrderAt, MAX_GAP_WAITS * this.#collectMs);
    this.#lastOrderAt = now;
    this.#meanGapMs += GAP_WEIGHT * (gapMs - this.#meanGapMs);
  }

  #shouldSendNow(): boolean {
    const { size } = this;
    return this.#isUrgent || size === 0 || size >= FULL_BATCH || this.#areOrdersRare || (this.#options.expected?.() ?? 0) === 0;
  }

  #stopCollecting(): void {
    clearTimeout(this.#collectTimer);
    this.#collectTimer = undefined;
    setImmediate(() => this.#collect(0, 1));
  }

  /** Waits while turns of the event loop add orders. Then sends the batch, or waits `COLLECT_MS` for expected orders. */
  #collect(sizeBefore: number, turns: number): void {
    const { size } = this;
    if (!this.#isUrgent && size > 1 && size > sizeBefore && turns < MAX_TURNS) setImmediate(() => this.#collect(size, turns + 1));
    else if (this.#shouldSendNow()) this.#send();
    else this.#collectTimer = setTimeout(() => this.#send(), this.#collectMs);
  }

  #send(): void {
    this.#collectTimer = undefined;
    this.#isSendScheduled = false;
    this.#isUrgent = false;
    this.#options.send();
  }
}
