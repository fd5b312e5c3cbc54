/** Short steps on the event loop keep the same promises as the writer thread, which takes every step that cannot keep them. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import type { StepRunner } from '../../../server/store/sqlite/database.ts';
import { type InlineWriter, openInlineWriter, openWriterThread, StepError } from '../../../server/store/sqlite/thread.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { type CounterSteps, openCounterSteps } from './counter-table.ts';

const short = { open: openCounterSteps, names: new Set(['add']) };
const one = { id: 'one', amount: 1n };

function openRunner(folder: string, isCalled?: () => boolean): StepRunner<CounterSteps> {
  const runner = openWriterThread<CounterSteps>({
    entry: new URL('./counter-steps.ts', import.meta.url),
    folder,
    durability: 'relaxed',
    inline: short,
    ...(isCalled && { isCalled }),
  });
  onTestFinished(() => runner.close());
  return runner;
}

/** Adds the connection of the inline writer to the others. */
function openHere(folder: string, connections: DatabaseSync[] = []): InlineWriter {
  const open: typeof openCounterSteps = (connection) => {
    connections.push(connection);
    return openCounterSteps(connection);
  };
  const shortcut = openInlineWriter({ folder, durability: 'relaxed', inline: { ...short, open } });
  if (!shortcut) throw new Error('no shortcut');
  onTestFinished(() => shortcut.close());
  return shortcut;
}

function openOther(folder: string): DatabaseSync {
  const other = new DatabaseSync(join(folder, 'modelgate.sqlite'));
  onTestFinished(() => other.close());
  return other;
}

const countIn = (connection: DatabaseSync): unknown => connection.prepare("SELECT value FROM counters WHERE id = 'one'").get()?.value;

test('commits a short step on the event loop before its result is returned', () => {
  const folder = temporaryFolder();
  const shortcut = openHere(folder);
  expect(shortcut.tryRun(['add', one, 'add', one], true)).toEqual([1n, 2n]);
  expect(countIn(openOther(folder))).toBe(2);
});

test('runs a short step without waiting for a long one that came before it', async () => {
  const runner = openRunner(temporaryFolder());
  await runner.run('read', 'SELECT 1');
  const ends: string[] = [];
  const long = runner.run('read', 'SELECT 1').then(() => ends.push('long'));
  const quick = runner.run('add', one).then(() => ends.push('short'));
  await Promise.all([long, quick]);
  expect(ends).toEqual(['short', 'long']);
});

test('offers no shortcut where every commit waits for the disk', () => {
  expect(openInlineWriter({ folder: temporaryFolder(), durability: 'strict', inline: short })).toBeNull();
});

test('sends steps to the thread while another process holds the lock, without blocking the event loop', async () => {
  const folder = temporaryFolder();
  const connections: DatabaseSync[] = [];
  const shortcut = openHere(folder, connections);
  const runner = openRunner(folder);
  await runner.run('read', 'SELECT 1');
  const other = openOther(folder);
  other.exec('BEGIN IMMEDIATE');
  // A busy timeout on this connection would block the event loop.
  expect(connections.map((connection) => connection.prepare('PRAGMA busy_timeout').get())).toEqual([{ timeout: 0 }]);
  expect(shortcut.tryRun(['add', one], true)).toBeNull();
  const added = Promise.all([runner.run('add', one), runner.run('add', one)]);
  // Both have been tried on the event loop by then.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  other.exec('COMMIT');
  expect(await added).toEqual([1n, 2n]);
  expect(countIn(other)).toBe(2);
});

test('completes the other steps of a batch with a failing one, each once', async () => {
  const folder = temporaryFolder();
  const runner = openRunner(folder);
  const results = await Promise.allSettled([runner.run('add', one), runner.run('add', { id: 'one', amount: -9n }), runner.run('add', one)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: expect.any(StepError) });
  expect(countIn(openOther(folder))).toBe(2);
});

test('keeps the write-ahead log short over 3,000 short steps in a row', async () => {
  const folder = temporaryFolder();
  const runner = openRunner(folder);
  for (let count = 1n; count <= 3_000n; count++) expect(await runner.run('add', one)).toBe(count);
  // 3,000 commits of three pages or more would be 36 MB.
  expect(statSync(join(folder, 'modelgate.sqlite-wal')).size).toBeLessThan(8 * 1024 * 1024);
});

test('runs every step before the first call on the event loop; the first call starts the thread without waiting', async () => {
  let isCalled = false;
  let threads = 0;
  const count = () => void threads++;
  process.on('worker', count);
  onTestFinished(() => void process.off('worker', count));
  const runner = openRunner(temporaryFolder(), () => isCalled);
  expect(await runner.run('isOnEventLoop', undefined)).toBe(true);
  expect(await runner.run('add', one)).toBe(1n);
  expect(threads).toBe(0);
  isCalled = true;
  expect(await Promise.all([runner.run('add', one), runner.run('isOnEventLoop', undefined)])).toEqual([2n, true]);
  await expect.poll(() => threads).toBe(1);
  await expect.poll(() => runner.run('isOnEventLoop', undefined)).toBe(false);
  expect(threads).toBe(1);
});

test('passes a step that meets a lock or fails before the first call to the thread', async () => {
  const folder = temporaryFolder();
  const runner = openRunner(folder, () => false);
  expect(await runner.run('add', one)).toBe(1n);
  const other = openOther(folder);
  other.exec('BEGIN IMMEDIATE');
  const added = runner.run('add', one);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  other.exec('COMMIT');
  expect(await added).toBe(2n);
  await expect(runner.run('add', { id: 'one', amount: -9n })).rejects.toThrow(StepError);
  expect(countIn(other)).toBe(2);
});

test('keeps the write-ahead log short over 3,000 steps before the first call', async () => {
  const folder = temporaryFolder();
  const runner = openRunner(folder, () => false);
  for (let count = 1n; count <= 3_000n; count++) expect(await runner.run('add', one)).toBe(count);
  expect(await runner.run('isOnEventLoop', undefined)).toBe(true);
  expect(statSync(join(folder, 'modelgate.sqlite-wal')).size).toBeLessThan(8 * 1024 * 1024);
});

test('A3: passes a step that writes more than a mebibyte to the thread, before the first call too', async () => {
  const runner = openRunner(temporaryFolder(), () => false);
  expect(await runner.run('isOnEventLoop', undefined, [new ArrayBuffer(1_000_000)])).toBe(true);
  expect(await runner.run('isOnEventLoop', undefined, [new ArrayBuffer(600_000), new ArrayBuffer(600_000)])).toBe(false);
});
