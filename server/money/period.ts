/** Computes when the periods of subscriptions and spending caps start (UTC). */

/** How often an allowance resets, by UTC days, weeks from Monday, and months. */
export type Period = 'day' | 'week' | 'month' | 'never';

const DAY_MS = 86_400_000;

/** January 1, 1970 was a Thursday, three days after Monday. */
const DAYS_AFTER_MONDAY = 3;

/** Returns the period's start in milliseconds since 1970, or 0 if it never resets. */
export function getPeriodStart(period: Period, at: number): number {
  const day = Math.floor(at / DAY_MS);
  switch (period) {
    case 'never':
      return 0;
    case 'day':
      return day * DAY_MS;
    case 'week':
      return (Math.floor((day + DAYS_AFTER_MONDAY) / 7) * 7 - DAYS_AFTER_MONDAY) * DAY_MS;
    case 'month': {
      const date = new Date(at);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    }
  }
}

/** Null for a period that never resets. */
export function getNextPeriodStart(period: Period, at: number): number | null {
  const start = getPeriodStart(period, at);
  switch (period) {
    case 'never':
      return null;
    case 'day':
      return start + DAY_MS;
    case 'week':
      return start + 7 * DAY_MS;
    case 'month':
      return getPeriodStart('month', start + 31 * DAY_MS);
  }
}

/** Returns the UTC start of a range of days that ends today. Pages and lists share it, so they show the same totals. */
export const getLastDaysStart = (days: number, now: number): number => getPeriodStart('day', now) - (days - 1) * DAY_MS;

export const getCapStarts = (at: number): number[] => [getPeriodStart('day', at), getPeriodStart('week', at), getPeriodStart('month', at)];
