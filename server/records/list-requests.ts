/**
 * Finds, lists, and sorts rows of the request log. Each query is bounded by time or ID and uses an index; a test checks the query plans on both databases.
 */

import type { ReadValue } from '../store/audit.ts';
import { type Row, readNumber } from '../store/rows.ts';
import type { LogRow, Outcome } from './call-record.ts';
import { rowColumns } from './rollups.ts';
import type { ActivityStore, RecordsQuery, SqlStatement } from './store.ts';
import { DAY_MS } from './time-bucket.ts';

/** A process writes its buffered rows within this time, unless its store is slow. */
const MAX_WRITE_DELAY_MS = 2_000;
const columns = rowColumns.join(', ');

export async function findRequest(read: RecordsQuery, requestId: string): Promise<LogRow | undefined> {
  // PostgreSQL can't accept a NUL character, and no ID contains one.
  if (requestId.includes('\0')) return undefined;
  const [row] = await read(`SELECT ${columns} FROM requests WHERE request_id = ?1`, [requestId]);
  return row && toLogRow(row);
}

/** Selects rows. An omitted field doesn't filter. */
export interface RowQuery {
  /** Milliseconds since 1970. `from` is inclusive, `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly account_id?: string | undefined;
  readonly key_id?: string | undefined;
  readonly model?: string | undefined;
  readonly operation?: string | undefined;
  readonly upstream?: string | undefined;
  readonly session?: string | undefined;
  readonly end_user?: string | undefined;
  readonly tag?: string | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly slowerThanMs?: number | undefined;
  readonly costsOver?: bigint | undefined;
}

interface RowPage extends RowQuery {
  readonly limit: number;
  /** A request ID. The page starts after it, newest first. */
  readonly after?: string | undefined;
}

/** Columns that are filtered by a value of the query. */
const filterColumns = [
  ...(['account_id', 'key_id', 'model', 'operation', 'upstream', 'session', 'end_user', 'tag'] as const),
  ...(['status', 'code', 'outcome'] as const),
];

/** Lists rows newest first. Undefined if `after` isn't in the log. */
export async function listRequests(read: RecordsQuery, query: RowPage): Promise<readonly LogRow[] | undefined> {
  const cursor = query.after === undefined ? null : await findCursor(read, query.after);
  if (cursor === undefined) return undefined;
  const { sql, values } = buildRequestsSql(query, cursor);
  return (await read(sql, values)).map(toLogRow);
}

interface RowCursor {
  readonly endedAt: number;
  readonly id: number;
}

async function findCursor(read: RecordsQuery, requestId: string): Promise<RowCursor | undefined> {
  const [row] = await read('SELECT ended_at, id FROM requests WHERE request_id = ?1', [requestId]);
  return row && { endedAt: readNumber(row.ended_at), id: readNumber(row.id) };
}

export function buildRequestsSql(query: RowPage, cursor: RowCursor | null): SqlStatement {
  const values: ReadValue[] = [];
  const addParameter = (value: ReadValue): string => `?${values.push(value)}`;
  // SQLite can seek to the start of a page only by a single column of its index.
  const to = cursor === null ? query.to : Math.min(query.to, cursor.endedAt + 1);
  const conditions = [
    ...buildRowConditions({ ...query, to }, addParameter),
    ...(cursor === null ? [] : [`(ended_at, id) < (${addParameter(cursor.endedAt)}, ${addParameter(cursor.id)})`]),
  ];
  const sql = `SELECT ${columns} FROM requests WHERE ${conditions.join(' AND ')} ORDER BY ended_at DESC, id DESC LIMIT ${addParameter(query.limit)}`;
  return { sql, values };
}

/** `addParameter` adds a value to the statement and returns its parameter. */
const buildRowConditions = (query: RowQuery, addParameter: (value: ReadValue) => string): readonly string[] => [
  `ended_at >= ${addParameter(query.from)}`,
  `ended_at < ${addParameter(query.to)}`,
  ...filterColumns.flatMap((name) => (query[name] === undefined ? [] : `${name} = ${addParameter(query[name])}`)),
  ...(query.slowerThanMs === undefined ? [] : [`total_ms > ${addParameter(query.slowerThanMs)}`]),
  ...(query.costsOver === undefined ? [] : [`charged > ${addParameter(query.costsOver)}`]),
];

/** The sort keys of lists, and their values. A call without a charge costs nothing. */
const sortValues = {
  time: { sql: 'ended_at', of: ({ ended_at: endedAt }: LogRow) => endedAt },
  charged: { sql: 'coalesce(charged, 0)', of: ({ charged }: LogRow) => charged ?? 0 },
  duration: { sql: 'total_ms', of: ({ total_ms: ms }: LogRow) => ms },
} as const;
export interface RowOrder {
  readonly sort: keyof typeof sortValues;
  readonly order: 'asc' | 'desc';
}

interface SortedPage extends RowQuery, RowOrder {
  readonly limit: number;
  /** A cursor from `formatCursor`. */
  readonly after?: string | undefined;
}

interface SortCursor {
  readonly value: number;
  readonly endedAt: number;
  readonly requestId: string;
}

const isNewestFirst = ({ sort, order }: RowOrder): boolean => sort === 'time' && order === 'desc';

/**
 * Undefined if `after` isn't a cursor of this order. A cursor contains the sort values of its row, so that it works even if the row is
 * deleted.
 */
export async function listSortedRequests(read: RecordsQuery, page: SortedPage): Promise<readonly LogRow[] | undefined> {
  if (isNewestFirst(page)) return await listRequests(read, page);
  const cursor = page.after === undefined ? null : parseCursor(page.after, page);
  if (cursor === undefined) return undefined;
  const { sql, values } = buildSortedSql(page, cursor);
  return (await read(sql, values)).map(toLogRow);
}

/** Returns the cursor of the page after this row. With newest first, the cursor is the request ID. */
export function formatCursor(row: LogRow, rowOrder: RowOrder): string {
  if (isNewestFirst(rowOrder)) return row.request_id;
  return [rowOrder.sort, rowOrder.order, sortValues[rowOrder.sort].of(row), row.ended_at, row.request_id].join('.');
}

const CURSOR = /^([a-z]+)\.([a-z]+)\.(\d{1,15})\.(\d{1,15})\.([^\0]+)$/;

function parseCursor(cursor: string, { sort, order }: RowOrder): SortCursor | undefined {
  const [, cursorSort, cursorOrder, value = '', endedAt = '', requestId = ''] = CURSOR.exec(cursor) ?? [];
  if (cursorSort !== sort || cursorOrder !== order) return undefined;
  return { value: Number(value), endedAt: Number(endedAt), requestId };
}

/** Calls with the same value come newest first. Sorts only the IDs, because rows with details are large. */
export function buildSortedSql(query: SortedPage, cursor: SortCursor | null): SqlStatement {
  const values: ReadValue[] = [];
  const addParameter = (value: ReadValue): string => `?${values.push(value)}`;
  const orderBy = `${sortValues[query.sort].sql} ${query.order.toUpperCase()}, ended_at DESC, request_id DESC`;
  // When sorted by time, the index leads to the start of the page.
  const from = query.sort === 'time' && cursor !== null ? Math.max(query.from, cursor.endedAt) : query.from;
  const conditions = [
    ...buildRowConditions({ ...query, from }, addParameter),
    ...(cursor === null ? [] : [buildAfterCondition(cursor, query, addParameter)]),
  ];
  const ids = `SELECT id FROM requests WHERE ${conditions.join(' AND ')} ORDER BY ${orderBy} LIMIT ${addParameter(query.limit)}`;
  return { sql: `SELECT ${columns} FROM requests WHERE id IN (${ids}) ORDER BY ${orderBy}`, values };
}

function buildAfterCondition(
  { value, endedAt, requestId }: SortCursor,
  { sort, order }: RowOrder,
  addParameter: (value: ReadValue) => string,
): string {
  const { sql } = sortValues[sort];
  const olderCondition = `(ended_at, request_id) < (${addParameter(endedAt)}, ${addParameter(requestId)})`;
  const valueParameter = addParameter(value);
  return `(${sql} ${order === 'asc' ? '>' : '<'} ${valueParameter} OR (${sql} = ${valueParameter} AND ${olderCondition}))`;
}

function toLogRow(row: Row): LogRow {
  const cells = rowColumns.map((name) => [name, typeof row[name] === 'bigint' ? Number(row[name]) : row[name]]);
  // `as`: the table has these columns, and its counts and times stay far below 2^53.
  return Object.fromEntries(cells) as LogRow;
}

/** Reads the log of other processes, for commands. Calls of the last second may not be written yet. */
export function openActivityReader({ ask }: Pick<ActivityStore, 'ask'>, now: () => number, getRetentionDays: () => number) {
  return {
    ask,
    find: (requestId: string) => findRequest(ask, requestId),
    getCompleteUntil: () => now() - MAX_WRITE_DELAY_MS,
    getRowsFrom: () => now() - getRetentionDays() * DAY_MS,
  };
}
