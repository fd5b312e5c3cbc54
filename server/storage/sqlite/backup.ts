/** Copies the embedded database and its outbox while a gateway works on them. */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { syncFolder } from '../compatibility.ts';
import { StorageError } from '../errors.ts';
import { outboxFiles, readRecords, readRecordsOf } from '../outbox/outbox.ts';
import { BUSY_TIMEOUT_MS, databaseFile } from './database.ts';

/** All pages in one step: the copy is consistent while others write. In several steps it would start again with each of their commits. */
const WHOLE_FILE = 0x7fffffff;

/**
 * Writes one file with everything that was committed before, including the write-ahead log. `inspect` reads the copy before it gets its name; when
 * it throws, the copy is removed.
 */
export function copyDatabase<T>(from: string, to: string, inspect: (copy: DatabaseSync) => T): Promise<T> {
  return copyFileOfDatabase(databaseFile(from), databaseFile(to), inspect);
}

async function copyFileOfDatabase<T>(from: string, to: string, inspect: (copy: DatabaseSync) => T): Promise<T> {
  const draft = `${to}.part`;
  try {
    // SQLite would create the file readable by every user.
    writeFileSync(draft, '', { mode: 0o600 });
    const source = new DatabaseSync(from, { timeout: BUSY_TIMEOUT_MS });
    try {
      await backup(source, draft, { rate: WHOLE_FILE });
    } finally {
      source.close();
    }
    const seen = inspectCopy(draft, inspect);
    syncFile(draft);
    renameSync(draft, to);
    syncFolder(dirname(to));
    return seen;
  } catch (error) {
    throw asCopyError(error, from);
  } finally {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(`${draft}${ending}`, { force: true });
  }
}

/** Wraps errors of SQLite and the operating system; errors of `inspect` are thrown unchanged. */
function asCopyError(error: unknown, from: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  return new StorageError(`${from} can't be copied: ${error.message}. Check the file and the disk.`, { cause: error });
}

function inspectCopy<T>(draft: string, inspect: (copy: DatabaseSync) => T): T {
  const copy = new DatabaseSync(draft, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Without a write-ahead log the copy is a single file.
    copy.exec('PRAGMA journal_mode = DELETE');
    const found = copy
      .prepare('PRAGMA integrity_check')
      .all()
      .map((row) => String(row.integrity_check));
    if (found.join() !== 'ok') throw new StorageError(`The copy is damaged: ${found.slice(0, 3).join('; ')}. Check the disk.`);
    copy.exec('BEGIN');
    const seen = inspect(copy);
    copy.exec('COMMIT');
    return seen;
  } finally {
    copy.close();
  }
}

export interface CopiedOutbox {
  readonly settlements: number;
  /** Damaged records; they are copied unchanged. */
  readonly damaged: number;
}

/** Must run before the copy of the database: a settlement that is applied in between is in both copies, and takes effect once. In the other order it would be in neither. */
export async function copyOutbox(from: string, to: string): Promise<CopiedOutbox> {
  let [settlements, damaged] = [0, 0];
  for (const name of outboxFiles(from)) {
    const waiting = readRecordsOf(join(from, name));
    if (waiting.records.length + waiting.damaged === 0) continue;
    const copied = await copyFileOfDatabase(join(from, name), join(to, name), readRecords);
    settlements += copied.records.length;
    damaged += copied.damaged;
  }
  return { settlements, damaged };
}

/** False when there is no such file. */
export function copyFile(from: string, to: string): boolean {
  if (!existsSync(from) || !statSync(from).isFile()) return false;
  writeSynced(to, readFileSync(from));
  return true;
}

function writeSynced(path: string, bytes: Buffer): void {
  writeFileSync(path, bytes, { mode: 0o600, flag: 'wx' });
  syncFile(path);
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
