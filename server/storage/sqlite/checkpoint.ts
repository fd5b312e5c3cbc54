/** Keeps the write-ahead log short: SQLite copies it back at a certain size; this truncates it when there are no writes, and when a reader let it grow. */
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { BUSY_TIMEOUT_MS } from './database.ts';

export interface Checkpoints {
  /** Must be called after each commit. */
  noteCommit(): void;
  /** Copies back what it can, before the connection is closed. */
  close(): void;
}

const LOOK_EVERY_MS = 1_000;
/** Above this size the log is truncated under load, too. Below it the log is overwritten in place, which is faster than growing a file. */
const MOST_BYTES = 64 * 1024 * 1024;

export function openCheckpoints(connection: DatabaseSync, file: string): Checkpoints {
  const log = `${file}-wal`;
  let commits = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = (before: number): void => {
    timer = undefined;
    const isIdle = commits === before;
    const isDone = (isIdle || sizeOf(log) > MOST_BYTES) && truncateLog(connection);
    if (!(isIdle && isDone)) plan();
  };
  const plan = (): void => {
    timer ??= setTimeout(look, LOOK_EVERY_MS, commits);
  };
  return {
    noteCommit() {
      commits++;
      plan();
    },
    close() {
      clearTimeout(timer);
      truncateLog(connection);
    },
  };
}

/** False while a reader still needs the log. Does not wait for readers, because writers would wait with it. */
function truncateLog(connection: DatabaseSync): boolean {
  const waitMs = Number(connection.prepare('PRAGMA busy_timeout').get()?.timeout ?? BUSY_TIMEOUT_MS);
  connection.exec('PRAGMA busy_timeout = 0');
  try {
    return connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  } catch {
    // The disk is full or gone: everything is still in the log, and the next write reports the failure.
    return false;
  } finally {
    connection.exec(`PRAGMA busy_timeout = ${waitMs}`);
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
