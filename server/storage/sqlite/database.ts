/** Opens the embedded database: one SQLite file in the data folder, private to its owner, migrated to the current schema. */
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { FoundSchema } from '../compatibility.ts';
import { StorageError } from '../errors.ts';
import { COPY_NOTES, halfCopy } from '../half-copy.ts';
import { migrate } from './schema.ts';
import { inTransaction } from './transaction.ts';

export interface Database {
  readonly connection: DatabaseSync;
  /** The schema after migration. It may be newer than this program if the program may work on it. */
  readonly schema: FoundSchema;
  /** Runs the work in one transaction that holds the write lock from its start. */
  transaction<T>(work: () => T): T;
  close(): void;
}

export interface DatabaseOptions {
  /** The data folder; created when it is missing. */
  readonly folder: string;
  /** `strict` waits for the disk at every commit; `relaxed` can lose the last commits in a power loss, but not in a crash of the process. */
  readonly durability: Durability;
  /**
   * Which connection copies the write-ahead log back into the file. `own` (default): this one, during some commits.
   * `elsewhere`: that of the writing thread; a connection of the event loop must not wait for the disk.
   */
  readonly checkpoints?: 'own' | 'elsewhere';
  /** Whether it may hold an unfinished copy: only for the copy itself, since a gateway must not serve from it. */
  readonly mayBeHalf?: boolean;
}

export type Durability = 'strict' | 'relaxed';

/** How long to wait while another process writes. */
export const BUSY_TIMEOUT_MS = 5_000;
/** A reader waits only for a connection that recovers the file or has locked it exclusively, and on the event loop all streams wait with it. */
const READER_TIMEOUT_MS = 50;

export function hasDatabase(folder: string): boolean {
  return existsSync(databaseFile(folder));
}

export function openDatabase({ folder, durability, checkpoints = 'own', mayBeHalf = false }: DatabaseOptions): Database {
  const file = databaseFile(folder);
  try {
    createPrivately(folder, file);
    const connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
    let schema: FoundSchema;
    try {
      useWriteAheadLog(connection);
      connection.exec(`PRAGMA synchronous = ${durability === 'strict' ? 'FULL' : 'NORMAL'}`);
      if (!mayBeHalf) refuseHalf(connection);
      schema = migrate(connection);
      if (checkpoints === 'elsewhere') connection.exec(`PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = ${READER_TIMEOUT_MS}`);
    } catch (error) {
      connection.close();
      throw error;
    }
    return { connection, schema, transaction: (work) => inTransaction(connection, work), close: () => connection.close() };
  } catch (error) {
    throw asStorageError(error, file);
  }
}

function refuseHalf(connection: DatabaseSync): void {
  if (connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(COPY_NOTES) !== undefined) throw halfCopy();
}

export function databaseFile(folder: string): string {
  return join(folder, 'modelgate.sqlite');
}

/** Creates the file before SQLite does, because SQLite would create it readable by every user. */
function createPrivately(folder: string, file: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
}

/** The switch to WAL ignores the busy timeout when two processes make it at once, so it is retried here. */
function useWriteAheadLog(connection: DatabaseSync): void {
  const deadline = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      connection.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

const SQLITE_BUSY = 5;
const SQLITE_NOT_A_DATABASE = 26;

export function isBusy(error: unknown): boolean {
  return primaryCode(error) === SQLITE_BUSY;
}

/** The lowest byte of SQLite's extended code is the primary code. */
export function primaryCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}

function asStorageError(error: unknown, file: string): StorageError {
  if (error instanceof StorageError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const cause = { cause: error };
  if (isBusy(error)) return new StorageError(`${file} is locked by another process. Stop it, or try again.`, cause);
  if (primaryCode(error) === SQLITE_NOT_A_DATABASE) {
    return new StorageError(`${file} is not a database. Move it away, or name another data folder with --data.`, cause);
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new StorageError(`${file} cannot be written. Check the permissions of the folder, or name another with --data.`, cause);
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new StorageError(`${file} cannot be opened: ${reason}. Check the disk, or name another data folder with --data.`, cause);
}
