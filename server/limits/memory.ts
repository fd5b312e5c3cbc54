/** Limits counted in this process: exact, since nothing else runs between looking and taking. */
import { type Bucket, emptyBucket, isSpare, leak, pour, refund, waitFor, windowOf } from './bucket.ts';
import type { Limit, LimitStore, Quantity, Take, Taken, Window, Windows } from './limits.ts';

export interface MemoryLimits extends LimitStore {
  take(take: Take): Taken;
  giveBack(take: Take): Windows;
  finish(take: Take, usedTokens: number): Windows;
  look(limits: readonly Limit[]): Windows;
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
const costOf = (quantity: Quantity, { tokens }: Take): number => (quantity === 'tokens' ? tokens : 1);

function asked({ limits, quantities, scopes }: Take): readonly Limit[] {
  return limits.filter(({ scope, quantity }) => quantities.includes(quantity) && (scopes === undefined || scopes.includes(scope)));
}

class Counters implements MemoryLimits {
  readonly #clock: () => number;
  readonly #buckets = new Map<string, Bucket>();
  /** The same buckets by the limit itself, whose name need not be put together for it. */
  #byLimit = new WeakMap<Limit, Bucket>();
  readonly #slots = new Map<string, number>();
  /** When each take that has not ended was taken. */
  readonly #takenAt = new WeakMap<Take, number>();
  #sweepAt = SWEEP_AT;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  take(take: Take): Taken {
    const { replaces = null } = take;
    if (replaces) this.#suspend(replaces, -1);
    const limits = asked(take);
    const observed: Limit[] = [];
    let longest: { readonly limit: Limit; readonly ms: number } | null = null;
    for (const limit of limits) {
      const ms = this.#waitOf(limit, take);
      if (ms === 0) continue;
      if (limit.mode === 'observe') observed.push(limit);
      else if (longest === null || ms > longest.ms) longest = { limit, ms };
    }
    if (longest) {
      if (replaces) this.#suspend(replaces, 1);
      return { kind: 'refused', limit: longest.limit, retryAfterMs: longest.ms, windows: this.look(take.limits) };
    }
    if (take.isProvisional) this.#suspend(take, 1);
    else for (const limit of limits) this.#add(limit, take);
    this.#takenAt.set(take, this.#now());
    return { kind: 'taken', windows: this.look(take.limits), observed };
  }

  giveBack(take: Take): Windows {
    this.#suspend(take, -1);
    return this.look(take.limits);
  }

  finish(take: Take, usedTokens: number): Windows {
    const forMs = this.#now() - (this.#takenAt.get(take) ?? 0);
    for (const limit of asked(take)) {
      if (limit.quantity === 'concurrency') this.#moveSlots(limit, -1);
      if (limit.quantity !== 'tokens') continue;
      const bucket = this.#bucket(limit);
      if (usedTokens > take.tokens) pour(bucket, usedTokens - take.tokens);
      else refund(bucket, { taken: take.tokens, used: usedTokens, forMs });
    }
    return this.look(take.limits);
  }

  /** As it is when somebody reads it: of the three looks that a call takes, one is told. */
  look(limits: readonly Limit[]): Windows {
    if (limits.length === 0) return NO_WINDOWS;
    const tightest = (rate: Rate) => this.#tightest(limits, rate);
    return {
      get requests() {
        return tightest('requests');
      },
      get tokens() {
        return tightest('tokens');
      },
    };
  }

  async close(): Promise<void> {
    this.#buckets.clear();
    this.#byLimit = new WeakMap();
    this.#slots.clear();
  }

  #now(): number {
    return Math.floor(this.#clock());
  }

  #waitOf(limit: Limit, take: Take): number {
    if (limit.quantity === 'concurrency') return (this.#slots.get(nameOf(limit)) ?? 0) < limit.most ? 0 : SLOT_RETRY_MS;
    return waitFor(this.#bucket(limit), limit.most, costOf(limit.quantity, take));
  }

  #add(limit: Limit, take: Take): void {
    if (limit.quantity === 'concurrency') this.#moveSlots(limit, 1);
    else pour(this.#bucket(limit), costOf(limit.quantity, take));
  }

  /** Of a provisional take; slots are never taken that way. */
  #suspend(take: Take, times: 1 | -1): void {
    for (const limit of asked(take)) {
      const bucket = this.#bucket(limit);
      bucket.pending = Math.max(bucket.pending + times * costOf(limit.quantity, take), 0);
    }
  }

  #moveSlots(limit: Limit, by: number): void {
    const name = nameOf(limit);
    const slots = (this.#slots.get(name) ?? 0) + by;
    if (slots > 0) this.#slots.set(name, slots);
    else this.#slots.delete(name);
  }

  #bucket(limit: Limit): Bucket {
    const now = this.#now();
    const bucket = this.#byLimit.get(limit) ?? this.#find(limit, now);
    leak(bucket, limit.most, now);
    return bucket;
  }

  #find(limit: Limit, now: number): Bucket {
    const name = nameOf(limit);
    if (this.#buckets.size >= this.#sweepAt) this.#sweep(now);
    const bucket = this.#buckets.get(name) ?? emptyBucket(limit.most, now);
    this.#buckets.set(name, bucket);
    this.#byLimit.set(limit, bucket);
    return bucket;
  }

  #sweep(now: number): void {
    this.#byLimit = new WeakMap();
    for (const [name, bucket] of this.#buckets) if (isSpare(bucket, now)) this.#buckets.delete(name);
    this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#buckets.size);
  }

  #tightest(limits: readonly Limit[], quantity: Rate): Window | null {
    let found: Window | null = null;
    for (const limit of limits) {
      if (limit.quantity !== quantity || limit.mode !== 'enforce') continue;
      const window = windowOf(this.#bucket(limit), limit.most);
      if (found === null || window.remaining < found.remaining) found = window;
    }
    return found;
  }
}

type Rate = keyof Windows;
const NO_WINDOWS: Windows = { requests: null, tokens: null };
