/** Limits counted in this process: exact, because nothing runs between the look and the take. */
import { type Bucket, emptyBucket, isSpare, leak, pour, refund, waitFor, windowOf } from './gcra.ts';
import {
  costOf,
  isAsked,
  type Limit,
  type LimitStore,
  mostOwed,
  type Standing,
  type Take,
  type Taken,
  type Window,
  type Windows,
} from './limiter.ts';

export interface MemoryLimits extends LimitStore {
  take(take: Take): Taken;
  giveBack(take: Take): Windows;
  finish(take: Take, usedTokens: number): Windows;
  look(limits: readonly Limit[]): Windows;
  measure(limits: readonly Limit[]): readonly Standing[];
  findFull(limits: readonly Limit[]): Limit | null;
}

/** A slot becomes free when a call ends, which cannot be predicted. */
const SLOT_RETRY_MS = 1_000;
/** When so many buckets are stored, the empty ones are dropped. */
const SWEEP_AT = 10_000;

/** `now` in milliseconds. */
export function openMemoryLimits(now: () => number): MemoryLimits {
  return new Counters(now);
}

/** The state of one limit: a rate fills the bucket, calls in flight hold slots. */
interface Counter {
  readonly bucket: Bucket;
  slots: number;
}

/** By subject, separately for each scope and quantity, so that a look-up builds no string. */
const openTable = () => ({
  requests: new Map<string, Counter>(),
  tokens: new Map<string, Counter>(),
  concurrency: new Map<string, Counter>(),
});
const openTables = () => ({ key: openTable(), account: openTable(), group: openTable(), model: openTable() });

class Counters implements MemoryLimits {
  readonly #clock: () => number;
  readonly #tables = openTables();
  readonly #allTables = Object.values(this.#tables).flatMap((ofScope): Map<string, Counter>[] => Object.values(ofScope));
  /** When tokens were taken. */
  readonly #takenAt = new WeakMap<Take, number>();
  #sweepAt = SWEEP_AT;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  take(take: Take): Taken {
    const { replaces = null } = take;
    const now = this.now();
    if (this.#size() >= this.#sweepAt) this.#sweep();
    if (replaces) this.#suspend(replaces, -1);
    const observed: Limit[] = [];
    let longest: { readonly limit: Limit; readonly ms: number } | null = null;
    for (const limit of take.limits) {
      const ms = isAsked(take, limit) ? this.#waitOf(limit, take, now) : 0;
      if (ms === 0) continue;
      if (limit.mode === 'observe') observed.push(limit);
      else if (longest === null || ms > longest.ms) longest = { limit, ms };
    }
    if (longest) {
      if (replaces) this.#suspend(replaces, 1);
      return { kind: 'refused', limit: longest.limit, retryAfterMs: longest.ms, windows: this.look(take.limits) };
    }
    if (take.isProvisional) this.#suspend(take, 1);
    else this.#add(take, now);
    return { kind: 'taken', windows: this.look(take.limits), observed };
  }

  giveBack(take: Take): Windows {
    this.#suspend(take, -1);
    return this.look(take.limits);
  }

  finish(take: Take, usedTokens: number): Windows {
    const now = this.now();
    const forMs = now - (this.#takenAt.get(take) ?? 0);
    for (const limit of take.limits) {
      if (!isAsked(take, limit)) continue;
      const counter = this.counterOf(limit);
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

  measure(limits: readonly Limit[]): readonly Standing[] {
    const now = this.now();
    return limits.map(({ scope, quantity, subject, most }) => {
      // Not `counterOf`: a look must not make a counter.
      const counter = this.#tables[scope][quantity].get(subject);
      if (quantity === 'concurrency') return { most, remaining: Math.max(most - (counter?.slots ?? 0), 0), resetMs: null };
      if (!counter) return { most, remaining: most, resetMs: 0 };
      leak(counter.bucket, most, now);
      const { remaining, resetMs } = windowOf(counter.bucket, most);
      return { most, remaining, resetMs };
    });
  }

  findFull(limits: readonly Limit[]): Limit | null {
    const isFull = (limit: Limit): boolean =>
      limit.quantity === 'concurrency' && limit.mode === 'enforce' && this.counterOf(limit).slots >= limit.most;
    return limits.find(isFull) ?? null;
  }

  async close(): Promise<void> {
    for (const table of this.#allTables) table.clear();
  }

  now(): number {
    return Math.floor(this.#clock());
  }

  counterOf(limit: Limit): Counter {
    const table = this.#tables[limit.scope][limit.quantity];
    let counter = table.get(limit.subject);
    if (counter === undefined) {
      counter = { bucket: emptyBucket(limit.most, this.now()), slots: 0 };
      table.set(limit.subject, counter);
    }
    return counter;
  }

  #waitOf(limit: Limit, take: Take, now: number): number {
    const { bucket, slots } = this.counterOf(limit);
    if (limit.quantity === 'concurrency') return slots < limit.most ? 0 : SLOT_RETRY_MS;
    leak(bucket, limit.most, now);
    return waitFor(bucket, limit.most, costOf(limit, take));
  }

  #add(take: Take, now: number): void {
    for (const limit of take.limits) {
      if (!isAsked(take, limit)) continue;
      const counter = this.counterOf(limit);
      if (limit.quantity === 'concurrency') counter.slots++;
      else pour(counter.bucket, costOf(limit, take));
      // Nothing else is corrected at the end.
      if (limit.quantity === 'tokens') this.#takenAt.set(take, now);
    }
  }

  /** For a provisional take; slots are never taken provisionally. */
  #suspend(take: Take, times: 1 | -1): void {
    for (const limit of take.limits) {
      if (!isAsked(take, limit)) continue;
      const { bucket } = this.counterOf(limit);
      bucket.pending = Math.max(bucket.pending + times * costOf(limit, take), 0);
    }
  }

  #size(): number {
    return this.#allTables.reduce((sum, { size }) => sum + size, 0);
  }

  #sweep(): void {
    const now = this.now();
    for (const table of this.#allTables)
      for (const [subject, { bucket, slots }] of table) if (slots === 0 && isSpare(bucket, now)) table.delete(subject);
    this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#size());
  }
}

type Rate = keyof Windows;
const NO_WINDOWS: Windows = { requests: null, tokens: null };

/** Computed when it is read: of the three states that a call gets, one is reported. */
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
    for (const limit of this.#limits) {
      if (limit.quantity !== quantity || limit.mode !== 'enforce') continue;
      const { bucket } = this.#counters.counterOf(limit);
      leak(bucket, limit.most, now);
      const window = windowOf(bucket, limit.most);
      if (found === null || window.remaining < found.remaining) found = window;
    }
    return found;
  }
}
