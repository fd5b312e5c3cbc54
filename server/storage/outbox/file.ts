/** One file of the outbox: a small SQLite database whose commits are on disk, with disk space reserved in advance. */
import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { primaryCode } from '../sqlite/database.ts';
import { syncFolder } from '../sync-folder.ts';

/** A record whose checksum is right. */
export interface KeptRecord {
  readonly id: number;
  readonly record: unknown;
}

export interface Kept {
  /** Oldest first. */
  readonly records: readonly KeptRecord[];
  /** Records whose checksums are wrong. SQLite has no checksums for database pages, and a broken disk changes them. */
  readonly damaged: number;
}

/** Bytes that are reserved at the start, so that some thousand records fit even when the disk is full later. */
export const RESERVED_BYTES = 1024 * 1024;
/** The space is reserved in pieces, so that the write-ahead log needs no more than this. */
const PIECE_BYTES = 512 * 1024;
/** The log is copied back at this size; the rest of its space is for one batch of records. */
const CHECKPOINT_PAGES = 32;
/** A file that a long outage made larger than this is compacted. */
const MOST_BYTES = 2 * RESERVED_BYTES;
const SQLITE_FULL = 13;
/** A backup or a report may be reading. */
const TIMEOUT_MS = 50;

const TABLES = `
  CREATE TABLE IF NOT EXISTS settlements (id INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, record TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS room (bytes BLOB NOT NULL) STRICT`;

/** A connection for the writer: commits are on disk. */
export function connectDurably(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: TIMEOUT_MS });
  connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  return connection;
}

/** Opens a file that is private to its owner, with its space reserved, and on disk together with its folder. */
export function openOutboxFile(path: string): DatabaseSync {
  // SQLite would create the file readable by every user.
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
 * Reserves space: pages that are written and deleted stay with the file and its log, for later records. A file that grew in a long outage is compacted.
 * A full disk does not stop the start.
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

/** Reads a file that another process may have open. */
export function readRecordsOf(path: string): Kept {
  const connection = new DatabaseSync(path, { timeout: TIMEOUT_MS });
  try {
    // A process that was killed at its start may have left a file without tables.
    const table = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'settlements'").get();
    return table === undefined ? { records: [], damaged: 0 } : readRecords(connection);
  } finally {
    connection.close();
  }
}

/** The text that is stored for a record. */
export function textOf(record: object): string {
  return JSON.stringify(record, tag);
}

// A type, because an interface is not assignable to a record of steps.
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

/** JSON has no bigint: one is written as a string with the prefix `n:`, and a string that begins with `n:` or `s:` gets the prefix `s:`. */
const tag = (_: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return `n:${value}`;
  return typeof value === 'string' && /^[ns]:/.test(value) ? `s:${value}` : value;
};

const untag = (_: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  if (value.startsWith('n:')) return BigInt(value.slice(2));
  return value.startsWith('s:') ? value.slice(2) : value;
};
