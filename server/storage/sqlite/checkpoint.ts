/** Keeps the write-ahead log short: SQLite copies it back by size, this truncates it when nobody writes, and when a reader let it grow. */
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { BUSY_TIMEOUT_MS } from './database.ts';

export interface Checkpoints {
  /** Told of each commit. */
  noteCommit(): void;
  /** Copies all that it can; the last word before the connection is closed. */
  close(): void;
}

const LOOK_EVERY_MS = 1_000;
/** Past this size the log is truncated under load too. Below it an old log is overwritten in place, which the disk does faster than growing. */
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

/** False while a reader still needs the log. Never waits for one: writers would wait with it. */
function truncateLog(connection: DatabaseSync): boolean {
  connection.exec('PRAGMA busy_timeout = 0');
  try {
    return connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  } catch {
    // No room to copy into, or no disk: all of it is still in the log, and whoever writes next is told why that fails.
    return false;
  } finally {
    connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
