/** Which processes live, on PostgreSQL. The holds of the others expire, each by exactly one living process (promise G2). */
import type { Postgres } from '../../storage/postgres/pool.ts';
import { number, text, type Value } from '../../storage/postgres/rows.ts';
import type { Orphan } from '../store.ts';
import { expire } from './settles.ts';

/** So many in one step, since it has their accounts locked. */
const MOST_AT_ONCE = 200;
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
  ORDER BY request_id LIMIT ${MOST_AT_ONCE}`;
const holdsOfNode = `SELECT request_id FROM charges WHERE state = 'held' AND node = $1 ORDER BY request_id LIMIT ${MOST_AT_ONCE}`;

export function openNodes(postgres: Postgres) {
  const write = (sql: string, values: readonly Value[]) => postgres.query({ text: sql }, values);
  async function* expireAll(holds: string, values: readonly Value[], at: number): AsyncGenerator<readonly Orphan[]> {
    for (;;) {
      const ids = (await write(holds, values)).map((row) => text(row.request_id));
      // Reported at once: these holds have ended, even if a later batch fails.
      if (ids.length > 0) yield await postgres.transaction('write', (queries) => expire(queries, ids, at));
      if (ids.length < MOST_AT_ONCE) return;
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
