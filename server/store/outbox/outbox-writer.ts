/** The thread that writes to an outbox, so that no stream waits for its disk. It starts with the first charge that finds the store down. */
import { join } from 'node:path';
import { identifyFiles } from '../sqlite/database-files.ts';
import { serveThread } from '../sqlite/thread-worker.ts';
import { openDurableConnection, openOutboxSteps } from './outbox.ts';

serveThread(openOutboxSteps, ({ folder, file = '', files }) => {
  const path = join(folder, file);
  const connection = openDurableConnection(path);
  // No explicit checkpoints, so that the log keeps its space. SQLite runs a checkpoint when the log reaches its size limit.
  return { connection, files: files ?? identifyFiles(path), onCommit: () => undefined, close: () => connection.close() };
});
