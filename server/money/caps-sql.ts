/** SQL over the spending caps of keys and accounts. Its parameters `?1`, `?2`, `?3` are `getCapStarts`. */
import { CAP_PERIODS } from './spending-cap.ts';

const PERIOD_STARTS = { day: 'CAST(?1 AS BIGINT)', week: 'CAST(?2 AS BIGINT)', month: 'CAST(?3 AS BIGINT)', never: '0' };
const OWNERS = { keys: "'key:' || coalesce(keys.cap_owner, keys.id)", accounts: "'account:' || accounts.id" };

/** Selects one row per cap: `id`, `period`, `micros`, and `used` in the current period. `condition`: which keys or accounts. */
export const buildCapUsageSql = (table: 'keys' | 'accounts', condition: string): string =>
  CAP_PERIODS.map(
    (period) => `
    SELECT ${table}.id AS id, '${period}' AS period, ${table}.cap_${period} AS micros, coalesce(used, 0) AS used
    FROM ${table} LEFT JOIN allowances ON owner = ${OWNERS[table]} AND period_start = ${PERIOD_STARTS[period]}
    WHERE ${table}.cap_${period} IS NOT NULL AND ${condition}`,
  ).join(' UNION ALL');

const buildShareSql = (period: (typeof CAP_PERIODS)[number]): string => `
  SELECT coalesce((SELECT used FROM allowances WHERE owner = ${OWNERS.keys} AND period_start = ${PERIOD_STARTS[period]}), 0) * 1.0 / nullif(keys.cap_${period}, 0) AS share`;
/** The used share of the key's cap that is used most. Null without a cap. */
export const MAX_CAP_SHARE = `(SELECT max(share) FROM (${CAP_PERIODS.map(buildShareSql).join(' UNION ALL')}) AS shares)`;
