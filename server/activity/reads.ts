/** Questions about rows of the request log. Each is bounded in time or by an id, and uses an index; a test reads their plans on both databases. */

import type { ReadValue } from '../storage/audit.ts';
import { number, numberOrNull, type Row, text, textOrNull } from '../storage/rows.ts';
import type { ActivityStore, Ask, LogRow, Outcome } from './record.ts';
import {
  beginOf,
  columnOf,
  DAY_MS,
  DAYS_UNTIL,
  firstColumns,
  HOUR,
  HOUR_MS,
  type Part,
  partsOf,
  percentile,
  type Question,
  rowColumns,
  rowSums,
  type Source,
  type Sum,
  sumNames,
  totalColumns,
} from './sums.ts';

/** A process writes what it holds within this time, unless its store is slow. */
const UNWRITTEN_MS = 2_000;
const columns = rowColumns.join(', ');

export async function findRow(ask: Ask, requestId: string): Promise<LogRow | undefined> {
  // PostgreSQL cannot take a zero character, and no id has one.
  if (requestId.includes('\0')) return undefined;
  const [row] = await ask(`SELECT ${columns} FROM requests WHERE request_id = ?1`, [requestId]);
  return row && asLogRow(row);
}

/** Which rows; a field that is absent does not filter. */
export interface RowQuery {
  /** Milliseconds since 1970; from inclusive, to exclusive. */
  readonly from: number;
  readonly to: number;
  readonly account_id?: string | undefined;
  readonly key_id?: string | undefined;
  readonly model?: string | undefined;
  readonly operation?: string | undefined;
  readonly upstream?: string | undefined;
  readonly session?: string | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly slowerThanMs?: number | undefined;
  readonly costsOver?: bigint | undefined;
}

interface RowPage extends RowQuery {
  readonly limit: number;
  /** A request id: the page starts after it, newest first. */
  readonly after?: string | undefined;
}

/** Columns that a value of the query is compared with. */
const filtered = ['account_id', 'key_id', 'model', 'operation', 'upstream', 'session', 'status', 'code', 'outcome'] as const;

/** Newest first; undefined when `after` is no row of the log. */
export async function listRows(ask: Ask, query: RowPage): Promise<readonly LogRow[] | undefined> {
  const place = query.after === undefined ? null : await placeOf(ask, query.after);
  if (place === undefined) return undefined;
  const { sql, values } = listSql(query, place);
  return (await ask(sql, values)).map(asLogRow);
}

interface Place {
  readonly endedAt: number;
  readonly id: number;
}

async function placeOf(ask: Ask, requestId: string): Promise<Place | undefined> {
  const [row] = await ask('SELECT ended_at, id FROM requests WHERE request_id = ?1', [requestId]);
  return row && { endedAt: number(row.ended_at), id: number(row.id) };
}

export function listSql(query: RowPage, place: Place | null): { readonly sql: string; readonly values: readonly ReadValue[] } {
  const values: ReadValue[] = [];
  const given = (value: ReadValue): string => `?${values.push(value)}`;
  // SQLite finds the beginning of a page in its index by the single column only.
  const to = place === null ? query.to : Math.min(query.to, place.endedAt + 1);
  const conditions = [
    ...rowConditions({ ...query, to }, given),
    ...(place === null ? [] : [`(ended_at, id) < (${given(place.endedAt)}, ${given(place.id)})`]),
  ];
  const sql = `SELECT ${columns} FROM requests WHERE ${conditions.join(' AND ')} ORDER BY ended_at DESC, id DESC LIMIT ${given(query.limit)}`;
  return { sql, values };
}

/** `given` adds a value to those of the statement, and returns its parameter. */
const rowConditions = (query: RowQuery, given: (value: ReadValue) => string): readonly string[] => [
  `ended_at >= ${given(query.from)}`,
  `ended_at < ${given(query.to)}`,
  ...filtered.flatMap((name) => (query[name] === undefined ? [] : `${name} = ${given(query[name])}`)),
  ...(query.slowerThanMs === undefined ? [] : [`total_ms > ${given(query.slowerThanMs)}`]),
  ...(query.costsOver === undefined ? [] : [`charged > ${given(query.costsOver)}`]),
];

/** What lists are sorted by, and its column. */
const sortColumns = { time: 'ended_at', charged: 'charged', duration: 'total_ms' } as const;
export interface RowOrder {
  readonly sort: keyof typeof sortColumns;
  readonly order: 'asc' | 'desc';
}

interface SortedPage extends RowQuery, RowOrder {
  readonly limit: number;
  /** As `cursorOf` wrote it. */
  readonly after?: string | undefined;
}

interface SortedPlace {
  readonly value: number | null;
  readonly endedAt: number;
  readonly requestId: string;
}

const isNewestFirst = ({ sort, order }: RowOrder): boolean => sort === 'time' && order === 'desc';

/** Undefined when `after` is no cursor of this order. A cursor carries the values that its row is sorted by, so that it needs no row that may be deleted meanwhile. */
export async function listSorted(ask: Ask, page: SortedPage): Promise<readonly LogRow[] | undefined> {
  if (isNewestFirst(page)) return await listRows(ask, page);
  const place = page.after === undefined ? null : readCursor(page.after, page);
  if (place === undefined) return undefined;
  const { sql, values } = sortedSql(page, place);
  return (await ask(sql, values)).map(asLogRow);
}

/** The cursor of the page after this row. Newest first, it is the id of the request. */
export function cursorOf(row: LogRow, by: RowOrder): string {
  if (isNewestFirst(by)) return row.request_id;
  const value = row[sortColumns[by.sort]];
  return [by.sort, by.order, value ?? '', row.ended_at, row.request_id].join('.');
}

const CURSOR = /^([a-z]+)\.([a-z]+)\.(\d{0,15})\.(\d{1,15})\.([^\0]+)$/;

function readCursor(cursor: string, { sort, order }: RowOrder): SortedPlace | undefined {
  const [, ofSort, ofOrder, value = '', endedAt = '', requestId = ''] = CURSOR.exec(cursor) ?? [];
  if (ofSort !== sort || ofOrder !== order || (value === '' && sort !== 'charged')) return undefined;
  return { value: value === '' ? null : Number(value), endedAt: Number(endedAt), requestId };
}

/** Nulls come last in both orders; calls with the same value come newest first. Only the ids are sorted: with their details, rows are large. */
export function sortedSql(query: SortedPage, place: SortedPlace | null): { readonly sql: string; readonly values: readonly ReadValue[] } {
  const values: ReadValue[] = [];
  const given = (value: ReadValue): string => `?${values.push(value)}`;
  const column = sortColumns[query.sort];
  const ordered = `${column} ${query.order.toUpperCase()} NULLS LAST, ended_at DESC, request_id DESC`;
  // By time, the index leads to the beginning of the page.
  const from = query.sort === 'time' && place !== null ? Math.max(query.from, place.endedAt) : query.from;
  const conditions = [...rowConditions({ ...query, from }, given), ...(place === null ? [] : [laterThan(place, query, given)])];
  const ids = `SELECT id FROM requests WHERE ${conditions.join(' AND ')} ORDER BY ${ordered} LIMIT ${given(query.limit)}`;
  return { sql: `SELECT ${columns} FROM requests WHERE id IN (${ids}) ORDER BY ${ordered}`, values };
}

function laterThan({ value, endedAt, requestId }: SortedPlace, { sort, order }: RowOrder, given: (value: ReadValue) => string): string {
  const column = sortColumns[sort];
  const isOlder = `(ended_at, request_id) < (${given(endedAt)}, ${given(requestId)})`;
  if (value === null) return `(${column} IS NULL AND ${isOlder})`;
  const same = given(value);
  const orNull = sort === 'charged' ? ` OR ${column} IS NULL` : '';
  return `(${column} ${order === 'asc' ? '>' : '<'} ${same} OR (${column} = ${same} AND ${isOlder})${orNull})`;
}

function asLogRow(row: Row): LogRow {
  return {
    request_id: text(row.request_id),
    ended_at: number(row.ended_at),
    account_id: textOrNull(row.account_id),
    key_id: textOrNull(row.key_id),
    model: textOrNull(row.model),
    operation: textOrNull(row.operation),
    upstream: textOrNull(row.upstream),
    session: textOrNull(row.session),
    status: number(row.status),
    code: textOrNull(row.code),
    // Written by `rowOf`, whose type it has.
    outcome: text(row.outcome) as Outcome,
    is_stream: number(row.is_stream) === 1 ? 1 : 0,
    attempts: number(row.attempts),
    first_ms: numberOrNull(row.first_ms),
    total_ms: number(row.total_ms),
    input: number(row.input),
    cached_input: number(row.cached_input),
    cache_write: number(row.cache_write),
    output: number(row.output),
    images: number(row.images),
    charged: numberOrNull(row.charged),
    missed: numberOrNull(row.missed),
    vendor_cost: numberOrNull(row.vendor_cost),
    repeats: number(row.repeats),
    details: text(row.details),
  };
}

/** The log of other processes, for commands: those may hold calls of the last second that are not written. */
export function readActivity({ ask }: Pick<ActivityStore, 'ask'>, now: () => number, keptDays: () => number) {
  return {
    ask,
    find: (requestId: string) => findRow(ask, requestId),
    completeUntil: () => now() - UNWRITTEN_MS,
    rowsFrom: () => now() - keptDays() * DAY_MS,
  };
}

/** Sums of calls; charges in micro-dollars. */
export interface Sums extends Readonly<Record<Sum, number>> {
  /** Calls by time, for `percentile`; null where it is not counted. */
  readonly first: readonly number[] | null;
  readonly total: readonly number[] | null;
  /** Totals of the calls with a known provider cost, in micro-dollars. Null if it isn't counted. */
  readonly provider: ProviderSums | null;
}

interface ProviderSums {
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
  const parts = partsOf(question, source, await daysUntil(ask, question, source));
  const tops = question.by.length === 0 ? [] : await readTop(ask, question, parts);
  const { sql, values } = pointsSql(question, parts, tops);
  const rows = await ask(sql, values);
  const series = [...tops.map((keys) => ({ keys, isOther: false })), { keys: [], isOther: question.by.length > 0 }];
  return series
    .map((one, place) => ({ ...one, points: foldPoints(rows, place, question) }))
    .filter(({ isOther, points }) => !isOther || points.size > 0);
}

/** Until when whole days are read from the sums by day. Those of accounts and keys have today as well; the others are made when a day is over. */
async function daysUntil(ask: Ask, { to, bucket, isOpen }: Question, { days }: Source): Promise<number> {
  if (bucket === 'hour' || days === undefined) return 0;
  const lastDay = beginOf('day', to);
  if (days !== 'activity_days') return isOpen ? lastDay + DAY_MS : lastDay;
  const [row] = await ask(DAYS_UNTIL_SQL, []);
  return Math.min(number(row?.until), lastDay);
}
const DAYS_UNTIL_SQL = `SELECT CAST((${DAYS_UNTIL}) AS BIGINT) AS until`;

async function readTop(ask: Ask, question: Question, parts: readonly Part[]): Promise<readonly (readonly string[])[]> {
  const { sql, values } = topSql(question, parts);
  return (await ask(sql, values)).map((row) => question.by.map((_, index) => text(row[`k${index}`])));
}

interface Statement {
  readonly sql: string;
  readonly values: readonly ReadValue[];
}

type Given = (value: ReadValue) => string;

/**
 * These sums of each hour or day of a part, as they stand behind FROM. The database sums within a part, where it need not copy the rows, and by the time
 * first, as the rows of most tables lie, where it need not sort them.
 */
function sumsOf(question: Question, parts: readonly Part[], names: readonly string[], given: Given): string {
  const selects = parts.map((part) => {
    const isRows = part.table === 'requests';
    const columns = question.by.map((dimension) => columnOf[dimension]);
    const keys = [
      `${isRows ? HOUR : part.time} AS at`,
      ...columns.map((column) => (isRows ? `coalesce(${column}, '') AS ${column}` : column)),
    ];
    const sums = names.map((name) => `${isRows ? rowSums.get(name) : `sum(${name})`} AS ${name}`);
    const groups = keys.map((_, index) => index + 1).join(', ');
    return `SELECT ${[...keys, ...sums].join(', ')} FROM ${part.table} WHERE ${conditionsOf(question, part, given)} GROUP BY ${groups}`;
  });
  return `(${selects.join(' UNION ALL ')}) AS sums`;
}

/** The range and the filters, with their values. */
function conditionsOf({ filters }: Question, { table, time, from, to }: Part, given: Given): string {
  const values = Object.entries(columnOf).flatMap(([dimension, column]) => {
    // `as`: the names of an object are those of its type.
    const value = filters[dimension as keyof typeof columnOf];
    return value === undefined ? [] : [`${column} = ${given(value)}`];
  });
  // Its key begins with the hour: hour by hour, only the rows of the account are read.
  const isByHour = table === 'key_hours' && filters.account !== undefined;
  const range = isByHour
    ? [`${time} IN (${Array.from({ length: Math.ceil((to - from) / HOUR_MS) }, (_, hour) => given(from + hour * HOUR_MS)).join(', ')})`]
    : [`${time} >= ${given(from)}`, `${time} < ${given(to)}`];
  return [...range, ...values].join(' AND ');
}

export function topSql(question: Question, parts: readonly Part[]): Statement {
  const values: ReadValue[] = [];
  const given = (value: ReadValue): string => `?${values.push(value)}`;
  const keys = question.by.map((dimension, index) => `${columnOf[dimension]} AS k${index}`);
  const places = question.by.map((_, index) => index + 1).join(', ');
  const sql = `
    SELECT ${keys.join(', ')} FROM ${sumsOf(question, parts, ['charged', 'requests'], given)}
    GROUP BY ${places} ORDER BY sum(charged) DESC, sum(requests) DESC, ${places} LIMIT ${given(question.top)}`;
  return { sql, values };
}

export function pointsSql(question: Question, parts: readonly Part[], tops: readonly (readonly string[])[]): Statement {
  const values: ReadValue[] = [];
  const given = (value: ReadValue): string => `?${values.push(value)}`;
  const cases = tops.map((keys, place) => {
    const isIt = keys.map((key, index) => `${columnOf[question.by[index] ?? 'model']} = ${given(key)}`);
    return `WHEN ${isIt.join(' AND ')} THEN ${place}`;
  });
  const place = cases.length === 0 ? '0' : `CASE ${cases.join(' ')} ELSE ${tops.length} END`;
  // Weeks and months are folded from days here: both databases count them in their own way.
  const step = question.bucket === 'hour' ? HOUR_MS : DAY_MS;
  const names = parts.some(({ table }) => isByKey(table)) ? sumNames : allNames;
  const sql = `
    SELECT at - at % ${step} AS at, ${place} AS place,
      ${names.map((name) => `CAST(coalesce(sum(${name}), 0) AS BIGINT) AS ${name}`).join(', ')}
    FROM ${sumsOf(question, parts, names, given)} GROUP BY 1, 2 ORDER BY 1`;
  return { sql, values };
}

/** Tables of accounts and keys have neither times nor what providers bill. */
const isByKey = (table: Part['table']): boolean => table === 'key_hours' || table === 'account_days' || table === 'key_days';
const allNames: readonly string[] = [...rowSums.keys()];

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
  const provider =
    'costed' in row ? { cost: number(row.vendor_cost), requests: number(row.costed), charged: number(row.costed_charged) } : null;
  return { ...sums, first: counts(firstColumns), total: counts(totalColumns), provider };
}

const addCounts = (one: readonly number[] | null, other: readonly number[] | null): readonly number[] | null =>
  one && other && one.map((count, index) => count + (other[index] ?? 0));

function addSums(one: Sums, other: Sums): Sums {
  // `as`: one entry for each name.
  const sums = Object.fromEntries(sumNames.map((name) => [name, one[name] + other[name]])) as Record<Sum, number>;
  return {
    ...sums,
    first: addCounts(one.first, other.first),
    total: addCounts(one.total, other.total),
    provider: addProvider(one.provider, other.provider),
  };
}

function addProvider(one: ProviderSums | null, other: ProviderSums | null): ProviderSums | null {
  if (!one || !other) return null;
  return { cost: one.cost + other.cost, requests: one.requests + other.requests, charged: one.charged + other.charged };
}

/** Sums of nothing; with columns of times where the others have them. */
export function sumAll(all: readonly Sums[]): Sums {
  const [first, ...rest] = all;
  if (first) return rest.reduce(addSums, first);
  // `as`: one entry for each name.
  return { ...(Object.fromEntries(sumNames.map((name) => [name, 0])) as Record<Sum, number>), first: null, total: null, provider: null };
}

const MEDIAN = 0.5;
const SLOW = 0.95;

export function percentilesOf(counts: readonly number[] | null): { readonly p50: number; readonly p95: number } | null {
  if (counts === null) return null;
  const [p50, p95] = [percentile(counts, MEDIAN), percentile(counts, SLOW)];
  return p50 === null || p95 === null ? null : { p50, p95 };
}

export interface ModelUse {
  readonly requests: number;
  /** In micro-dollars. */
  readonly charged: bigint;
  /** Of the calls whose provider cost is known. */
  readonly provider: { readonly requests: number; readonly cost: bigint; readonly charged: bigint };
  /** Begin of the last hour in which a call ended, in milliseconds since 1970. */
  readonly lastHour: number;
}

/** By the id of the model; without those that nobody called. `since`: milliseconds since 1970, counted from the begin of its hour. */
export async function readModelUse(ask: Ask, since: number): Promise<ReadonlyMap<string, ModelUse>> {
  const rows = await ask(
    `SELECT model, CAST(sum(requests) AS BIGINT) AS requests, CAST(sum(charged) AS BIGINT) AS charged, max(hour) AS last_hour,
       CAST(sum(costed) AS BIGINT) AS costed, CAST(sum(vendor_cost) AS BIGINT) AS vendor_cost, CAST(sum(costed_charged) AS BIGINT) AS costed_charged
     FROM activity_hours WHERE hour >= ?1 GROUP BY model`,
    [since - (since % HOUR_MS)],
  );
  return new Map(
    rows.map((row) => [
      text(row.model),
      {
        requests: number(row.requests),
        charged: BigInt(number(row.charged)),
        lastHour: number(row.last_hour),
        provider: { requests: number(row.costed), cost: BigInt(number(row.vendor_cost)), charged: BigInt(number(row.costed_charged)) },
      },
    ]),
  );
}

interface UpstreamUse {
  readonly requests: number;
  readonly errors: number;
}

/** By the name of the upstream; without those that nobody called. `since`: milliseconds since 1970, counted from the begin of its hour. */
export async function readUpstreamUse(ask: Ask, since: number): Promise<ReadonlyMap<string, UpstreamUse>> {
  const rows = await ask(
    `SELECT upstream, CAST(sum(requests) AS BIGINT) AS requests, CAST(sum(errors) AS BIGINT) AS errors
     FROM activity_hours WHERE hour >= ?1 GROUP BY upstream`,
    [since - (since % HOUR_MS)],
  );
  return new Map(rows.map((row) => [text(row.upstream), { requests: number(row.requests), errors: number(row.errors) }]));
}
