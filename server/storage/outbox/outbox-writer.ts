/** The thread that writes to an outbox, so that no stream waits for its disk. It starts with the first charge that finds the store down. */
import { join } from 'node:path';
import { serveSteps } from '../sqlite/thread-worker.ts';
import { connectDurably, openOutboxSteps } from './outbox.ts';

serveSteps(openOutboxSteps, ({ folder, file = '' }) => {
  const connection = connectDurably(join(folder, file));
  // No checkpoints of our own, so that the log keeps its space: SQLite copies it back at its size.
  return { connection, committed: () => undefined, close: () => connection.close() };
});
