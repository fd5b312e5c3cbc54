/** The outbox: an acknowledged settlement survives every crash, until it has been applied. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { array, assert, asyncProperty, bigInt, dictionary, jsonValue, oneof, string } from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { StorageError } from '../../server/store/errors.ts';
import { type Outbox, openDurableConnection, openOutbox, readOutboxFile } from '../../server/store/outbox/outbox.ts';
import { temporaryFolder } from '../harness/folder.ts';

const fileIn = (folder: string, slot = 0): string => join(folder, `settlements-${slot}.sqlite`);

function open(folder: string): Outbox {
  const outbox = openOutbox({ folder });
  onTestFinished(() => outbox.close().catch(() => undefined));
  return outbox;
}

/** Opens a copy of the files as they are now, which is what a new process finds after a crash. */
function openAfterCrash(folder: string): Outbox {
  const later = temporaryFolder();
  for (const ending of ['', '-wal']) copyFileSync(`${fileIn(folder)}${ending}`, `${fileIn(later)}${ending}`);
  return open(later);
}

async function readAll(outbox: Outbox): Promise<unknown[]> {
  const records: unknown[] = [];
  await outbox.replay(async (record) => {
    records.push(record);
  });
  return records;
}

test('lets only their owner read the files of the outbox, and allocates their disk space in advance', async () => {
  const folder = join(temporaryFolder(), 'deep', 'data');
  open(folder);
  const { mode, blocks } = statSync(fileIn(folder));
  expect([statSync(folder).mode & 0o777, mode & 0o777]).toEqual([0o700, 0o600]);
  for (const ending of ['-wal', '.lock']) expect(statSync(`${fileIn(folder)}${ending}`).mode & 0o777).toBe(0o600);
  expect(blocks * 512).toBeGreaterThanOrEqual(1024 * 1024);
  expect(statSync(`${fileIn(folder)}-wal`).blocks * 512).toBeGreaterThanOrEqual(512 * 1024);
});

test('keeps acknowledged settlements over a crash, in order and with their exact amounts', async () => {
  const folder = temporaryFolder();
  const outbox = open(folder);
  const records = Array.from({ length: 100 }, (_, index) => ({ requestId: `req_${index}`, cost: BigInt(index) * 2n ** 60n, at: index }));
  await Promise.all(records.map((record) => outbox.append(record)));
  expect(outbox.size).toBe(100);
  const later = openAfterCrash(folder);
  expect(later.size).toBe(100);
  expect(await readAll(later)).toEqual(records);
  expect(later.size).toBe(0);
  expect(await readAll(later)).toEqual([]);
});

test('reads back any record of plain values and bigints', async () => {
  const outbox = open(temporaryFolder());
  const tricky = string().map((text) => `n:${text}`);
  const value = oneof(bigInt(), tricky, string({ unit: 'binary' }), jsonValue({ noUnicodeString: false }));
  await assert(
    asyncProperty(array(dictionary(string(), value, { noNullPrototype: true })), async (records) => {
      for (const record of records) await outbox.append(record);
      // JSON itself knows no negative zero.
      expect(await readAll(outbox)).toEqual(records.map((record) => structuredCloneOf(record)));
    }),
    { numRuns: 60 },
  );
});

const structuredCloneOf = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? { big: String(inner) } : inner)),
    (_, inner) => (isBig(inner) ? BigInt(inner.big) : inner),
  );

const isBig = (value: unknown): value is { big: string } =>
  typeof value === 'object' && value !== null && Object.keys(value).join() === 'big' && 'big' in value && typeof value.big === 'string';

test('skips a commit that a power cut tore at any place, and keeps the others whole', async () => {
  const folder = temporaryFolder();
  const outbox = open(folder);
  const log = `${fileIn(folder)}-wal`;
  await outbox.append({ requestId: 'first', cost: 1n });
  const before = readFileSync(log);
  await outbox.append({ requestId: 'torn', cost: 12345678901234567890n, note: 'ünïcode n:1' });
  const after = readFileSync(log);
  expect(after.length).toBe(before.length);
  const changed = [...after.keys()].filter((at) => after[at] !== before[at]);
  expect(changed.length).toBeGreaterThan(60);
  const crashed = temporaryFolder();
  // Up to the cut is on disk, or only what is behind it: disks write sectors in any order.
  for (const cut of new Set([0, ...changed.filter((_, index) => index % 16 === 0), ...changed.slice(-3), after.length])) {
    for (const torn of [
      Buffer.concat([after.subarray(0, cut), before.subarray(cut)]),
      Buffer.concat([before.subarray(0, cut), after.subarray(cut)]),
    ]) {
      const isWhole = torn.equals(after);
      rmSync(`${fileIn(crashed)}-shm`, { force: true });
      copyFileSync(fileIn(folder), fileIn(crashed));
      writeFileSync(`${fileIn(crashed)}-wal`, torn);
      const restarted = openOutbox({ folder: crashed });
      await restarted.append({ requestId: 'next' });
      expect(restarted.damaged).toBe(0);
      const ids = (await readAll(restarted)).map((record) => (record as { requestId: string }).requestId);
      expect([cut, ids]).toEqual([cut, isWhole ? ['first', 'torn', 'next'] : ['first', 'next']]);
      await restarted.close();
    }
  }
});

test('loses no settlement in a crash during a replay: the next replay gives all of them again', async () => {
  const folder = temporaryFolder();
  const outbox = open(folder);
  for (const id of [1, 2, 3]) await outbox.append({ id });
  let crashed: Outbox | undefined;
  const applied = await outbox.replay(async (record) => {
    if ((record as { id: number }).id === 2) crashed = openAfterCrash(folder);
  });
  expect(applied).toBe(3);
  expect(await readAll(crashed ?? outbox)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
});

test('stops a replay at the settlement where the store fails, and begins the next one with it', async () => {
  const folder = temporaryFolder();
  const outbox = open(folder);
  for (const id of [1, 2, 3]) await outbox.append({ id });
  const tried: unknown[] = [];
  const replay = outbox.replay(async (record) => {
    tried.push(record);
    if (tried.length === 2) throw new StorageError('down again');
  });
  await expect(replay).rejects.toThrow('down again');
  expect(tried).toEqual([{ id: 1 }, { id: 2 }]);
  expect(outbox.size).toBe(2);
  expect(await readAll(openAfterCrash(folder))).toEqual([{ id: 2 }, { id: 3 }]);
});

test('keeps a settlement that the store rejects, and replays those behind it', async () => {
  const outbox = open(temporaryFolder());
  for (const id of [1, 2, 3]) await outbox.append({ id });
  const done: unknown[] = [];
  const replay = outbox.replay(async (record) => {
    if ((record as { id: number }).id === 2) throw new RangeError('never');
    done.push(record);
  });
  await expect(replay).rejects.toThrow("1 settlements couldn't be applied and stay in the outbox; 2 were applied.");
  expect(done).toEqual([{ id: 1 }, { id: 3 }]);
  expect(await readAll(outbox)).toEqual([{ id: 2 }]);
});

test('applies each settlement once in two concurrent replays, and keeps new ones for the next', async () => {
  const outbox = open(temporaryFolder());
  for (const id of [1, 2]) await outbox.append({ id });
  const applied: unknown[] = [];
  const apply = async (record: unknown): Promise<void> => {
    applied.push(record);
    if (applied.length === 1) await outbox.append({ id: 3 });
  };
  expect(await Promise.all([outbox.replay(apply), outbox.replay(apply)])).toEqual([2, 2]);
  expect(applied).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await readAll(outbox)).toEqual([{ id: 3 }]);
});

test('grows the outbox beyond its reserved size if needed, and shrinks it at the next start', async () => {
  const folder = temporaryFolder();
  const outbox = open(folder);
  const note = 'x'.repeat(10_000);
  await Promise.all(Array.from({ length: 300 }, (_, id) => outbox.append({ id, note })));
  expect(statSync(fileIn(folder)).size).toBeGreaterThan(2 * 1024 * 1024);
  expect((await readAll(openAfterCrash(folder))).map((record) => (record as { id: number }).id)).toEqual([...Array(300).keys()]);
  expect(await readAll(outbox)).toHaveLength(300);
  await outbox.close();
  open(folder);
  expect(statSync(fileIn(folder)).size).toBeLessThan(1.1 * 1024 * 1024);
});

test('counts a settlement whose bytes changed on disk as damaged, and replays the others', async () => {
  const folder = temporaryFolder();
  const outbox = open(folder);
  for (const id of [11, 22, 33]) await outbox.append({ id });
  await outbox.close();
  const bytes = readFileSync(fileIn(folder));
  bytes.write('44', bytes.indexOf('{"id":22}') + 6);
  writeFileSync(fileIn(folder), bytes);
  const later = open(folder);
  expect([later.damaged, later.size]).toEqual([1, 2]);
  expect(await readAll(later)).toEqual([{ id: 11 }, { id: 33 }]);
  expect(await readAll(later)).toEqual([]);
});

test('reads the waiting settlements while the outbox is open, as a backup does', async () => {
  const folder = temporaryFolder();
  const outbox = open(folder);
  await outbox.append({ id: 1 });
  expect(readOutboxFile(fileIn(folder)).records).toEqual([{ id: 1, record: { id: 1 } }]);
  await outbox.append({ id: 2 });
  expect(await readAll(outbox)).toEqual([{ id: 1 }, { id: 2 }]);
  // A process that was killed at its very start left a file without tables.
  const empty = join(temporaryFolder(), 'settlements-0.sqlite');
  writeFileSync(empty, '');
  expect(readOutboxFile(empty)).toEqual({ records: [], damaged: 0 });
});

test('keeps a settlement that is appended just before the outbox closes', async () => {
  const folder = temporaryFolder();
  const outbox = open(folder);
  const kept = outbox.append({ id: 1 });
  await outbox.close();
  await kept;
  expect(await readAll(open(folder))).toEqual([{ id: 1 }]);
});

test('syncs its log to disk with each commit, also where the database is relaxed', () => {
  const folder = temporaryFolder();
  open(folder);
  const connection = openDurableConnection(fileIn(folder));
  onTestFinished(() => connection.close());
  const { synchronous } = connection.prepare('PRAGMA synchronous').get() ?? {};
  // FULL: the log is synced with each commit.
  expect([synchronous, connection.prepare('PRAGMA journal_mode').get()]).toEqual([2, { journal_mode: 'wal' }]);
});

test("rejects a settlement that can't be kept with a storage error", async () => {
  const outbox = open(temporaryFolder());
  await outbox.close();
  const kept = outbox.append({ id: 1 });
  await expect(kept).rejects.toThrow(StorageError);
  await expect(kept).rejects.toThrow('The outbox failed.');
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  expect(() => openOutbox({ folder: join(folder, 'file') })).toThrow(StorageError);
});

test("replays only a process's own settlements from a shared folder, and a killed one's at the next start", async () => {
  const folder = temporaryFolder();
  const own = open(folder);
  await own.append({ name: 'own' });
  const child = spawn(process.execPath, [join(import.meta.dirname, 'outbox-process.ts'), folder, 'theirs']);
  await once(child.stdout, 'data');
  expect(await readAll(own)).toEqual([{ name: 'own' }]);
  await own.append({ name: 'own again' });
  child.kill('SIGKILL');
  await once(child, 'exit');
  const next = open(folder);
  expect(next.size).toBe(1);
  expect(await readAll(next)).toEqual([{ name: 'theirs' }]);
  expect(await readAll(own)).toEqual([{ name: 'own again' }]);
});
