/** Charges and payments of one account, newest first: from charges by account, and from the index of the entries that operators made. Bounded by the page. */

import type { ReadValue } from '../storage/audit.ts';
import { integer, number, numberOrNull, type Row, text, textOrNull } from '../storage/rows.ts';
import { OF_OPERATORS, OF_OWNERS } from '../storage/tables.ts';
import type { Ask } from './record.ts';
import { HOUR_MS } from './sums.ts';

export interface MoneyLine {
  readonly id: string;
  readonly kind: 'charge' | 'top_up' | 'refund' | 'correction';
  /** Amount in micro-dollars. Negative for debits. */
  readonly amount: bigint;
  readonly source: string;
  readonly model: string | null;
  readonly keyId: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface StatementQuestion {
  readonly accountId: string;
  /** Milliseconds since 1970: `from` inclusive, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  /** Id of the line after which to continue. */
  readonly after?: string | undefined;
}

/** Both parts have the order (time, id), so a page is the newest lines of both. */
export const CHARGES_SQL = `
  SELECT request_id AS id, 'charge' AS kind, -charged AS amount, source, model, key_id, created_at
  FROM charges WHERE account_id = ?1 AND created_at >= ?2 AND created_at <= ?3 AND charged > 0
    AND (created_at < ?3 OR request_id < ?4)
  ORDER BY created_at DESC, request_id DESC LIMIT ?5`;
export const PAYMENTS_SQL = `
  SELECT transfer AS id, kind, amount, 'balance' AS source, NULL AS model, NULL AS key_id, created_at
  FROM entries WHERE book = ?1 AND ${OF_OPERATORS} AND created_at >= ?2 AND created_at <= ?3
    AND (created_at < ?3 OR transfer < ?4)
  ORDER BY created_at DESC, transfer DESC LIMIT ?5`;
const CHARGE_AT = 'SELECT created_at FROM charges WHERE request_id = ?1 AND account_id = ?2';
const PAYMENT_AT = `SELECT created_at FROM entries WHERE transfer = ?1 AND book = ?2 AND ${OF_OPERATORS}`;

/** Undefined when `after` is no line of this account. */
export async function readStatement(ask: Ask, question: StatementQuestion): Promise<readonly MoneyLine[] | undefined> {
  const { accountId, from, to, limit, after } = question;
  const book = `account:${accountId}`;
  // No id is below an empty text, so the end of the range is not part of it.
  const end = after === undefined ? { at: to, id: '' } : await placeOf(ask, after, { accountId, book });
  if (end === undefined) return undefined;
  const [at, id] = end.at >= to ? [to, ''] : [end.at, end.id];
  const [charges, payments] = await Promise.all([
    ask(CHARGES_SQL, [accountId, from, at, id, limit]),
    ask(PAYMENTS_SQL, [book, from, at, id, limit]),
  ]);
  const lines = [...charges, ...payments].map((row) => ({
    id: text(row.id),
    // `as`: the questions select these kinds alone.
    kind: text(row.kind) as MoneyLine['kind'],
    amount: integer(row.amount),
    source: text(row.source),
    model: textOrNull(row.model ?? null),
    keyId: textOrNull(row.key_id ?? null),
    at: number(row.created_at),
  }));
  return lines.toSorted(newestFirst).slice(0, limit);
}

const newestFirst = (one: MoneyLine, other: MoneyLine): number => other.at - one.at || (one.id < other.id ? 1 : -1);

interface Owner {
  readonly accountId: string;
  readonly book: string;
}

async function placeOf(ask: Ask, id: string, { accountId, book }: Owner): Promise<{ at: number; id: string } | undefined> {
  const [found] = [...(await ask(CHARGE_AT, [id, accountId])), ...(await ask(PAYMENT_AT, [id, book]))];
  return found && { at: number(found.created_at), id };
}

/** `subscription`: a charge that a subscription paid; it leaves the balance as it is. */
export const entryKinds = ['charge', 'subscription', 'top_up', 'refund', 'correction'] as const;
type StatementKind = (typeof entryKinds)[number];

export interface StatementQuery {
  readonly accountId: string;
  /** Milliseconds since 1970; from inclusive, to exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly kind?: StatementKind | undefined;
  readonly limit: number;
  /** Id of an entry of this account: the page starts after it. */
  readonly after?: number | undefined;
  /** The balance after that entry, where it is known: a long export need not sum all newer entries again for each page. */
  readonly balance?: bigint | undefined;
  /** Id of the newest entry to read: what was posted since then is omitted. */
  readonly newest?: number | undefined;
}

export interface StatementLine {
  readonly id: number;
  readonly at: number;
  readonly kind: StatementKind;
  /** Amount in micro-dollars. Negative for debits. */
  readonly amount: bigint;
  readonly balanceAfter: bigint;
  readonly note: string | null;
  /** The id of the request, or of the transfer. */
  readonly transfer: string;
}

interface Place {
  readonly at: number;
  readonly id: number;
}

interface Statement {
  readonly sql: string;
  readonly values: readonly ReadValue[];
}

/** Subscriptions in one statement; SQLite joins at most 500 parts. */
const BOOKS_AT_ONCE = 100;
const END = Number.MAX_SAFE_INTEGER;

/** Undefined when `after` is no entry of the account. */
export async function readAccountStatement(ask: Ask, query: StatementQuery): Promise<readonly StatementLine[] | undefined> {
  const books = await booksOf(ask, query);
  const place = query.after === undefined ? { at: END, id: END } : await placeOfEntry(ask, query.after, query.accountId);
  if (place === undefined) return undefined;
  const rows: Row[] = [];
  for (let at = 0; at < books.length; at += BOOKS_AT_ONCE) {
    const { sql, values } = pageSql(books.slice(at, at + BOOKS_AT_ONCE), query, place);
    rows.push(...(await ask(sql, values)));
  }
  const page = rows.toSorted(newestEntryFirst).slice(0, query.limit);
  if (page.length === 0) return [];
  const start = query.balance === undefined ? undefined : place;
  const { sql, values } = balancesSql(query.accountId, page.map(asPlace), { start, newest: query.newest });
  return withBalances(page, await ask(sql, values), query.balance);
}

const accountBook = (accountId: string): string => `account:${accountId}`;

/** Operators change only balances. What a subscription paid is in its own book. */
async function booksOf(ask: Ask, { accountId, kind }: StatementQuery): Promise<readonly string[]> {
  const own = kind === 'subscription' ? [] : [accountBook(accountId)];
  if (kind !== undefined && kind !== 'subscription') return own;
  const rows = await ask('SELECT id FROM subscriptions WHERE account_id = ?1', [accountId]);
  return [...own, ...rows.map(({ id }) => `subscription:${text(id)}`)];
}

async function placeOfEntry(ask: Ask, id: number, accountId: string): Promise<Place | undefined> {
  const [row] = await ask(
    `SELECT id, created_at FROM entries WHERE id = ?1
     AND (book = ?2 OR book IN (SELECT 'subscription:' || id FROM subscriptions WHERE account_id = ?3))`,
    [id, accountBook(accountId), accountId],
  );
  return row && asPlace(row);
}

const asPlace = (row: Row): Place => ({ at: number(row.created_at), id: number(row.id) });

function newestEntryFirst(one: Row, other: Row): number {
  const [here, there] = [asPlace(one), asPlace(other)];
  return there.at - here.at || there.id - here.id;
}

/** Each book by its index, so that no page reads more rows than it shows of each. */
export function pageSql(
  books: readonly string[],
  { from = 0, to = END, kind, limit, newest = END }: StatementQuery,
  place: Place,
): Statement {
  // SQLite finds the beginning of a page in its index by the single column only.
  const values: ReadValue[] = [from, Math.min(to, place.at + 1), place.at, place.id, limit, newest];
  const isOfOperators = kind === 'top_up' || kind === 'refund' || kind === 'correction';
  const ofKind = isOfOperators
    ? ` AND ${OF_OPERATORS} AND kind = '${kind}'`
    : ` AND ${OF_OWNERS}${kind === 'charge' ? " AND kind = 'charge'" : ''}`;
  const parts = books.map(
    (book) => `SELECT * FROM (
      SELECT id, transfer, kind, book, amount, note, created_at FROM entries
      WHERE book = ?${values.push(book)}${ofKind} AND created_at >= ?1 AND created_at < ?2 AND (created_at, id) < (?3, ?4) AND id <= ?6
      ORDER BY created_at DESC, id DESC LIMIT ?5) AS part`,
  );
  return { sql: parts.join(' UNION ALL '), values };
}

interface Since {
  /** The place after which the page begins, where the balance there is known. */
  readonly start?: Place | undefined;
  /** Id of the newest entry that counts. */
  readonly newest?: number | undefined;
}

/** One statement, so that the balance and the entries are those of one moment. Between two lines of a page, each entry is read once. */
export function balancesSql(accountId: string, places: readonly Place[], { start = { at: END, id: END }, newest }: Since = {}): Statement {
  // Numbers of the database, so they may stand in the text.
  const rows = places.map(({ at, id }, index) => {
    const before = places[index - 1] ?? start;
    return `(${index}, ${at}, ${id}, ${before.at}, ${before.id})`;
  });
  const book = `book = ?2 AND ${OF_OWNERS}`;
  const later = newest === undefined ? '' : ` - coalesce((SELECT sum(amount) FROM entries WHERE id > ${newest} AND ${book}), 0)`;
  const sql = `
    WITH place (position, at, id, before_at, before_id) AS (VALUES ${rows.join(', ')})
    SELECT CAST(place.position AS BIGINT) AS position,
      CAST(coalesce((SELECT balance FROM balances WHERE account_id = ?1), 0)${later} AS BIGINT) AS balance,
      (SELECT CAST(coalesce(sum(amount), 0) AS BIGINT) FROM entries
       WHERE ${book} AND (created_at, entries.id) > (place.at, place.id)
         AND (created_at, entries.id) <= (place.before_at, place.before_id)${newest === undefined ? '' : ` AND entries.id <= ${newest}`}) AS newer
    FROM place ORDER BY 1`;
  return { sql, values: [accountId, accountBook(accountId)] };
}

function withBalances(page: readonly Row[], balances: readonly Row[], start?: bigint): readonly StatementLine[] {
  let newer = 0n;
  return page.map((row, index) => {
    newer += integer(balances[index]?.newer);
    return asLine(row, (start ?? integer(balances[index]?.balance)) - newer);
  });
}

function asLine(row: Row, balanceAfter: bigint): StatementLine {
  return {
    id: number(row.id),
    at: number(row.created_at),
    // `as`: an account's book has entries of these kinds alone.
    kind: text(row.book).startsWith('subscription:') ? 'subscription' : (text(row.kind) as StatementKind),
    amount: integer(row.amount),
    balanceAfter,
    note: textOrNull(row.note),
    transfer: text(row.transfer),
  };
}

interface EntryRow {
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
/** A few entries at once: one alone may be of an outbox, and older than its neighbors. */
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

/** All entries of this time or before have a smaller id. */
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

/** The lines of one charge, by the time when it was settled. One from the outbox was posted later than that. */
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
