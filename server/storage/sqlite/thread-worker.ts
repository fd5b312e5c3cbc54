/** The thread that writes: a connection of its own, on which it takes the steps that the event loop asks for (promise G1). */
import { parentPort, workerData } from 'node:worker_threads';
import { type Batch, openBatches, type Parcel, READY } from './batch.ts';
import { openCheckpoints } from './checkpoint.ts';
import { BUSY_TIMEOUT_MS, type DatabaseOptions, databaseFile, openDatabase } from './database.ts';
import type { OpenSteps, Steps } from './write-operations.ts';

/** SQLite's own wait for the lock cannot be broken off, and a process that is told to end ends with its threads: many short ones it is. */
const WAIT_MS = 100;

/** To be called once by the module that the thread starts with. */
export function serveSteps<S extends Steps>(openSteps: OpenSteps<S>): void {
  if (parentPort === null) throw new TypeError('steps are served in a thread of their own');
  const port = parentPort;
  // Written by `openStepThread`.
  const { folder, durability } = workerData as DatabaseOptions;
  const database = openDatabase({ folder, durability });
  database.connection.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
  const runBatch = openBatches(database.connection, openSteps(database.connection), BUSY_TIMEOUT_MS - WAIT_MS);
  const checkpoints = openCheckpoints(database.connection, databaseFile(folder));
  port.postMessage(READY);
  port.on('message', (message: Batch | Parcel | null) => {
    if (message !== null) {
      const { steps, given } = 'steps' in message ? message : { steps: message, given: [] };
      port.postMessage(runBatch(steps));
      checkpoints.noteCommit();
      // Freed now, and not when there is rubbish enough to collect.
      for (const memory of given) memory.transfer(0);
      return;
    }
    checkpoints.close();
    database.close();
    port.close();
  });
}
