/** Keeps settlements that find the store down in a local SQLite file, on disk before the caller is told, and replays them when the store is back (promise G2). */
import { closeSync, existsSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { syncFolder } from '../compatibility.ts';
import { StorageError } from '../errors.ts';
import { isBusy, primaryCode, type StepRunner } from '../sqlite/database.ts';
import { openStepThread } from '../sqlite/thread.ts';

export interface Outbox {
  /** Resolves when the record is on disk; it may hold plain values and bigints. Rejects with a StorageError when it cannot be stored. */
  append(record: object): Promise<void>;
  /**
   * Calls `apply` with each record, oldest first, and removes those that were applied; returns how many. A record may be applied again after a
   * crash, so `apply` must be idempotent. A StorageError ends the replay. A record that fails with another error stays in the outbox; these errors
   * are thrown together at the end.
   */
  replay(apply: (record: unknown) => Promise<void>): Promise<number>;
  /** The number of waiting records. */
  readonly size: number;
  /** The number of records that a broken disk has changed: an operator has to look for these settlements in the file. */
  readonly damaged: number;
  close(): Promise<void>;
}

export function openOutbox({ folder }: { readonly folder: string }): Outbox {
  const slots = claimSlots(folder);
  const [own] = slots;
  let running: Promise<number> | undefined;
  const sum = (of: (slot: OutboxSlot) => number): number => slots.reduce((total, slot) => total + of(slot), 0);
  return {
    append: (record) => own.append(record),
    replay(apply) {
      running ??= replayAll(slots, apply).finally(() => {
        running = undefined;
      });
      return running;
    },
    get size() {
      return sum(({ size }) => size);
    },
    get damaged() {
      return sum(({ damaged }) => damaged);
    },
    close: async () => {
      await running?.catch(() => undefined);
      for (const slot of slots) await slot.close();
    },
  };
}

const fileName = /^settlements-\d+\.sqlite$/;
/** All outbox files of a folder, also those of other processes. */
export const outboxFiles = (folder: string): readonly string[] => readdirSync(folder).filter((name) => fileName.test(name));

/** Claims the first free file to append to, and all files that ended processes left behind. */
function claimSlots(folder: string): readonly [OutboxSlot, ...OutboxSlot[]] {
  const path = (number: number): string => join(folder, `settlements-${number}.sqlite`);
  const slots: OutboxSlot[] = [];
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (let number = 0; ; number++) {
      const [own, ...left] = slots;
      if (own && !existsSync(path(number))) return [own, ...left];
      const slot = claimSlot(path(number));
      if (slot) slots.push(slot);
    }
  } catch (error) {
    for (const slot of slots) void slot.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError(`The outbox in ${folder} can't be opened: ${reason}. Check the disk and the permissions.`, {
      cause: error,
    });
  }
}

async function replayAll(slots: readonly OutboxSlot[], apply: (record: unknown) => Promise<void>): Promise<number> {
  let applied = 0;
  const rejected: unknown[] = [];
  for (const slot of slots) {
    const done = await slot.replay(apply);
    applied += done.applied;
    rejected.push(...done.rejected);
  }
  if (rejected.length > 0) {
    throw new AggregateError(
      rejected,
      `${rejected.length} settlements couldn't be applied and stay in the outbox; ${applied} were applied.`,
    );
  }
  return applied;
}

/** A record whose checksum is right. */
interface KeptRecord {
  readonly id: number;
  readonly record: unknown;
}

interface Kept {
  /** Oldest first. */
  readonly records: readonly KeptRecord[];
  /** Records whose checksums are wrong. SQLite has no checksums for database pages, and a broken disk changes them. */
  readonly damaged: number;
}

/** Bytes that are reserved at the start, so that some thousand records fit even when the disk is full later. */
const RESERVED_BYTES = 1024 * 1024;
/** The space is reserved in pieces, so that the write-ahead log needs no more than this. */
const PIECE_BYTES = 512 * 1024;
/** The log is copied back at this size; the rest of its space is for one batch of records. */
const CHECKPOINT_PAGES = 32;
/** A file that a long outage made larger than this is compacted. */
const MAX_BYTES = 2 * RESERVED_BYTES;
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
function openOutboxFile(path: string): DatabaseSync {
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
    if (Number(bytes) > MAX_BYTES) connection.exec('VACUUM');
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
function textOf(record: object): string {
  return JSON.stringify(record, tag);
}

// A type, because an interface is not assignable to a record of steps.
type OutboxSteps = {
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

/** The result of a replay. `rejected` holds the errors of records that failed although the store was up; these records stay in the outbox. */
interface Replayed {
  readonly applied: number;
  readonly rejected: readonly unknown[];
}

class OutboxSlot {
  readonly #lock: DatabaseSync;
  /** For reads; while it is open, the log keeps its space. */
  readonly #file: DatabaseSync;
  readonly #writer: StepRunner<OutboxSteps>;
  readonly damaged: number;
  #size: number;

  constructor(path: string, lock: DatabaseSync) {
    this.#lock = lock;
    this.#file = openOutboxFile(path);
    const { records, damaged } = readRecords(this.#file);
    this.#size = records.length;
    this.damaged = damaged;
    const entry = new URL('./outbox-writer.ts', import.meta.url);
    this.#writer = openStepThread<OutboxSteps>({ entry, folder: dirname(path), file: basename(path), durability: 'strict' });
  }

  get size(): number {
    return this.#size;
  }

  async append(record: object): Promise<void> {
    await this.#writer.run('append', textOf(record)).catch(failed);
    this.#size++;
  }

  /** Ends at the first StorageError: the store is still down. Records that are appended meanwhile wait for the next replay. */
  async replay(apply: (record: unknown) => Promise<void>): Promise<Replayed> {
    const applied: number[] = [];
    const rejected: unknown[] = [];
    try {
      for (const { id, record } of readRecords(this.#file).records) {
        try {
          await apply(record);
          applied.push(id);
        } catch (error) {
          if (error instanceof StorageError) throw error;
          rejected.push(error);
        }
      }
    } finally {
      if (applied.length > 0) await this.#writer.run('remove', applied).catch(failed);
      this.#size -= applied.length;
    }
    return { applied: applied.length, rejected };
  }

  async close(): Promise<void> {
    await this.#writer.close();
    this.#file.close();
    this.#lock.close();
  }
}

/** The writer's message says only "the database"; the operator must know that it is the outbox. */
function failed(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new StorageError(`The outbox failed. ${reason}`, { cause: error });
}

/**
 * Undefined when another process holds the file. The lock is on an empty database beside it, because a backup must be able to read the file itself.
 * The operating system releases the lock when the process ends.
 */
function claimSlot(path: string): OutboxSlot | undefined {
  const lock = lockFile(`${path}.lock`);
  if (lock === undefined) return undefined;
  try {
    return new OutboxSlot(path, lock);
  } catch (error) {
    lock.close();
    throw error;
  }
}

function lockFile(path: string): DatabaseSync | undefined {
  // SQLite would create the file readable by every user.
  closeSync(openSync(path, 'a', 0o600));
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}
