/** The SQL that adds new rows of the log to the tables of sums; the same on both databases. */
import { MAX_SWEPT } from '../storage/swept.ts';
import { columnConditions, firstColumns, totalColumns } from './histogram.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** How long sums by hour of keys are kept: the longest range of the pages, and some days more. */
export const KEY_HOURS_DAYS = 93;

/** The columns of `LogRow`, in one order. */
export const rowColumns = [
  ...['request_id', 'ended_at', 'account_id', 'key_id', 'model', 'operation', 'upstream', 'status', 'code', 'outcome', 'is_stream'],
  ...[
    'attempts',
    'first_ms',
    'total_ms',
    'input',
    'cached_input',
    'cache_write',
    'output',
    'images',
    'charged',
    'repeats',
    'details',
    'vendor_cost',
  ],
] as const;

/** The sums that all tables have, and how each is made of rows. A row stands for itself and its repetitions. */
const sums = {
  requests: 'sum(1 + repeats)',
  errors: "sum(CASE outcome WHEN 'failed' THEN 1 + repeats ELSE 0 END)",
  refused: "sum(CASE outcome WHEN 'refused' THEN 1 + repeats ELSE 0 END)",
  input: 'sum(input)',
  cached_input: 'sum(cached_input)',
  cache_write: 'sum(cache_write)',
  output: 'sum(output)',
  images: 'sum(images)',
  charged: 'sum(coalesce(charged, 0))',
} as const;
export type Sum = keyof typeof sums;
// `as`: the names of an object are those of its type.
export const sumNames = Object.keys(sums) as readonly Sum[];

interface SumTable {
  readonly name: string;
  /** The key, and how each part is made of a row. */
  readonly key: Readonly<Record<string, string>>;
  /** Which rows count; absent: all. */
  readonly where?: string;
  readonly hasTimes: boolean;
}

/** The end of the last day that is in `activity_days`: all days before are there, too. */
export const DAYS_UNTIL = `SELECT coalesce(max(day) + ${DAY_MS}, 0) FROM activity_days`;

const orNone = (column: string): string => `coalesce(${column}, '')`;
const DAY = `ended_at - ended_at % ${DAY_MS}`;
export const HOUR = `ended_at - ended_at % ${HOUR_MS}`;
/** Only answered calls have a time that says something: a refusal takes none. */
const answered = columnConditions('total_ms').map((condition) => `${condition} AND outcome IN ('completed', 'incomplete')`);

export const sumTables: readonly SumTable[] = [
  {
    name: 'activity_hours',
    key: { hour: HOUR, model: orNone('model'), upstream: orNone('upstream'), operation: orNone('operation'), code: orNone('code') },
    hasTimes: true,
  },
  {
    // A day is made of its hours when it is over; only calls that are written later are added here.
    name: 'activity_days',
    key: { day: DAY, model: orNone('model'), upstream: orNone('upstream'), operation: orNone('operation'), code: orNone('code') },
    where: `ended_at < (${DAYS_UNTIL})`,
    hasTimes: true,
  },
  // Calls without a known key have an empty text, so that every table has the same total.
  { name: 'account_days', key: { day: DAY, account_id: orNone('account_id'), model: orNone('model') }, hasTimes: false },
  {
    name: 'key_days',
    key: { account_id: orNone('account_id'), day: DAY, key_id: orNone('key_id'), model: orNone('model') },
    hasTimes: false,
  },
  {
    name: 'key_hours',
    key: { hour: HOUR, account_id: orNone('account_id'), key_id: orNone('key_id'), model: orNone('model') },
    hasTimes: false,
  },
];

const timeSums: readonly (readonly [string, string])[] = [
  ...columnConditions('first_ms').map((condition, index) => [firstColumns[index] ?? '', condition] as const),
  ...answered.map((condition, index) => [totalColumns[index] ?? '', condition] as const),
].map(([name, condition]) => [name, `sum(CASE WHEN ${condition} THEN 1 ELSE 0 END)`] as const);

/** What vendors billed for the calls of which it is known, how many these are, and what they were charged; in the table that has times, too. */
const vendorSums = [
  ['vendor_cost', 'sum(coalesce(vendor_cost, 0))'],
  ['costed', 'sum(CASE WHEN vendor_cost IS NULL THEN 0 ELSE 1 + repeats END)'],
  ['costed_charged', 'sum(CASE WHEN vendor_cost IS NULL THEN 0 ELSE coalesce(charged, 0) END)'],
] as const;

/** Each sum over rows of the log, for what no table of sums has. */
export const rowSums: ReadonlyMap<string, string> = new Map([...Object.entries(sums), ...timeSums, ...vendorSums]);

/** The sums in the tables that have times, in the order of their columns. */
const dayColumns: readonly string[] = [...sumNames, ...timeSums.map(([name]) => name), ...vendorSums.map(([name]) => name)];
const PLACE = 'model, upstream, operation, code';

/** The begin of the first day after the ones in `activity_days` that has hours before ?1, the begin of a day; null when there is none. */
export const nextDaySql = `
  SELECT min(hour) - min(hour) % ${DAY_MS} AS day FROM activity_hours WHERE hour >= (${DAYS_UNTIL}) AND hour < ?1`;

/** Deletes sums by hour of keys before ?1, some at a time. */
export const expireKeyHoursSql = `
  DELETE FROM key_hours WHERE (hour, account_id, key_id, model) IN (SELECT hour, account_id, key_id, model FROM key_hours WHERE hour < ?1 ORDER BY hour LIMIT ${MAX_SWEPT})`;

/** Makes the day that begins at ?1 and ends at ?2 of its hours. Another process may have made it meanwhile. */
export const closeDaySql = `
  INSERT INTO activity_days (day, ${PLACE}, ${dayColumns.join(', ')})
  SELECT hour - hour % ${DAY_MS}, ${PLACE}, ${dayColumns.map((name) => `sum(${name})`).join(', ')}
  FROM activity_hours WHERE hour >= ?1 AND hour < ?2 GROUP BY 1, ${PLACE}
  ON CONFLICT DO NOTHING`;

/**
 * Adds the rows of `source` to one table. Rows are taken in the order of their key, so that two processes never wait for each other in a ring.
 * `where`: which rows of the source.
 */
export function addSumsSql({ name, key, where = 'true', hasTimes }: SumTable, source: string, condition = 'true'): string {
  const added: readonly (readonly [string, string])[] = [...Object.entries(sums), ...(hasTimes ? [...timeSums, ...vendorSums] : [])];
  const names = [...Object.keys(key), ...added.map(([column]) => column)];
  const groups = Object.keys(key)
    .map((_, index) => index + 1)
    .join(', ');
  return `
    INSERT INTO ${name} (${names.join(', ')})
    SELECT ${[...Object.values(key), ...added.map(([, sum]) => sum)].join(', ')}
    FROM ${source} WHERE ${where} AND ${condition} GROUP BY ${groups} ORDER BY ${groups}
    ON CONFLICT (${Object.keys(key).join(', ')}) DO UPDATE SET
      ${added.map(([column]) => `${column} = ${name}.${column} + excluded.${column}`).join(', ')}`;
}
