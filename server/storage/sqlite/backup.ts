/** Copies of the embedded database and of the settlements that wait beside it, taken while a gateway works on them. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { StorageError } from '../errors.ts';
import { frameRecord, scan } from '../outbox/file.ts';
import { syncFolder } from '../outbox/sync-folder.ts';
import { BUSY_TIMEOUT_MS, databaseFile } from './database.ts';

/** All pages in one step: others may write meanwhile, and the copy is of one moment. In several it would begin anew with each of their commits. */
const WHOLE_FILE = 0x7fffffff;

/**
 * One file with everything that was committed before it began, whatever of it is still in a write-ahead log. `inspect` looks at the copy before it
 * has its name: where it throws, nothing is left.
 */
export async function copyDatabase<T>(from: string, to: string, inspect: (copy: DatabaseSync) => T): Promise<T> {
  const draft = `${databaseFile(to)}.part`;
  try {
    // Made before SQLite does it, which would let the whole machine read it.
    writeFileSync(draft, '', { mode: 0o600 });
    const source = new DatabaseSync(databaseFile(from), { timeout: BUSY_TIMEOUT_MS });
    try {
      await backup(source, draft, { rate: WHOLE_FILE });
    } finally {
      source.close();
    }
    const seen = inspectCopy(draft, inspect);
    syncFile(draft);
    renameSync(draft, databaseFile(to));
    syncFolder(to);
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
  return new StorageError(`${databaseFile(from)} cannot be copied: ${error.message}. Check the file and the disk.`, { cause: error });
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

const spoolName = /^settlements-\d+\.spool$/;
export const spoolFiles = (folder: string): readonly string[] => readdirSync(folder).filter((name) => spoolName.test(name));

export interface CopiedSpool {
  readonly settlements: number;
  /** Lines that nobody can read; they stay where they were. */
  readonly damaged: number;
}

/** Taken before the database: what is applied in between is in both, and is applied once all the same; the other way round it would be in neither. */
export function copySpool(from: string, to: string): CopiedSpool {
  const copied = spoolFiles(from).map((name): CopiedSpool => {
    const { lines, damaged } = scanFile(join(from, name));
    const records = lines.flatMap(({ record }) => (typeof record === 'object' && record !== null ? [frameRecord(record)] : []));
    if (records.length > 0) writeSynced(join(to, name), Buffer.concat(records));
    return { settlements: records.length, damaged };
  });
  const sum = (of: (one: CopiedSpool) => number): number => copied.reduce((total, one) => total + of(one), 0);
  return { settlements: sum(({ settlements }) => settlements), damaged: sum(({ damaged }) => damaged) };
}

function scanFile(path: string) {
  const file = openSync(path, 'r');
  try {
    return scan(file);
  } finally {
    closeSync(file);
  }
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
