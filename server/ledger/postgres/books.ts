/** Recomputes every balance, hold and allowance from entries and charges, at one moment and inside PostgreSQL, and reports differences (promises G2 to G4). */

import { number, type Row, text, type Value } from '../../storage/postgres/connections.ts';
import type { Postgres } from '../../storage/postgres/pool.ts';
import { LATE, type Orphan, type Reconciliation } from '../store.ts';
import { expire } from './calls.ts';

/** Years of entries take their time. */
const MAX_MS = 1_800_000;

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
    MAX_MS,
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

/** So many in one step, since it has their accounts locked. */
const MAX_BATCH = 200;
const DAY_MS = 86_400_000;

// By the clock of the server: that of one machine may be wrong, and would make the others dead.
const NOTE_HEARTBEAT = `
  WITH clock AS (SELECT coalesce($2::BIGINT, (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT) AS at)
  INSERT INTO nodes (id, seen_at, report, reported_at) SELECT $1, at, $3::TEXT, CASE WHEN $3::TEXT IS NOT NULL THEN at END FROM clock
  ON CONFLICT (id) DO UPDATE SET seen_at = greatest(nodes.seen_at, excluded.seen_at),
    report = coalesce(excluded.report, nodes.report), reported_at = coalesce(excluded.reported_at, nodes.reported_at)
  RETURNING (SELECT at FROM clock) AS at`;
const DELETE_DEAD = 'DELETE FROM nodes WHERE seen_at < $1 AND id <> $2';
// No reservation is on its way for as long as this.
const DELETE_OLD_BARS = 'DELETE FROM barred_requests WHERE created_at < $1';
// Without a row a process has left, or was silent for long and is back. A hold is a sign of life too, and its own time is that of another clock.
const ADD_MISSING = `
  INSERT INTO nodes (id, seen_at)
  SELECT DISTINCT node, $1::BIGINT FROM charges WHERE state = 'held' AND NOT EXISTS (SELECT 1 FROM nodes WHERE id = node)
  ON CONFLICT DO NOTHING`;
const holdsOfDead = `
  SELECT request_id FROM charges JOIN nodes ON nodes.id = charges.node
  WHERE state = 'held' AND seen_at < $1 AND nodes.id <> $2
  ORDER BY request_id LIMIT ${MAX_BATCH}`;
const holdsOfNode = `SELECT request_id FROM charges WHERE state = 'held' AND node = $1 ORDER BY request_id LIMIT ${MAX_BATCH}`;

export function openNodes(postgres: Postgres) {
  const write = (sql: string, values: readonly Value[]) => postgres.query({ text: sql }, values);
  async function* expireAll(holds: string, values: readonly Value[], at: number): AsyncGenerator<readonly Orphan[]> {
    for (;;) {
      const ids = (await write(holds, values)).map((row) => text(row.request_id));
      // Reported at once: these holds have ended, even if a later batch fails.
      if (ids.length > 0) yield await postgres.transaction('write', (queries) => expire(queries, ids, at));
      if (ids.length < MAX_BATCH) return;
    }
  }
  return {
    async heartbeat(node: string, at?: number, report?: string): Promise<number> {
      const [row] = await write(NOTE_HEARTBEAT, [node, at ?? null, report ?? null]);
      return number(row?.at);
    },
    async *sweep(node: string, at: number, deadBefore: number): AsyncGenerator<readonly Orphan[]> {
      await write(DELETE_OLD_BARS, [at - DAY_MS]);
      await write(ADD_MISSING, [at]);
      // While its row exists, no other process takes over its requests, so none of them is paid for twice.
      yield* expireAll(holdsOfDead, [deadBefore, node], at);
      await write(DELETE_DEAD, [deadBefore, node]);
    },
    async *leave(node: string, at: number): AsyncGenerator<readonly Orphan[]> {
      yield* expireAll(holdsOfNode, [node], at);
      await write('DELETE FROM nodes WHERE id = $1', [node]);
    },
  };
}
