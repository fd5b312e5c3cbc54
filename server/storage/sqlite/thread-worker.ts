/** The writing thread: runs the event loop's steps on a connection of its own (promise G1). */
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { type Batch, type BatchWithMemory, openBatches, READY } from './batch.ts';
import { BUSY_TIMEOUT_MS, databaseFile, type OpenSteps, openCheckpoints, openDatabase, type Steps } from './database.ts';
import type { StepThreadOptions } from './thread.ts';

/** SQLite's wait for a lock cannot be interrupted, and a process can only end after its threads: so the wait is made of many short ones. */
const WAIT_MS = 100;

/** The database that the thread writes to. */
export interface WriterDatabase {
  readonly connection: DatabaseSync;
  /** Called after each batch. */
  committed(): void;
  close(): void;
}

export type WriterOptions = Pick<StepThreadOptions, 'folder' | 'durability' | 'file'>;

/** The entry module of the thread calls this once. */
export function serveSteps<S extends Steps>(openSteps: OpenSteps<S>, open: (options: WriterOptions) => WriterDatabase = openMain): void {
  if (parentPort === null) throw new TypeError('steps must be served in a worker thread');
  const port = parentPort;
  // `openStepThread` passes these options.
  const written = open(workerData as WriterOptions);
  const { connection } = written;
  connection.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
  const runBatch = openBatches(connection, openSteps(connection), BUSY_TIMEOUT_MS - WAIT_MS);
  port.postMessage(READY);
  port.on('message', (message: Batch | BatchWithMemory | null) => {
    if (message !== null) {
      const { steps, given } = 'steps' in message ? message : { steps: message, given: [] };
      port.postMessage(runBatch(steps));
      written.committed();
      // Frees the memory now, without waiting for the garbage collector.
      for (const memory of given) memory.transfer(0);
      return;
    }
    written.close();
    port.close();
  });
}

/** The database of the gateway. */
function openMain(options: WriterOptions): WriterDatabase {
  const { connection, close } = openDatabase(options);
  const checkpoints = openCheckpoints(connection, databaseFile(options.folder));
  return {
    connection,
    committed: checkpoints.noteCommit,
    close() {
      checkpoints.close();
      close();
    },
  };
}
