/** Limits counted in this process: exact, since nothing else runs between looking and taking. */
import { type Bucket, emptyBucket, isSpare, leak, pour, refund, waitFor, windowOf } from './gcra.ts';
import { costOf, type Limit, type LimitStore, mostOwed, type Take, type Taken, type Window, type Windows } from './limiter.ts';

export interface MemoryLimits extends LimitStore {
  take(take: Take): Taken;
  giveBack(take: Take): Windows;
  finish(take: Take, usedTokens: number): Windows;
  look(limits: readonly Limit[]): Windows;
  findFull(limits: readonly Limit[]): Limit | null;
}

/** A slot comes back when a call ends; nobody knows when that is. */
const SLOT_RETRY_MS = 1_000;
/** When this many buckets are kept, those that have run empty are thrown away. */
const SWEEP_AT = 10_000;

/** `now` in milliseconds. */
export function openMemoryLimits(now: () => number): MemoryLimits {
  return new Counters(now);
}

const nameOf = ({ scope, subject, quantity }: Limit): string => `${scope}:${subject}:${quantity}`;

const isAsked = ({ scope, quantity }: Limit, { quantities, scopes }: Take): boolean =>
  quantities.includes(quantity) && (scopes === undefined || scopes.includes(scope));

/** All that is counted of one limit: a rate fills the bucket, calls in flight hold slots. */
interface Counter {
  readonly bucket: Bucket;
  slots: number;
}

interface Counted {
  readonly limit: Limit;
  readonly counter: Counter;
}

class Counters implements MemoryLimits {
  readonly #clock: () => number;
  readonly #counters = new Map<string, Counter>();
  /** The same by the list of limits itself, which a caller hands in with each call. */
  #byList = new WeakMap<readonly Limit[], readonly Counted[]>();
  /** When tokens were taken. */
  readonly #takenAt = new WeakMap<Take, number>();
  #sweepAt = SWEEP_AT;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  take(take: Take): Taken {
    const { replaces = null } = take;
    const now = this.now();
    if (replaces) this.#suspend(replaces, -1, now);
    const counted = this.counted(take.limits);
    const observed: Limit[] = [];
    let longest: { readonly limit: Limit; readonly ms: number } | null = null;
    for (const { limit, counter } of counted) {
      const ms = isAsked(limit, take) ? waitOf({ limit, counter }, take, now) : 0;
      if (ms === 0) continue;
      if (limit.mode === 'observe') observed.push(limit);
      else if (longest === null || ms > longest.ms) longest = { limit, ms };
    }
    if (longest) {
      if (replaces) this.#suspend(replaces, 1, now);
      return { kind: 'refused', limit: longest.limit, retryAfterMs: longest.ms, windows: this.look(take.limits) };
    }
    if (take.isProvisional) this.#suspend(take, 1, now);
    else this.#add(counted, take, now);
    return { kind: 'taken', windows: this.look(take.limits), observed };
  }

  giveBack(take: Take): Windows {
    this.#suspend(take, -1, this.now());
    return this.look(take.limits);
  }

  finish(take: Take, usedTokens: number): Windows {
    const now = this.now();
    const forMs = now - (this.#takenAt.get(take) ?? 0);
    for (const { limit, counter } of this.counted(take.limits)) {
      if (!isAsked(limit, take)) continue;
      if (limit.quantity === 'concurrency') counter.slots = Math.max(counter.slots - 1, 0);
      if (limit.quantity !== 'tokens') continue;
      leak(counter.bucket, limit.most, now);
      const taken = costOf(limit, take);
      if (usedTokens > taken) pour(counter.bucket, usedTokens - taken, mostOwed(limit));
      else refund(counter.bucket, { taken, used: usedTokens, forMs });
    }
    return this.look(take.limits);
  }

  look(limits: readonly Limit[]): Windows {
    return limits.length === 0 ? NO_WINDOWS : new Look(this, limits);
  }

  findFull(limits: readonly Limit[]): Limit | null {
    const isFull = ({ limit: { quantity, mode, most }, counter: { slots } }: Counted): boolean =>
      quantity === 'concurrency' && mode === 'enforce' && slots >= most;
    return this.counted(limits).find(isFull)?.limit ?? null;
  }

  async close(): Promise<void> {
    this.#counters.clear();
    this.#byList = new WeakMap();
  }

  now(): number {
    return Math.floor(this.#clock());
  }

  counted(limits: readonly Limit[]): readonly Counted[] {
    const known = this.#byList.get(limits);
    if (known) return known;
    // Never in the middle of a list: what one of its limits was just given must not be thrown away for the next.
    if (this.#counters.size >= this.#sweepAt) this.#sweep();
    const counted = limits.map((limit) => ({ limit, counter: this.#counterOf(limit) }));
    this.#byList.set(limits, counted);
    return counted;
  }

  #counterOf(limit: Limit): Counter {
    const name = nameOf(limit);
    const counter = this.#counters.get(name) ?? { bucket: emptyBucket(limit.most, this.now()), slots: 0 };
    this.#counters.set(name, counter);
    return counter;
  }

  #add(counted: readonly Counted[], take: Take, now: number): void {
    for (const { limit, counter } of counted) {
      if (!isAsked(limit, take)) continue;
      if (limit.quantity === 'concurrency') counter.slots++;
      else pour(counter.bucket, costOf(limit, take));
      // Nothing else is corrected at the end.
      if (limit.quantity === 'tokens') this.#takenAt.set(take, now);
    }
  }

  /** Of a provisional take; slots are never taken that way. */
  #suspend(take: Take, times: 1 | -1, now: number): void {
    for (const { limit, counter } of this.counted(take.limits)) {
      if (!isAsked(limit, take)) continue;
      leak(counter.bucket, limit.most, now);
      counter.bucket.pending = Math.max(counter.bucket.pending + times * costOf(limit, take), 0);
    }
  }

  #sweep(): void {
    const now = this.now();
    this.#byList = new WeakMap();
    for (const [name, { bucket, slots }] of this.#counters) if (slots === 0 && isSpare(bucket, now)) this.#counters.delete(name);
    this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#counters.size);
  }
}

function waitOf({ limit, counter }: Counted, take: Take, now: number): number {
  if (limit.quantity === 'concurrency') return counter.slots < limit.most ? 0 : SLOT_RETRY_MS;
  leak(counter.bucket, limit.most, now);
  return waitFor(counter.bucket, limit.most, costOf(limit, take));
}

type Rate = keyof Windows;
const NO_WINDOWS: Windows = { requests: null, tokens: null };

/** As it is when somebody reads it: of the three looks that a call takes, one is told. */
class Look implements Windows {
  readonly #counters: Counters;
  readonly #limits: readonly Limit[];

  constructor(counters: Counters, limits: readonly Limit[]) {
    this.#counters = counters;
    this.#limits = limits;
  }

  get requests(): Window | null {
    return this.#tightest('requests');
  }

  get tokens(): Window | null {
    return this.#tightest('tokens');
  }

  #tightest(quantity: Rate): Window | null {
    const now = this.#counters.now();
    let found: Window | null = null;
    for (const { limit, counter } of this.#counters.counted(this.#limits)) {
      if (limit.quantity !== quantity || limit.mode !== 'enforce') continue;
      leak(counter.bucket, limit.most, now);
      const window = windowOf(counter.bucket, limit.most);
      if (found === null || window.remaining < found.remaining) found = window;
    }
    return found;
  }
}
