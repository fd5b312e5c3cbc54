/** Runs the event loop's steps in the writing thread, on a separate connection (promise G1). */
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { type Batch, type BatchWithBuffers, openBatches, READY } from './batch.ts';
import { BUSY_TIMEOUT_MS, type OpenSteps, openCheckpointer, openDatabase, type Steps } from './database.ts';
import type { DatabaseFiles } from './database-files.ts';
import type { StepThreadOptions } from './thread.ts';

/**
 * SQLite's wait for a lock can't be interrupted, and a process can end only after its threads. So one long wait is split into many short
 * ones.
 */
const STEP_LOCK_WAIT_MS = 100;

/** The database that the thread writes to. */
interface WriterDatabase {
  readonly connection: DatabaseSync;
  readonly files: DatabaseFiles;
  /** Called after each batch. */
  onCommit(): void;
  close(): void;
}

type WriterOptions = Pick<StepThreadOptions, 'folder' | 'durability' | 'file' | 'files'>;

/** The entry module of the thread calls this once. */
export function serveThread<S extends Steps>(
  openSteps: OpenSteps<S>,
  open: (options: WriterOptions) => WriterDatabase = openMainDatabase,
): void {
  if (parentPort === null) throw new TypeError('steps must be served in a worker thread');
  const port = parentPort;
  // `openStepThread` passes these options.
  const database = open(workerData as WriterOptions);
  const { connection, files } = database;
  connection.exec(`PRAGMA busy_timeout = ${STEP_LOCK_WAIT_MS}`);
  const runBatch = openBatches(connection, openSteps(connection), { files, patienceMs: BUSY_TIMEOUT_MS - STEP_LOCK_WAIT_MS });
  port.postMessage(READY);
  port.on('message', (message: Batch | BatchWithBuffers | null) => {
    if (message !== null) {
      const { steps, given: buffers } = 'steps' in message ? message : { steps: message, given: [] };
      port.postMessage(runBatch(steps));
      database.onCommit();
      // Frees the memory now, without waiting for the garbage collector.
      for (const buffer of buffers) buffer.transfer(0);
      return;
    }
    database.close();
    port.close();
  });
}

/** Opens the gateway's database. */
function openMainDatabase(options: WriterOptions): WriterDatabase {
  const { connection, files, close } = openDatabase(options);
  const checkpointer = openCheckpointer(connection, files);
  return {
    connection,
    files,
    onCommit: checkpointer.noteCommit,
    close() {
      checkpointer.close();
      close();
    },
  };
}
