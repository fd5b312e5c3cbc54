/** The thread that reconciles: one look at one moment of the file, and one answer. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { reconcile } from './reconcile.ts';

// Written by `reconcileApart`.
const connection = new DatabaseSync(workerData as string, { readOnly: true, timeout: 5_000 });
try {
  connection.exec('BEGIN');
  parentPort?.postMessage(reconcile(connection));
  connection.exec('COMMIT');
} finally {
  connection.close();
}
