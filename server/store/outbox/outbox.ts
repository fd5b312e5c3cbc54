/**
 * Keeps settlements in a local SQLite file while the store is down, and replays them when it is back. They are on disk before the caller gets the response
 * (promise G2).
 */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';

import { StorageError } from '../errors.ts';
import { getPrimaryCode, hasTable, isBusy, type StepRunner } from '../sqlite/database.ts';
import { createPrivateFile, type DatabaseFiles, identifyFiles, isInPlace } from '../sqlite/database-files.ts';
import { openWriterThread } from '../sqlite/thread.ts';
import { syncFolder } from '../sync-folder.ts';

export interface Outbox {
  /**
   * Resolves once the record is on disk. It can contain plain values and bigints. Rejects with a StorageError if the record can't be
   * stored.
   */
  append(record: object): Promise<void>;
  /**
   * Calls `apply` with each record, oldest first, removes the applied records, and returns their number.
   * `apply` must be idempotent, because a record can be applied again after a crash. A StorageError ends the replay.
   * A record that fails with another error stays in the outbox. These errors are thrown together at the end.
   */
  replay(apply: (record: unknown) => Promise<void>): Promise<number>;
  /** The number of waiting records. */
  readonly size: number;
  /** The number of records that a broken disk has changed. An operator must look for these settlements in the file. */
  readonly damaged: number;
  close(): Promise<void>;
}

export function openOutbox({ folder }: { readonly folder: string }): Outbox {
  const slots = claimSlots(folder);
  const [ownSlot] = slots;
  let currentReplay: Promise<number> | undefined;
  const sumSlots = (getCount: (slot: OutboxSlot) => number): number => slots.reduce((total, slot) => total + getCount(slot), 0);
  return {
    append: (record) => ownSlot.append(record),
    replay(apply) {
      currentReplay ??= replayAll(slots, apply).finally(() => {
        currentReplay = undefined;
      });
      return currentReplay;
    },
    get size() {
      return sumSlots(({ size }) => size);
    },
    get damaged() {
      return sumSlots(({ damaged }) => damaged);
    },
    close: async () => {
      await currentReplay?.catch(() => undefined);
      for (const slot of slots) await slot.close();
    },
  };
}

const fileNamePattern = /^settlements-\d+\.sqlite$/;
/** Lists all outbox files of a folder, including those of other processes. */
export const listOutboxFiles = (folder: string): readonly string[] => readdirSync(folder).filter((name) => fileNamePattern.test(name));

/** Claims the first free file for appending, and all files left behind by ended processes. */
function claimSlots(folder: string): readonly [OutboxSlot, ...OutboxSlot[]] {
  const getSlotPath = (number: number): string => join(folder, `settlements-${number}.sqlite`);
  const slots: OutboxSlot[] = [];
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (let number = 0; ; number++) {
      const [firstSlot, ...otherSlots] = slots;
      if (firstSlot && !existsSync(getSlotPath(number))) return [firstSlot, ...otherSlots];
      const slot = claimSlot(getSlotPath(number));
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
  let appliedCount = 0;
  const errors: unknown[] = [];
  for (const slot of slots) {
    const result = await slot.replay(apply);
    appliedCount += result.applied;
    errors.push(...result.rejected);
  }
  if (errors.length > 0) {
    throw new AggregateError(
      errors,
      `${errors.length} settlements couldn't be applied and stay in the outbox; ${appliedCount} were applied.`,
    );
  }
  return appliedCount;
}

/** A record with a correct checksum. */
interface StoredRecord {
  readonly id: number;
  readonly record: unknown;
}

interface StoredRecords {
  /** Oldest first. */
  readonly records: readonly StoredRecord[];
  /** Records with a wrong checksum. SQLite has no checksums for database pages, so a broken disk can change them unnoticed. */
  readonly damaged: number;
}

/** Bytes reserved at the start, so that a few thousand records fit even if the disk fills up later. */
const RESERVED_BYTES = 1024 * 1024;
/** In bytes. Space is reserved in pieces of this size, which also limits the size of the write-ahead log. */
const CHUNK_BYTES = 512 * 1024;
/** In pages. SQLite checkpoints the log at this size. The remaining space of the log is for one batch of records. */
const CHECKPOINT_PAGES = 32;
/** In bytes. A file that grew larger than this during a long outage is compacted. */
const MAX_BYTES = 2 * RESERVED_BYTES;
const SQLITE_FULL = 13;
/** A backup or a report may be reading the file. */
const LOCK_TIMEOUT_MS = 50;

const CREATE_TABLES = `
  CREATE TABLE IF NOT EXISTS settlements (id INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, record TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS room (bytes BLOB NOT NULL) STRICT`;

/** Opens a connection for the writer, whose commits are synced to disk. */
export function openDurableConnection(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS });
  connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  return connection;
}

/** Opens a file that is private to its owner, reserves its space, and syncs the file and its folder. */
function openOutboxFile(path: string): DatabaseSync {
  createPrivateFile(path);
  const connection = openDurableConnection(path);
  try {
    connection.exec(CREATE_TABLES);
    reserveSpace(connection);
    syncFolder(dirname(path));
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Reserves space: written and deleted pages stay in the file and its log, for later records. Compacts a file that grew during a long
 * outage.
 * A full disk doesn't prevent startup.
 */
function reserveSpace(connection: DatabaseSync): void {
  ignoreDiskFull(() => {
    const { bytes } = connection.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size').get() ?? {};
    if (Number(bytes) > MAX_BYTES) connection.exec('VACUUM');
    connection.exec('DELETE FROM room');
    for (let reservedBytes = 0; reservedBytes < RESERVED_BYTES; reservedBytes += CHUNK_BYTES)
      connection.exec(`INSERT INTO room (bytes) VALUES (zeroblob(${CHUNK_BYTES})); PRAGMA wal_checkpoint(RESTART)`);
  });
  ignoreDiskFull(() => connection.exec('DELETE FROM room; PRAGMA wal_checkpoint(RESTART)'));
}

function ignoreDiskFull(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (getPrimaryCode(error) !== SQLITE_FULL) throw error;
  }
}

export function readRecords(connection: DatabaseSync): StoredRecords {
  const rows = connection.prepare('SELECT id, checksum, record FROM settlements ORDER BY id').all();
  const records = rows.flatMap(({ id, checksum, record }): StoredRecord[] => {
    const text = String(record);
    return crc32(text) === checksum ? [{ id: Number(id), record: JSON.parse(text, untagValue) }] : [];
  });
  return { records, damaged: rows.length - records.length };
}

/** Reads a file that another process may have open. */
export function readOutboxFile(path: string): StoredRecords {
  const connection = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS });
  try {
    // A process killed during startup may have left a file without tables.
    return hasTable(connection, 'settlements') ? readRecords(connection) : { records: [], damaged: 0 };
  } finally {
    connection.close();
  }
}

// A type, because an interface isn't assignable to a record of steps.
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

/**
 * JSON has no bigint, so a bigint is written as a string with the prefix `n:`. A string that starts with `n:` or `s:` gets the prefix
 * `s:`.
 */
const tagValue = (_: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return `n:${value}`;
  return typeof value === 'string' && /^[ns]:/.test(value) ? `s:${value}` : value;
};

const untagValue = (_: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  if (value.startsWith('n:')) return BigInt(value.slice(2));
  return value.startsWith('s:') ? value.slice(2) : value;
};

class OutboxSlot {
  readonly #lockConnection: DatabaseSync;
  /** For reads. While this connection is open, the log keeps its space. */
  readonly #connection: DatabaseSync;
  readonly #files: DatabaseFiles;
  readonly #writer: StepRunner<OutboxSteps>;
  readonly damaged: number;
  #size: number;

  constructor(path: string, lock: DatabaseSync) {
    this.#lockConnection = lock;
    this.#connection = openOutboxFile(path);
    const { records, damaged: damagedCount } = readRecords(this.#connection);
    this.#files = identifyFiles(path);
    this.#size = records.length;
    this.damaged = damagedCount;
    const entry = new URL('./outbox-writer.ts', import.meta.url);
    this.#writer = openWriterThread<OutboxSteps>({
      entry,
      folder: dirname(path),
      file: basename(path),
      files: this.#files,
      durability: 'strict',
    });
  }

  get size(): number {
    return this.#size;
  }

  async append(record: object): Promise<void> {
    await this.#writer.run('append', JSON.stringify(record, tagValue)).catch(throwOutboxError);
    this.#size++;
  }

  /** Ends at the first StorageError, because the store is still down. Records appended during the replay wait for the next one. */
  async replay(apply: (record: unknown) => Promise<void>): Promise<{ applied: number; rejected: readonly unknown[] }> {
    const appliedIds: number[] = [];
    const errors: unknown[] = [];
    try {
      for (const { id, record } of readRecords(this.#connection).records) {
        try {
          await apply(record);
          appliedIds.push(id);
        } catch (error) {
          if (error instanceof StorageError) throw error;
          errors.push(error);
        }
      }
    } finally {
      if (appliedIds.length > 0) await this.#writer.run('remove', appliedIds).catch(throwOutboxError);
      this.#size -= appliedIds.length;
    }
    return { applied: appliedIds.length, rejected: errors };
  }

  async close(): Promise<void> {
    await this.#writer.close();
    if (isInPlace(this.#files)) this.#connection.close();
    this.#lockConnection.close();
  }
}

/** The writer's message says only "the database", but the operator needs to know that the outbox failed. */
function throwOutboxError(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new StorageError(`The outbox failed. ${reason}`, { cause: error });
}

/**
 * Undefined if another process holds the file. The lock is on an empty database next to the file, so that a backup can read the file
 * itself.
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
  createPrivateFile(path);
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
