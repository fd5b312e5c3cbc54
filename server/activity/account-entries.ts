/** The statement of an account: its lines in the ledger, newest first, each with the balance after it, walked back from the balance of now. */
import { integer, number, type Row, text, textOrNull } from '../storage/postgres/rows.ts';
import type { ReadValue } from '../storage/shared-reads.ts';
import type { Ask } from './store.ts';

/** `subscription`: a charge that a subscription paid; it leaves the balance as it is. */
export const entryKinds = ['charge', 'subscription', 'top_up', 'refund', 'correction'] as const;
export type StatementKind = (typeof entryKinds)[number];

export interface StatementQuery {
  readonly accountId: string;
  /** Milliseconds since 1970; from inclusive, to exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly kind?: StatementKind | undefined;
  readonly limit: number;
  /** Id of an entry of this account: the page starts after it. */
  readonly after?: number | undefined;
}

export interface StatementLine {
  readonly id: number;
  readonly at: number;
  readonly kind: StatementKind;
  /** In micro-dollars; negative for what was taken. */
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

/** The words of two partial indexes, which a query must repeat to be answered by them. */
const OF_OWNERS = "book NOT IN ('revenue', 'funding', 'overrun')";
const OF_OPERATORS = "kind IN ('top_up', 'refund', 'correction')";
/** Subscriptions in one statement; SQLite joins at most 500 parts. */
const BOOKS_AT_ONCE = 100;
const END = Number.MAX_SAFE_INTEGER;

/** Undefined when `after` is no entry of the account. */
export async function readStatement(ask: Ask, query: StatementQuery): Promise<readonly StatementLine[] | undefined> {
  const books = await booksOf(ask, query);
  const place = query.after === undefined ? { at: END, id: END } : await placeOf(ask, query.after, query.accountId);
  if (place === undefined) return undefined;
  const rows: Row[] = [];
  for (let at = 0; at < books.length; at += BOOKS_AT_ONCE) {
    const { sql, values } = pageSql(books.slice(at, at + BOOKS_AT_ONCE), query, place);
    rows.push(...(await ask(sql, values)));
  }
  const page = rows.toSorted(newestFirst).slice(0, query.limit);
  if (page.length === 0) return [];
  const { sql, values } = balancesSql(query.accountId, page.map(asPlace));
  return withBalances(page, await ask(sql, values));
}

const accountBook = (accountId: string): string => `account:${accountId}`;

/** Operators change balances only; what a subscription paid is in a book of its own. */
async function booksOf(ask: Ask, { accountId, kind }: StatementQuery): Promise<readonly string[]> {
  const own = kind === 'subscription' ? [] : [accountBook(accountId)];
  if (kind !== undefined && kind !== 'subscription') return own;
  const rows = await ask('SELECT id FROM subscriptions WHERE account_id = ?1', [accountId]);
  return [...own, ...rows.map(({ id }) => `subscription:${text(id)}`)];
}

async function placeOf(ask: Ask, id: number, accountId: string): Promise<Place | undefined> {
  const [row] = await ask(
    `SELECT id, created_at FROM entries WHERE id = ?1
     AND (book = ?2 OR book IN (SELECT 'subscription:' || id FROM subscriptions WHERE account_id = ?3))`,
    [id, accountBook(accountId), accountId],
  );
  return row && asPlace(row);
}

const asPlace = (row: Row): Place => ({ at: number(row.created_at), id: number(row.id) });

function newestFirst(one: Row, other: Row): number {
  const [here, there] = [asPlace(one), asPlace(other)];
  return there.at - here.at || there.id - here.id;
}

/** Each book by its index, so that no page reads more rows than it shows of each. */
export function pageSql(books: readonly string[], { from = 0, to = END, kind, limit }: StatementQuery, place: Place): Statement {
  const values: ReadValue[] = [from, to, place.at, place.id, limit];
  const isOfOperators = kind === 'top_up' || kind === 'refund' || kind === 'correction';
  const ofKind = isOfOperators
    ? ` AND ${OF_OPERATORS} AND kind = '${kind}'`
    : ` AND ${OF_OWNERS}${kind === 'charge' ? " AND kind = 'charge'" : ''}`;
  const parts = books.map(
    (book) => `SELECT * FROM (
      SELECT id, transfer, kind, book, amount, note, created_at FROM entries
      WHERE book = ?${values.push(book)}${ofKind} AND created_at >= ?1 AND created_at < ?2 AND (created_at, id) < (?3, ?4)
      ORDER BY created_at DESC, id DESC LIMIT ?5) AS part`,
  );
  return { sql: parts.join(' UNION ALL '), values };
}

/** One statement, so that the balance and the entries are those of one moment. Between two lines of a page, each entry is read once. */
export function balancesSql(accountId: string, places: readonly Place[]): Statement {
  // Numbers of the database, so they may stand in the text.
  const rows = places.map(({ at, id }, index) => {
    const before = places[index - 1] ?? { at: END, id: END };
    return `(${index}, ${at}, ${id}, ${before.at}, ${before.id})`;
  });
  const sql = `
    WITH place (position, at, id, before_at, before_id) AS (VALUES ${rows.join(', ')})
    SELECT CAST(place.position AS BIGINT) AS position,
      coalesce((SELECT balance FROM balances WHERE account_id = ?1), 0) AS balance,
      (SELECT CAST(coalesce(sum(amount), 0) AS BIGINT) FROM entries
       WHERE book = ?2 AND ${OF_OWNERS} AND (created_at, entries.id) > (place.at, place.id)
         AND (created_at, entries.id) <= (place.before_at, place.before_id)) AS newer
    FROM place ORDER BY 1`;
  return { sql, values: [accountId, accountBook(accountId)] };
}

function withBalances(page: readonly Row[], balances: readonly Row[]): readonly StatementLine[] {
  let newer = 0n;
  return page.map((row, index) => {
    newer += integer(balances[index]?.newer);
    return asLine(row, integer(balances[index]?.balance) - newer);
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
