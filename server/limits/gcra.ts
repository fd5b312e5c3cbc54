/**
 * One rate limit: a bucket that fills with what is taken and leaks at the allowed rate (GCRA with a burst of one minute's worth).
 * Integers only, so that a limit of 7 lets exactly 7 through: the level counts in 60000ths, and leaks `most` of them each millisecond.
 */
const MINUTE_MS = 60_000;

export interface Bucket {
  /** What was taken and has not leaked yet, in units of 1/60000. More than the limit when a call used more than estimated. */
  level: number;
  /** Taken provisionally: it does not leak, so that giving it back leaves the bucket as if it had never been taken. */
  pending: number;
  /** The time of this state, in whole milliseconds. */
  at: number;
  /** The limit at the last look. */
  most: number;
}

export const emptyBucket = (most: number, at: number): Bucket => ({ level: 0, pending: 0, at, most });

/** Lets the time since the last look pass; none when the clock was set back. */
export function leak(bucket: Bucket, most: number, now: number): void {
  bucket.level = Math.max(bucket.level - Math.max(now - bucket.at, 0) * most, 0);
  bucket.at = now;
  bucket.most = most;
}

/** Whether the bucket can be dropped without a loss. */
export const isSpare = ({ level, pending, at, most }: Bucket, now: number): boolean => pending === 0 && level <= (now - at) * most;

/** Milliseconds until `cost` fits if everything pending stays; 0 when it fits now. A cost over the whole limit counts as the whole limit. */
export function waitFor({ level, pending }: Bucket, most: number, cost: number): number {
  const over = level + (pending + Math.min(cost, most) - most) * MINUTE_MS;
  return Math.max(Math.ceil(over / most), 0);
}

/** Never above `most`, and never below the current level. */
export function pour(bucket: Bucket, cost: number, most = Number.POSITIVE_INFINITY): void {
  bucket.level = Math.max(bucket.level, Math.min(bucket.level + cost * MINUTE_MS, most * MINUTE_MS));
}

/** Gives back what was taken too much, except for what may have leaked of it meanwhile. */
export function refund(
  bucket: Bucket,
  { taken, used, forMs }: { readonly taken: number; readonly used: number; readonly forMs: number },
): void {
  const left = Math.max(taken * MINUTE_MS - forMs * bucket.most, 0);
  bucket.level = Math.max(bucket.level - Math.min((taken - used) * MINUTE_MS, left), 0);
}

export function windowOf({ level, pending }: Bucket, most: number): { limit: number; remaining: number; resetMs: number } {
  const full = level + pending * MINUTE_MS;
  return { limit: most, remaining: Math.max(most - Math.ceil(full / MINUTE_MS), 0), resetMs: Math.ceil(full / most) };
}
