/**
 * Recomputes every balance, hold and allowance from entries and charges, and reports differences (promises G2 to G4). Entries are never changed, so
 * what was checked once is only added up from then on: the totals up to an entry, the mark, are in `checked_books`.
 */
import type { DatabaseSync } from 'node:sqlite';
import { type Dialect, type Plan, runnerOn, sql } from '../storage/plan.ts';
import { integer, number, type Row, text } from '../storage/rows.ts';
import { BALANCE } from './decide.ts';
import { LATE, type Reconciliation } from './store.ts';

/** Entries: after the first parameter, up to the second. */
const RANGE = 'id > ?1 AND id <= ?2';
const END = Number.MAX_SAFE_INTEGER;

/** In two halves, because the sum of years may pass 64 bits. */
const sum = (amount: string): string =>
  `CAST(coalesce(sum((${amount}) >> 32), 0) AS BIGINT) AS high, CAST(coalesce(sum((${amount}) & 4294967295), 0) AS BIGINT) AS low`;
const counted = ({ high, low }: Row): bigint => (integer(high) << 32n) + integer(low);

/**
 * `rows`: the name of a book with its stored total, or with an amount that is part of it; either may be missing. The sides are put together by
 * grouping: a FULL JOIN of SQLite reads one of them again for each row of the other.
 */
const compare = (rows: string): string => `
  WITH sides (book, kept, amount) AS (${rows}),
  totals AS (SELECT book, coalesce(max(kept), 0) AS kept, ${sum('amount')} FROM sides GROUP BY book)
  SELECT book, kept, high, low FROM totals WHERE (kept - low) >> 32 <> high OR ((kept - low) & 4294967295) <> 0 ORDER BY book`;

const allowance = (column: 'used' | 'held', owner: string, start: string): string => `'${column}:' || ${owner} || '@' || ${start}`;

/** The amount each entry adds to a ledger account with a stored total. Entries aren't looked up by account name: that would use an index over all of them. */
const MOVES = `
  SELECT book, amount FROM entries WHERE ${RANGE} AND book || '' >= 'account:' AND book || '' < 'account;'
  UNION ALL
  SELECT ${allowance('used', 'c.source', 'c.source_period')}, -e.amount FROM entries AS e CROSS JOIN charges AS c
  WHERE ${RANGE} AND e.kind || '' = 'charge' AND e.book || '' <> 'revenue' AND c.request_id = e.transfer AND c.source <> '${BALANCE}'
  UNION ALL
  SELECT ${allowance('used', 'c.cap_owner', 'c.cap_period')}, -e.amount FROM entries AS e CROSS JOIN charges AS c
  WHERE ${RANGE} AND e.kind || '' = 'charge' AND e.book || '' <> 'revenue' AND c.request_id = e.transfer AND c.cap_owner IS NOT NULL`;

const TOTALS = compare(`
  SELECT 'account:' || account_id, balance, CAST(NULL AS BIGINT) FROM balances
  UNION ALL SELECT ${allowance('used', 'owner', 'period_start')}, used, NULL FROM allowances
  UNION ALL SELECT book, NULL, amount FROM checked_books WHERE CAST(?1 AS BIGINT) > 0 AND book <> 'entry' AND book <> 'overrun'
  UNION ALL SELECT book, NULL, amount FROM (${MOVES}) AS moves`);
const HOLDS = compare(`
  SELECT 'held:account:' || account_id, held, CAST(NULL AS BIGINT) FROM balances
  UNION ALL SELECT ${allowance('held', 'owner', 'period_start')}, held, NULL FROM allowances
  UNION ALL SELECT CASE source WHEN '${BALANCE}' THEN 'held:account:' || account_id ELSE ${allowance('held', 'source', 'source_period')} END, NULL, held
    FROM charges WHERE state = 'held'
  UNION ALL SELECT ${allowance('held', 'cap_owner', 'cap_period')}, NULL, held FROM charges WHERE state = 'held' AND cap_owner IS NOT NULL`);
const OVERRUN = `
  SELECT ${sum('amount')} FROM (
    SELECT amount FROM checked_books WHERE CAST(?1 AS BIGINT) > 0 AND book = 'overrun'
    UNION ALL SELECT amount FROM entries WHERE ${RANGE} AND book || '' = 'overrun') AS overruns`;

const UNBALANCED = `
  SELECT transfer FROM entries WHERE ${RANGE} GROUP BY transfer, kind HAVING count(*) <> 2 OR min(amount) <> -max(amount)`;

/** A charge whose columns contradict each other, or whose entries aren't exactly those that it should have; and entries without a charge. */
const contradictions = (charges: string): string => `
  WITH called AS (SELECT * FROM ${charges}),
  moves (request_id, kind, book, amount) AS (
    SELECT request_id, 'charge', CASE source WHEN '${BALANCE}' THEN 'account:' || account_id ELSE 'subscription:' || substr(source, 5) END, charged
    FROM called WHERE charged > 0
    UNION ALL SELECT request_id, 'overrun', 'overrun', overrun FROM called WHERE overrun > 0
  ),
  sides (request_id, kind, book, amount, side) AS (
    SELECT request_id, kind, book, -amount, 1 FROM moves
    UNION ALL SELECT request_id, kind, 'revenue', amount, 1 FROM moves
    UNION ALL SELECT transfer, kind, book, amount, -1 FROM entries WHERE ${RANGE} AND kind IN ('charge', 'overrun')
  )
  SELECT request_id FROM sides GROUP BY request_id, kind, book, amount HAVING sum(side) <> 0
  UNION
  SELECT request_id FROM called
  WHERE (state <> 'posted' AND (charged > 0 OR overrun > 0))
    -- One that came late took what was left.
    OR (overrun > 0 AND charged <> held AND request_id NOT IN (SELECT transfer FROM entries WHERE ${RANGE} AND kind = 'overrun' AND note = '${LATE}'))
    OR (state = 'held') <> (settled_at IS NULL)
    OR (source = '${BALANCE}') <> (source_period IS NULL)`;
const OF_ALL = contradictions('charges');
const OF_RANGE = contradictions(`charges WHERE request_id IN (SELECT transfer FROM entries WHERE ${RANGE})`);

const MARK = `SELECT amount FROM checked_books WHERE book = 'entry'`;

/** The last entry that was checked. */
export function* readMark(): Plan<bigint> {
  const [row] = yield sql(MARK);
  return row ? integer(row.amount) : 0n;
}

export interface Extent {
  /** All entries, and not only those after the mark. */
  readonly isFull?: boolean | undefined;
}

/** The caller keeps a transaction open, so that all questions are about one moment. */
export const reconcile = (connection: DatabaseSync, extent: Extent = {}): Reconciliation => runnerOn(connection)(reconciling(extent));

/** The transaction around it makes all questions be about one moment. */
export function* reconciling({ isFull = false }: Extent): Plan<Reconciliation> {
  const mark = isFull ? 0n : yield* readMark();
  const [totals = {}] = yield sql(
    `SELECT (SELECT count(*) FROM balances) AS accounts, (SELECT count(*) FROM entries WHERE ${RANGE}) AS entries`,
    mark,
    END,
  );
  const [overrun = {}] = yield sql(OVERRUN, mark, END);
  return {
    accounts: number(totals.accounts),
    entries: number(totals.entries),
    differences: [...(yield sql(TOTALS, mark, END)), ...(yield sql(HOLDS))].map(toDifference),
    unbalanced: (yield sql(`${UNBALANCED} ORDER BY transfer`, mark, END)).map((row) => text(row.transfer)),
    contradictions: (yield sql(`${mark > 0n ? OF_RANGE : OF_ALL} ORDER BY request_id`, mark, END)).map((row) => text(row.request_id)),
    overrun: -counted(overrun),
  };
}

const toDifference = (row: Row) => ({ book: text(row.book), kept: integer(row.kept), counted: counted(row) });

/** Entries that are checked in one step, which keeps other writers waiting on the embedded database. */
export const MAX_CHECKED = 500;
const LAST_OF_STEP = `SELECT max(id) AS id FROM (SELECT id FROM entries WHERE ${RANGE} ORDER BY id LIMIT ${MAX_CHECKED}) AS near`;
/** The first entry in the range whose charge or transfer is wrong, or continues after the range. */
const FIRST_FAULT = `SELECT min(id) AS id FROM entries WHERE ${RANGE} AND transfer IN (SELECT transfer FROM (${UNBALANCED}) AS one UNION SELECT request_id FROM (${OF_RANGE}) AS other)`;
const MOVE_MARK = `
  INSERT INTO checked_books (book, amount) VALUES ('entry', ?2)
  ON CONFLICT (book) DO UPDATE SET amount = excluded.amount WHERE checked_books.amount = ?1 RETURNING amount`;
const ADD_MOVES = `
  INSERT INTO checked_books (book, amount)
  SELECT book, CAST(sum(amount) AS BIGINT) FROM (
    ${MOVES} UNION ALL SELECT book, amount FROM entries WHERE ${RANGE} AND book || '' = 'overrun') AS moves
  GROUP BY book ON CONFLICT (book) DO UPDATE SET amount = checked_books.amount + excluded.amount`;

/** On PostgreSQL, a smaller number may be assigned but not visible yet, unless no write is in progress. */
export function* lastEntry({ isShared }: Dialect): Plan<number> {
  if (isShared) yield sql('LOCK TABLE entries IN SHARE MODE');
  const [row] = yield sql('SELECT coalesce(max(id), 0) AS id FROM entries');
  return number(row?.id);
}

/** Moves the mark by some entries, at most to `end`, and returns by how many; 0 at the end, and before an entry that isn't right. */
export function* checkUpTo(end: number): Plan<number> {
  const mark = yield* readMark();
  const [near] = yield sql(LAST_OF_STEP, mark, end);
  let last = near?.id == null ? mark : integer(near.id);
  while (last > mark) {
    const [fault] = yield sql(FIRST_FAULT, mark, last);
    if (fault?.id == null) break;
    last = integer(fault.id) - 1n;
  }
  // Of two processes, one moves it.
  if (last <= mark || (yield sql(MOVE_MARK, mark, last)).length === 0) return 0;
  yield sql(ADD_MOVES, mark, last);
  return Number(last - mark);
}
