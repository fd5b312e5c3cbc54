/** Reads the entries of one account for operators, newest first, with the balance after each. */
import type { ReadValue } from '../store/audit.ts';
import { type Row, readInteger, readNumber, readText, readTextOrNull } from '../store/rows.ts';
import { OPERATOR_ENTRIES_CONDITION, OWNER_ENTRIES_CONDITION } from '../store/tables.ts';
import type { RecordsQuery, SqlStatement } from './store.ts';

/** `subscription`: a charge paid by a subscription, which doesn't change the balance. */
export const entryKinds = ['charge', 'subscription', 'top_up', 'refund', 'correction'] as const;

type StatementKind = (typeof entryKinds)[number];

export interface StatementQuery {
  readonly accountId: string;
  /** Milliseconds since 1970. `from` is inclusive, `to` is exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly kind?: StatementKind | undefined;
  readonly limit: number;
  /** ID of an entry of this account. The page starts after it. */
  readonly after?: number | undefined;
  /** The balance after that entry, if known. With it, a long export doesn't add up all newer entries again for each page. */
  readonly balance?: bigint | undefined;
  /** ID of the newest entry to read. Later entries are omitted. */
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
  /** The ID of the request or of the transfer. */
  readonly transfer: string;
}

interface EntryCursor {
  readonly at: number;
  readonly id: number;
}

/** The maximum number of subscriptions in one statement. SQLite joins at most 500 parts. */
const MAX_BOOKS_PER_QUERY = 100;

const UNBOUNDED = Number.MAX_SAFE_INTEGER;

/** Undefined if `after` isn't an entry of the account. */
export async function readAccountStatement(read: RecordsQuery, query: StatementQuery): Promise<readonly StatementLine[] | undefined> {
  const accounts = await listBooks(read, query);
  const cursor = query.after === undefined ? { at: UNBOUNDED, id: UNBOUNDED } : await findEntryCursor(read, query.after, query.accountId);
  if (cursor === undefined) return undefined;
  const rows: Row[] = [];
  for (let offset = 0; offset < accounts.length; offset += MAX_BOOKS_PER_QUERY) {
    const { sql, values } = buildPageSql(accounts.slice(offset, offset + MAX_BOOKS_PER_QUERY), query, cursor);
    rows.push(...(await read(sql, values)));
  }
  const page = rows.toSorted(compareEntriesNewestFirst).slice(0, query.limit);
  if (page.length === 0) return [];
  const start = query.balance === undefined ? undefined : cursor;
  const { sql, values } = buildBalancesSql(query.accountId, page.map(toCursor), start, query.newest);
  return addBalances(page, await read(sql, values), query.balance);
}

const toAccountBook = (accountId: string): string => `account:${accountId}`;

/** Operators change only balances. Amounts paid by a subscription are in its own ledger account. */
async function listBooks(read: RecordsQuery, { accountId, kind }: StatementQuery): Promise<readonly string[]> {
  const accountBooks = kind === 'subscription' ? [] : [toAccountBook(accountId)];
  if (kind !== undefined && kind !== 'subscription') return accountBooks;
  const rows = await read('SELECT id FROM subscriptions WHERE account_id = ?1', [accountId]);
  return [...accountBooks, ...rows.map(({ id }) => `subscription:${readText(id)}`)];
}

async function findEntryCursor(read: RecordsQuery, id: number, accountId: string): Promise<EntryCursor | undefined> {
  const [row] = await read(
    `SELECT id, created_at FROM entries WHERE id = ?1
     AND (book = ?2 OR book IN (SELECT 'subscription:' || id FROM subscriptions WHERE account_id = ?3))`,
    [id, toAccountBook(accountId), accountId],
  );
  return row && toCursor(row);
}

const toCursor = (row: Row): EntryCursor => ({ at: readNumber(row.created_at), id: readNumber(row.id) });

function compareEntriesNewestFirst(one: Row, other: Row): number {
  const [cursor, otherCursor] = [toCursor(one), toCursor(other)];
  return otherCursor.at - cursor.at || otherCursor.id - cursor.id;
}

/** Reads each ledger account by its index, so that a page reads no more rows of each than it shows. */
export function buildPageSql(
  accounts: readonly string[],
  { from = 0, to = UNBOUNDED, kind, limit, newest: newestId = UNBOUNDED }: StatementQuery,
  cursor: EntryCursor,
): SqlStatement {
  // SQLite finds the start of a page in its index only by the single column.
  const values: ReadValue[] = [from, Math.min(to, cursor.at + 1), cursor.at, cursor.id, limit, newestId];
  const isOperatorKind = kind === 'top_up' || kind === 'refund' || kind === 'correction';
  const kindCondition = isOperatorKind
    ? ` AND ${OPERATOR_ENTRIES_CONDITION} AND kind = '${kind}'`
    : ` AND ${OWNER_ENTRIES_CONDITION}${kind === 'charge' ? " AND kind = 'charge'" : ''}`;
  const selects = accounts.map(
    (book) => `SELECT * FROM (
      SELECT id, transfer, kind, book, amount, note, created_at FROM entries
      WHERE book = ?${values.push(book)}${kindCondition} AND created_at >= ?1 AND created_at < ?2 AND (created_at, id) < (?3, ?4) AND id <= ?6
      ORDER BY created_at DESC, id DESC LIMIT ?5) AS part`,
  );
  return { sql: selects.join(' UNION ALL '), values };
}

/**
 * One statement, so that the balance and the entries are from the same snapshot. Reads each entry between two lines of a page only once.
 * `start`: the position after which the page starts, if the balance there is known.
 */
export function buildBalancesSql(
  accountId: string,
  cursors: readonly EntryCursor[],
  start: EntryCursor = { at: UNBOUNDED, id: UNBOUNDED },
  newestId?: number,
): SqlStatement {
  // Inlined, because these numbers come from the database.
  const rows = cursors.map(({ at, id }, index) => {
    const previous = cursors[index - 1] ?? start;
    return `(${index}, ${at}, ${id}, ${previous.at}, ${previous.id})`;
  });
  const bookCondition = `book = ?2 AND ${OWNER_ENTRIES_CONDITION}`;
  const laterAmountSql =
    newestId === undefined ? '' : ` - coalesce((SELECT sum(amount) FROM entries WHERE id > ${newestId} AND ${bookCondition}), 0)`;
  const sql = `
    WITH place (position, at, id, before_at, before_id) AS (VALUES ${rows.join(', ')})
    SELECT CAST(place.position AS BIGINT) AS position,
      CAST(coalesce((SELECT balance FROM balances WHERE account_id = ?1), 0)${laterAmountSql} AS BIGINT) AS balance,
      (SELECT CAST(coalesce(sum(amount), 0) AS BIGINT) FROM entries
       WHERE ${bookCondition} AND (created_at, entries.id) > (place.at, place.id)
         AND (created_at, entries.id) <= (place.before_at, place.before_id)${newestId === undefined ? '' : ` AND entries.id <= ${newestId}`}) AS newer
    FROM place ORDER BY 1`;
  return { sql, values: [accountId, toAccountBook(accountId)] };
}

function addBalances(page: readonly Row[], balances: readonly Row[], start?: bigint): readonly StatementLine[] {
  let newerAmount = 0n;
  return page.map((row, index) => {
    newerAmount += readInteger(balances[index]?.newer);
    return toStatementLine(row, (start ?? readInteger(balances[index]?.balance)) - newerAmount);
  });
}

function toStatementLine(row: Row, balanceAfter: bigint): StatementLine {
  return {
    id: readNumber(row.id),
    at: readNumber(row.created_at),
    // `as`: an account's ledger contains only entries of these kinds.
    kind: readText(row.book).startsWith('subscription:') ? 'subscription' : (readText(row.kind) as StatementKind),
    amount: readInteger(row.amount),
    balanceAfter,
    note: readTextOrNull(row.note),
    transfer: readText(row.transfer),
  };
}
