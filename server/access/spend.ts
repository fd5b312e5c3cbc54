/** Reads what keys and accounts spent in the last 30 days. */

import { buildCapUsageSql } from '../money/caps-sql.ts';
import { getCapStarts, getLastDaysStart, type Period } from '../money/period.ts';
import type { SpendingCap } from '../money/spending-cap.ts';
import type { Read } from '../store/audit.ts';
import { formatPlaceholders } from '../store/format-placeholders.ts';
import { readInteger, readNumberOrNull, readText } from '../store/rows.ts';

interface KeyUsage {
  /** Milliseconds since 1970. Null if the request log has no call of this key. */
  readonly lastUsed: number | null;
  /** In micro-dollars. */
  readonly charged: bigint;
  readonly caps: readonly CapUsage[];
}

/** A spending cap with the amount charged in its current period, in micro-dollars. */
export interface CapUsage extends SpendingCap {
  readonly used: bigint;
}

const SPEND_DAYS = 30;

export const getSpendStart = (now: number): number => getLastDaysStart(SPEND_DAYS, now);

export const buildKeyUsageSql = (ids: readonly string[]): string => `
  SELECT keys.id AS id,
    (SELECT ended_at FROM requests WHERE requests.key_id = keys.id ORDER BY ended_at DESC LIMIT 1) AS last_used,
    (SELECT CAST(sum(charged) AS BIGINT) FROM key_days WHERE key_days.key_id = keys.id AND day >= ?1) AS charged
  FROM keys WHERE keys.id IN (${formatPlaceholders(2, ids)})`;

/** `now`: milliseconds since 1970. */
export async function fetchKeyUsage(runQuery: Read, ids: readonly string[], now: number): Promise<ReadonlyMap<string, KeyUsage>> {
  if (ids.length === 0) return new Map();
  const rows = await runQuery(buildKeyUsageSql(ids), [getSpendStart(now), ...ids]);
  const caps = await fetchCapUsage(runQuery, 'keys', ids, now);
  return new Map(
    rows.map((row) => [
      readText(row.id),
      {
        lastUsed: readNumberOrNull(row.last_used ?? null),
        charged: readInteger(row.charged ?? 0n),
        caps: caps.get(readText(row.id)) ?? [],
      },
    ]),
  );
}

export const buildAccountSpendSql = (ids: readonly string[]): string => `
  SELECT account_id, CAST(sum(charged) AS BIGINT) AS charged FROM account_days
  WHERE account_id IN (${formatPlaceholders(2, ids)}) AND day >= ?1 GROUP BY account_id`;

/** Returns micro-dollars by account ID. Omits accounts without calls. */
export async function fetchAccountSpend(runQuery: Read, ids: readonly string[], now: number): Promise<ReadonlyMap<string, bigint>> {
  if (ids.length === 0) return new Map();
  const rows = await runQuery(buildAccountSpendSql(ids), [getSpendStart(now), ...ids]);
  return new Map(rows.map((row) => [readText(row.account_id), readInteger(row.charged)]));
}

export const buildListedCapsSql = (table: 'keys' | 'accounts', ids: readonly string[]): string =>
  buildCapUsageSql(table, `${table}.id IN (${formatPlaceholders(4, ids)})`);

/** Returns the caps by key or account. Omits those without a cap. */
export async function fetchCapUsage(
  runQuery: Read,
  table: 'keys' | 'accounts',
  ids: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, readonly CapUsage[]>> {
  if (ids.length === 0) return new Map();
  const rows = await runQuery(buildListedCapsSql(table, ids), [...getCapStarts(now), ...ids]);
  const usage = rows.map((row) => {
    // `as`: the statement names only these periods.
    const cap = { micros: readInteger(row.micros), period: readText(row.period) as Period, used: readInteger(row.used) };
    return { id: readText(row.id), cap };
  });
  return new Map([...Map.groupBy(usage, ({ id }) => id)].map(([id, some]) => [id, some.map(({ cap }) => cap)]));
}
