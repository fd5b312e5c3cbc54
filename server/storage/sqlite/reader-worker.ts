/** The thread that reads: it takes one question after the other, and ends when it is told so. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { readRows } from './read-rows.ts';
import type { Answer, Question } from './reader.ts';

const BUSY_MS = 5_000;
// Written by `openReader`.
const connection = new DatabaseSync(workerData as string, { readOnly: true, timeout: BUSY_MS });
const port = parentPort;

port?.on('message', (question: Question | null) => {
  if (question) return void port.postMessage(answerTo(question));
  connection.close();
  port.close();
});

function answerTo({ id, sql, values }: Question): Answer {
  try {
    return { id, rows: readRows(connection, sql, values) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}
