/** Spending caps between the API, in dollars, and the store, in micro-dollars. */
import type * as api from '../../../contract/admin/spending-caps.ts';
import type { CapUsage } from '../../access/spend.ts';
import { formatDollars, parseDollars } from '../../money/dollars.ts';
import { CAP_PERIODS, type SpendingCap } from '../../money/spending-cap.ts';

/** Shortest period first. */
export const readCaps = (caps: api.SpendingCapsInput): readonly SpendingCap[] =>
  CAP_PERIODS.flatMap((period) =>
    caps.filter((cap) => cap.period === period).map(({ amount }) => ({ micros: parseDollars(amount), period })),
  );

export const writeCap = ({ micros, period }: SpendingCap): api.SpendingCap => ({ amount: formatDollars(micros), period });

export const writeUsedCap = (cap: CapUsage): api.UsedCap => ({ ...writeCap(cap), used: formatDollars(cap.used) });

/** Such as `5.000000/day 50.000000/month`. Null if there are none. */
export const formatCaps = (caps: readonly api.SpendingCap[]): string | null =>
  caps.length === 0 ? null : caps.map(({ amount, period }) => `${amount}/${period}`).join(' ');
