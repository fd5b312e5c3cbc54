/** When the period of an allowance began, by UTC: the rule behind caps of keys and included amounts of subscriptions. */
import type { Period } from './store.ts';

const dayMs = 86_400_000;
/** 1 January 1970 was a Thursday, three days after its Monday. */
const daysAfterMonday = 3;

/** Milliseconds since 1970 in, the same out; one that never starts anew began at 0. */
export function periodStart(period: Period, at: number): number {
  const day = Math.floor(at / dayMs);
  switch (period) {
    case 'never':
      return 0;
    case 'day':
      return day * dayMs;
    case 'week':
      return (Math.floor((day + daysAfterMonday) / 7) * 7 - daysAfterMonday) * dayMs;
    case 'month': {
      const date = new Date(at);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    }
  }
}
