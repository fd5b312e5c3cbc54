/** A leaky bucket: the level of a rate limit, how it falls over time, and how long to wait for capacity. */

const MINUTE_MS = 60_000;

export interface LeakyBucket {
  /** The acquired amount that hasn't leaked yet, in units of 1/60000. Exceeds the limit if a call used more than estimated. */
  level: number;
  /** The provisionally acquired amount. It doesn't leak, so that releasing it leaves the bucket unchanged. */
  pending: number;
  /** The time of this state, in whole milliseconds. */
  at: number;
  /** The limit at the last update. */
  most: number;
}

export const createBucket = (limit: number, at: number): LeakyBucket => ({ level: 0, pending: 0, at, most: limit });

/** Leaks for the time since the last update. Nothing leaks if the clock was set back. */
export function leak(bucket: LeakyBucket, limit: number, now: number): void {
  bucket.level = Math.max(bucket.level - Math.max(now - bucket.at, 0) * limit, 0);
  bucket.at = now;
  bucket.most = limit;
}

/** Whether the bucket is empty and can be dropped. */
export const isIdle = ({ level, pending, at, most: limit }: LeakyBucket, now: number): boolean =>
  pending === 0 && level <= (now - at) * limit;

/** Returns the milliseconds until `cost` fits if the pending amount stays. 0 if it fits now. A cost above the limit counts as the limit. */
export function getBucketWaitMs({ level, pending }: LeakyBucket, limit: number, cost: number): number {
  const excess = level + (pending + Math.min(cost, limit) - limit) * MINUTE_MS;
  return Math.max(Math.ceil(excess / limit), 0);
}

/** Fills the bucket at most up to `limit`, and never below the current level. */
export function fill(bucket: LeakyBucket, cost: number, limit = Number.POSITIVE_INFINITY): void {
  bucket.level = Math.max(bucket.level, Math.min(bucket.level + cost * MINUTE_MS, limit * MINUTE_MS));
}

/** Refunds an overestimate, except for the part that may have leaked since. */
export function refund(
  bucket: LeakyBucket,
  { taken, used, forMs: elapsedMs }: { readonly taken: number; readonly used: number; readonly forMs: number },
): void {
  const refundable = Math.max(taken * MINUTE_MS - elapsedMs * bucket.most, 0);
  bucket.level = Math.max(bucket.level - Math.min((taken - used) * MINUTE_MS, refundable), 0);
}

export function toWindow({ level, pending }: LeakyBucket, limit: number): { limit: number; remaining: number; resetMs: number } {
  const usedLevel = level + pending * MINUTE_MS;
  return { limit, remaining: Math.max(limit - Math.ceil(usedLevel / MINUTE_MS), 0), resetMs: Math.ceil(usedLevel / limit) };
}
