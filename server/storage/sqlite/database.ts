/** Opens the embedded database: one SQLite file in the data folder, private to its owner, migrated to the current schema. */
import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  asFound,
  COPY_NOTES,
  FIRST,
  type FoundSchema,
  halfCopy,
  type Migration,
  newestOf,
  READ_STEPS,
  rejectUnusable,
} from '../compatibility.ts';
import { StorageError } from '../errors.ts';
import { alertColumns, closingTables, type EngineWords, keyDaysByDay, tablesOf } from '../tables.ts';

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
      if (!mayBeHalf) rejectHalf(connection);
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

function rejectHalf(connection: DatabaseSync): void {
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
    return new StorageError(`${file} isn't a database. Move it, or specify another data folder with --data.`, cause);
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new StorageError(`${file} isn't writable. Check the permissions of the folder, or specify another with --data.`, cause);
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new StorageError(`${file} can't be opened: ${reason}. Check the disk, or specify another data folder with --data.`, cause);
}

const words: EngineWords = {
  int: 'INTEGER',
  bytes: 'BLOB',
  bool: 'INTEGER',
  no: '0',
  name: 'TEXT',
  rowId: 'INTEGER PRIMARY KEY',
  counter: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  end: ' STRICT, WITHOUT ROWID',
  rowsEnd: ' STRICT',
  hotEnd: ' STRICT, WITHOUT ROWID',
  place: '',
  including: (column) => `, ${column})`,
};

const TRIGGERS = `
  CREATE TRIGGER entries_are_final BEFORE UPDATE ON entries BEGIN SELECT raise(ABORT, 'entries are append-only'); END;
  CREATE TRIGGER entries_stay BEFORE DELETE ON entries BEGIN SELECT raise(ABORT, 'entries are append-only'); END;
  CREATE TRIGGER audit_is_final BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'the audit is append-only'); END;
  CREATE TRIGGER audit_stays BEFORE DELETE ON audit BEGIN SELECT raise(ABORT, 'the audit is append-only'); END;

  -- What an insert would replace goes by itself: it would not be counted else.
  CREATE TRIGGER responses_replaced BEFORE INSERT ON responses BEGIN
    DELETE FROM responses WHERE account_id = NEW.account_id AND id = NEW.id;
  END;
  -- Without a clause for conflicts: that of the statement outside would rule here too.
  CREATE TRIGGER responses_counted AFTER INSERT ON responses BEGIN
    INSERT INTO kept_bytes (account_id, bytes)
      SELECT NEW.account_id, 0 WHERE NOT EXISTS (SELECT 1 FROM kept_bytes WHERE account_id = NEW.account_id);
    UPDATE kept_bytes SET bytes = bytes + octet_length(NEW.input) + octet_length(NEW.response) WHERE account_id = NEW.account_id;
  END;
  CREATE TRIGGER responses_uncounted AFTER DELETE ON responses BEGIN
    UPDATE kept_bytes SET bytes = bytes - octet_length(OLD.input) - octet_length(OLD.response) WHERE account_id = OLD.account_id;
  END;
`;

const CLOSING = `
  DROP TRIGGER entries_stay;
  CREATE TRIGGER entries_stay BEFORE DELETE ON entries WHEN NOT EXISTS (SELECT 1 FROM closing)
    BEGIN SELECT raise(ABORT, 'entries are append-only'); END;
`;

/**
 * The SQL of a published migration is never edited: a new one is added, with the same number on both engines. `worksWith` says which programs may
 * still work on the schema; the previous version must be among them (docs/decisions/0022).
 */
export const migrations: readonly Migration[] = [
  { version: 1, name: FIRST, sql: tablesOf(words) + TRIGGERS },
  { version: 2, name: 'closing of the books', sql: closingTables(words) + CLOSING, worksWith: 1 },
  { version: 3, name: 'acknowledged alerts, thresholds of accounts', sql: alertColumns(words), worksWith: 1 },
  { version: 4, name: 'sums of keys, day by day', sql: keyDaysByDay(words), worksWith: 1 },
];

/** The newest schema that this program knows. */
export const knownSchema = newestOf(migrations);

/** Safe while another process migrates: after the wait for the lock the version is read again. The schema found afterwards may be newer than `steps`. */
export function migrate(connection: DatabaseSync, steps: readonly Migration[] = migrations): FoundSchema {
  const target = newestOf(steps);
  refuse(findSchema(connection), target);
  for (const step of steps) {
    if (findSchema(connection).version >= step.version) continue;
    inTransaction(connection, () => {
      connection.exec(
        'CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL, works_with INTEGER) STRICT',
      );
      if (findSchema(connection).version < step.version) take(connection, step);
    });
  }
  // A newer Modelgate may have migrated meanwhile.
  const found = findSchema(connection);
  refuse(found, target);
  return found;
}

function take(connection: DatabaseSync, { version, name, sql, worksWith: oldest }: Migration): void {
  connection.exec(sql);
  const insert = connection.prepare('INSERT INTO migrations (version, name, applied_at, works_with) VALUES (?, ?, ?, ?)');
  insert.run(version, name, Date.now(), oldest ?? null);
}

const refuse = (found: FoundSchema, target: number): void => rejectUnusable(found, target, 'specify another data folder with --data');

/** Only reads. */
export function findSchema(connection: DatabaseSync): FoundSchema {
  const table = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'").get();
  return asFound(table === undefined ? [] : connection.prepare(READ_STEPS).all());
}

export interface Checkpoints {
  /** Must be called after each commit. */
  noteCommit(): void;
  /** Copies back what it can, before the connection is closed. */
  close(): void;
}

const LOOK_EVERY_MS = 1_000;
/** Above this size the log is truncated under load, too. Below it the log is overwritten in place, which is faster than growing a file. */
const MAX_BYTES = 64 * 1024 * 1024;

export function openCheckpoints(connection: DatabaseSync, file: string): Checkpoints {
  const log = `${file}-wal`;
  let commits = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = (before: number): void => {
    timer = undefined;
    const isIdle = commits === before;
    const isDone = (isIdle || sizeOf(log) > MAX_BYTES) && truncateLog(connection);
    if (!(isIdle && isDone)) plan();
  };
  const plan = (): void => {
    timer ??= setTimeout(look, LOOK_EVERY_MS, commits);
  };
  return {
    noteCommit() {
      commits++;
      plan();
    },
    close() {
      clearTimeout(timer);
      truncateLog(connection);
    },
  };
}

/** Returns false while a reader still needs the WAL. Doesn't wait for readers, because writers would be blocked, too. */
function truncateLog(connection: DatabaseSync): boolean {
  const waitMs = Number(connection.prepare('PRAGMA busy_timeout').get()?.timeout ?? BUSY_TIMEOUT_MS);
  connection.exec('PRAGMA busy_timeout = 0');
  try {
    return connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  } catch {
    // The disk is full or gone: everything is still in the log, and the next write reports the failure.
    return false;
  } finally {
    connection.exec(`PRAGMA busy_timeout = ${waitMs}`);
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** A step takes one argument and returns one value, both of which can be cloned. It runs inside a transaction that other steps may share. */
export type Step = (argument: never) => unknown;
export type Steps = Readonly<Record<string, Step>>;
/** Prepares the statements once and returns the steps. */
export type OpenSteps<S extends Steps> = (connection: DatabaseSync) => S;

/** Runs steps by name, in the order of the calls; a promise resolves only after the commit. */
export interface StepRunner<S extends Steps> {
  /** `given`: memory of the argument that is transferred to the writer without a copy; the caller must not read it afterwards. */
  run<K extends keyof S & string>(name: K, argument: Parameters<S[K]>[0], given?: readonly ArrayBuffer[]): Promise<ReturnType<S[K]>>;
  close(): Promise<void>;
}

/** For commands and tests, which have no streams to delay: runs each step at once, in a transaction of its own on this connection. */
export function runHere<S extends Steps>(connection: DatabaseSync, openSteps: OpenSteps<S>): StepRunner<S> {
  const steps = openSteps(connection);
  const runner: StepRunner<S> = {
    // The compiler cannot see that the argument and the result belong to the same name.
    run: async (name, argument) => inTransaction(connection, () => steps[name]?.(argument as never)) as never,
    close: async () => undefined,
  };
  return runner;
}

/** Takes the write lock at the start: a transaction that reads first could be rejected when it begins to write. */
export function inTransaction<T>(connection: DatabaseSync, work: () => T): T {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite ends the transaction itself when the disk is full.
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}
