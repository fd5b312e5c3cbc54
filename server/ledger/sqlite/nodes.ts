/** Which processes live. The holds of the others expire, and nothing is charged (promise G2). */
import type { DatabaseSync } from 'node:sqlite';
import type { Orphan, SettleResult } from '../store.ts';
import { integer, prepare, type Row, text } from './rows.ts';

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
