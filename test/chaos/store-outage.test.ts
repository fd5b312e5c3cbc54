/** Another process locks the database: calls get 503 without waiting for it, and what was used is charged later (G1, G2, G4). */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { BUSY_TIMEOUT_MS, getDatabasePath } from '../../server/store/sqlite/database.ts';
import { openFake } from '../fakes/upstream.ts';
import { setUp } from '../harness/gateway-process.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { openHolds, readBooks } from './crash-books.ts';
import { ask, type Door, Journal, model, names, openStreams } from './crash-caller.ts';

/** The outage lasts for at least so many rounds of calls, and for longer than the busy timeout of SQLite. */
const rounds = 5;
/** One round: three of every kind. */
const round = names.flatMap((name) => [name, name, name]);
const streams = { chat: 12, response: 4 };
/** One of every kind before the outage, and one call after it. */
const calls = names.length + streams.chat + streams.response + rounds * round.length + 1;
const minMs = BUSY_TIMEOUT_MS * 1.2;
/** How long a call waits for the store. */
const timeoutMs = 1_000;

const keepToItself = `
  const { DatabaseSync } = require('node:sqlite');
  new DatabaseSync(process.argv[1], { timeout: 30_000 }).exec('BEGIN EXCLUSIVE');
  process.stdout.write('locked');
  process.stdin.resume().on('end', () => process.exit());`;

async function lock(data: string): Promise<ChildProcessWithoutNullStreams> {
  const child = spawn(process.execPath, ['--no-warnings', '-e', keepToItself, getDatabasePath(data)]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

/** Sends calls of every kind until the outage has been long enough, and expects each to get 503. */
async function askThroughout(door: Door): Promise<void> {
  const from = performance.now();
  for (let count = 0; count < rounds || performance.now() - from < minMs; count++) {
    for (const { status, retryAfter, text } of await Promise.all(round.map((name) => ask(name, door)))) {
      expect([status, retryAfter]).toEqual([503, '1']);
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'overloaded' } });
    }
  }
}

test('G1, G2, G4: rejects new calls with 503 while the database is locked, and charges each stream once later', async () => {
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
  const chats = await openStreams(fake, door, { name: 'chat stream', count: streams.chat });
  const responses = await openStreams(fake, door, { name: 'response stream', count: streams.response });

  const other = await lock(served.data);
  const refusals = askThroughout(door);
  for (const { release } of [chats, responses]) release();
  // The database is locked here: what waited for it would hang.
  for (const outcome of await chats.outcomes) expect(outcome).toMatchObject({ status: 200, isWhole: true });
  const models = await fetch(`${door.origin}/v1/models`, { headers: { authorization: `Bearer ${door.key}` } });
  expect(models.status).toBe(200);
  await refusals;
  other.stdin.end();
  // A response that could not be stored ends with an error; its text was sent, so it is charged.
  const stored = await responses.outcomes;
  for (const { isWhole, text } of stored) expect(isWhole ? 'completed' : text).toMatch(/^completed$|^event: (error|response\.failed)$/m);

  await expect.poll(async () => (await ask('response', door)).status, { interval: 100 }).toBe(200);
  await expect.poll(() => openHolds(served), { timeout: 60_000, interval: 100 }).toEqual([]);
  expect(await served.stop()).toBe(0);
  const promised = [...(await door.journal.read()), ...stored.map(({ id }) => ({ id }))];
  const books = readBooks(served, promised);
  expect(books).toMatchObject({ lost: [], doubled: [], wrong: [] });
  // No rejected call is charged: a hold that was written late is given back, not left to expire.
  expect(books.states.posted).toBe(new Set(promised.map(({ id }) => id)).size);
  expect(books.expired).toEqual([]);
  recordAttempts(['G1', 'G2', 'G4'], { what: 'calls and streams around a locked store', times: calls });
  await fake.close();
});
