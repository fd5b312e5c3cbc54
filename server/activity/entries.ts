/** Finds lines of the ledger by their time. They have no index by time or transfer, on purpose; their ids ascend with time, so halving finds a place among millions. */
import { integer, number, numberOrNull, text } from '../storage/postgres/rows.ts';
import type { Ask } from './store.ts';
import { HOUR_MS } from './sums.ts';

export interface EntryRow {
  readonly id: number;
  readonly transfer: string;
  readonly book: string;
  readonly kind: string;
  /** In micro-dollars. */
  readonly amount: bigint;
  readonly at: number;
}

/** Clocks of processes differ, and a transaction takes its time: entries of one minute may have ids of the next. */
const DISORDER_MS = 60_000;

/** Entries in one look. */
const NEAR = 64;
/** A few entries at once: one alone may be of an outbox, and older than its neighbours. */
const WINDOW = `
  SELECT max(created_at) AS newest, max(id) AS last
  FROM (SELECT id, created_at FROM entries WHERE id >= ?1 ORDER BY id LIMIT ${NEAR}) AS near`;

/** An id before which no entry of this time or a later one is, as far as ids ascend with time; at most a look too early. */
export async function firstEntryAt(ask: Ask, at: number): Promise<number> {
  let [low, high] = await boundsOf(ask, at);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await ask(WINDOW, [middle]);
    const newest = numberOrNull(row?.newest ?? null);
    if (newest !== null && newest < at) low = number(row?.last) + 1;
    else high = middle;
  }
  return low;
}

/** An id from which on no entry of this time or an earlier one is. */
export const lastEntryAt = async (ask: Ask, at: number): Promise<number> => (await firstEntryAt(ask, at)) + NEAR;

/** One more than the newest id. */
export async function endOfEntries(ask: Ask): Promise<number> {
  const [newest] = await ask('SELECT max(id) AS id FROM entries', []);
  return (numberOrNull(newest?.id ?? null) ?? 0) + 1;
}

/** The hours that were compared know their first entry. */
async function boundsOf(ask: Ask, at: number): Promise<readonly [number, number]> {
  const [low] = await ask('SELECT first_entry FROM activity_checks WHERE hour <= ?1 ORDER BY hour DESC LIMIT 1', [at - 2 * HOUR_MS]);
  const [high] = await ask('SELECT first_entry FROM activity_checks WHERE hour >= ?1 ORDER BY hour LIMIT 1', [at + 2 * HOUR_MS]);
  return [low ? number(low.first_entry) : 1, high ? number(high.first_entry) : await endOfEntries(ask)];
}

const COLUMNS = 'id, transfer, book, kind, amount, created_at';

/** The lines of one charge, by the time when it was settled. One from the outbox was booked later than that. */
export async function entriesOf(ask: Ask, requestId: string, settledAt: number): Promise<readonly EntryRow[]> {
  const first = await firstEntryAt(ask, settledAt - DISORDER_MS);
  const end = await lastEntryAt(ask, settledAt + DISORDER_MS);
  const sql = `SELECT ${COLUMNS} FROM entries WHERE id >= ?1 AND id < ?2 AND transfer = ?3 ORDER BY id`;
  const near = await ask(sql, [first, end, requestId]);
  const rows =
    near.length > 0 ? near : await ask(`SELECT ${COLUMNS} FROM entries WHERE id >= ?1 AND transfer = ?2 ORDER BY id`, [end, requestId]);
  return rows.map((row) => ({
    id: number(row.id),
    transfer: text(row.transfer),
    book: text(row.book),
    kind: text(row.kind),
    amount: integer(row.amount),
    at: number(row.created_at),
  }));
}
