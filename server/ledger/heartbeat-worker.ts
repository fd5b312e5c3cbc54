/** The thread that sends the heartbeat of its process over a separate connection, as long as the event loop has turned recently. */
import { workerData } from 'node:worker_threads';
import { BUSY_TIMEOUT_MS, type DatabaseOptions, openDatabase, runHere } from '../storage/sqlite/database.ts';
import { ledgerRoom } from './plans.ts';

export interface HeartbeatOrder {
  readonly node: string;
  readonly location: Pick<DatabaseOptions, 'folder' | 'durability'> & { readonly url: string | undefined };
  readonly everyMs: number;
  /** A counter of turns of the event loop, shared by both threads. */
  readonly turns: Int32Array;
}

/** An event loop that is blocked for longer is taken for dead: its holds are orphaned. */
const MAX_SILENT_MS = 600_000;

async function openBeat({ node, location: { folder, durability, url } }: HeartbeatOrder): Promise<() => Promise<unknown>> {
  if (url !== undefined) {
    const { openPostgres } = await import('../storage/postgres/pool.ts');
    const { beat } = ledgerRoom.onPostgres(openPostgres({ url, connections: 1 }));
    return () => beat(node, null, null);
  }
  const { connection } = openDatabase({ folder, durability, checkpoints: 'elsewhere' });
  connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  const { beat } = ledgerRoom.onSqlite({ connection, steps: runHere(connection, ledgerRoom.steps) });
  return () => beat(node, null, null);
}

async function serveHeartbeat(order: HeartbeatOrder): Promise<void> {
  const beat = await openBeat(order);
  let [turns, seenAt] = [-1, 0];
  setInterval(() => {
    const now = Atomics.load(order.turns, 0);
    if (now !== turns) [turns, seenAt] = [now, performance.now()];
    if (performance.now() - seenAt > MAX_SILENT_MS) return;
    // The event loop reports it when the store is down.
    beat().catch(() => undefined);
  }, order.everyMs);
}

// Written by `openHeartbeat`.
await serveHeartbeat(workerData as HeartbeatOrder);
