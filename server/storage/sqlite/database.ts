/** Opens the embedded database: one SQLite file in the data folder, private to its owner, migrated to the current schema. */
import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { asFound, COPY_NOTES, type FoundSchema, halfCopy, type Migration, newestOf, READ_STEPS, refuseUnusable } from '../compatibility.ts';
import { StorageError } from '../errors.ts';
import { SQL as accountsAndKeys } from './migrations/0001-accounts-and-keys.ts';
import { SQL as responses } from './migrations/0002-responses.ts';
import { SQL as money } from './migrations/0003-money.ts';
import { SQL as idempotency } from './migrations/0004-idempotency.ts';
import { SQL as leanEntries } from './migrations/0005-lean-entries.ts';
import { SQL as attempts } from './migrations/0006-attempts.ts';
import { SQL as pepperFingerprint } from './migrations/0007-pepper-fingerprint.ts';
import { SQL as worksWith } from './migrations/0008-works-with.ts';
import { SQL as keptBytes } from './migrations/0011-kept-bytes.ts';
import { SQL as refusals } from './migrations/0013-refusals.ts';
import { SQL as activity } from './migrations/0015-activity.ts';
import { SQL as roles } from './migrations/0016-roles.ts';
import { SQL as sessions } from './migrations/0017-sessions.ts';
import { SQL as alerts } from './migrations/0018-alerts.ts';
import { SQL as selfService } from './migrations/0019-self-service.ts';
import { SQL as sessionsOfPersons } from './migrations/0020-sessions-of-persons.ts';
import { SQL as reportsAndVendorCost } from './migrations/0021-reports-and-vendor-cost.ts';
import { SQL as statements } from './migrations/0022-statements.ts';
import { SQL as lists } from './migrations/0023-lists.ts';
import { SQL as rareCodes } from './migrations/0024-rare-codes.ts';
import { SQL as activityDays } from './migrations/0025-activity-days.ts';
import { SQL as keyHours } from './migrations/0027-key-hours.ts';

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

/** A migration that only PostgreSQL needs: both engines use the same numbers. */
const NOTHING = '';

/**
 * The SQL of a published migration is never edited: a new one is added. `worksWith` says which programs may still work on the schema; the previous
 * version must be among them (docs/decisions/0022).
 */
export const migrations: readonly Migration[] = [
  { version: 1, name: 'accounts and keys', sql: accountsAndKeys },
  { version: 2, name: 'responses', sql: responses },
  { version: 3, name: 'money', sql: money },
  { version: 4, name: 'idempotency', sql: idempotency },
  { version: 5, name: 'lean entries', sql: leanEntries },
  { version: 6, name: 'attempts', sql: attempts },
  { version: 7, name: 'pepper fingerprint', sql: pepperFingerprint },
  { version: 8, name: 'works with', sql: worksWith, worksWith: 7 },
  { version: 9, name: 'settles by id', sql: NOTHING, worksWith: 7 },
  { version: 10, name: 'holds together', sql: NOTHING, worksWith: 7 },
  { version: 11, name: 'kept bytes', sql: keptBytes, worksWith: 7 },
  { version: 12, name: 'holds by share', sql: NOTHING, worksWith: 7 },
  { version: 13, name: 'refusals', sql: refusals, worksWith: 7 },
  { version: 14, name: 'late charges', sql: NOTHING, worksWith: 7 },
  { version: 15, name: 'activity', sql: activity, worksWith: 7 },
  { version: 16, name: 'roles', sql: roles, worksWith: 7 },
  { version: 17, name: 'sessions', sql: sessions, worksWith: 7 },
  { version: 18, name: 'alerts', sql: alerts, worksWith: 7 },
  { version: 19, name: 'self-service', sql: selfService, worksWith: 7 },
  { version: 20, name: 'sessions of persons', sql: sessionsOfPersons, worksWith: 7 },
  { version: 21, name: 'reports and vendor cost', sql: reportsAndVendorCost, worksWith: 7 },
  { version: 22, name: 'statements', sql: statements, worksWith: 7 },
  { version: 23, name: 'lists', sql: lists, worksWith: 7 },
  { version: 24, name: 'rare codes', sql: rareCodes, worksWith: 7 },
  { version: 25, name: 'activity days', sql: activityDays, worksWith: 7 },
  { version: 26, name: 'keyed charges', sql: NOTHING, worksWith: 7 },
  { version: 27, name: 'key hours', sql: keyHours, worksWith: 7 },
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
        'CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT',
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
  connection.prepare('INSERT INTO migrations (version, name, applied_at) VALUES (?, ?, ?)').run(version, name, Date.now());
  if (oldest !== undefined) connection.prepare('UPDATE migrations SET works_with = ? WHERE version = ?').run(oldest, version);
}

const refuse = (found: FoundSchema, target: number): void => refuseUnusable(found, target, 'name another data folder with --data');

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
const MOST_BYTES = 64 * 1024 * 1024;

export function openCheckpoints(connection: DatabaseSync, file: string): Checkpoints {
  const log = `${file}-wal`;
  let commits = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = (before: number): void => {
    timer = undefined;
    const isIdle = commits === before;
    const isDone = (isIdle || sizeOf(log) > MOST_BYTES) && truncateLog(connection);
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

/** False while a reader still needs the log. Does not wait for readers, because writers would wait with it. */
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

type Joined<R extends readonly unknown[]> = R extends readonly [infer First, ...infer Rest] ? First & Joined<Rest> : unknown;

/** Joins the steps of several folders into one table; throws when a name occurs twice. */
export function joinSteps<R extends readonly OpenSteps<Steps>[]>(
  ...rooms: R
): (connection: DatabaseSync) => Joined<{ [I in keyof R]: ReturnType<R[I]> }> {
  return (connection) => {
    const joined: Record<string, Steps[string]> = {};
    for (const [name, step] of rooms.flatMap((open) => Object.entries(open(connection)))) {
      if (Object.hasOwn(joined, name)) throw new TypeError(`Two rooms have a step '${name}'.`);
      joined[name] = step;
    }
    // It holds exactly the entries of all of them.
    return joined as Joined<{ [I in keyof R]: ReturnType<R[I]> }>;
  };
}

/** Takes the write lock at the start: a transaction that reads first could be refused when it begins to write. */
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
