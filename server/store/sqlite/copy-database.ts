/** Copies the SQLite database and its outbox while a gateway uses them. */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';

import { StorageError } from '../errors.ts';
import { listOutboxFiles, readOutboxFile, readRecords } from '../outbox/outbox.ts';
import { syncFolder } from '../sync-folder.ts';
import { BUSY_TIMEOUT_MS, getDatabasePath } from './database.ts';

/** The copy has all pages, but they're inconsistent: the original or the disk is damaged. */
export class DamagedCopyError extends StorageError {}

/** Copies all pages in one step, so that the copy is consistent while others write. With several steps, it would restart at each commit. */
const ALL_PAGES = 0x7fffffff;

/**
 * Writes one file with everything committed so far, including the write-ahead log.
 * `inspect` reads the copy before it gets its final name. If `inspect` throws, the copy is removed.
 */
export function copyDatabase<T>(from: string, to: string, inspect: (copy: DatabaseSync) => T): Promise<T> {
  return copyDatabaseFile(getDatabasePath(from), getDatabasePath(to), inspect);
}

async function copyDatabaseFile<T>(from: string, to: string, inspect: (copy: DatabaseSync) => T): Promise<T> {
  const draft = `${to}.part`;
  try {
    // SQLite would create the file readable by every user.
    writeFileSync(draft, '', { mode: 0o600 });
    const source = new DatabaseSync(from, { timeout: BUSY_TIMEOUT_MS });
    try {
      await backup(source, draft, { rate: ALL_PAGES });
    } finally {
      source.close();
    }
    const result = inspectCopy(draft, inspect);
    syncFile(draft);
    renameSync(draft, to);
    syncFolder(dirname(to));
    return result;
  } catch (error) {
    throw toCopyError(error, from);
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${draft}${suffix}`, { force: true });
  }
}

/** Wraps errors of SQLite and the operating system. Errors of `inspect` are thrown unchanged. */
function toCopyError(error: unknown, from: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  return new StorageError(`${from} can't be copied: ${error.message}. Check the file and the disk.`, { cause: error });
}

function inspectCopy<T>(draft: string, inspect: (copy: DatabaseSync) => T): T {
  const copy = new DatabaseSync(draft, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Without a write-ahead log the copy is a single file.
    copy.exec('PRAGMA journal_mode = DELETE');
    // One row can have a hundred lines, below a heading in asterisks.
    const rows = copy.prepare('PRAGMA integrity_check(1)').all();
    const [integrityResult = 'no result'] = rows
      .flatMap((row) => String(row.integrity_check).split('\n'))
      .filter((line) => !line.startsWith('***'));
    if (integrityResult !== 'ok') throw new DamagedCopyError(`The copy is damaged: ${integrityResult}. Check the disk.`);
    copy.exec('BEGIN');
    const result = inspect(copy);
    copy.exec('COMMIT');
    return result;
  } finally {
    copy.close();
  }
}

/**
 * Must run before the copy of the database. A settlement applied between the two copies is then in both and takes effect once. In the
 * reverse order, it would be in neither. Damaged records are copied unchanged.
 */
export async function copyOutbox(from: string, to: string): Promise<{ readonly settlements: number; readonly damaged: number }> {
  let [settlements, damagedCount] = [0, 0];
  for (const name of listOutboxFiles(from)) {
    const sourceRecords = readOutboxFile(join(from, name));
    if (sourceRecords.records.length + sourceRecords.damaged === 0) continue;
    const copiedRecords = await copyDatabaseFile(join(from, name), join(to, name), readRecords);
    settlements += copiedRecords.records.length;
    damagedCount += copiedRecords.damaged;
  }
  return { settlements, damaged: damagedCount };
}

/** Returns false if the file doesn't exist. */
export function copyFile(from: string, to: string): boolean {
  if (!existsSync(from) || !statSync(from).isFile()) return false;
  writeFileSync(to, readFileSync(from), { mode: 0o600, flag: 'wx' });
  syncFile(to);
  return true;
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
