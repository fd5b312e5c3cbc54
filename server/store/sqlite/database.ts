/** Opens the SQLite database: one file in the data folder, private to its owner, migrated to the current schema. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../errors.ts';
import {
  checkSchemaCompatibility,
  type DatabaseSchema,
  FIRST_MIGRATION_NAME,
  getNewestVersion,
  type Migration,
  READ_MIGRATIONS,
  toDatabaseSchema,
} from '../schema-compatibility.ts';
import {
  buildAlertColumns,
  buildCapTables,
  buildChargedBeforeColumn,
  buildClosingTables,
  buildEndUserTables,
  buildKeyDaysByDayMigration,
  buildRunTables,
  buildTables,
  SESSION_CLIENT_COLUMNS,
  type SqlTypes,
} from '../tables.ts';
import { COPY_NOTES_TABLE, createUnfinishedCopyError } from '../unfinished-copy.ts';
import { assertInPlace, createPrivateFile, type DatabaseFiles, identifyFiles, isInPlace } from './database-files.ts';

export interface Database {
  readonly connection: DatabaseSync;
  /** The schema after migration. It may be newer than this version, if this version can still use it. */
  readonly schema: DatabaseSchema;
  readonly files: DatabaseFiles;
  /** Runs the work in one transaction that holds the write lock from its start. */
  transaction<T>(work: () => T): T;
  /** Leaves the connection open if another program has deleted or replaced the files, because closing it would write into other files. */
  close(): void;
}

export interface DatabaseOptions {
  /** The data folder. Created if it's missing. */
  readonly folder: string;
  /**
   * `strict` waits for the disk at every commit. `relaxed` can lose the last commits in a power failure, but not in a crash of the
   * process.
   */
  readonly durability: 'strict' | 'relaxed';
  /**
   * Which connection runs checkpoints of the write-ahead log. `own` (default): this connection, during some commits.
   * `elsewhere`: the writing thread's connection, because a connection of the event loop must not wait for the disk.
   */
  readonly checkpoints?: 'own' | 'elsewhere';
  /** Whether to open a database with an unfinished copy. Only for the copy itself, because a gateway must not serve from it. */
  readonly mayBeHalf?: boolean;
  /** The files that another connection of this process has open. Other files are rejected. */
  readonly files?: DatabaseFiles | undefined;
}

/** How long to wait while another process writes. */
export const BUSY_TIMEOUT_MS = 5_000;
/**
 * A reader waits only for a connection that recovers the file or has locked it exclusively. On the event loop, all streams would wait
 * with it.
 */
const READER_TIMEOUT_MS = 50;

export const hasDatabase = (folder: string): boolean => existsSync(getDatabasePath(folder));

export function openDatabase({
  folder,
  durability,
  checkpoints = 'own',
  mayBeHalf: isUnfinishedCopyAllowed = false,
  files: expectedFiles,
}: DatabaseOptions): Database {
  const file = getDatabasePath(folder);
  try {
    if (expectedFiles) assertInPlace(expectedFiles);
    createPrivateDatabase(folder, file);
    const connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
    let schema: DatabaseSchema;
    try {
      enableWriteAheadLog(connection);
      connection.exec(`PRAGMA synchronous = ${durability === 'strict' ? 'FULL' : 'NORMAL'}`);
      if (!isUnfinishedCopyAllowed) assertCopyFinished(connection);
      schema = migrate(connection);
      if (checkpoints === 'elsewhere') connection.exec(`PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = ${READER_TIMEOUT_MS}`);
    } catch (error) {
      connection.close();
      throw error;
    }
    const files = expectedFiles ?? identifyFiles(file);
    const close = (): void => {
      if (isInPlace(files)) connection.close();
    };
    return { connection, schema, files, transaction: (work) => inTransaction(connection, work), close };
  } catch (error) {
    throw toStorageError(error, file);
  }
}

export function assertCopyFinished(connection: DatabaseSync): void {
  if (hasTable(connection, COPY_NOTES_TABLE)) throw createUnfinishedCopyError();
}

export const hasTable = (connection: DatabaseSync, name: string): boolean =>
  connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;

/** Reads a file that another process may have open. Changes nothing, and doesn't migrate it. */
export function readDatabase<T>(folder: string, timeoutMs: number, read: (connection: DatabaseSync) => T): T {
  const connection = new DatabaseSync(getDatabasePath(folder), { readOnly: true, timeout: timeoutMs });
  try {
    return read(connection);
  } finally {
    connection.close();
  }
}

export const getDatabasePath = (folder: string): string => join(folder, 'modelgate.sqlite');

function createPrivateDatabase(folder: string, file: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  createPrivateFile(file);
  // SQLite would open an unwritable file as read-only and fail at the first write.
  accessSync(file, constants.W_OK);
}

/** The switch to WAL ignores the busy timeout if two processes make it at the same time, so it's retried here. */
function enableWriteAheadLog(connection: DatabaseSync): void {
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

export const isBusy = (error: unknown): boolean => getPrimaryCode(error) === SQLITE_BUSY;

/** Returns the primary code, the lowest byte of SQLite's extended code. */
export const getPrimaryCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;

function toStorageError(error: unknown, file: string): StorageError {
  if (error instanceof StorageError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const cause = { cause: error };
  if (isBusy(error)) return new StorageError(`${file} is locked by another process. Stop it, or try again.`, cause);
  if (getPrimaryCode(error) === SQLITE_NOT_A_DATABASE) {
    return new StorageError(`${file} isn't a database. Move it, or specify another data folder with --data.`, cause);
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new StorageError(`${file} isn't writable. Check the permissions of the folder, or specify another with --data.`, cause);
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new StorageError(`${file} can't be opened: ${reason}. Check the disk, or specify another data folder with --data.`, cause);
}

const sqlTypes: SqlTypes = {
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

const CREATE_TRIGGERS = `
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

const ALLOW_CLOSING = `
  DROP TRIGGER entries_stay;
  CREATE TRIGGER entries_stay BEFORE DELETE ON entries WHEN NOT EXISTS (SELECT 1 FROM closing)
    BEGIN SELECT raise(ABORT, 'entries are append-only'); END;
`;

/**
 * The SQL of a published migration is never edited. Add a new migration instead, with the same number on both engines.
 * `worksWith` defines which versions can still use the schema. The previous version must be among them (docs/decisions/0022).
 */
export const migrations: readonly Migration[] = [
  { version: 1, name: FIRST_MIGRATION_NAME, sql: buildTables(sqlTypes) + CREATE_TRIGGERS },
  { version: 2, name: 'closing of the books', sql: buildClosingTables(sqlTypes) + ALLOW_CLOSING, worksWith: 1 },
  { version: 3, name: 'acknowledged alerts, thresholds of accounts', sql: buildAlertColumns(sqlTypes), worksWith: 1 },
  { version: 4, name: 'sums of keys, day by day', sql: buildKeyDaysByDayMigration(sqlTypes), worksWith: 1 },
  { version: 5, name: 'charges before a spending cap', sql: buildChargedBeforeColumn(sqlTypes), worksWith: 1 },
  { version: 6, name: 'events of responses', sql: buildRunTables(sqlTypes), worksWith: 1 },
  { version: 7, name: 'several spending caps', sql: buildCapTables(sqlTypes), worksWith: 1 },
  { version: 8, name: 'totals by end user and tag', sql: buildEndUserTables(sqlTypes), worksWith: 1 },
  { version: 9, name: 'address and browser of sessions', sql: SESSION_CLIENT_COLUMNS, worksWith: 1 },
];

/** The newest schema that this version supports. */
export const supportedSchemaVersion = getNewestVersion(migrations);

/**
 * Safe while another process migrates, because the version is read again after the wait for the lock. The resulting schema may be newer
 * than `steps`.
 */
export function migrate(connection: DatabaseSync, migrationList: readonly Migration[] = migrations): DatabaseSchema {
  const target = getNewestVersion(migrationList);
  assertUsable(readSchema(connection), target);
  for (const step of migrationList) {
    if (readSchema(connection).version >= step.version) continue;
    inTransaction(connection, () => {
      connection.exec(
        'CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL, works_with INTEGER) STRICT',
      );
      if (readSchema(connection).version < step.version) applyMigration(connection, step);
    });
  }
  // A newer Modelgate may have migrated while this one waited for the lock.
  const schema = readSchema(connection);
  assertUsable(schema, target);
  return schema;
}

function applyMigration(connection: DatabaseSync, { version, name, sql, worksWith: minCompatibleVersion }: Migration): void {
  connection.exec(sql);
  const insert = connection.prepare('INSERT INTO migrations (version, name, applied_at, works_with) VALUES (?, ?, ?, ?)');
  insert.run(version, name, Date.now(), minCompatibleVersion ?? null);
}

const assertUsable = (schema: DatabaseSchema, target: number): void =>
  checkSchemaCompatibility(schema, target, 'specify another data folder with --data');

/** Reads the schema and changes nothing. */
export function readSchema(connection: DatabaseSync): DatabaseSchema {
  return toDatabaseSchema(hasTable(connection, 'migrations') ? connection.prepare(READ_MIGRATIONS).all() : []);
}

const CHECK_INTERVAL_MS = 1_000;
/** In bytes. A larger log is truncated even under load. A smaller one is overwritten in place, which is faster than growing a file. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;

export function openCheckpointer(connection: DatabaseSync, files: DatabaseFiles) {
  const log = `${files.path}-wal`;
  const truncate = (): boolean => isInPlace(files) && truncateLog(connection);
  let commits = 0;
  let timer: NodeJS.Timeout | undefined;
  const checkIdle = (commitsBefore: number): void => {
    timer = undefined;
    const isIdle = commits === commitsBefore;
    const isDone = (isIdle || getFileSize(log) > MAX_LOG_BYTES) && truncate();
    if (!(isIdle && isDone)) scheduleCheck();
  };
  const scheduleCheck = (): void => {
    timer ??= setTimeout(checkIdle, CHECK_INTERVAL_MS, commits);
  };
  return {
    /** Must be called after each commit. */
    noteCommit() {
      commits++;
      scheduleCheck();
    },
    /** Runs a last checkpoint before the connection is closed. */
    close() {
      clearTimeout(timer);
      truncate();
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
    // The disk is full or gone. Everything is still in the log, and the next write reports the failure.
    return false;
  } finally {
    connection.exec(`PRAGMA busy_timeout = ${waitMs}`);
  }
}

const getFileSize = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** A step has one argument and returns one value, and both can be cloned. It runs inside a transaction that other steps may share. */
export type Step = (argument: never) => unknown;
export type Steps = Readonly<Record<string, Step>>;
/** Prepares the statements once and returns the steps. */
export type OpenSteps<S extends Steps> = (connection: DatabaseSync) => S;

/** Runs steps by name, in call order. A promise resolves only after the commit. */
export interface StepRunner<S extends Steps> {
  /** `given`: memory of the argument that is transferred to the writer without a copy. The caller must not read it afterward. */
  run<K extends keyof S & string>(name: K, argument: Parameters<S[K]>[0], buffers?: readonly ArrayBuffer[]): Promise<ReturnType<S[K]>>;
  close(): Promise<void>;
}

/** For commands and tests, which have no streams to delay. Runs each step immediately, in a separate transaction on this connection. */
export function runInline<S extends Steps>(connection: DatabaseSync, openSteps: OpenSteps<S>): StepRunner<S> {
  const steps = openSteps(connection);
  const runner: StepRunner<S> = {
    // The compiler can't see that the argument and the result belong to the same name.
    run: async (name, argument) => inTransaction(connection, () => steps[name]?.(argument as never)) as never,
    close: async () => undefined,
  };
  return runner;
}

/** Acquires the write lock at the start, because a transaction that reads first can be rejected at its first write. */
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
