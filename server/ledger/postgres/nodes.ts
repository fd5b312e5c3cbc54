/** Which processes live, on PostgreSQL, and what becomes of the holds of those that do not: they expire, each by exactly one of the others (promise G2). */
import type { Postgres } from '../../storage/postgres/pool.ts';
import { text, type Value } from '../../storage/postgres/rows.ts';
import type { Orphan } from '../store.ts';
import { expire } from './settles.ts';

/** So many in one step, since it has their accounts locked. */
const mostAtOnce = 200;
const dayMs = 86_400_000;

const see = `INSERT INTO nodes (id, seen_at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET seen_at = greatest(nodes.seen_at, excluded.seen_at)`;
const bury = 'DELETE FROM nodes WHERE seen_at < $1 AND id <> $2';
// No reservation is on its way for as long as this.
const forget = 'DELETE FROM barred_requests WHERE created_at < $1';
// Without a row a process has left or never said that it lives. A hold is a sign of life too: one that is young waits for the next look.
const forsaken = `
  SELECT request_id FROM charges
  WHERE state = 'held' AND created_at < $1 AND NOT EXISTS (SELECT 1 FROM nodes WHERE id = node AND (seen_at >= $1 OR id = $2))
  ORDER BY request_id LIMIT ${mostAtOnce}`;
const own = `SELECT request_id FROM charges WHERE state = 'held' AND node = $1 ORDER BY request_id LIMIT ${mostAtOnce}`;

export function openNodes(postgres: Postgres) {
  const write = (sql: string, values: readonly Value[]) => postgres.query({ text: sql }, values);
  const expireAll = async (holds: string, values: readonly Value[], at: number): Promise<readonly Orphan[]> => {
    const orphans: Orphan[] = [];
    for (;;) {
      const ids = (await write(holds, values)).map((row) => text(row.request_id));
      if (ids.length > 0) orphans.push(...(await postgres.transaction('write', (queries) => expire(queries, ids, at))));
      if (ids.length < mostAtOnce) return orphans;
    }
  };
  return {
    async heartbeat(node: string, at: number, deadBefore: number): Promise<readonly Orphan[]> {
      await write(see, [node, at]);
      await write(forget, [at - dayMs]);
      // While its row is there nobody takes up its requests, so none of them is paid for twice.
      const orphans = await expireAll(forsaken, [deadBefore, node], at);
      await write(bury, [deadBefore, node]);
      return orphans;
    },
    async leave(node: string, at: number): Promise<readonly Orphan[]> {
      const orphans = await expireAll(own, [node], at);
      await write('DELETE FROM nodes WHERE id = $1', [node]);
      return orphans;
    },
  };
}
