/** Recomputes every balance, hold and allowance from entries and charges, at one moment and inside PostgreSQL, and reports differences (promises G2 to G4). */
import type { Postgres } from '../../storage/postgres/pool.ts';
import { number, type Row, text } from '../../storage/postgres/rows.ts';
import { LATE } from '../late-settlement.ts';
import type { Reconciliation } from '../store.ts';

/** Years of entries take their time. */
const LONGEST_MS = 1_800_000;

export function reconcile(postgres: Postgres): Promise<Reconciliation> {
  return postgres.transaction(
    'read',
    async (queries) => {
      const ask = (sql: string): Promise<readonly Row[]> => queries.query({ text: sql });
      const [totals = {}] = await ask(TOTALS_SQL);
      const differences: Reconciliation['differences'][number][] = [];
      for (const sql of kept) differences.push(...(await ask(onlyWrong(sql))).map(asDifference));
      return {
        accounts: number(totals.accounts),
        entries: number(totals.entries),
        differences,
        unbalanced: (await ask(UNBALANCED)).map((row) => text(row.transfer)),
        contradictions: (await ask(contradictions)).map((row) => text(row.request_id)),
        overrun: -exact(totals.overrun),
      };
    },
    LONGEST_MS,
  );
}

/** Sums are NUMERIC there, since the revenue of years may pass 64 bits, and come as texts. */
const exact = (value: unknown): bigint => BigInt(text(value));
const asDifference = (row: Row) => ({ book: text(row.book), kept: exact(row.kept), counted: exact(row.counted) });

const TOTALS_SQL = `
  SELECT (SELECT count(*) FROM balances) AS accounts, (SELECT count(*) FROM entries) AS entries,
    (SELECT coalesce(sum(amount), 0) FROM entries WHERE book = 'overrun')::TEXT AS overrun`;

/** Each yields the name of a book, its stored total, and the sum of its rows; either side may be missing. */
const kept: readonly string[] = [
  `SELECT coalesce(book, 'account:' || account_id) AS book, balance AS kept, counted
   FROM balances
   FULL JOIN (SELECT book, sum(amount) AS counted FROM entries WHERE starts_with(book, 'account:') GROUP BY book) AS e
     ON e.book = 'account:' || account_id`,
  `SELECT 'held:account:' || coalesce(b.account_id, c.account_id) AS book, b.held AS kept, counted
   FROM balances AS b
   FULL JOIN (SELECT account_id, sum(held) AS counted FROM charges WHERE state = 'held' AND source = 'balance' GROUP BY account_id) AS c
     ON c.account_id = b.account_id`,
  allowanceSql('used', 'charged'),
  allowanceSql('held', `CASE state WHEN 'held' THEN held ELSE 0 END`),
];

/** What each charge takes from allowances: from its subscription, and from the cap of its key. */
function allowanceSql(column: 'used' | 'held', amount: string): string {
  return `
    SELECT '${column}:' || coalesce(a.owner, s.owner) || '@' || coalesce(a.period_start, s.start) AS book, a.${column} AS kept, counted
    FROM allowances AS a
    FULL JOIN (
      SELECT owner, start, sum(${amount}) AS counted
      FROM (
        SELECT source AS owner, source_period AS start, state, charged, held FROM charges WHERE source <> 'balance'
        UNION ALL SELECT cap_owner, cap_period, state, charged, held FROM charges WHERE cap_owner IS NOT NULL
      ) AS shares
      GROUP BY owner, start
    ) AS s ON s.owner = a.owner AND s.start = a.period_start`;
}

const onlyWrong = (sql: string): string => `
  SELECT book, coalesce(kept, 0)::TEXT AS kept, coalesce(counted, 0)::TEXT AS counted FROM (${sql}) AS books
  WHERE coalesce(kept, 0) <> coalesce(counted, 0) ORDER BY book`;

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
