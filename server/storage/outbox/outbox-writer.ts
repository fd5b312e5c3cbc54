/** The thread that writes to an outbox, whose disk nobody's stream waits for: started with the first charge that finds the store down. */
import { join } from 'node:path';
import { serveSteps } from '../sqlite/thread-worker.ts';
import { connectDurably, openOutboxSteps } from './file.ts';

serveSteps(openOutboxSteps, ({ folder, file = '' }) => {
  const connection = connectDurably(join(folder, file));
  // The log keeps its room: SQLite copies it back by its size.
  return { connection, committed: () => undefined, close: () => connection.close() };
});
