/** A store that does not answer, because another process keeps it to itself: nobody waits for long, and what was used is charged later (G1, G2, G4). */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { databaseFile } from '../../server/storage/database.ts';
import { openFake } from '../fakes/upstream.ts';
import { setUp } from '../harness/served.ts';
import { tried } from '../harness/tally.ts';
import { openHolds, readBooks } from './crash-books.ts';
import { ask, type Door, Journal, model, names, openStreams } from './crash-caller.ts';

/** The whole outage; whoever waits as long hangs with the store. */
const outageMs = 10_000;
/** For one who waits for the store. */
const timeoutMs = 1_000;

const keepToItself = `
  const { DatabaseSync } = require('node:sqlite');
  new DatabaseSync(process.argv[1], { timeout: 5_000 }).exec('BEGIN EXCLUSIVE');
  process.stdout.write('locked');
  process.stdin.resume().on('end', () => process.exit());`;

async function lock(data: string): Promise<ChildProcessWithoutNullStreams> {
  const child = spawn(process.execPath, ['--no-warnings', '-e', keepToItself, databaseFile(data)]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

async function timed<T>(work: Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const began = performance.now();
  return { value: await work, ms: performance.now() - began };
}

/** Callers of every kind come by the whole time, and nobody is served. Gives the longest that anybody waited. */
async function askThroughout(door: Door, until: number): Promise<number> {
  let longest = 0;
  while (Date.now() < until) {
    const answers = await Promise.all(names.flatMap((name) => [name, name, name]).map((name) => timed(ask(name, door))));
    for (const { value, ms } of answers) {
      expect([value.status, value.retryAfter]).toEqual([503, '1']);
      expect(JSON.parse(value.text)).toMatchObject({ error: { code: 'overloaded' } });
      longest = Math.max(longest, ms);
    }
  }
  return longest;
}

test('G1, G2, G4: while the store is locked for ten seconds callers are told to come back long before its end, streams end whole, and all is charged once later', {
  timeout: 120_000,
}, async () => {
  const fake = await openFake();
  const settings = {
    upstreams: { vendor: { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor' } },
    models: [{ id: model, kind: 'text', maxOutputTokens: 1_000 }],
    log: { level: 'info' },
    database: { timeoutMs },
  };
  const served = await setUp({ settings });
  await served.run();
  const door = { origin: served.origin, key: served.key, agent: new Agent({ connections: 64 }), journal: new Journal() };
  for (const name of names) expect(await ask(name, door)).toMatchObject({ status: 200, isWhole: true });
  const chats = await openStreams(fake, door, { name: 'chat stream', count: 12 });
  const responses = await openStreams(fake, door, { name: 'response stream', count: 4 });

  const other = await lock(served.data);
  const until = Date.now() + outageMs;
  const refusals = askThroughout(door, until);
  await pause(500);
  for (const { release } of [chats, responses]) release();
  const { value: ended, ms: endedMs } = await timed(chats.outcomes);
  for (const outcome of ended) expect(outcome).toMatchObject({ status: 200, isWhole: true });
  expect(endedMs).toBeLessThan(outageMs);
  // Reading waits for nobody who writes, and the process itself for nobody at all.
  const { value: models, ms } = await timed(fetch(`${door.origin}/v1/models`, { headers: { authorization: `Bearer ${door.key}` } }));
  expect(models.status).toBe(200);
  expect(ms).toBeLessThan(1_000);
  expect(await refusals).toBeLessThan(outageMs);
  other.stdin.end();
  // Where a response could not be stored, its stream says that it failed; it was read, so it is charged.
  const stored = await responses.outcomes;
  for (const { isWhole, text } of stored) expect(isWhole ? 'completed' : text).toMatch(/^completed$|^event: (error|response\.failed)$/m);

  await expect.poll(async () => (await ask('response', door)).status, { timeout: 20_000, interval: 100 }).toBe(200);
  await expect.poll(() => openHolds(served), { timeout: 20_000, interval: 100 }).toEqual([]);
  expect(await served.stop()).toBe(0);
  const promised = [...(await door.journal.read()), ...stored.map(({ id }) => ({ id }))];
  const books = readBooks(served, promised);
  expect(books).toMatchObject({ lost: [], doubled: [], wrong: [] });
  // Nobody who was turned away is charged: what they may have held late is given back, not left to expire.
  expect(books.states.posted).toBe(new Set(promised.map(({ id }) => id)).size);
  expect(books.expired).toEqual([]);
  tried(['G1', 'G2', 'G4'], { what: 'calls and streams around a locked store', times: promised.length });
  await fake.close();
});
