/** Copies of the embedded database and of the settlements that wait beside it, taken while a gateway works on them. */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { StorageError } from '../errors.ts';
import { readRecords, readRecordsOf } from '../outbox/file.ts';
import { outboxFiles } from '../outbox/outbox.ts';
import { syncFolder } from '../sync-folder.ts';
import { BUSY_TIMEOUT_MS, databaseFile } from './database.ts';

/** All pages in one step: others may write meanwhile, and the copy is of one moment. In several it would begin anew with each of their commits. */
const WHOLE_FILE = 0x7fffffff;

/**
 * One file with everything that was committed before it began, whatever of it is still in a write-ahead log. `inspect` looks at the copy before it
 * has its name: where it throws, nothing is left.
 */
export function copyDatabase<T>(from: string, to: string, inspect: (copy: DatabaseSync) => T): Promise<T> {
  return copyFileOfDatabase(databaseFile(from), databaseFile(to), inspect);
}

async function copyFileOfDatabase<T>(from: string, to: string, inspect: (copy: DatabaseSync) => T): Promise<T> {
  const draft = `${to}.part`;
  try {
    // Made before SQLite does it, which would let the whole machine read it.
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

/** What SQLite and the system say; a reader of the copy speaks for itself. */
function asCopyError(error: unknown, from: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  return new StorageError(`${from} cannot be copied: ${error.message}. Check the file and the disk.`, { cause: error });
}

function inspectCopy<T>(draft: string, inspect: (copy: DatabaseSync) => T): T {
  const copy = new DatabaseSync(draft, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Whoever finds it has one file to carry, and no log to forget.
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
  /** Records that nobody can read; they are in the copy as they are. */
  readonly damaged: number;
}

/** Taken before the database: what is applied in between is in both, and is applied once all the same; the other way round it would be in neither. */
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

/** False where there is none. */
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
