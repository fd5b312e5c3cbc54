/** The thread that writes: a connection of its own, on which it takes the steps that the event loop asks for (promise G1). */
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { type Batch, openBatches, type Parcel, READY } from './batch.ts';
import { openCheckpoints } from './checkpoint.ts';
import { BUSY_TIMEOUT_MS, databaseFile, openDatabase } from './database.ts';
import type { StepThreadOptions } from './thread.ts';
import type { OpenSteps, Steps } from './write-operations.ts';

/** SQLite's own wait for the lock cannot be broken off, and a process that is told to end ends with its threads: many short ones it is. */
const WAIT_MS = 100;

/** What the thread writes to. */
export interface Written {
  readonly connection: DatabaseSync;
  /** Told of each batch. */
  committed(): void;
  close(): void;
}

export type WriterOptions = Pick<StepThreadOptions, 'folder' | 'durability' | 'file'>;

/** To be called once by the module that the thread starts with. */
export function serveSteps<S extends Steps>(openSteps: OpenSteps<S>, open: (options: WriterOptions) => Written = openMain): void {
  if (parentPort === null) throw new TypeError('steps are served in a thread of their own');
  const port = parentPort;
  // Written by `openStepThread`.
  const written = open(workerData as WriterOptions);
  const { connection } = written;
  connection.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
  const runBatch = openBatches(connection, openSteps(connection), BUSY_TIMEOUT_MS - WAIT_MS);
  port.postMessage(READY);
  port.on('message', (message: Batch | Parcel | null) => {
    if (message !== null) {
      const { steps, given } = 'steps' in message ? message : { steps: message, given: [] };
      port.postMessage(runBatch(steps));
      written.committed();
      // Freed now, and not when there is rubbish enough to collect.
      for (const memory of given) memory.transfer(0);
      return;
    }
    written.close();
    port.close();
  });
}

/** The database of the gateway. */
function openMain(options: WriterOptions): Written {
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
