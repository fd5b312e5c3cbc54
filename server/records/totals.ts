/** Reads totals of calls over time, by up to two dimensions, from the rollups or the rows. */

import type { ReadValue } from '../store/audit.ts';
import { type Row, readNumber, readText } from '../store/rows.ts';
import { firstMsColumns, totalMsColumns } from './percentiles.ts';
import { dimensionColumns, type RollupQuery, type RollupSource, splitRange, type TableRange } from './rollup-query.ts';
import { DAYS_END_QUERY, HOUR_EXPRESSION, hasTimes, rowSumExpressions, type SumName, sumNames } from './rollups.ts';
import type { RecordsQuery, SqlStatement } from './store.ts';
import { DAY_MS, getBucketStart, HOUR_MS } from './time-bucket.ts';

/** Totals of calls. Charges are in micro-dollars. */
export interface Totals extends Readonly<Record<SumName, number>> {
  /** Calls by time, for `computePercentiles`. Null if times aren't counted. */
  readonly first: readonly number[] | null;
  readonly total: readonly number[] | null;
  /** Cost and charges of the calls with a known provider cost, in micro-dollars, and their number. Null if they aren't counted. */
  readonly provider: ProviderTotals | null;
}

interface ProviderTotals {
  readonly cost: number;
  readonly requests: number;
  readonly charged: number;
}

export interface Series {
  /** The values of the dimensions. Empty for the combined others, or if there are no dimensions. */
  readonly keys: readonly string[];
  readonly isOther: boolean;
  /** By the start of their bucket, oldest first. */
  readonly points: ReadonlyMap<number, Totals>;
}

export async function readTimeline(read: RecordsQuery, query: RollupQuery, source: RollupSource): Promise<readonly Series[]> {
  const ranges = splitRange(query, source, await findDaysEnd(read, query, source));
  const topKeys = query.by.length === 0 ? [] : await readTopKeys(read, query, ranges);
  const { sql, values } = buildPointsSql(query, ranges, topKeys);
  const rows = await read(sql, values);
  const series = [...topKeys.map((keys) => ({ keys, isOther: false })), { keys: [], isOther: query.by.length > 0 }];
  return series
    .map((one, place) => ({ ...one, points: foldPoints(rows, place, query) }))
    .filter(({ isOther, points }) => !isOther || points.size > 0);
}

/**
 * Returns the end of the days to read from daily totals. Totals by account and key include today, other totals exist only for past days.
 */
async function findDaysEnd(read: RecordsQuery, { to, bucket, isOpen }: RollupQuery, { days }: RollupSource): Promise<number> {
  if (bucket === 'hour' || days === undefined) return 0;
  const lastDay = getBucketStart('day', to);
  if (days !== 'activity_days') return isOpen ? lastDay + DAY_MS : lastDay;
  const [row] = await read(DAYS_UNTIL_SQL, []);
  return Math.min(readNumber(row?.until), lastDay);
}

const DAYS_UNTIL_SQL = `SELECT CAST((${DAYS_END_QUERY}) AS BIGINT) AS until`;

async function readTopKeys(read: RecordsQuery, query: RollupQuery, ranges: readonly TableRange[]): Promise<readonly (readonly string[])[]> {
  const { sql, values } = buildTopSql(query, ranges);
  return (await read(sql, values)).map((row) => query.by.map((_, index) => readText(row[`k${index}`])));
}

type AddParameter = (value: ReadValue) => string;

/**
 * Builds a subquery for FROM: the totals of each hour or day of the range's parts.
 * Each part is aggregated separately, so that its rows aren't copied. Time comes first, the order of most tables, so that they needn't be
 * sorted.
 */
function buildTotalsSql(query: RollupQuery, ranges: readonly TableRange[], names: readonly string[], addParameter: AddParameter): string {
  const selects = ranges.map((part) => {
    const isRows = part.table === 'requests';
    const columns = query.by.map((dimension) => dimensionColumns[dimension]);
    const keys = [
      `${isRows ? HOUR_EXPRESSION : part.time} AS at`,
      ...columns.map((column) => (isRows ? `coalesce(${column}, '') AS ${column}` : column)),
    ];
    const sums = names.map((name) => `${isRows ? rowSumExpressions.get(name) : `sum(${name})`} AS ${name}`);
    const groups = keys.map((_, index) => index + 1).join(', ');
    return `SELECT ${[...keys, ...sums].join(', ')} FROM ${part.table} WHERE ${buildConditions(query, part, addParameter)} GROUP BY ${groups}`;
  });
  return `(${selects.join(' UNION ALL ')}) AS sums`;
}

/** Builds the conditions for the range and the filters, and adds their values. */
function buildConditions({ filters }: RollupQuery, { table, time, from, to }: TableRange, addParameter: AddParameter): string {
  const values = Object.entries(dimensionColumns).flatMap(([dimension, column]) => {
    // `as`: the object has exactly the keys of its type.
    const value = filters[dimension as keyof typeof dimensionColumns];
    return value === undefined ? [] : [`${column} = ${addParameter(value)}`];
  });
  // The table's key starts with the hour. Listing each hour reads only the account's rows.
  const isByHour = (table === 'key_hours' || table === 'end_user_hours') && filters.account !== undefined;
  const rangeConditions = isByHour
    ? [
        `${time} IN (${Array.from({ length: Math.ceil((to - from) / HOUR_MS) }, (_, hour) => addParameter(from + hour * HOUR_MS)).join(', ')})`,
      ]
    : [`${time} >= ${addParameter(from)}`, `${time} < ${addParameter(to)}`];
  return [...rangeConditions, ...values].join(' AND ');
}

export function buildTopSql(query: RollupQuery, ranges: readonly TableRange[]): SqlStatement {
  const values: ReadValue[] = [];
  const addParameter = (value: ReadValue): string => `?${values.push(value)}`;
  const keys = query.by.map((dimension, index) => `${dimensionColumns[dimension]} AS k${index}`);
  const keyPositions = query.by.map((_, index) => index + 1).join(', ');
  const sql = `
    SELECT ${keys.join(', ')} FROM ${buildTotalsSql(query, ranges, ['charged', 'requests'], addParameter)}
    GROUP BY ${keyPositions} ORDER BY sum(charged) DESC, sum(requests) DESC, ${keyPositions} LIMIT ${addParameter(query.top)}`;
  return { sql, values };
}

export function buildPointsSql(query: RollupQuery, ranges: readonly TableRange[], topKeys: readonly (readonly string[])[]): SqlStatement {
  const values: ReadValue[] = [];
  const addParameter = (value: ReadValue): string => `?${values.push(value)}`;
  const cases = topKeys.map((keys, place) => {
    const keyConditions = keys.map((key, index) => `${dimensionColumns[query.by[index] ?? 'model']} = ${addParameter(key)}`);
    return `WHEN ${keyConditions.join(' AND ')} THEN ${place}`;
  });
  const seriesIndexSql = cases.length === 0 ? '0' : `CASE ${cases.join(' ')} ELSE ${topKeys.length} END`;
  // Weeks and months are combined from days in code, because the two databases count them differently.
  const stepMs = query.bucket === 'hour' ? HOUR_MS : DAY_MS;
  const names = ranges.every(({ table }) => hasTimes(table)) ? allSumNames : sumNames;
  const sql = `
    SELECT at - at % ${stepMs} AS at, ${seriesIndexSql} AS place,
      ${names.map((name) => `CAST(coalesce(sum(${name}), 0) AS BIGINT) AS ${name}`).join(', ')}
    FROM ${buildTotalsSql(query, ranges, names, addParameter)} GROUP BY 1, 2 ORDER BY 1`;
  return { sql, values };
}

const allSumNames: readonly string[] = [...rowSumExpressions.keys()];

function foldPoints(rows: readonly Row[], seriesIndex: number, { bucket }: RollupQuery): ReadonlyMap<number, Totals> {
  const points = new Map<number, Totals>();
  for (const row of rows) {
    if (Number(row.place) !== seriesIndex) continue;
    const at = getBucketStart(bucket, readNumber(row.at));
    const previous = points.get(at);
    points.set(at, previous ? addTotals(previous, readTotals(row)) : readTotals(row));
  }
  return points;
}

function readTotals(row: Row): Totals {
  const readCounts = (names: readonly string[]): number[] | null =>
    names[0] !== undefined && names[0] in row ? names.map((name) => readNumber(row[name])) : null;
  // `as`: one entry per name.
  const sums = Object.fromEntries(sumNames.map((name) => [name, readNumber(row[name])])) as Record<SumName, number>;
  const provider =
    'costed' in row
      ? { cost: readNumber(row.vendor_cost), requests: readNumber(row.costed), charged: readNumber(row.costed_charged) }
      : null;
  return { ...sums, first: readCounts(firstMsColumns), total: readCounts(totalMsColumns), provider };
}

const addCounts = (one: readonly number[] | null, other: readonly number[] | null): readonly number[] | null =>
  one && other && one.map((count, index) => count + (other[index] ?? 0));

function addTotals(one: Totals, other: Totals): Totals {
  // `as`: one entry per name.
  const sums = Object.fromEntries(sumNames.map((name) => [name, one[name] + other[name]])) as Record<SumName, number>;
  return {
    ...sums,
    first: addCounts(one.first, other.first),
    total: addCounts(one.total, other.total),
    provider: addProvider(one.provider, other.provider),
  };
}

function addProvider(one: ProviderTotals | null, other: ProviderTotals | null): ProviderTotals | null {
  if (!one || !other) return null;
  return { cost: one.cost + other.cost, requests: one.requests + other.requests, charged: one.charged + other.charged };
}

/** Adds up totals, starting with zero if there are none. Times and provider costs are null then. */
export function sumTotals(all: readonly Totals[]): Totals {
  const [first, ...rest] = all;
  if (first) return rest.reduce(addTotals, first);
  // `as`: one entry per name.
  return {
    ...(Object.fromEntries(sumNames.map((name) => [name, 0])) as Record<SumName, number>),
    first: null,
    total: null,
    provider: null,
  };
}
