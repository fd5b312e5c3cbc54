/** The comparison of closed hours with the ledger, as questions read it. */
import { number } from '../storage/postgres/rows.ts';
import type { Ask } from './store.ts';
import { HOUR_MS } from './sums.ts';

export interface Reconciled {
  /** End of the last compared hour, in milliseconds since 1970. */
  readonly until: number;
  /** What the ledger has more, in micro-dollars. */
  readonly difference: number;
}

/** Null when no hour of the range was compared. */
export async function readChecks(ask: Ask, from: number, to: number): Promise<Reconciled | null> {
  const [row] = await ask(
    `SELECT count(*) AS hours, coalesce(max(hour), 0) AS newest, CAST(coalesce(sum(booked - summed), 0) AS BIGINT) AS difference
     FROM activity_checks WHERE hour >= ?1 AND hour < ?2`,
    [from, to],
  );
  if (!row || number(row.hours) === 0) return null;
  return { until: number(row.newest) + HOUR_MS, difference: number(row.difference) };
}
