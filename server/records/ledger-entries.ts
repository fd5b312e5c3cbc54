/** Finds the ledger entries of a time or a request by binary search over their IDs. */

import { readInteger, readNumber, readNumberOrNull, readText } from '../store/rows.ts';
import type { RecordsQuery } from './store.ts';
import { HOUR_MS } from './time-bucket.ts';

/** Entries of one minute can have IDs of the next, because the clocks of processes differ and transactions take time. */
const DISORDER_MS = 60_000;

/** Entries per read. */
const SEARCH_WINDOW = 64;

/** Reads a few entries at once, because a single one may be from an outbox and older than its neighbors. */
const READ_WINDOW = `
  SELECT max(created_at) AS newest, max(id) AS last
  FROM (SELECT id, created_at FROM entries WHERE id >= ?1 ORDER BY id LIMIT ${SEARCH_WINDOW}) AS near`;

/** Returns an ID at or before the first entry of this time, if IDs ascend with time. It's early by at most one read. */
export async function findFirstEntryAt(read: RecordsQuery, at: number): Promise<number> {
  let [low, high] = await findEntryBounds(read, at);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await read(READ_WINDOW, [middle]);
    const newestTime = readNumberOrNull(row?.newest ?? null);
    if (newestTime !== null && newestTime < at) low = readNumber(row?.last) + 1;
    else high = middle;
  }
  return low;
}

/** Returns an ID above all entries of this time or earlier. */
export const findLastEntryAt = async (read: RecordsQuery, at: number): Promise<number> =>
  (await findFirstEntryAt(read, at)) + SEARCH_WINDOW;

/** Returns the newest ID plus one. */
export async function findEntriesEnd(read: RecordsQuery): Promise<number> {
  const [newestRow] = await read('SELECT max(id) AS id FROM entries', []);
  return (readNumberOrNull(newestRow?.id ?? null) ?? 0) + 1;
}

/** Narrows the search with the first entries of compared hours. */
async function findEntryBounds(read: RecordsQuery, at: number): Promise<readonly [number, number]> {
  const [lowRow] = await read('SELECT first_entry FROM activity_checks WHERE hour <= ?1 ORDER BY hour DESC LIMIT 1', [at - 2 * HOUR_MS]);
  const [highRow] = await read('SELECT first_entry FROM activity_checks WHERE hour >= ?1 ORDER BY hour LIMIT 1', [at + 2 * HOUR_MS]);
  return [lowRow ? readNumber(lowRow.first_entry) : 1, highRow ? readNumber(highRow.first_entry) : await findEntriesEnd(read)];
}

const COLUMNS = 'id, transfer, book, kind, amount, created_at';

/** Lists the entries of one charge, starting at the time it was settled. An entry from the outbox was posted later. */
export async function listLedgerEntries(read: RecordsQuery, requestId: string, settledAt: number) {
  const first = await findFirstEntryAt(read, settledAt - DISORDER_MS);
  const end = await findLastEntryAt(read, settledAt + DISORDER_MS);
  const sql = `SELECT ${COLUMNS} FROM entries WHERE id >= ?1 AND id < ?2 AND transfer = ?3 ORDER BY id`;
  const nearRows = await read(sql, [first, end, requestId]);
  const rows =
    nearRows.length > 0
      ? nearRows
      : await read(`SELECT ${COLUMNS} FROM entries WHERE id >= ?1 AND transfer = ?2 ORDER BY id`, [end, requestId]);
  return rows.map((row) => ({
    id: readNumber(row.id),
    transfer: readText(row.transfer),
    book: readText(row.book),
    kind: readText(row.kind),
    amount: readInteger(row.amount),
    at: readNumber(row.created_at),
  }));
}
