/** One file of the outbox: a small SQLite database in which each commit is on disk, with room that was taken from the disk beforehand. */
import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { primaryCode } from '../sqlite/database.ts';
import { syncFolder } from '../sync-folder.ts';

/** A record that reads as it was written. */
export interface KeptRecord {
  readonly id: number;
  readonly record: unknown;
}

export interface Kept {
  /** The oldest first. */
  readonly records: readonly KeptRecord[];
  /** Records that do not match their checksums: SQLite has none for the pages of a database, and a broken disk changes them. */
  readonly damaged: number;
}

/** Bytes that are taken at the start, so that a disk that is full later still takes some thousand records. */
export const RESERVED_BYTES = 1024 * 1024;
/** The room of the database is taken by pieces, so that its log needs no more room than this. */
const PIECE_BYTES = 512 * 1024;
/** What stays in the log before it is copied back; the rest of its room is for one batch of records. */
const CHECKPOINT_PAGES = 32;
/** A file that a long outage made larger is made small again. */
const MOST_BYTES = 2 * RESERVED_BYTES;
const SQLITE_FULL = 13;
/** A backup or a report may be looking. */
const TIMEOUT_MS = 50;

const TABLES = `
  CREATE TABLE IF NOT EXISTS settlements (id INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, record TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS room (bytes BLOB NOT NULL) STRICT`;

/** For the writer: commits are on disk. */
export function connectDurably(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: TIMEOUT_MS });
  connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  return connection;
}

/** Private to its owner, its room taken, and on disk with its name. */
export function openOutboxFile(path: string): DatabaseSync {
  // SQLite would let the whole machine read it.
  closeSync(openSync(path, 'a', 0o600));
  const connection = connectDurably(path);
  try {
    connection.exec(TABLES);
    takeRoom(connection);
    syncFolder(dirname(path));
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Pages that are written and given up again stay with the file and its log, for the records to come. What a long outage took beyond that is given back.
 * A disk that has no room left is no reason not to start.
 */
function takeRoom(connection: DatabaseSync): void {
  unlessFull(() => {
    const { bytes } = connection.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size').get() ?? {};
    if (Number(bytes) > MOST_BYTES) connection.exec('VACUUM');
    connection.exec('DELETE FROM room');
    for (let taken = 0; taken < RESERVED_BYTES; taken += PIECE_BYTES)
      connection.exec(`INSERT INTO room (bytes) VALUES (zeroblob(${PIECE_BYTES})); PRAGMA wal_checkpoint(RESTART)`);
  });
  unlessFull(() => connection.exec('DELETE FROM room; PRAGMA wal_checkpoint(RESTART)'));
}

function unlessFull(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (primaryCode(error) !== SQLITE_FULL) throw error;
  }
}

export function readRecords(connection: DatabaseSync): Kept {
  const rows = connection.prepare('SELECT id, checksum, record FROM settlements ORDER BY id').all();
  const records = rows.flatMap(({ id, checksum, record }): KeptRecord[] => {
    const text = String(record);
    return crc32(text) === checksum ? [{ id: Number(id), record: JSON.parse(text, untag) }] : [];
  });
  return { records, damaged: rows.length - records.length };
}

/** Of a file that may be in the hands of another process. */
export function readRecordsOf(path: string): Kept {
  const connection = new DatabaseSync(path, { timeout: TIMEOUT_MS });
  try {
    // A process that was killed at its very start left a file without tables.
    const table = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'settlements'").get();
    return table === undefined ? { records: [], damaged: 0 } : readRecords(connection);
  } finally {
    connection.close();
  }
}

/** What is kept of a record. */
export function textOf(record: object): string {
  return JSON.stringify(record, tag);
}

// A type, since an interface would be no record of steps.
export type OutboxSteps = {
  readonly append: (text: string) => void;
  readonly remove: (ids: readonly number[]) => void;
};

export function openOutboxSteps(connection: DatabaseSync): OutboxSteps {
  const insert = connection.prepare('INSERT INTO settlements (checksum, record) VALUES (?, ?)');
  const remove = connection.prepare('DELETE FROM settlements WHERE id = ?');
  return {
    append(text) {
      insert.run(crc32(text), text);
    },
    remove(ids) {
      for (const id of ids) remove.run(id);
    },
  };
}

/** JSON has no bigint: it is a string that begins with `n:`, and a string that begins so gets an `s:` before it. */
const tag = (_: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return `n:${value}`;
  return typeof value === 'string' && /^[ns]:/.test(value) ? `s:${value}` : value;
};

const untag = (_: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  if (value.startsWith('n:')) return BigInt(value.slice(2));
  return value.startsWith('s:') ? value.slice(2) : value;
};
