/** Recomputes every balance, hold and allowance from entries and charges, and reports differences (promises G2 to G4). */
import type { DatabaseSync } from 'node:sqlite';
import { type Plan, runnerOn, sql } from '../storage/plan.ts';
import { integer, number, type Row, text } from '../storage/rows.ts';
import { BALANCE } from './decide.ts';
import { LATE, type Reconciliation } from './store.ts';

/** In two halves, because the revenue of years may pass 64 bits. */
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

/** A charge takes from its subscription, and from the cap of its key. */
function compareAllowances(column: 'used' | 'held', amount: string): string {
  const book = (owner: string, start: string): string => `'${column}:' || ${owner} || '@' || ${start}`;
  return compare(`
    SELECT ${book('owner', 'period_start')}, ${column}, NULL FROM allowances
    UNION ALL SELECT ${book('source', 'source_period')}, NULL, ${amount} FROM charges WHERE source <> '${BALANCE}'
    UNION ALL SELECT ${book('cap_owner', 'cap_period')}, NULL, ${amount} FROM charges WHERE cap_owner IS NOT NULL`);
}

const KEPT: readonly string[] = [
  compare(
    `SELECT 'account:' || account_id, balance, NULL FROM balances
     UNION ALL SELECT book, NULL, amount FROM entries WHERE book >= 'account:' AND book < 'account;'`,
  ),
  compare(
    `SELECT 'held:account:' || account_id, held, NULL FROM balances
     UNION ALL SELECT 'held:account:' || account_id, NULL, held FROM charges WHERE state = 'held' AND source = '${BALANCE}'`,
  ),
  compareAllowances('used', 'charged'),
  compareAllowances('held', `CASE state WHEN 'held' THEN held ELSE 0 END`),
];

const UNBALANCED = `
  SELECT transfer FROM entries GROUP BY transfer, kind HAVING count(*) <> 2 OR min(amount) <> -max(amount) ORDER BY transfer`;

/** A charge whose columns contradict each other, or whose entries are not exactly those that it should have; and entries without a charge. */
const CONTRADICTIONS = `
  WITH moves (request_id, kind, book, amount) AS (
    SELECT request_id, 'charge', CASE source WHEN '${BALANCE}' THEN 'account:' || account_id ELSE 'subscription:' || substr(source, 5) END, charged
    FROM charges WHERE charged > 0
    UNION ALL SELECT request_id, 'overrun', 'overrun', overrun FROM charges WHERE overrun > 0
  ),
  sides (request_id, kind, book, amount, side) AS (
    SELECT request_id, kind, book, -amount, 1 FROM moves
    UNION ALL SELECT request_id, kind, 'revenue', amount, 1 FROM moves
    UNION ALL SELECT transfer, kind, book, amount, -1 FROM entries WHERE kind IN ('charge', 'overrun')
  )
  SELECT request_id FROM sides GROUP BY request_id, kind, book, amount HAVING sum(side) <> 0
  UNION
  SELECT request_id FROM charges
  WHERE (state <> 'posted' AND (charged > 0 OR overrun > 0))
    -- One that came late took what was left.
    OR (overrun > 0 AND charged <> held AND request_id NOT IN (SELECT transfer FROM entries WHERE kind = 'overrun' AND note = '${LATE}'))
    OR (state = 'held') <> (settled_at IS NULL)
    OR (source = '${BALANCE}') <> (source_period IS NULL)
  ORDER BY request_id`;

/** The caller keeps a transaction open, so that all questions are about one moment. */
export const reconcile = (connection: DatabaseSync): Reconciliation => runnerOn(connection)(reconciling());

/** The transaction around it makes all questions be about one moment. */
export function* reconciling(): Plan<Reconciliation> {
  const [totals = {}] = yield sql(`SELECT (SELECT count(*) FROM balances) AS accounts, (SELECT count(*) FROM entries) AS entries`);
  const [overrun = {}] = yield sql(`SELECT ${sum('amount')} FROM entries WHERE book = 'overrun'`);
  const differences: Reconciliation['differences'][number][] = [];
  for (const question of KEPT) differences.push(...(yield sql(question)).map(toDifference));
  return {
    accounts: number(totals.accounts),
    entries: number(totals.entries),
    differences,
    unbalanced: (yield sql(UNBALANCED)).map((row) => text(row.transfer)),
    contradictions: (yield sql(CONTRADICTIONS)).map((row) => text(row.request_id)),
    overrun: -counted(overrun),
  };
}

const toDifference = (row: Row) => ({ book: text(row.book), kept: integer(row.kept), counted: counted(row) });
