/**
 * One rate limit: a bucket that fills with what is taken and leaks at the allowed rate (GCRA with a burst of one minute's worth).
 * Integers only, so that a limit of 7 lets exactly 7 through: the level counts in 60000ths, and leaks `most` of them each millisecond.
 */
const MINUTE_MS = 60_000;

export interface Bucket {
  /** What was taken and has not leaked yet, in 60000ths. */
  level: number;
  /** When that was so, in whole milliseconds. */
  at: number;
}

export const emptyBucket = (at: number): Bucket => ({ level: 0, at });

/** Lets the time since the last look pass. A clock that was set back lets none pass. */
export function leak(bucket: Bucket, most: number, now: number): void {
  const passed = Math.min(Math.max(now - bucket.at, 0), MINUTE_MS);
  bucket.level = Math.max(bucket.level - passed * most, 0);
  bucket.at = now;
}

/** Milliseconds until `cost` fits; 0 where it does now. What is larger than the whole limit counts as all of it. */
export function waitFor(bucket: Bucket, most: number, cost: number): number {
  const over = bucket.level + Math.min(cost, most) * MINUTE_MS - most * MINUTE_MS;
  return over <= 0 ? 0 : Math.ceil(over / most);
}

/** `cost` may be negative: what was taken too much comes back. */
export function pour(bucket: Bucket, cost: number): void {
  bucket.level = Math.max(bucket.level + cost * MINUTE_MS, 0);
}

export function windowOf(bucket: Bucket, most: number): { limit: number; remaining: number; resetMs: number } {
  const remaining = Math.max(Math.floor((most * MINUTE_MS - bucket.level) / MINUTE_MS), 0);
  return { limit: most, remaining, resetMs: Math.ceil(bucket.level / most) };
}
