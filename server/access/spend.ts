/** Reads what keys and accounts spent in the last 30 days. */
import { getCapStarts, getLastDaysStart } from '../money/period.ts';
import { CAP_ALLOWANCE_CONDITION } from '../money/store.ts';
import type { Read } from '../store/audit.ts';
import { readInteger, readNumberOrNull, readText } from '../store/rows.ts';

/** Writes the parameters of an IN list. `first`: the number of the first one. */
export const formatPlaceholders = (first: number, { length }: readonly string[]): string =>
  Array.from({ length }, (_, index) => `?${first + index}`).join(', ');

interface KeyUsage {
  /** Milliseconds since 1970. Null if the request log has no call of this key. */
  readonly lastUsed: number | null;
  /** In micro-dollars. */
  readonly charged: bigint;
  /** The cap used in the current period, in micro-dollars. Null without a cap. */
  readonly capUsed: bigint | null;
}

const SPEND_DAYS = 30;

export const getSpendStart = (now: number): number => getLastDaysStart(SPEND_DAYS, now);

export const buildKeyUsageSql = (ids: readonly string[]): string => `
  SELECT keys.id AS id, cap_micros,
    (SELECT ended_at FROM requests WHERE requests.key_id = keys.id ORDER BY ended_at DESC LIMIT 1) AS last_used,
    (SELECT CAST(sum(charged) AS BIGINT) FROM key_days WHERE key_days.key_id = keys.id AND day >= ?4) AS charged,
    (SELECT used FROM allowances WHERE ${CAP_ALLOWANCE_CONDITION}) AS used
  FROM keys WHERE keys.id IN (${formatPlaceholders(5, ids)})`;

/** `now`: milliseconds since 1970. */
export async function fetchKeyUsage(runQuery: Read, ids: readonly string[], now: number): Promise<ReadonlyMap<string, KeyUsage>> {
  if (ids.length === 0) return new Map();
  const rows = await runQuery(buildKeyUsageSql(ids), [...getCapStarts(now), getSpendStart(now), ...ids]);
  return new Map(
    rows.map((row) => [
      readText(row.id),
      {
        lastUsed: readNumberOrNull(row.last_used ?? null),
        charged: readInteger(row.charged ?? 0n),
        capUsed: row.cap_micros === null ? null : readInteger(row.used ?? 0n),
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
