/** Limits counted in this process: exact, since nothing else runs between looking and taking. */
import { type Bucket, emptyBucket, leak, pour, waitFor, windowOf } from './bucket.ts';
import type { Limit, LimitStore, Quantity, Take, Taken, Window, Windows } from './limits.ts';

export interface MemoryLimits extends LimitStore {
  take(take: Take): Taken;
  giveBack(take: Take): void;
  finish(take: Take, usedTokens: number): void;
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

class Counters implements MemoryLimits {
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();
  readonly #slots = new Map<string, number>();
  #sweepAt = SWEEP_AT;

  constructor(now: () => number) {
    this.#now = now;
  }

  take(take: Take): Taken {
    const limits = this.#asked(take);
    const waits = limits.map((limit) => ({ limit, ms: this.#waitOf(limit, take) })).filter(({ ms }) => ms > 0);
    const refusing = waits.filter(({ limit }) => limit.mode === 'enforce');
    const [longest] = refusing.toSorted((a, b) => b.ms - a.ms);
    if (longest) return { kind: 'refused', limit: longest.limit, retryAfterMs: longest.ms, windows: this.look(take.limits) };
    for (const limit of limits) this.#add(limit, costOf(limit.quantity, take));
    return { kind: 'taken', windows: this.look(take.limits), observed: waits.map(({ limit }) => limit) };
  }

  giveBack(take: Take): void {
    for (const limit of this.#asked(take)) this.#add(limit, -costOf(limit.quantity, take));
  }

  finish(take: Take, usedTokens: number): void {
    for (const limit of this.#asked(take)) {
      if (limit.quantity === 'concurrency') this.#add(limit, -1);
      if (limit.quantity === 'tokens') this.#add(limit, usedTokens - take.tokens);
    }
  }

  look(limits: readonly Limit[]): Windows {
    return { requests: this.#tightest(limits, 'requests'), tokens: this.#tightest(limits, 'tokens') };
  }

  async close(): Promise<void> {
    this.#buckets.clear();
    this.#slots.clear();
  }

  #asked({ limits, quantities }: Take): readonly Limit[] {
    return limits.filter(({ quantity }) => quantities.includes(quantity));
  }

  #waitOf(limit: Limit, take: Take): number {
    if (limit.quantity === 'concurrency') return (this.#slots.get(nameOf(limit)) ?? 0) < limit.most ? 0 : SLOT_RETRY_MS;
    return waitFor(this.#bucket(limit), limit.most, costOf(limit.quantity, take));
  }

  #add(limit: Limit, cost: number): void {
    if (limit.quantity !== 'concurrency') {
      pour(this.#bucket(limit), cost);
      return;
    }
    const name = nameOf(limit);
    const slots = (this.#slots.get(name) ?? 0) + cost;
    if (slots > 0) this.#slots.set(name, slots);
    else this.#slots.delete(name);
  }

  #bucket(limit: Limit): Bucket {
    const name = nameOf(limit);
    const now = Math.floor(this.#now());
    const found = this.#buckets.get(name);
    if (found) {
      leak(found, limit.most, now);
      return found;
    }
    if (this.#buckets.size >= this.#sweepAt) this.#sweep(now);
    const bucket = emptyBucket(now);
    this.#buckets.set(name, bucket);
    return bucket;
  }

  /** A bucket that nobody has touched for a minute is empty, or in debt by a correction: only the first is forgotten. */
  #sweep(now: number): void {
    for (const [name, { level, at }] of this.#buckets) if (level === 0 || now - at > 10 * 60_000) this.#buckets.delete(name);
    this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#buckets.size);
  }

  #tightest(limits: readonly Limit[], quantity: 'requests' | 'tokens'): Window | null {
    let found: Window | null = null;
    for (const limit of limits) {
      if (limit.quantity !== quantity || limit.mode !== 'enforce') continue;
      const window = windowOf(this.#bucket(limit), limit.most);
      if (found === null || window.remaining < found.remaining) found = window;
    }
    return found;
  }
}
