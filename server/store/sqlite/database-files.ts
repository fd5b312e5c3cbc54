/** The files of an open database: creates them privately, and notices when another program deletes or replaces one. */
import { closeSync, openSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { StorageError } from '../errors.ts';

/**
 * The inode numbers of a database and its write-ahead log. SQLite keeps writing to a deleted file, and commits there are lost.
 * Copying a deleted log back into the database would damage later writes by other processes.
 */
export interface DatabaseFiles {
  readonly path: string;
  readonly database: number | undefined;
  readonly log: number | undefined;
}

/** Identifies the files that a connection in WAL mode has opened. The log exists after its first read. */
export function identifyFiles(path: string): DatabaseFiles {
  return { path, database: getInode(path), log: getInode(`${path}-wal`) };
}

export function isInPlace({ path, database, log }: DatabaseFiles): boolean {
  return getInode(`${path}-wal`) === log && getInode(path) === database;
}

export function assertInPlace(files: DatabaseFiles): void {
  if (!isInPlace(files)) throw createFilesLostError(files);
}

/** Only a new process can use the database again, because SQLite shares the log's index between all connections of a process. */
export function createFilesLostError({ path }: DatabaseFiles): StorageError {
  const name = basename(path);
  return new StorageError(`another program deleted or replaced ${name} or ${name}-wal while the gateway used it; restart the gateway`);
}

/**
 * Creates a missing file before SQLite does, because SQLite would create it readable by every user.
 * Never opens an existing file: closing any descriptor of a file drops all locks that this process holds on it.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(typeof error === 'object' && error !== null && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

const getInode = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;
