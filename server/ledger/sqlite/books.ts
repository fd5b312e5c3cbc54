/** Recomputes every balance, hold and allowance from entries and charges, and reports differences (promises G2 to G4). */
import type { DatabaseSync } from 'node:sqlite';
import { LATE, type Orphan, type Reconciliation, type SettleResult } from '../store.ts';
import { integer, number, prepare, type Row, text } from './accounts.ts';

type Difference = Reconciliation['differences'][number];

/** The caller keeps a transaction open, so that all questions are about one moment. */
export function reconcile(connection: DatabaseSync): Reconciliation {
  const ask = (sql: string): readonly Row[] => prepare(connection, sql).all();
  const one = (sql: string): Row => ask(sql)[0] ?? {};
  return {
    accounts: number(one('SELECT count(*) AS accounts FROM balances').accounts),
    entries: number(one('SELECT count(*) AS entries FROM entries').entries),
    differences: kept.flatMap((sql) => differencesIn(connection, sql)),
    unbalanced: ask(UNBALANCED).map((row) => text(row.transfer)),
    contradictions: ask(contradictions).map((row) => text(row.request_id)),
    overrun: -counted(one(`SELECT ${sum('amount')} FROM entries WHERE book = 'overrun'`)),
  };
}

/** Row by row, because there are as many as accounts. */
function differencesIn(connection: DatabaseSync, sql: string): readonly Difference[] {
  const found: Difference[] = [];
  for (const row of prepare(connection, sql).iterate()) {
    const difference = { book: text(row.book), kept: integer(row.kept), counted: counted(row) };
    if (difference.kept !== difference.counted) found.push(difference);
  }
  return found;
}

/** In two halves, because SQLite's own sum fails above 64 bits and the revenue of years may come there. */
const sum = (amount: string): string => `sum((${amount}) >> 32) AS high, sum((${amount}) & 4294967295) AS low`;
const counted = ({ high, low }: Row): bigint => (integer(high ?? 0n) << 32n) + integer(low ?? 0n);

/**
 * Each yields the name of a book, its stored total, and the sum of its rows; either side may be missing. The sides are put together by
 * grouping: a FULL JOIN of SQLite reads one of them again for each row of the other.
 */
const kept: readonly string[] = [
  compare(
    `SELECT 'account:' || account_id, balance, NULL FROM balances
     UNION ALL SELECT book, NULL, amount FROM entries WHERE book >= 'account:' AND book < 'account;'`,
  ),
  compare(
    `SELECT 'held:account:' || account_id, held, NULL FROM balances
     UNION ALL SELECT 'held:account:' || account_id, NULL, held FROM charges WHERE state = 'held' AND source = 'balance'`,
  ),
  compareAllowances('used', 'charged'),
  compareAllowances('held', `CASE state WHEN 'held' THEN held ELSE 0 END`),
];

/** `rows`: the name of a book with its stored total or with an amount that is part of it. */
function compare(rows: string): string {
  return `
    WITH sides (book, kept, amount) AS (${rows})
    SELECT book, coalesce(max(kept), 0) AS kept, ${sum('amount')} FROM sides GROUP BY book`;
}

/** A charge takes from its subscription, and from the cap of its key. */
function compareAllowances(column: 'used' | 'held', amount: string): string {
  const book = (owner: string, start: string): string => `'${column}:' || ${owner} || '@' || ${start}`;
  return compare(`
    SELECT ${book('owner', 'period_start')}, ${column}, NULL FROM allowances
    UNION ALL SELECT ${book('source', 'source_period')}, NULL, ${amount} FROM charges WHERE source <> 'balance'
    UNION ALL SELECT ${book('cap_owner', 'cap_period')}, NULL, ${amount} FROM charges WHERE cap_owner IS NOT NULL`);
}

const UNBALANCED = `
  SELECT transfer FROM entries GROUP BY transfer, kind HAVING count(*) <> 2 OR min(amount) <> -max(amount) ORDER BY transfer`;

/** A charge whose columns contradict each other, or whose entries are not exactly those that it should have; and entries without a charge. */
const contradictions = `
  WITH moves (request_id, kind, book, amount) AS (
    SELECT request_id, 'charge', CASE source WHEN 'balance' THEN 'account:' || account_id ELSE 'subscription:' || substr(source, 5) END, charged
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
    OR (source = 'balance') <> (source_period IS NULL)
  ORDER BY request_id`;

export interface Heartbeat {
  readonly node: string;
  readonly at: number;
  /** Absent: what was told last stays. */
  readonly report?: string | undefined;
}

export interface Sweep {
  readonly node: string;
  readonly at: number;
  readonly deadBefore: number;
}

export interface Leaving {
  readonly node: string;
  readonly at: number;
}

/** By the index of open holds, which the planner would not take by itself: charges are many, those that are open are few. */
const OPEN_HOLDS = `SELECT request_id, account_id, node, held FROM charges INDEXED BY charges_open WHERE state = 'held'`;

export function openNodeSteps(connection: DatabaseSync, expire: (requestId: string, at: number) => SettleResult) {
  const see = prepare(
    connection,
    `INSERT INTO nodes (id, seen_at, report, reported_at) VALUES (?1, ?2, ?3, CASE WHEN ?3 IS NOT NULL THEN ?2 END)
     ON CONFLICT (id) DO UPDATE SET seen_at = max(seen_at, excluded.seen_at),
       report = coalesce(excluded.report, report), reported_at = coalesce(excluded.reported_at, reported_at)`,
  );
  const bury = prepare(connection, 'DELETE FROM nodes WHERE seen_at < ? AND id <> ?');
  const remove = prepare(connection, 'DELETE FROM nodes WHERE id = ?');
  // Without a row a process has left, or was silent for long and is back. A hold is a sign of life too.
  const meet = prepare(
    connection,
    `INSERT INTO nodes (id, seen_at) SELECT DISTINCT node, ? FROM (${OPEN_HOLDS}) WHERE node NOT IN (SELECT id FROM nodes)`,
  );
  const forsaken = prepare(
    connection,
    `${OPEN_HOLDS} AND node IN (SELECT id FROM nodes WHERE seen_at < ? AND id <> ?) ORDER BY request_id`,
  );
  const own = prepare(connection, `${OPEN_HOLDS} AND node = ? ORDER BY request_id`);

  const expireAll = (rows: readonly Row[], at: number): readonly Orphan[] => {
    const orphans = rows.map(asOrphan);
    for (const { requestId } of orphans) expire(requestId, at);
    return orphans;
  };
  return {
    heartbeat: ({ node, at, report }: Heartbeat): void => {
      see.run(node, at, report ?? null);
    },
    sweep: ({ node, at, deadBefore }: Sweep): readonly Orphan[] => {
      meet.run(at);
      const orphans = expireAll(forsaken.all(deadBefore, node), at);
      bury.run(deadBefore, node);
      return orphans;
    },
    leave: ({ node, at }: Leaving): readonly Orphan[] => {
      remove.run(node);
      return expireAll(own.all(node), at);
    },
  };
}

function asOrphan(row: Row): Orphan {
  return { requestId: text(row.request_id), accountId: text(row.account_id), node: text(row.node), held: integer(row.held) };
}
