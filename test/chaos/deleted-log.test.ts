/** Programs that read, delete, or replace the files of a live database: no charge is lost, and nothing is written to files of others (G1, G2). */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Agent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { getDatabasePath } from '../../server/store/sqlite/database.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { type GatewayProcess, setUp } from '../harness/gateway-process.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { openHolds, readBooks } from './crash-books.ts';
import { ask, type Door, Journal, model, openStreams } from './crash-caller.ts';

/** Before 3.51, SQLite deletes the log of a process whose locks were dropped. */
const pythonVersion =
  spawnSync('python3', ['-c', 'import sqlite3; print(sqlite3.sqlite_version)'], { encoding: 'utf8' }).stdout?.trim() ?? '';
const [major = 0, minor = 0] = pythonVersion.split('.').map(Number);
const isOld = major === 3 && minor < 51;

/** Opens, reads, and closes the database with Python's SQLite. */
function readWithPython(file: string): number {
  const program =
    'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); print(c.execute("SELECT count(*) FROM charges").fetchone()[0]); c.close()';
  return Number(execFileSync('python3', ['-c', program, file], { encoding: 'utf8' }));
}

interface Scene {
  readonly fake: Fake;
  readonly served: GatewayProcess;
  readonly door: Door;
}

async function start(settings: Record<string, unknown> = {}): Promise<Scene> {
  const fake = await openFake();
  onTestFinished(() => fake.close());
  const upstreams = { vendor: { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor' } };
  const models = [{ id: model, kind: 'text', maxOutputTokens: 1_000 }];
  const served = await setUp({ settings: { upstreams, models, ...settings } });
  await served.run();
  return { fake, served, door: createDoor(served) };
}

const createDoor = ({ origin, key }: GatewayProcess): Door => ({
  origin,
  key,
  agent: new Agent({ connections: 16 }),
  journal: new Journal(),
});

async function callTimes(door: Door, times: number): Promise<void> {
  for (let count = 0; count < times; count++) expect(await ask('response', door)).toMatchObject({ status: 200 });
}

/** The locks on a file, as the system lists them by inode. */
const countLocks = (file: string): number => readFileSync('/proc/locks', 'utf8').split(`:${statSync(file).ino} `).length - 1;

test.skipIf(!existsSync('/proc/locks'))('keeps its locks on the database and its outbox while it serves calls', async () => {
  const { served, door } = await start();
  await callTimes(door, 3);
  expect(countLocks(getDatabasePath(served.data))).toBeGreaterThan(0);
  expect(countLocks(`${served.data}/settlements-0.sqlite.lock`)).toBeGreaterThan(0);
  await served.stop();
});

test.skipIf(!isOld)(
  `keeps every charge when an old SQLite reads the database between calls and kills (Python has ${pythonVersion || 'none'})`,
  async () => {
    const { served, door } = await start();
    const rounds = 4;
    const perRound = 12;
    let journal = door.journal;
    const promised = [];
    for (let round = 0; round < rounds; round++) {
      if (round > 0) await served.run();
      const current = createDoor(served);
      journal = current.journal;
      await callTimes(current, perRound);
      expect(readWithPython(getDatabasePath(served.data))).toBeGreaterThan(0);
      expect(existsSync(`${getDatabasePath(served.data)}-wal`)).toBe(true);
      await callTimes(current, perRound);
      await served.kill();
      promised.push(...((await journal?.read()) ?? []));
    }
    await served.run();
    const books = readBooks(served, promised);
    expect(books).toMatchObject({ lost: [], doubled: [], wrong: [] });
    expect(books.states.posted).toBe(rounds * perRound * 2);
    recordAttempts(['G1'], { what: 'calls around a foreign reader and a kill', times: rounds * perRound * 2 });
    await served.stop();
  },
);

/** What an old SQLite does when it takes itself for the last user of the database: copies the log back and deletes it. */
function deleteLog(file: string): void {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  expect(database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()).toMatchObject({ busy: 0 });
  database.close();
  for (const ending of ['-wal', '-shm']) rmSync(`${file}${ending}`);
}

/** A command that works on the database while the gateway still has the deleted log open. */
function addAccount(file: string): void {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec("INSERT INTO accounts (id, name, created_at) VALUES ('acct_other', 'added after the loss', 1)");
  database.close();
}

test('stops with exit code 1 when its log is deleted, and posts the charge of an open stream after a restart', async () => {
  const { fake, served, door } = await start({ log: { level: 'info' } });
  const file = getDatabasePath(served.data);
  await callTimes(door, 5);
  const streams = await openStreams(fake, door, { name: 'chat stream', count: 2 });
  deleteLog(file);
  const refused = await ask('response', door).catch(() => ({ status: 0 }));
  expect(refused.status).not.toBe(200);
  addAccount(file);
  await expect.poll(() => served.logged('the database files are gone; stopping').length).toBe(1);
  streams.release();
  expect((await streams.outcomes).map(({ isWhole }) => isWhole)).toEqual([true, true]);
  expect(await served.ended()).toBe(1);

  await served.run();
  await expect.poll(() => openHolds(served)).toEqual([]);
  const books = readBooks(served, (await door.journal?.read()) ?? []);
  expect(books).toMatchObject({ lost: [], doubled: [], wrong: [], states: { posted: 7 } });
  const database = served.open();
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  expect(database.prepare("SELECT name FROM accounts WHERE id = 'acct_other'").get()).toEqual({ name: 'added after the loss' });
  database.close();
  await served.stop();
  recordAttempts(['G1', 'G2'], { what: 'calls around a deleted log', times: 7 });
});

test('rejects calls and fails /readyz when the database file is replaced', async () => {
  const { served, door } = await start();
  const file = getDatabasePath(served.data);
  await callTimes(door, 1);
  renameSync(file, `${file}.moved`);
  const [call, ready] = await Promise.all([
    ask('response', door).then(({ status }) => status),
    fetch(`${served.origin}/readyz`).then(({ status }) => status),
  ]);
  expect([call, ready]).toEqual([503, 503]);
  expect(await served.ended()).toBe(1);
});
