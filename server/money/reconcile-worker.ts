/** The thread that reconciles: one look at one moment of the file, and one response. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { type ReconcileOptions, reconcile } from './reconcile.ts';

// `reconcileInThread` passes these options.
const { file, extent } = workerData as { readonly file: string; readonly extent: ReconcileOptions };
const connection = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
try {
  connection.exec('BEGIN');
  parentPort?.postMessage(reconcile(connection, extent));
  connection.exec('COMMIT');
} finally {
  connection.close();
}
