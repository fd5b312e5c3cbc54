/** Computes the time buckets of totals (hour, day, week, month), in UTC. */

export const HOUR_MS = 3_600_000;

export const DAY_MS = 86_400_000;

export type TimeBucket = 'hour' | 'day' | 'week' | 'month';

/** January 1, 1970 was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

const WEEK_MS = 7 * DAY_MS;

/** Returns the start of the bucket that contains a time. Times are milliseconds since 1970. */
export function getBucketStart(bucket: TimeBucket, at: number): number {
  switch (bucket) {
    case 'hour':
      return at - (at % HOUR_MS);
    case 'day':
      return at - (at % DAY_MS);
    case 'week':
      return Math.floor((at - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS;
    case 'month': {
      const date = new Date(at);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
    }
  }
}

const lengthMs = { hour: HOUR_MS, day: DAY_MS, week: WEEK_MS, month: 28 * DAY_MS } as const;

/** Returns the maximum number of buckets in a range. */
export const countBuckets = (bucket: TimeBucket, from: number, to: number): number => Math.ceil((to - from) / lengthMs[bucket]);
