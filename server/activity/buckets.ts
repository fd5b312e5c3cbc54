/** Buckets of time by UTC: where each begins. Weeks begin on Monday. */
import { DAY_MS, HOUR_MS } from './sums.ts';

export type Bucket = 'hour' | 'day' | 'week' | 'month';

/** 1970 began on a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;

/** The begin of the bucket that a time lies in; times are milliseconds since 1970. */
export function beginOf(bucket: Bucket, at: number): number {
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

/** How many buckets a range has, at most. */
export const countOf = (bucket: Bucket, from: number, to: number): number => Math.ceil((to - from) / lengthMs[bucket]);
