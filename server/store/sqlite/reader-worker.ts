/** The reader thread: handles one query after another, until it receives the message to end. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { readRows } from './read-rows.ts';
import type { ReadRequest, ReadResponse } from './reader.ts';

const LOCK_TIMEOUT_MS = 5_000;
// `openReader` passes this path.
const connection = new DatabaseSync(workerData as string, { readOnly: true, timeout: LOCK_TIMEOUT_MS });
const port = parentPort;

port?.on('message', (request: ReadRequest | null) => {
  if (request) return void port.postMessage(respond(request));
  connection.close();
  port.close();
});

function respond({ id, sql, values }: ReadRequest): ReadResponse {
  try {
    return { id, rows: readRows(connection, sql, values) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}
