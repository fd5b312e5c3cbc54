/** Reconciles in a thread of its own, on a connection of its own: it may take seconds, in which neither streams nor writers wait. */
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { Reconciliation } from '../store.ts';
import { reconcile } from './reconcile.ts';

export function reconcileApart(connection: DatabaseSync): Promise<Reconciliation> {
  const file = connection.location();
  // A database in memory cannot be seen from another thread.
  return file === null ? new Promise((resolve) => resolve(reconcile(connection))) : reconcileFile(file);
}

function reconcileFile(file: string): Promise<Reconciliation> {
  return new Promise((resolve, reject) => {
    // Options of this process may be none that a thread knows. Node 22 calls its SQLite experimental in every thread.
    const options = { workerData: file, execArgv: ['--disable-warning=ExperimentalWarning'] };
    const worker = new Worker(new URL('./reconcile-worker.ts', import.meta.url), options);
    worker.once('message', (found: Reconciliation) => resolve(found));
    worker.once('error', reject);
    // After a message this has no effect.
    worker.once('exit', () => reject(new Error('the thread that reconciles ended without a word')));
  });
}
