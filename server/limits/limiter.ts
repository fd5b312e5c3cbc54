/** The limiter: acquires rate limits and concurrency slots before a call and corrects them after it. Its interface, and the limiter in memory. */
import { createBucket, fill, getBucketWaitMs, isIdle, type LeakyBucket, leak, refund, toWindow } from './leaky-bucket.ts';

/** `observe` counts and reports, but rejects no call. */
export type LimitMode = 'off' | 'observe' | 'enforce';
export type Quantity = 'requests' | 'tokens' | 'concurrency';
export type Scope = 'key' | 'account' | 'group' | 'model';

/** One limit on one object, such as 60 requests per minute for the key `key_1`. */
export interface Limit {
  readonly scope: Scope;
  /** The ID of the key, account, group or model. */
  readonly subject: string;
  readonly quantity: Quantity;
  /** Per minute. For `concurrency`, the number of calls in flight. */
  readonly most: number;
  readonly mode: Exclude<LimitMode, 'off'>;
  /** The part of one account in a shared limit. It holds the debt that only this account waits for. */
  readonly isPart?: boolean;
}

/** The number of windows a shared limit can owe, so that no account waits longer for another account's usage. */
const MAX_WINDOWS_OWED = 2;
/** The maximum level of a bucket. Unbounded if the callers who filled the bucket are the ones who wait. */
export const getMaxOwed = ({ scope, most, isPart }: Limit): number =>
  isPart !== true && (scope === 'group' || scope === 'model') ? most * MAX_WINDOWS_OWED : Number.POSITIVE_INFINITY;

/** The cost of an acquisition under a limit. The output reserve counts only as far as it fits into the limit. */
export function getCost(limit: Limit, { tokens, reserve = 0 }: Acquisition): number {
  if (limit.quantity !== 'tokens') return 1;
  return Math.min(Math.max(tokens, Math.min(tokens + reserve, limit.most)), getMaxOwed(limit));
}

export interface Acquisition {
  readonly requestId: string;
  /** All limits of the call, because the response headers report all of them. */
  readonly limits: readonly Limit[];
  /** Tokens to acquire from each token limit. Corrected when the call has ended. */
  readonly tokens: number;
  /** The output reserve in tokens, acquired in addition as far as it fits into a limit. Defaults to 0. */
  readonly reserve?: number;
  /** The quantities to acquire. Authentication acquires the key's request rate, and later steps acquire the other quantities. */
  readonly quantities: readonly Quantity[];
  /** The scopes of the limits to acquire from. Defaults to all. */
  readonly scopes?: readonly Scope[];
  /**
   * Whether the call can still be rejected. The request is then held without leaking until it's released or replaced by a final
   * acquisition.
   */
  readonly isProvisional?: boolean;
  /**
   * Whether nothing is done for the call before a second acquisition replaces this one. A limiter can then admit the call by cached data.
   */
  readonly isRepeated?: boolean;
  /** The provisional acquisition that this one replaces. If this one is rejected, the provisional one stays. */
  readonly replaces?: Acquisition | null;
}

/** Whether the acquisition acquires from a limit, or only reads it. */
export const isRequested = ({ quantities, scopes }: Acquisition, { scope, quantity }: Limit): boolean =>
  quantities.includes(quantity) && (scopes === undefined || scopes.includes(scope));

/** The state of the tightest limits, for the `x-ratelimit-…` headers. */
export interface Window {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the full limit is available again. */
  readonly resetMs: number;
}
export interface Windows {
  readonly requests: Window | null;
  readonly tokens: Window | null;
}

/** The usage of one limit. */
export interface LimitStatus {
  /** The limit. While Redis is down, the share that this process enforces. */
  readonly most: number;
  readonly remaining: number;
  /** Milliseconds until the full limit is available again. Null for `concurrency`. */
  readonly resetMs: number | null;
}

export type AcquireResult =
  | { readonly kind: 'taken'; readonly windows: Windows; readonly observed: readonly Limit[] }
  | {
      readonly kind: 'rejected';
      /** The limit with the longest wait. */
      readonly limit: Limit;
      /** Milliseconds until the same call would be admitted, at least 1. */
      readonly retryAfterMs: number;
      readonly windows: Windows;
    };

/** Counts limits. Each method is one atomic step over all of its limits. */
export interface Limiter {
  /** All or nothing: a rejected call acquires nothing from any limit. */
  acquire(acquisition: Acquisition): AcquireResult | Promise<AcquireResult>;
  /** Releases a provisional acquisition, as if it had never been made. */
  release(acquisition: Acquisition): Windows | Promise<Windows>;
  /**
   * Ends the call of this acquisition object: releases its slots and corrects its tokens to the actual usage. Never rejects.
   * The part of an overestimate that may have leaked isn't refunded, or more tokens than the limit would fit into a minute.
   */
  finish(acquisition: Acquisition, usedTokens: number): Windows | Promise<Windows>;
  /** Reads the remaining amounts without acquiring anything. */
  peek(limits: readonly Limit[]): Windows | Promise<Windows>;
  /** Returns the status of each limit, of any quantity and mode, without acquiring anything. Never rejects. */
  getStatuses(limits: readonly Limit[]): readonly LimitStatus[] | Promise<readonly LimitStatus[]>;
  /** Returns a concurrency limit without a free slot. Only limiters that can answer without I/O have this method. */
  findFull?(limits: readonly Limit[]): Limit | null;
  close(): Promise<void>;
}

export interface MemoryLimits extends Limiter {
  acquire(acquisition: Acquisition): AcquireResult;
  release(acquisition: Acquisition): Windows;
  finish(acquisition: Acquisition, usedTokens: number): Windows;
  peek(limits: readonly Limit[]): Windows;
  getStatuses(limits: readonly Limit[]): readonly LimitStatus[];
  findFull(limits: readonly Limit[]): Limit | null;
}

/** A slot becomes free when a call ends, which can't be predicted. */
const SLOT_RETRY_MS = 1_000;
/** The number of buckets at which empty ones are dropped. */
const MIN_SWEEP_SIZE = 10_000;

/** `now`: a monotonic clock, in milliseconds. */
export function openMemoryLimits(now: () => number = () => performance.now()): MemoryLimits {
  return new Counters(now);
}

/** The state of one limit. A rate fills the bucket, and calls in flight hold slots. */
interface Counter {
  readonly bucket: LeakyBucket;
  slots: number;
}

/** By subject, with a separate map per scope and quantity, so that a lookup builds no string. */
const createTable = () => ({
  requests: new Map<string, Counter>(),
  tokens: new Map<string, Counter>(),
  concurrency: new Map<string, Counter>(),
});
const createTables = () => ({ key: createTable(), account: createTable(), group: createTable(), model: createTable() });

class Counters implements MemoryLimits {
  readonly #readClock: () => number;
  readonly #tables = createTables();
  readonly #allTables = Object.values(this.#tables).flatMap((ofScope): Map<string, Counter>[] => Object.values(ofScope));
  /** The time of each acquisition of tokens. */
  readonly #acquiredAt = new WeakMap<Acquisition, number>();
  #sweepSize = MIN_SWEEP_SIZE;

  constructor(readClock: () => number) {
    this.#readClock = readClock;
  }

  acquire(acquisition: Acquisition): AcquireResult {
    const { replaces = null } = acquisition;
    const now = this.now();
    if (this.#countEntries() >= this.#sweepSize) this.#sweep();
    if (replaces) this.#addPending(replaces, -1);
    const observed: Limit[] = [];
    let longestWait: { readonly limit: Limit; readonly ms: number } | null = null;
    for (const limit of acquisition.limits) {
      const ms = isRequested(acquisition, limit) ? this.#getWaitMs(limit, acquisition, now) : 0;
      if (ms === 0) continue;
      if (limit.mode === 'observe') observed.push(limit);
      else if (longestWait === null || ms > longestWait.ms) longestWait = { limit, ms };
    }
    if (longestWait) {
      if (replaces) this.#addPending(replaces, 1);
      return { kind: 'rejected', limit: longestWait.limit, retryAfterMs: longestWait.ms, windows: this.peek(acquisition.limits) };
    }
    if (acquisition.isProvisional) this.#addPending(acquisition, 1);
    else this.#add(acquisition, now);
    return { kind: 'taken', windows: this.peek(acquisition.limits), observed };
  }

  release(acquisition: Acquisition): Windows {
    this.#addPending(acquisition, -1);
    return this.peek(acquisition.limits);
  }

  finish(acquisition: Acquisition, usedTokens: number): Windows {
    const now = this.now();
    const elapsedMs = now - (this.#acquiredAt.get(acquisition) ?? 0);
    for (const limit of acquisition.limits) {
      if (!isRequested(acquisition, limit)) continue;
      const counter = this.getCounter(limit);
      if (limit.quantity === 'concurrency') counter.slots = Math.max(counter.slots - 1, 0);
      if (limit.quantity !== 'tokens') continue;
      leak(counter.bucket, limit.most, now);
      const reservedCost = getCost(limit, acquisition);
      if (usedTokens > reservedCost) fill(counter.bucket, usedTokens - reservedCost, getMaxOwed(limit));
      else refund(counter.bucket, { taken: reservedCost, used: usedTokens, forMs: elapsedMs });
    }
    return this.peek(acquisition.limits);
  }

  peek(limits: readonly Limit[]): Windows {
    if (limits.length === 0) return NO_WINDOWS;
    const now = this.now();
    return { requests: this.#findTightest('requests', limits, now), tokens: this.#findTightest('tokens', limits, now) };
  }

  getStatuses(limits: readonly Limit[]): readonly LimitStatus[] {
    const now = this.now();
    return limits.map(({ scope, quantity, subject, most }) => {
      // Not `getCounter`: reading a status must not create a counter.
      const counter = this.#tables[scope][quantity].get(subject);
      if (quantity === 'concurrency') return { most, remaining: Math.max(most - (counter?.slots ?? 0), 0), resetMs: null };
      if (!counter) return { most, remaining: most, resetMs: 0 };
      leak(counter.bucket, most, now);
      const { remaining, resetMs } = toWindow(counter.bucket, most);
      return { most, remaining, resetMs };
    });
  }

  findFull(limits: readonly Limit[]): Limit | null {
    const isFull = (limit: Limit): boolean =>
      limit.quantity === 'concurrency' && limit.mode === 'enforce' && this.getCounter(limit).slots >= limit.most;
    return limits.find(isFull) ?? null;
  }

  async close(): Promise<void> {
    for (const table of this.#allTables) table.clear();
  }

  now(): number {
    return Math.floor(this.#readClock());
  }

  getCounter(limit: Limit): Counter {
    const table = this.#tables[limit.scope][limit.quantity];
    let counter = table.get(limit.subject);
    if (counter === undefined) {
      counter = { bucket: createBucket(limit.most, this.now()), slots: 0 };
      table.set(limit.subject, counter);
    }
    return counter;
  }

  /** Returns the window of the enforced limit with the least left. */
  #findTightest(quantity: RateQuantity, limits: readonly Limit[], now: number): Window | null {
    let tightest: Window | null = null;
    for (const limit of limits) {
      if (limit.quantity !== quantity || limit.mode !== 'enforce') continue;
      const { bucket } = this.getCounter(limit);
      leak(bucket, limit.most, now);
      const window = toWindow(bucket, limit.most);
      if (tightest === null || window.remaining < tightest.remaining) tightest = window;
    }
    return tightest;
  }

  #getWaitMs(limit: Limit, acquisition: Acquisition, now: number): number {
    const { bucket, slots } = this.getCounter(limit);
    if (limit.quantity === 'concurrency') return slots < limit.most ? 0 : SLOT_RETRY_MS;
    leak(bucket, limit.most, now);
    return getBucketWaitMs(bucket, limit.most, getCost(limit, acquisition));
  }

  #add(acquisition: Acquisition, now: number): void {
    for (const limit of acquisition.limits) {
      if (!isRequested(acquisition, limit)) continue;
      const counter = this.getCounter(limit);
      if (limit.quantity === 'concurrency') counter.slots++;
      else fill(counter.bucket, getCost(limit, acquisition));
      // Only tokens need the time, for their correction at the end.
      if (limit.quantity === 'tokens') this.#acquiredAt.set(acquisition, now);
    }
  }

  /** Adds or removes the pending amount of a provisional acquisition. Slots are never acquired provisionally. */
  #addPending(acquisition: Acquisition, sign: 1 | -1): void {
    for (const limit of acquisition.limits) {
      if (!isRequested(acquisition, limit)) continue;
      const { bucket } = this.getCounter(limit);
      bucket.pending = Math.max(bucket.pending + sign * getCost(limit, acquisition), 0);
    }
  }

  #countEntries(): number {
    return this.#allTables.reduce((sum, { size }) => sum + size, 0);
  }

  #sweep(): void {
    const now = this.now();
    for (const table of this.#allTables)
      for (const [subject, { bucket, slots }] of table) if (slots === 0 && isIdle(bucket, now)) table.delete(subject);
    this.#sweepSize = Math.max(MIN_SWEEP_SIZE, 2 * this.#countEntries());
  }
}

type RateQuantity = keyof Windows;
const NO_WINDOWS: Windows = { requests: null, tokens: null };

export type LimitsState =
  /** `processes` processes share the limits. */
  | { readonly kind: 'shared'; readonly processes: number }
  /** Each of the `processes` recently alive enforces its share, since this time (milliseconds since the epoch). */
  | { readonly kind: 'own'; readonly since: number; readonly processes: number };

export function describeState(state: LimitsState): string {
  return state.kind === 'shared' ? 'limits: shared' : `limits: enforcing own share since ${new Date(state.since).toISOString()}`;
}
