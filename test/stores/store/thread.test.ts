/** The thread that writes: in order, many steps in one commit, each step's fault its own, and no promise kept before the disk has it. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { StorageError } from '../../../server/store/errors.ts';
import { BUSY_TIMEOUT_MS, openDatabase, type StepRunner } from '../../../server/store/sqlite/database.ts';
import { openWriterThread, StepError } from '../../../server/store/sqlite/thread.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import type { CounterSteps } from './counter-table.ts';
import { countCommits } from './wal.ts';

const entry = new URL('counter-steps.ts', import.meta.url);

function open(folder: string, durability: 'strict' | 'relaxed' = 'relaxed'): StepRunner<CounterSteps> {
  const runner = openWriterThread<CounterSteps>({ entry, folder, durability });
  onTestFinished(() => runner.close().catch(() => undefined));
  return runner;
}

/** A connection of the event loop, as the gateway has one for reading. */
function openReader(folder: string): DatabaseSync {
  const { connection } = openDatabase({ folder, durability: 'relaxed', checkpoints: 'elsewhere' });
  onTestFinished(() => {
    if (connection.isOpen) connection.close();
  });
  return connection;
}

const addMany = (runner: StepRunner<CounterSteps>, count: number): Promise<bigint>[] =>
  Array.from({ length: count }, () => runner.run('add', { id: 'one', amount: 1n }));

const countedIn = (reader: DatabaseSync): unknown => reader.prepare("SELECT value FROM counters WHERE id = 'one'").get()?.value;
const reasonOf = (result: PromiseSettledResult<unknown> | undefined): unknown =>
  result?.status === 'rejected' ? result.reason : `kept with ${String(result?.value)}`;
const walOf = (folder: string): string => join(folder, 'modelgate.sqlite-wal');
const walBytes = (folder: string): number => statSync(walOf(folder), { throwIfNoEntry: false })?.size ?? 0;

test('resolves after the write is visible, and runs calls in order', async () => {
  const folder = temporaryFolder();
  const reader = openReader(folder);
  const runner = open(folder);
  expect(await runner.run('add', { id: 'one', amount: 2n ** 53n + 1n })).toBe(2n ** 53n + 1n);
  expect(reader.prepare("SELECT CAST(value AS TEXT) AS value FROM counters WHERE id = 'one'").get()?.value).toBe('9007199254740993');
  const values = await Promise.all(addMany(runner, 1200));
  expect(values).toEqual(values.map((_, index) => 2n ** 53n + 2n + BigInt(index)));
});

test('shares a commit among callers of one turn, with at most 500 steps per commit', async () => {
  const folder = temporaryFolder();
  const reader = openReader(folder);
  const runner = open(folder);
  await runner.run('read', 'SELECT 1');
  // A reader that stays in its transaction keeps the log from starting anew.
  reader.exec('BEGIN; SELECT count(*) FROM counters');
  const before = countCommits(walOf(folder));
  await Promise.all(addMany(runner, 100));
  expect(countCommits(walOf(folder)) - before).toBe(1);
  await Promise.all(addMany(runner, 1001));
  expect(countCommits(walOf(folder)) - before).toBe(4);
});

test('rejects a step that throws with its reason, and completes the others around it', async () => {
  const runner = open(temporaryFolder());
  const results = await Promise.allSettled([
    runner.run('add', { id: 'one', amount: 3n }),
    runner.run('add', { id: 'one', amount: -4n }),
    runner.run('exec', 'no SQL at all'),
    runner.run('add', { id: 'one', amount: -3n }),
  ]);
  expect(results[0]).toEqual({ status: 'fulfilled', value: 3n });
  expect(reasonOf(results[1])).toBeInstanceOf(StepError);
  expect(reasonOf(results[1])).toMatchObject({ message: 'CHECK constraint failed: value >= 0', code: 'ERR_SQLITE_ERROR', errcode: 275 });
  expect(reasonOf(results[2])).toMatchObject({ name: 'StepError', errcode: 1, message: expect.stringContaining('syntax error') });
  expect(results[3]).toEqual({ status: 'fulfilled', value: 0n });
  // The bad step had inserted a row before it threw.
  expect(await runner.run('read', 'SELECT amount FROM changes ORDER BY id')).toEqual([{ amount: 3 }, { amount: -3 }]);
});

test('rejects only the step that fails at the commit', async () => {
  const runner = open(temporaryFolder());
  const results = await Promise.allSettled([
    runner.run('add', { id: 'one', amount: 1n }),
    runner.run('refer', 'nobody'),
    runner.run('refer', 'one'),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(reasonOf(results[1])).toMatchObject({ name: 'StepError', message: 'FOREIGN KEY constraint failed', errcode: 787 });
});

test("rejects only the step whose argument can't cross to the thread", async () => {
  const runner = open(temporaryFolder());
  const odd = { id: 'one', amount: 1n, odd: () => 'a function' };
  const results = await Promise.allSettled([...addMany(runner, 2), runner.run('add', odd), ...addMany(runner, 1)]);
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.name))).toEqual([
    1n,
    2n,
    'DataCloneError',
    3n,
  ]);
});

test('moves memory that a caller gives along without a copy, and keeps it when a step beside it throws', async () => {
  const runner = open(temporaryFolder());
  const note = Buffer.allocUnsafeSlow(200_000).fill('ü');
  const results = await Promise.allSettled([
    runner.run('add', { id: 'one', amount: 1n, note }, [note.buffer]),
    runner.run('add', { id: 'one', amount: -9n }),
    runner.run('add', { id: 'one', amount: 1n, note: 'short' }),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(note.buffer).toMatchObject({ detached: true });
  expect(await runner.run('read', 'SELECT note FROM changes ORDER BY id')).toEqual([{ note: 'ü'.repeat(100_000) }, { note: 'short' }]);
});

test("keeps memory that a caller gives along when the argument of another can't cross", async () => {
  const runner = open(temporaryFolder());
  const note = Buffer.allocUnsafeSlow(200_000).fill('x');
  const odd = { id: 'one', amount: 1n, odd: () => 'a function' };
  const results = await Promise.allSettled([runner.run('add', { id: 'one', amount: 1n, note }, [note.buffer]), runner.run('add', odd)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(await runner.run('read', 'SELECT note FROM changes')).toEqual([{ note: 'x'.repeat(200_000) }]);
});

test('rejects all steps of a batch whose thread is stopped, keeps nothing of it, and starts a new thread', async () => {
  const runner = open(temporaryFolder());
  await Promise.all(addMany(runner, 1));
  const results = await Promise.allSettled([...addMany(runner, 3), runner.run('die', undefined), ...addMany(runner, 600)]);
  expect(results).toHaveLength(604);
  for (const result of results) expect(reasonOf(result)).toBeInstanceOf(StorageError);
  expect(await runner.run('add', { id: 'one', amount: 1n })).toBe(2n);
});

test('rejects waiting callers with the cause when the thread breaks down outside any step', async () => {
  const runner = open(temporaryFolder());
  const results = await Promise.allSettled([runner.run('fail', 'struck by lightning'), ...addMany(runner, 600)]);
  expect(results.slice(0, 500).filter(({ status }) => status === 'rejected')).toEqual([]);
  for (const result of results.slice(500)) {
    expect(reasonOf(result)).toBeInstanceOf(StorageError);
    expect(String(reasonOf(result))).toMatch(/thread .* ended: struck by lightning/);
  }
  expect(await Promise.all(addMany(runner, 2))).toEqual([500n, 501n]);
});

test("rejects calls to a store that can't be opened with the reason, and serves them once it was mended", async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'modelgate.sqlite');
  mkdirSync(file);
  const runner = open(folder);
  await expect(runner.run('add', { id: 'one', amount: 1n })).rejects.toThrow(/modelgate\.sqlite can't be opened/);
  rmSync(file, { recursive: true });
  expect(await runner.run('add', { id: 'one', amount: 1n })).toBe(1n);
});

test('rejects calls to a full store with a storage error, and serves them once there is room', async () => {
  const runner = open(temporaryFolder());
  await runner.run('add', { id: 'one', amount: 1n });
  await runner.run('exec', 'PRAGMA max_page_count = 1');
  const large = { id: 'one', amount: 1n, note: 'x'.repeat(100_000) };
  const results = await Promise.allSettled([runner.run('add', large), runner.run('add', large)]);
  for (const result of results) {
    expect(reasonOf(result)).toBeInstanceOf(StorageError);
    expect(reasonOf(result)).toMatchObject({ message: expect.stringContaining('full'), cause: { errcode: 13 } });
  }
  await runner.run('exec', 'PRAGMA max_page_count = 100000');
  expect(await runner.run('add', large)).toBe(2n);
});

test("waits for another writer, rejects with the lock while it stands, and serves when it's gone", async () => {
  const folder = temporaryFolder();
  const runner = open(folder);
  await runner.run('exec', 'SELECT 1');
  const other = new DatabaseSync(join(folder, 'modelgate.sqlite'));
  other.exec('BEGIN IMMEDIATE');
  const at = performance.now();
  const results = await Promise.allSettled(addMany(runner, 3));
  // A busy machine can only make it more.
  expect(performance.now() - at).toBeGreaterThan(BUSY_TIMEOUT_MS - 500);
  for (const result of results) {
    expect(reasonOf(result)).toBeInstanceOf(StorageError);
    expect(reasonOf(result)).toMatchObject({ message: expect.stringContaining('locked'), cause: { errcode: 5 } });
  }
  other.close();
  expect(await Promise.all(addMany(runner, 2))).toEqual([1n, 2n]);
});

function startProcess(folder: string, count: number): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [join(import.meta.dirname, 'counter-process.ts'), folder, String(count)]);
}

test('loses nothing of two processes that write to one file, and both end with all their work done', async () => {
  const folder = temporaryFolder();
  const reader = openReader(folder);
  const children = [startProcess(folder, 300), startProcess(folder, 300)];
  await Promise.all(children.map((child) => once(child.stdout, 'readable')));
  for (const child of children) child.stdin.end('go');
  const outputs = await Promise.all(children.map(async (child) => [await text(child.stdout), await text(child.stderr)] as const));
  const values = outputs.flatMap(([output]) => output.replace('ready\n', '').trim().split('\n').map(Number));
  expect(outputs.map(([, complaint]) => complaint)).toEqual(['', '']);
  expect(values.sort((a, b) => a - b)).toEqual(Array.from({ length: 600 }, (_, index) => index + 1));
  expect(countedIn(reader)).toBe(600);
});

test('completes submitted calls on close, rejects later ones, and leaves an empty log', async () => {
  const folder = temporaryFolder();
  const reader = openReader(folder);
  const runner = open(folder);
  const calls = addMany(runner, 1300);
  const closed = runner.close();
  await expect(runner.run('add', { id: 'one', amount: 1n })).rejects.toThrow(StorageError);
  await closed;
  expect(await Promise.all(calls)).toHaveLength(1300);
  expect(countedIn(reader)).toBe(1300);
  expect(walBytes(folder)).toBe(0);
  await runner.close();
});

test('shrinks the log again when a reader that stayed for long is gone', async () => {
  const folder = temporaryFolder();
  const reader = openReader(folder);
  const runner = open(folder);
  await runner.run('read', 'SELECT 1');
  reader.exec('BEGIN; SELECT count(*) FROM counters');
  for (let round = 0; round < 60; round++) await runner.run('add', { id: 'one', amount: 1n, note: 'x'.repeat(100_000) });
  expect(walBytes(folder)).toBeGreaterThan(6_000_000);
  reader.exec('COMMIT');
  await expect.poll(() => walBytes(folder)).toBe(0);
  expect(await runner.run('add', { id: 'one', amount: 1n })).toBe(61n);
});

test('continues streams during a commit, where every commit waits for the disk', async () => {
  const folder = temporaryFolder();
  const runner = open(folder, 'strict');
  expect(await runner.run('read', 'PRAGMA synchronous')).toEqual([{ synchronous: 2 }]);
  const other = new DatabaseSync(join(folder, 'modelgate.sqlite'));
  onTestFinished(() => other.close());
  for (let round = 0; round < 20; round++) {
    // What holds a commit up is this lock, since a test cannot hold the disk.
    other.exec('BEGIN IMMEDIATE');
    let isThrough = false;
    const added = Promise.all(addMany(runner, 50)).finally(() => {
      isThrough = true;
    });
    for (let turns = 0; turns < 100; turns++) await nextTurn();
    expect(isThrough).toBe(false);
    other.exec('COMMIT');
    await added;
  }
  expect(countedIn(other)).toBe(20 * 50);
});
