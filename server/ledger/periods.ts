/** When the period of an allowance began, by UTC: the rule behind caps of keys and included amounts of subscriptions. */
import type { Period } from './store.ts';

const DAY_MS = 86_400_000;
/** 1 January 1970 was a Thursday, three days after its Monday. */
const DAYS_AFTER_MONDAY = 3;

/** Milliseconds since 1970, in and out; a period that never starts anew began at 0. */
export function periodStart(period: Period, at: number): number {
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
