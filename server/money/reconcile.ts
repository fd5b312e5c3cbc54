/**
 * Recomputes every balance, hold, and allowance from entries and charges, and reports differences (promises G2 to G4). Entries never change, so checked
 * entries are only added up from then on: the totals up to an entry, the mark, are in `checked_books`.
 */
import type { DatabaseSync } from 'node:sqlite';
import { createRunner, type Dialect, type Plan, sql } from '../store/plan.ts';
import { type Row, readInteger, readNumber, readText } from '../store/rows.ts';
import { BALANCE_SOURCE } from './ledger-batch.ts';
import { LATE_NOTE, type Reconciliation } from './store.ts';

/** The range of entries: after the first parameter, up to the second. */
const ID_RANGE_CONDITION = 'id > ?1 AND id <= ?2';
const MAX_ENTRY_ID = Number.MAX_SAFE_INTEGER;

/** Adds up two halves, because the total of years may exceed 64 bits. */
const buildSumSql = (amount: string): string =>
  `CAST(coalesce(sum((${amount}) >> 32), 0) AS BIGINT) AS high, CAST(coalesce(sum((${amount}) & 4294967295), 0) AS BIGINT) AS low`;
const toTotal = ({ high, low }: Row): bigint => (readInteger(high) << 32n) + readInteger(low);

/**
 * `rows`: the name of a ledger account with its stored total, or with an amount that is part of it. Either may be missing.
 * Groups the two sides, because SQLite's FULL JOIN reads one side again for each row of the other.
 */
const buildCompareSql = (rows: string): string => `
  WITH sides (book, kept, amount) AS (${rows}),
  totals AS (SELECT book, coalesce(max(kept), 0) AS kept, ${buildSumSql('amount')} FROM sides GROUP BY book)
  SELECT book, kept, high, low FROM totals WHERE (kept - low) >> 32 <> high OR ((kept - low) & 4294967295) <> 0 ORDER BY book`;

const buildAllowanceKeySql = (column: 'used' | 'held', owner: string, start: string): string =>
  `'${column}:' || ${owner} || '@' || ${start}`;

/**
 * The amount each entry adds to a ledger account with a stored total. Doesn't look up entries by account name, which would use an index
 * over all of them.
 */
const MOVES = `
  SELECT book, amount FROM entries WHERE ${ID_RANGE_CONDITION} AND book || '' >= 'account:' AND book || '' < 'account;'
  UNION ALL
  SELECT ${buildAllowanceKeySql('used', 'c.source', 'c.source_period')}, -e.amount FROM entries AS e CROSS JOIN charges AS c
  WHERE ${ID_RANGE_CONDITION} AND e.kind || '' = 'charge' AND e.book || '' <> 'revenue' AND c.request_id = e.transfer AND c.source <> '${BALANCE_SOURCE}'
  UNION ALL
  SELECT ${buildAllowanceKeySql('used', 'c.cap_owner', 'c.cap_period')}, -e.amount FROM entries AS e CROSS JOIN charges AS c
  WHERE ${ID_RANGE_CONDITION} AND e.kind || '' = 'charge' AND e.book || '' <> 'revenue' AND c.request_id = e.transfer AND c.cap_owner IS NOT NULL
  UNION ALL
  SELECT ${buildAllowanceKeySql('used', 'c.owner', 'c.period_start')}, -e.amount FROM entries AS e CROSS JOIN charge_caps AS c
  WHERE ${ID_RANGE_CONDITION} AND e.kind || '' = 'charge' AND e.book || '' <> 'revenue' AND c.request_id = e.transfer`;

const COMPARE_TOTALS = buildCompareSql(`
  SELECT 'account:' || account_id, balance, CAST(NULL AS BIGINT) FROM balances
  UNION ALL SELECT ${buildAllowanceKeySql('used', 'owner', 'period_start')}, used - charged_before, NULL FROM allowances
  UNION ALL SELECT book, NULL, amount FROM checked_books WHERE CAST(?1 AS BIGINT) > 0 AND book <> 'entry' AND book <> 'overrun'
  UNION ALL SELECT book, NULL, amount FROM (${MOVES}) AS moves`);
const COMPARE_HOLDS = buildCompareSql(`
  SELECT 'held:account:' || account_id, held, CAST(NULL AS BIGINT) FROM balances
  UNION ALL SELECT ${buildAllowanceKeySql('held', 'owner', 'period_start')}, held, NULL FROM allowances
  UNION ALL SELECT CASE source WHEN '${BALANCE_SOURCE}' THEN 'held:account:' || account_id ELSE ${buildAllowanceKeySql('held', 'source', 'source_period')} END, NULL, held
    FROM charges WHERE state = 'held'
  UNION ALL SELECT ${buildAllowanceKeySql('held', 'cap_owner', 'cap_period')}, NULL, held FROM charges WHERE state = 'held' AND cap_owner IS NOT NULL
  UNION ALL SELECT ${buildAllowanceKeySql('held', 'owner', 'period_start')}, NULL, held FROM charges JOIN charge_caps USING (request_id) WHERE state = 'held'`);
const SUM_OVERRUN = `
  SELECT ${buildSumSql('amount')} FROM (
    SELECT amount FROM checked_books WHERE CAST(?1 AS BIGINT) > 0 AND book = 'overrun'
    UNION ALL SELECT amount FROM entries WHERE ${ID_RANGE_CONDITION} AND book || '' = 'overrun') AS overruns`;

const FIND_UNBALANCED = `
  SELECT transfer FROM entries WHERE ${ID_RANGE_CONDITION} GROUP BY transfer, kind HAVING count(*) <> 2 OR min(amount) <> -max(amount)`;

/** Finds charges with contradictory columns or with missing or wrong entries, and entries without a charge. */
const buildContradictionsSql = (charges: string): string => `
  WITH called AS (SELECT * FROM ${charges}),
  moves (request_id, kind, book, amount) AS (
    SELECT request_id, 'charge', CASE source WHEN '${BALANCE_SOURCE}' THEN 'account:' || account_id ELSE 'subscription:' || substr(source, 5) END, charged
    FROM called WHERE charged > 0
    UNION ALL SELECT request_id, 'overrun', 'overrun', overrun FROM called WHERE overrun > 0
  ),
  sides (request_id, kind, book, amount, side) AS (
    SELECT request_id, kind, book, -amount, 1 FROM moves
    UNION ALL SELECT request_id, kind, 'revenue', amount, 1 FROM moves
    UNION ALL SELECT transfer, kind, book, amount, -1 FROM entries WHERE ${ID_RANGE_CONDITION} AND kind IN ('charge', 'overrun')
  )
  SELECT request_id FROM sides GROUP BY request_id, kind, book, amount HAVING sum(side) <> 0
  UNION
  SELECT request_id FROM called
  WHERE (state <> 'posted' AND (charged > 0 OR overrun > 0))
    -- One that came late took what was left.
    OR (overrun > 0 AND charged <> held AND request_id NOT IN (SELECT transfer FROM entries WHERE ${ID_RANGE_CONDITION} AND kind = 'overrun' AND note = '${LATE_NOTE}'))
    OR (state = 'held') <> (settled_at IS NULL)
    OR (source = '${BALANCE_SOURCE}') <> (source_period IS NULL)`;
const FIND_CONTRADICTIONS = buildContradictionsSql('charges');
const FIND_RANGE_CONTRADICTIONS = buildContradictionsSql(
  `charges WHERE request_id IN (SELECT transfer FROM entries WHERE ${ID_RANGE_CONDITION})`,
);

const READ_CHECKPOINT = `SELECT amount FROM checked_books WHERE book = 'entry'`;

/** Reads the mark: the last checked entry. */
export function* readCheckpoint(): Plan<bigint> {
  const [row] = yield sql(READ_CHECKPOINT);
  return row ? readInteger(row.amount) : 0n;
}

export interface ReconcileOptions {
  /** Whether to check all entries instead of only those after the mark. */
  readonly isFull?: boolean | undefined;
}

/** The caller keeps a transaction open, so that all queries read the same snapshot. */
export const reconcile = (connection: DatabaseSync, options: ReconcileOptions = {}): Reconciliation =>
  createRunner(connection)(planReconciliation(options));

/** The surrounding transaction makes all queries read the same snapshot. */
export function* planReconciliation({ isFull = false }: ReconcileOptions): Plan<Reconciliation> {
  const checkpoint = isFull ? 0n : yield* readCheckpoint();
  const [totals = {}] = yield sql(
    `SELECT (SELECT count(*) FROM balances) AS accounts, (SELECT count(*) FROM entries WHERE ${ID_RANGE_CONDITION}) AS entries`,
    checkpoint,
    MAX_ENTRY_ID,
  );
  const [overrun = {}] = yield sql(SUM_OVERRUN, checkpoint, MAX_ENTRY_ID);
  return {
    accounts: readNumber(totals.accounts),
    entries: readNumber(totals.entries),
    differences: [...(yield sql(COMPARE_TOTALS, checkpoint, MAX_ENTRY_ID)), ...(yield sql(COMPARE_HOLDS))].map(toDifference),
    unbalanced: (yield sql(`${FIND_UNBALANCED} ORDER BY transfer`, checkpoint, MAX_ENTRY_ID)).map((row) => readText(row.transfer)),
    contradictions: (yield sql(
      `${checkpoint > 0n ? FIND_RANGE_CONTRADICTIONS : FIND_CONTRADICTIONS} ORDER BY request_id`,
      checkpoint,
      MAX_ENTRY_ID,
    )).map((row) => readText(row.request_id)),
    overrun: -toTotal(overrun),
  };
}

const toDifference = (row: Row) => ({ book: readText(row.book), kept: readInteger(row.kept), counted: toTotal(row) });

/** Entries checked in one step, which blocks other writers on the embedded database. */
export const MAX_CHECKED_ENTRIES = 500;
const FIND_LAST_OF_STEP = `SELECT max(id) AS id FROM (SELECT id FROM entries WHERE ${ID_RANGE_CONDITION} ORDER BY id LIMIT ${MAX_CHECKED_ENTRIES}) AS near`;
/** The first entry in the range whose charge or transfer is wrong, or continues after the range. */
const FIND_FIRST_FAULT = `SELECT min(id) AS id FROM entries WHERE ${ID_RANGE_CONDITION} AND transfer IN (SELECT transfer FROM (${FIND_UNBALANCED}) AS one UNION SELECT request_id FROM (${FIND_RANGE_CONTRADICTIONS}) AS other)`;
const MOVE_CHECKPOINT = `
  INSERT INTO checked_books (book, amount) VALUES ('entry', ?2)
  ON CONFLICT (book) DO UPDATE SET amount = excluded.amount WHERE checked_books.amount = ?1 RETURNING amount`;
const ADD_MOVES = `
  INSERT INTO checked_books (book, amount)
  SELECT book, CAST(sum(amount) AS BIGINT) FROM (
    ${MOVES} UNION ALL SELECT book, amount FROM entries WHERE ${ID_RANGE_CONDITION} AND book || '' = 'overrun') AS moves
  GROUP BY book ON CONFLICT (book) DO UPDATE SET amount = checked_books.amount + excluded.amount`;

/** On PostgreSQL, a smaller ID may be assigned but not visible yet, unless no write is in progress. */
export function* readLastEntry({ isShared }: Dialect): Plan<number> {
  if (isShared) yield sql('LOCK TABLE entries IN SHARE MODE');
  const [row] = yield sql('SELECT coalesce(max(id), 0) AS id FROM entries');
  return readNumber(row?.id);
}

/** Moves the mark by some entries, at most to `maxId`. Returns the number of entries, 0 at the end or before an invalid entry. */
export function* planEntryCheck(maxId: number): Plan<number> {
  const checkpoint = yield* readCheckpoint();
  const [lastRow] = yield sql(FIND_LAST_OF_STEP, checkpoint, maxId);
  let lastId = lastRow?.id == null ? checkpoint : readInteger(lastRow.id);
  while (lastId > checkpoint) {
    const [faultRow] = yield sql(FIND_FIRST_FAULT, checkpoint, lastId);
    if (faultRow?.id == null) break;
    lastId = readInteger(faultRow.id) - 1n;
  }
  // If two processes check at the same time, only one moves the mark.
  if (lastId <= checkpoint || (yield sql(MOVE_CHECKPOINT, checkpoint, lastId)).length === 0) return 0;
  yield sql(ADD_MOVES, checkpoint, lastId);
  return Number(lastId - checkpoint);
}
