/** The thread that sends the heartbeat of its process over a separate connection, as long as the event loop has turned recently. */
import { workerData } from 'node:worker_threads';
import { BUSY_TIMEOUT_MS, type DatabaseOptions, openDatabase, runInline } from '../store/sqlite/database.ts';
import { isInPlace } from '../store/sqlite/database-files.ts';
import { ledgerStoreDefinition } from './plans.ts';

export interface HeartbeatOptions {
  readonly node: string;
  readonly location: Pick<DatabaseOptions, 'folder' | 'durability'> & { readonly url: string | undefined };
  readonly everyMs: number;
  /** Counts turns of the event loop. Shared by both threads. */
  readonly turns: Int32Array;
}

/** An event loop that is blocked for longer counts as dead, and its holds are orphaned. */
const MAX_SILENCE_MS = 600_000;

async function openHeartbeatStatement({ node, location: { folder, durability, url } }: HeartbeatOptions): Promise<() => Promise<unknown>> {
  if (url !== undefined) {
    const { openPostgres } = await import('../store/postgres/postgres.ts');
    const { recordHeartbeat } = ledgerStoreDefinition.onPostgres(openPostgres({ url, connections: 1 }));
    return () => recordHeartbeat(node, null, null);
  }
  const { connection, files } = openDatabase({ folder, durability, checkpoints: 'elsewhere' });
  connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  const { recordHeartbeat } = ledgerStoreDefinition.onSqlite({
    connection,
    steps: runInline(connection, ledgerStoreDefinition.steps),
  });
  // If another program has replaced the files, the process is about to stop and must not write to the new files.
  return async () => isInPlace(files) && (await recordHeartbeat(node, null, null));
}

async function serveHeartbeat(options: HeartbeatOptions): Promise<void> {
  const recordHeartbeat = await openHeartbeatStatement(options);
  let [lastCount, changedAt] = [-1, 0];
  setInterval(() => {
    const count = Atomics.load(options.turns, 0);
    if (count !== lastCount) [lastCount, changedAt] = [count, performance.now()];
    if (performance.now() - changedAt > MAX_SILENCE_MS) return;
    // The event loop reports when the store is down.
    recordHeartbeat().catch(() => undefined);
  }, options.everyMs);
}

// `openHeartbeat` passes these options.
await serveHeartbeat(workerData as HeartbeatOptions);
