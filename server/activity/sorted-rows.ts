/** Rows of the request log in another order than newest first. A cursor carries the values that its row is sorted by, so that it needs no row that may be deleted meanwhile. */
import type { ReadValue } from '../storage/audit.ts';
import { asLogRow, columns, listRows, type RowQuery, rowConditions } from './reads.ts';
import type { Ask, LogRow } from './record.ts';

/** Their columns. */
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

interface Place {
  readonly value: number | null;
  readonly endedAt: number;
  readonly requestId: string;
}

const isNewestFirst = ({ sort, order }: RowOrder): boolean => sort === 'time' && order === 'desc';

/** Undefined when `after` is no cursor of this order. */
export async function listSorted(ask: Ask, page: SortedPage): Promise<readonly LogRow[] | undefined> {
  if (isNewestFirst(page)) return await listRows(ask, page);
  const place = page.after === undefined ? null : placeOf(page.after, page);
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

function placeOf(cursor: string, { sort, order }: RowOrder): Place | undefined {
  const [, ofSort, ofOrder, value = '', endedAt = '', requestId = ''] = CURSOR.exec(cursor) ?? [];
  if (ofSort !== sort || ofOrder !== order || (value === '' && sort !== 'charged')) return undefined;
  return { value: value === '' ? null : Number(value), endedAt: Number(endedAt), requestId };
}

/** Nulls come last in both orders; calls with the same value come newest first. Only the ids are sorted: with their details, rows are large. */
export function sortedSql(query: SortedPage, place: Place | null): { readonly sql: string; readonly values: readonly ReadValue[] } {
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

function laterThan({ value, endedAt, requestId }: Place, { sort, order }: RowOrder, given: (value: ReadValue) => string): string {
  const column = sortColumns[sort];
  const isOlder = `(ended_at, request_id) < (${given(endedAt)}, ${given(requestId)})`;
  if (value === null) return `(${column} IS NULL AND ${isOlder})`;
  const same = given(value);
  return `(${column} ${order === 'asc' ? '>' : '<'} ${same} OR (${column} = ${same} AND ${isOlder}) OR ${column} IS NULL)`;
}
