/** A full disk: new calls get 503, running streams are still charged, and the gateway recovers as soon as there is space (G1, G2, G4). */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { StorageError } from '../../server/store/errors.ts';
import { getDatabasePath } from '../../server/store/sqlite/database.ts';
import { openWriterThread } from '../../server/store/sqlite/thread.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { type GatewayProcess, setUp } from '../harness/gateway-process.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import type { CounterSteps } from '../stores/store/counter-table.ts';
import { openHolds, readBooks } from './crash-books.ts';
import { ask, type Door, Journal, type KindName, model, names, openStreams } from './crash-caller.ts';

/** Mounts a small disk of its own; the outbox takes 1.5 of its 4 MB. */
function mountSmallDisk({ skip }: TestContext): string {
  const folder = temporaryFolder();
  const { error, status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=0700', 'tmpfs', folder], { encoding: 'utf8' });
  if (status !== 0) {
    const reason = `A disk cannot be mounted: ${error?.message ?? stderr.trim()}`;
    console.warn(`A full disk is not tested. ${reason}`);
    skip(reason);
  }
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
  return folder;
}

/** Fills the disk. The function that it returns frees the space again. */
function fill(folder: string): () => void {
  const path = join(folder, 'balloon');
  const file = openSync(path, 'w');
  for (let size = 64 * 1024; size >= 1; ) {
    try {
      writeSync(file, Buffer.alloc(size));
    } catch {
      size = Math.floor(size / 2);
    }
  }
  closeSync(file);
  return () => rmSync(path);
}

/** Sends calls until the store has used up the space that its log already had. */
async function askUntilRejected(door: Door): Promise<void> {
  await expect.poll(async () => (await ask('chat', door)).status, { timeout: 60_000, interval: 0 }).toBe(503);
}

async function expectRefusal(name: KindName, door: Door): Promise<void> {
  const { status, retryAfter, text } = await ask(name, door);
  expect([name, status, retryAfter]).toEqual([name, 503, '1']);
  expect(JSON.parse(text)).toEqual({ error: { message: expect.any(String), type: 'server_error', param: null, code: 'overloaded' } });
  expect(text).not.toMatch(/sqlite|disk|\bat \w+ \(|\.ts/i);
}

const statusOf = async (path: string, { origin, key }: Door): Promise<number> =>
  (await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${key}` } })).status;

async function startOn(
  data: string,
  fake: Fake,
): Promise<{ readonly served: GatewayProcess; readonly door: Door & { readonly journal: Journal } }> {
  const settings = {
    upstreams: { vendor: { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor' } },
    models: [{ id: model, kind: 'text', maxOutputTokens: 1_000 }],
    log: { level: 'info' },
  };
  const served = await setUp({ settings, data });
  await served.run();
  return { served, door: { origin: served.origin, key: served.key, agent: new Agent({ connections: 64 }), journal: new Journal() } };
}

test('G1, G2, G4: rejects new calls with 503 on a full disk, and charges running streams once there is space', async (context) => {
  const disk = mountSmallDisk(context);
  const fake = await openFake();
  const { served, door } = await startOn(join(disk, 'data'), fake);
  for (const name of names) expect(await ask(name, door)).toMatchObject({ status: 200, isWhole: true });
  const chats = await openStreams(fake, door, { name: 'chat stream', count: 12 });
  const responses = await openStreams(fake, door, { name: 'response stream', count: 4 });

  const makeRoom = fill(disk);
  await askUntilRejected(door);
  for (let round = 0; round < 5; round++) for (const name of names) await expectRefusal(name, door);
  // The cached key has expired by now; reading it from the store still works.
  expect(await statusOf('/v1/models', door)).toBe(200);
  expect(await statusOf('/readyz', door)).toBe(200);
  for (const { release } of [chats, responses]) release();
  const [whole, failed] = await Promise.all([chats.outcomes, responses.outcomes]);
  for (const outcome of whole) expect(outcome).toMatchObject({ status: 200, isWhole: true });
  // A response that cannot be stored must not end as complete; its text was sent, so it is charged.
  for (const { text, isWhole } of failed)
    expect([isWhole, text]).toEqual([false, expect.stringMatching(/^event: (error|response\.failed)$/m)]);
  const ended = [...whole, ...failed];
  expect(openHolds(served)).toHaveLength(ended.length);

  makeRoom();
  await expect.poll(async () => (await ask('response', door)).status, { interval: 100 }).toBe(200);
  await expect.poll(() => openHolds(served), { timeout: 60_000, interval: 100 }).toEqual([]);
  expect(await served.stop()).toBe(0);
  expect(served.logged('outbox replayed')).toEqual([expect.objectContaining({ settlements: ended.length })]);
  const books = readBooks(served, [...(await door.journal.read()), ...failed]);
  expect(books).toMatchObject({ lost: [], doubled: [], wrong: [] });
  expect(books.expired).toEqual([]);
  recordAttempts(['G1', 'G2', 'G4'], { what: 'streams on a full disk', times: ended.length });
  await fake.close();
});

test('keeps the writing thread alive on a full disk, also while it is idle', async (context) => {
  const disk = mountSmallDisk(context);
  let threads = 0;
  const count = () => void threads++;
  process.on('worker', count);
  onTestFinished(() => void process.off('worker', count));
  const entry = new URL('../stores/store/counter-steps.ts', import.meta.url);
  const runner = openWriterThread<CounterSteps>({ entry, folder: join(disk, 'data'), durability: 'relaxed' });
  onTestFinished(() => runner.close().catch(() => undefined));
  const add = () => runner.run('add', { id: 'one', amount: 1n, note: 'x'.repeat(3_000) });
  expect(await add()).toBe(1n);
  const makeRoom = fill(disk);
  await expect(Promise.all(Array.from({ length: 1_000 }, add))).rejects.toThrow(StorageError);
  // After a second without work it checkpoints the log. That fails on a full disk, and nothing shows it.
  await pause(2_500);
  await expect(add()).rejects.toThrow(/full/);
  makeRoom();
  expect(await add()).toBe(2n);
  // It tries again until the log is empty.
  await expect.poll(() => statSync(`${getDatabasePath(join(disk, 'data'))}-wal`).size).toBe(0);
  expect(threads).toBe(1);
});
