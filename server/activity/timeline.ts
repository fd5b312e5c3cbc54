/** Sums over time: the top series of a question, and the rest as one. */
import { number, type Row, text } from '../storage/postgres/rows.ts';
import type { ReadValue } from '../storage/shared-reads.ts';
import { beginOf } from './buckets.ts';
import { firstColumns, percentile, totalColumns } from './histogram.ts';
import { columnOf, type Question, type Source } from './sources.ts';
import type { Ask } from './store.ts';
import { DAY_MS, DAYS_UNTIL, HOUR_MS, type Sum, sumNames, sumOf, timeSums, vendorSums } from './sums.ts';

/** Sums of calls; charges in micro-dollars. */
export interface Sums extends Readonly<Record<Sum, number>> {
  /** Calls by time, for `percentile`; null where it is not counted. */
  readonly first: readonly number[] | null;
  readonly total: readonly number[] | null;
  /** Of the calls whose vendor cost is known; null where it is not counted. Money in micro-dollars. */
  readonly vendor: VendorSums | null;
}

export interface VendorSums {
  readonly cost: number;
  readonly requests: number;
  readonly charged: number;
}

export interface Series {
  /** The values of the dimensions; empty for the rest, or where none was asked for. */
  readonly keys: readonly string[];
  readonly isOther: boolean;
  /** By the begin of their bucket, oldest first. */
  readonly points: ReadonlyMap<number, Sums>;
}

export async function readTimeline(ask: Ask, question: Question, source: Source): Promise<readonly Series[]> {
  const from = await withDays(ask, question, source);
  const tops = question.by.length === 0 ? [] : await readTop(ask, question, from);
  const { sql, values } = pointsSql(question, from, tops);
  const rows = await ask(sql, values);
  const series = [...tops.map((keys) => ({ keys, isOther: false })), { keys: [], isOther: question.by.length > 0 }];
  return series
    .map((one, place) => ({ ...one, points: foldPoints(rows, place, question) }))
    .filter(({ isOther, points }) => !isOther || points.size > 0);
}

/** Whole days that are over are read from the sums by day, if the answer has no hours. */
async function withDays(ask: Ask, { from, to, bucket }: Question, source: Source): Promise<Source> {
  if (source.table !== 'activity_hours' || bucket === 'hour' || from % DAY_MS !== 0) return source;
  const [row] = await ask(DAYS_UNTIL_SQL, []);
  return { ...source, daysUntil: Math.min(number(row?.until), to - (to % DAY_MS)) };
}
const DAYS_UNTIL_SQL = `SELECT CAST((${DAYS_UNTIL}) AS BIGINT) AS until`;

async function readTop(ask: Ask, question: Question, source: Source): Promise<readonly (readonly string[])[]> {
  const { sql, values } = topSql(question, source);
  return (await ask(sql, values)).map((row) => question.by.map((_, index) => text(row[`k${index}`])));
}

interface Statement {
  readonly sql: string;
  readonly values: readonly ReadValue[];
}

const sumIn = ({ table }: Source, name: Sum): string => (table === 'requests' ? sumOf(name) : `sum(${name})`);
const keyIn = ({ table }: Source, column: string): string => (table === 'requests' ? `coalesce(${column}, '')` : column);

type Given = (value: ReadValue) => string;

/** The table and its conditions, as they stand behind FROM. */
function tableOf(question: Question, source: Source, given: Given): string {
  const { table, daysUntil = 0 } = source;
  const { from, to } = question;
  if (daysUntil <= from) return `${table} WHERE ${conditionsOf(question, source, given)}`;
  const columns = ['model', 'upstream', 'operation', 'code', ...sumNames, ...timesIn(source).map(([name]) => name)].join(', ');
  const days = conditionsOf({ ...question, to: daysUntil }, { time: 'day' }, given);
  const hours = conditionsOf({ ...question, from: daysUntil, to }, { time: 'hour' }, given);
  return `(SELECT day AS hour, ${columns} FROM activity_days WHERE ${days} UNION ALL SELECT hour, ${columns} FROM activity_hours WHERE ${hours}) AS sums`;
}

/** The range and the filters, with their values. */
function conditionsOf(
  { from, to, filters }: Pick<Question, 'from' | 'to' | 'filters'>,
  { time }: Pick<Source, 'time'>,
  given: Given,
): string {
  const values = Object.entries(columnOf).flatMap(([dimension, column]) => {
    // `as`: the names of an object are those of its type.
    const value = filters[dimension as keyof typeof columnOf];
    return value === undefined ? [] : [`${column} = ${given(value)}`];
  });
  return [`${time} >= ${given(from)}`, `${time} < ${given(to)}`, ...values].join(' AND ');
}

export function topSql(question: Question, source: Source): Statement {
  const values: ReadValue[] = [];
  const given = (value: ReadValue): string => `?${values.push(value)}`;
  const keys = question.by.map((dimension, index) => `${keyIn(source, columnOf[dimension])} AS k${index}`);
  const places = question.by.map((_, index) => index + 1).join(', ');
  const sql = `
    SELECT ${keys.join(', ')} FROM ${tableOf(question, source, given)}
    GROUP BY ${places} ORDER BY ${sumIn(source, 'charged')} DESC, ${sumIn(source, 'requests')} DESC, ${places} LIMIT ${given(question.top)}`;
  return { sql, values };
}

export function pointsSql(question: Question, source: Source, tops: readonly (readonly string[])[]): Statement {
  const values: ReadValue[] = [];
  const given = (value: ReadValue): string => `?${values.push(value)}`;
  const cases = tops.map((keys, place) => {
    const isIt = keys.map((key, index) => `${keyIn(source, columnOf[question.by[index] ?? 'model'])} = ${given(key)}`);
    return `WHEN ${isIt.join(' AND ')} THEN ${place}`;
  });
  const place = cases.length === 0 ? '0' : `CASE ${cases.join(' ')} ELSE ${tops.length} END`;
  // Weeks and months are folded from days here: both databases count them in their own way.
  const step = question.bucket === 'hour' ? HOUR_MS : DAY_MS;
  const sums = [...sumNames.map((name) => [name, sumIn(source, name)] as const), ...timesIn(source)];
  const sql = `
    SELECT ${source.time} - ${source.time} % ${step} AS at, ${place} AS place,
      ${sums.map(([name, sum]) => `CAST(coalesce(${sum}, 0) AS BIGINT) AS ${name}`).join(', ')}
    FROM ${tableOf(question, source, given)} GROUP BY 1, 2 ORDER BY 1`;
  return { sql, values };
}

const hasTimes = ({ table }: Source): boolean => table === 'activity_hours' || table === 'requests';

function timesIn(source: Source): readonly (readonly [string, string])[] {
  if (!hasTimes(source)) return [];
  const all = [...timeSums, ...vendorSums];
  return source.table === 'requests' ? all : all.map(([name]) => [name, `sum(${name})`] as const);
}

function foldPoints(rows: readonly Row[], place: number, { bucket }: Question): ReadonlyMap<number, Sums> {
  const points = new Map<number, Sums>();
  for (const row of rows) {
    if (Number(row.place) !== place) continue;
    const at = beginOf(bucket, number(row.at));
    const before = points.get(at);
    points.set(at, before ? addSums(before, readSums(row)) : readSums(row));
  }
  return points;
}

function readSums(row: Row): Sums {
  const counts = (names: readonly string[]): number[] | null =>
    names[0] !== undefined && names[0] in row ? names.map((name) => number(row[name])) : null;
  // `as`: one entry for each name.
  const sums = Object.fromEntries(sumNames.map((name) => [name, number(row[name])])) as Record<Sum, number>;
  const vendor =
    'costed' in row ? { cost: number(row.vendor_cost), requests: number(row.costed), charged: number(row.costed_charged) } : null;
  return { ...sums, first: counts(firstColumns), total: counts(totalColumns), vendor };
}

const addCounts = (one: readonly number[] | null, other: readonly number[] | null): readonly number[] | null =>
  one && other && one.map((count, index) => count + (other[index] ?? 0));

export function addSums(one: Sums, other: Sums): Sums {
  // `as`: one entry for each name.
  const sums = Object.fromEntries(sumNames.map((name) => [name, one[name] + other[name]])) as Record<Sum, number>;
  return {
    ...sums,
    first: addCounts(one.first, other.first),
    total: addCounts(one.total, other.total),
    vendor: addVendor(one.vendor, other.vendor),
  };
}

function addVendor(one: VendorSums | null, other: VendorSums | null): VendorSums | null {
  if (!one || !other) return null;
  return { cost: one.cost + other.cost, requests: one.requests + other.requests, charged: one.charged + other.charged };
}

/** Sums of nothing; with columns of times where the others have them. */
export function sumAll(all: readonly Sums[]): Sums {
  const [first, ...rest] = all;
  if (first) return rest.reduce(addSums, first);
  // `as`: one entry for each name.
  return { ...(Object.fromEntries(sumNames.map((name) => [name, 0])) as Record<Sum, number>), first: null, total: null, vendor: null };
}

const MEDIAN = 0.5;
const SLOW = 0.95;

export function percentilesOf(counts: readonly number[] | null): { readonly p50: number; readonly p95: number } | null {
  if (counts === null) return null;
  const [p50, p95] = [percentile(counts, MEDIAN), percentile(counts, SLOW)];
  return p50 === null || p95 === null ? null : { p50, p95 };
}
