/** The data folder is private, and is migrated once, completely or not at all. */
import { once } from 'node:events';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { StorageError } from '../../../server/store/errors.ts';
import type { Migration } from '../../../server/store/schema-compatibility.ts';
import { type Database, getDatabasePath, migrate, migrations, openDatabase } from '../../../server/store/sqlite/database.ts';
import { modelgate } from '../../harness/command-line.ts';
import { temporaryFolder } from '../../harness/folder.ts';

function open(folder: string, durability: 'strict' | 'relaxed' = 'relaxed'): Database {
  const database = openDatabase({ folder, durability });
  onTestFinished(() => {
    if (database.connection.isOpen) database.close();
  });
  return database;
}

const mode = (path: string): number => statSync(path).mode & 0o777;
const pragma = (database: Database, name: string): unknown => Object.values(database.connection.prepare(`PRAGMA ${name}`).get() ?? {})[0];

test('closes the data folder and its files to every other user', () => {
  const folder = join(temporaryFolder(), 'deep', 'data');
  const database = open(folder);
  database.transaction(() => database.connection.exec("INSERT INTO accounts (id, name, created_at) VALUES ('a', 'a', 1)"));
  expect(mode(folder)).toBe(0o700);
  for (const name of ['modelgate.sqlite', 'modelgate.sqlite-wal', 'modelgate.sqlite-shm'])
    expect([name, mode(join(folder, name))]).toEqual([name, 0o600]);
});

test('opens with a write-ahead log, foreign keys, and the configured durability', () => {
  const relaxed = open(temporaryFolder());
  const strict = open(temporaryFolder(), 'strict');
  expect(pragma(relaxed, 'journal_mode')).toBe('wal');
  expect(pragma(relaxed, 'foreign_keys')).toBe(1);
  expect(pragma(relaxed, 'busy_timeout')).toBe(5000);
  expect(pragma(relaxed, 'synchronous')).toBe(1);
  expect(pragma(strict, 'synchronous')).toBe(2);
});

test('keeps the rows of the first start at a second one, and repeats no migration step', () => {
  const folder = temporaryFolder();
  const first = open(folder);
  first.connection.exec("INSERT INTO accounts (id, name, created_at) VALUES ('a', 'kept', 1)");
  first.close();
  const second = open(folder);
  expect(
    second.connection
      .prepare('SELECT name FROM accounts')
      .all()
      .map((row) => row.name),
  ).toEqual(['kept']);
  expect(
    second.connection
      .prepare('SELECT version FROM migrations')
      .all()
      .map((row) => row.version),
  ).toEqual(migrations.map((step) => step.version));
});

/** Holds the write lock of a file that is not in WAL mode yet, and releases it a moment later. */
const otherProcess = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const connection = new DatabaseSync(workerData);
  connection.exec('BEGIN IMMEDIATE; CREATE TABLE theirs (id INTEGER)');
  parentPort.postMessage('held');
  setTimeout(() => connection.exec('COMMIT'), 200);
`;

test('waits while another process sets the file up', async () => {
  const folder = temporaryFolder();
  const worker = new Worker(otherProcess, { eval: true, workerData: join(folder, 'modelgate.sqlite') });
  await once(worker, 'message');
  const database = open(folder);
  expect(pragma(database, 'journal_mode')).toBe('wal');
  expect(database.connection.prepare('SELECT * FROM theirs').all()).toEqual([]);
  await worker.terminate();
});

test('keeps waiting when the clock is set forward', async () => {
  const folder = temporaryFolder();
  const worker = new Worker(otherProcess, { eval: true, workerData: join(folder, 'modelgate.sqlite') });
  await once(worker, 'message');
  let jumps = 0;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => ++jumps * 3_600_000);
  onTestFinished(() => clock.mockRestore());
  expect(pragma(open(folder), 'journal_mode')).toBe('wal');
  await worker.terminate();
});

test('rejects the data folder of a pre-release version with the reason, and changes nothing', async () => {
  const folder = temporaryFolder();
  const connection = new DatabaseSync(getDatabasePath(folder));
  connection.exec(`
    CREATE TABLE migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT;
    INSERT INTO migrations VALUES (1, 'accounts and keys', 1), (2, 'responses', 2)`);
  connection.close();
  expect(() => open(folder)).toThrow(
    /created by a pre-release version of Modelgate.*Start with an empty database.*another data folder with --data/,
  );
  const doctor = await modelgate(['doctor', '--data', folder], { folder });
  expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining('created by a pre-release version') });
  const left = new DatabaseSync(getDatabasePath(folder));
  onTestFinished(() => left.close());
  expect(left.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()).toEqual([{ name: 'migrations' }]);
});

test('rejects a newer database at the start of an old version with the reason, and changes nothing', () => {
  const folder = temporaryFolder();
  const newer = open(folder);
  newer.connection.exec("INSERT INTO migrations (version, name, applied_at) VALUES (99, 'from the future', 1)");
  newer.close();
  expect(() => open(folder)).toThrow(/newer Modelgate \(schema 99; this version supports schema \d+\)\. Start the newer version/);
});

test('works in the previous version on the tables of the newer one, where they allow it', () => {
  const folder = temporaryFolder();
  const newest = migrations.length;
  const next: Migration = { version: newest + 1, name: 'next', sql: 'ALTER TABLE keys ADD COLUMN next TEXT', worksWith: newest };
  migrate(open(folder).connection, [...migrations, next]);
  expect(open(folder).schema).toEqual({ version: newest + 1, worksWith: newest });
  const connection = new DatabaseSync(getDatabasePath(folder));
  onTestFinished(() => connection.close());
  const breaking: Migration = { version: newest + 2, name: 'breaking', sql: 'DROP TABLE attempts', worksWith: newest + 1 };
  migrate(connection, [...migrations, next, breaking]);
  // No later step repairs what one step broke.
  const later: Migration = { version: newest + 3, name: 'later', sql: 'CREATE TABLE later (id INTEGER) STRICT', worksWith: newest };
  migrate(connection, [...migrations, next, breaking, later]);
  expect(() => open(folder)).toThrow(
    `(schema ${newest + 3}; this version supports schema ${newest}). Start the newer version, or one that supports at least schema ${newest + 1}, or specify another data folder`,
  );
});

test('keeps the tables unchanged when an update fails midway', () => {
  const connection = new DatabaseSync(':memory:');
  const good: Migration = { version: 1, name: 'good', sql: 'CREATE TABLE one (id INTEGER) STRICT' };
  const bad: Migration = { version: 2, name: 'bad', sql: 'CREATE TABLE two (id INTEGER) STRICT; INSERT INTO nowhere VALUES (1)' };
  expect(() => migrate(connection, [good, bad])).toThrow(/nowhere/);
  expect(connection.isTransaction).toBe(false);
  const tables = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  expect(tables.map((row) => row.name)).toEqual(['migrations', 'one']);
  migrate(connection, [good, { ...bad, sql: 'CREATE TABLE two (id INTEGER) STRICT' }]);
  expect(connection.prepare('SELECT count(*) AS count FROM migrations').get()?.count).toBe(2);
});

test('numbers the migration steps without a gap', () => {
  expect(migrations.map((step) => step.version)).toEqual(migrations.map((_, index) => index + 1));
});

test('keeps nothing of a transaction that fails', () => {
  const database = open(temporaryFolder());
  const work = (): void => {
    database.connection.exec("INSERT INTO accounts (id, name, created_at) VALUES ('a', 'a', 1)");
    throw new Error('changed my mind');
  };
  expect(() => database.transaction(work)).toThrow('changed my mind');
  expect(database.connection.prepare('SELECT count(*) AS count FROM accounts').get()?.count).toBe(0);
});

test.each([
  {
    what: 'a file that is no database',
    spoil: (folder: string) =>
      writeFileSync(
        join(folder, 'modelgate.sqlite'),
        'a letter to my aunt, longer than any header of a database would be, and much more of it'.repeat(40),
      ),
    says: /isn't a database\. Move it/,
  },
  {
    what: 'a folder in place of the file',
    spoil: (folder: string) => mkdirSync(join(folder, 'modelgate.sqlite')),
    says: /can't be opened.*--data/,
  },
])('reports $what with what to do', ({ spoil, says }) => {
  const folder = temporaryFolder();
  spoil(folder);
  expect(() => open(folder)).toThrow(StorageError);
  expect(() => open(folder)).toThrow(says);
  expect(existsSync(folder)).toBe(true);
});
