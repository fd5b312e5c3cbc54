/** Defines the rollups of the request log: the tables of totals by hour and day, and the SQL that fills them, the same on both databases. */

import type { Dialect } from '../store/plan.ts';
import { buildColumnConditions, firstMsColumns, totalMsColumns } from './percentiles.ts';
import { DAY_MS, HOUR_MS } from './time-bucket.ts';

/** How long hourly totals by key, and all totals by end user and tag, are kept: the longest range of the pages, plus a margin. */
export const KEY_HOURS_DAYS = 93;

/** The columns of `LogRow`, in a fixed order. */
export const rowColumns = [
  ...['request_id', 'ended_at', 'account_id', 'key_id', 'model', 'operation', 'upstream', 'session', 'status', 'code', 'outcome'],
  ...['is_stream', 'attempts', 'first_ms', 'total_ms', 'input', 'cached_input', 'cache_write', 'output', 'images'],
  ...['charged', 'missed', 'repeats', 'details', 'vendor_cost', 'end_user', 'tag'],
] as const;

/** The totals in all tables, and their SQL over rows. A row counts for itself and its repeats. */
const sumExpressions = {
  requests: 'sum(1 + repeats)',
  errors: "sum(CASE outcome WHEN 'failed' THEN 1 + repeats ELSE 0 END)",
  rejected: "sum(CASE outcome WHEN 'rejected' THEN 1 + repeats ELSE 0 END)",
  input: 'sum(input)',
  cached_input: 'sum(cached_input)',
  cache_write: 'sum(cache_write)',
  output: 'sum(output)',
  images: 'sum(images)',
  charged: 'sum(coalesce(charged, 0))',
  missed: 'sum(coalesce(missed, 0))',
} as const;
export type SumName = keyof typeof sumExpressions;
// `as`: the object has exactly the keys of its type.
export const sumNames = Object.keys(sumExpressions) as readonly SumName[];

interface RollupTable {
  readonly name: string;
  /** The key columns. All but the time are texts. */
  readonly key: readonly string[];
  /** Which rows count. Defaults to all. */
  readonly where?: string;
  readonly hasTimes: boolean;
}

/** The end of the last day in `activity_days`, which also contains all earlier days. */
export const DAYS_END_QUERY = `SELECT coalesce(max(day) + ${DAY_MS}, 0) FROM activity_days`;

export const HOUR_EXPRESSION = `ended_at - ended_at % ${HOUR_MS}`;
/** The SQL of the times over a row. */
const timeExpressions: Readonly<Record<string, string>> = { hour: HOUR_EXPRESSION, day: `ended_at - ended_at % ${DAY_MS}` };
const dimensionColumns = ['model', 'upstream', 'operation', 'code'];
/** Only completed calls have a meaningful time, because a rejection takes almost none. */
const answeredConditions = buildColumnConditions('total_ms').map((condition) => `${condition} AND outcome IN ('completed', 'incomplete')`);

export const rollupTables: readonly RollupTable[] = [
  { name: 'activity_hours', key: ['hour', ...dimensionColumns], hasTimes: true },
  // A day is computed from its hours when it's over. Only calls written later are added here.
  { name: 'activity_days', key: ['day', ...dimensionColumns], where: `ended_at < (${DAYS_END_QUERY})`, hasTimes: true },
  // Calls without a known key have an empty text, so that every table has the same total.
  { name: 'account_days', key: ['day', 'account_id', 'model'], hasTimes: false },
  { name: 'key_days', key: ['account_id', 'day', 'key_id', 'model'], hasTimes: false },
  { name: 'key_hours', key: ['hour', 'account_id', 'key_id', 'model'], hasTimes: false },
  { name: 'end_user_hours', key: ['hour', 'account_id', 'key_id', 'model', 'end_user', 'tag'], hasTimes: false },
  { name: 'end_user_days', key: ['day', 'account_id', 'end_user', 'tag'], hasTimes: false },
];

/** Whether the table counts times and provider costs. The rows of the log do. */
export const hasTimes = (table: string): boolean => rollupTables.find(({ name }) => name === table)?.hasTimes ?? true;

const histogramSums: readonly (readonly [string, string])[] = [
  ...buildColumnConditions('first_ms').map((condition, index) => [firstMsColumns[index] ?? '', condition] as const),
  ...answeredConditions.map((condition, index) => [totalMsColumns[index] ?? '', condition] as const),
].map(([name, condition]) => [name, `sum(CASE WHEN ${condition} THEN 1 ELSE 0 END)`] as const);

/** The provider costs that are known, the number of these calls, and their charges. Only in tables with times. */
const providerSums = [
  ['vendor_cost', 'sum(coalesce(vendor_cost, 0))'],
  ['costed', 'sum(CASE WHEN vendor_cost IS NULL THEN 0 ELSE 1 + repeats END)'],
  ['costed_charged', 'sum(CASE WHEN vendor_cost IS NULL THEN 0 ELSE coalesce(charged, 0) END)'],
] as const;

/** The SQL of each total over log rows, for queries that no rollup covers. */
export const rowSumExpressions: ReadonlyMap<string, string> = new Map([
  ...Object.entries(sumExpressions),
  ...histogramSums,
  ...providerSums,
]);

/** The totals in tables with times, in the order of their columns. */
const dayColumns: readonly string[] = [...sumNames, ...histogramSums.map(([name]) => name), ...providerSums.map(([name]) => name)];
const DIMENSION_COLUMNS = dimensionColumns.join(', ');

/** Selects the start of the first day after those in `activity_days` with hours before ?1, the start of a day. Null if there is none. */
export const nextDaySql = `
  SELECT min(hour) - min(hour) % ${DAY_MS} AS day FROM activity_hours WHERE hour >= (${DAYS_END_QUERY}) AND hour < ?1`;

/** For each table whose totals aren't kept permanently, the statement that deletes a batch of those before ?1. */
export const buildExpireRollupsSql = ({ maxSweptRows }: Dialect): readonly string[] =>
  rollupTables
    .filter(({ name }) => name === 'key_hours' || name === 'end_user_hours' || name === 'end_user_days')
    .map(({ name, key }) => {
      const columns = key.join(', ');
      return `DELETE FROM ${name} WHERE (${columns}) IN (SELECT ${columns} FROM ${name} WHERE ${key[0]} < ?1 ORDER BY ${key[0]} LIMIT ${maxSweptRows}) RETURNING ${key[0]}`;
    });

/** Computes the day from ?1 to ?2 from its hours. Another process may have done so at the same time. */
export const closeDaySql = `
  INSERT INTO activity_days (day, ${DIMENSION_COLUMNS}, ${dayColumns.join(', ')})
  SELECT hour - hour % ${DAY_MS}, ${DIMENSION_COLUMNS}, ${dayColumns.map((name) => `sum(${name})`).join(', ')}
  FROM activity_hours WHERE hour >= ?1 AND hour < ?2 GROUP BY 1, ${DIMENSION_COLUMNS}
  ON CONFLICT DO NOTHING`;

/**
 * Adds the rows of `source` to one table. Rows are added in key order, so that two processes can't deadlock.
 * `condition`: which rows of the source to add.
 */
export function buildAddRollupsSql({ name, key, where = 'true', hasTimes }: RollupTable, source: string, condition = 'true'): string {
  const sumColumns: readonly (readonly [string, string])[] = [
    ...Object.entries(sumExpressions),
    ...(hasTimes ? [...histogramSums, ...providerSums] : []),
  ];
  const groups = key.map((_, index) => index + 1).join(', ');
  const keySql = key.map((column) => timeExpressions[column] ?? `coalesce(${column}, '')`);
  return `
    INSERT INTO ${name} (${[...key, ...sumColumns.map(([column]) => column)].join(', ')})
    SELECT ${[...keySql, ...sumColumns.map(([, sum]) => sum)].join(', ')}
    FROM ${source} WHERE ${where} AND ${condition} GROUP BY ${groups} ORDER BY ${groups}
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET
      ${sumColumns.map(([column]) => `${column} = ${name}.${column} + excluded.${column}`).join(', ')}`;
}
