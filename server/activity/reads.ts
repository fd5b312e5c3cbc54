/** Questions about rows of the request log. Each is bounded in time or by an id, and uses an index; a test reads their plans on both databases. */
import { number, numberOrNull, type Row, text, textOrNull } from '../storage/postgres/rows.ts';
import type { ReadValue } from '../storage/shared-reads.ts';
import type { LogRow, Outcome } from './record.ts';
import type { ActivityStore, Ask } from './store.ts';
import { DAY_MS, rowColumns } from './sums.ts';

/** A process writes what it holds within this time, unless its store is slow. */
const UNWRITTEN_MS = 2_000;
const COLUMNS = rowColumns.join(', ');

export async function findRow(ask: Ask, requestId: string): Promise<LogRow | undefined> {
  // PostgreSQL cannot take a zero character, and no id has one.
  if (requestId.includes('\0')) return undefined;
  const [row] = await ask(`SELECT ${COLUMNS} FROM requests WHERE request_id = ?1`, [requestId]);
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
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly slowerThanMs?: number | undefined;
  readonly costsOver?: bigint | undefined;
}

export interface RowPage extends RowQuery {
  readonly limit: number;
  /** A request id: the page starts after it, newest first. */
  readonly after?: string | undefined;
}

/** Columns that a value of the query is compared with. */
const filtered = ['account_id', 'key_id', 'model', 'operation', 'upstream', 'status', 'code', 'outcome'] as const;

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
  const conditions = [
    `ended_at >= ${given(query.from)}`,
    `ended_at < ${given(query.to)}`,
    ...filtered.flatMap((name) => (query[name] === undefined ? [] : `${name} = ${given(query[name])}`)),
    ...(query.slowerThanMs === undefined ? [] : [`total_ms > ${given(query.slowerThanMs)}`]),
    ...(query.costsOver === undefined ? [] : [`charged > ${given(query.costsOver)}`]),
    ...(place === null ? [] : [`(ended_at, id) < (${given(place.endedAt)}, ${given(place.id)})`]),
  ];
  const sql = `SELECT ${COLUMNS} FROM requests WHERE ${conditions.join(' AND ')} ORDER BY ended_at DESC, id DESC LIMIT ${given(query.limit)}`;
  return { sql, values };
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
