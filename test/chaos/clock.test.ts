/** The wall clock jumps an hour forward and back while the gateway serves: durations do not follow it, dates do (promises G2, G4, G11). */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { openAccess } from '../../server/access/access.ts';
import { issueKey } from '../../server/access/issue-key.ts';
import type { KeySettings } from '../../server/access/store.ts';
import { getDatabasePath, openDatabase } from '../../server/store/sqlite/database.ts';
import { chatCompletion, chatFrames } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { type GatewayProcess, setUp } from '../harness/gateway-process.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { readChat } from '../harness/transcript.ts';
import { openHolds } from './crash-books.ts';

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');

/** Shifts the wall clock alone; the monotonic clock is unchanged. */
const clockOf = (file: string): readonly string[] => [
  'env',
  ...[`LD_PRELOAD=${library}`, `FAKETIME_TIMESTAMP_FILE=${file}`, 'FAKETIME_NO_CACHE=1', 'DONT_FAKE_MONOTONIC=1'],
];

function findClock(): string | null {
  if (library === undefined) return 'libfaketime is not installed';
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-test-'));
  const file = join(folder, 'clock');
  writeFileSync(file, `+${DAY_S}`);
  const [program = '', ...words] = clockOf(file);
  const { stdout, stderr } = spawnSync(program, [...words, process.execPath, '-p', 'Date.now()'], { encoding: 'utf8', timeout: 120_000 });
  rmSync(folder, { recursive: true });
  return Number(stdout) - Date.now() > (DAY_S - HOUR_S) * 1_000 ? null : `libfaketime does not work here: ${stderr.trim().split('\n')[0]}`;
}

const missing = findClock();
if (missing) console.warn(`Jumps of the clock are not tested. ${missing}`);

const model = 'm';
const body = { model, max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] };

interface Stage {
  readonly served: GatewayProcess;
  readonly fake: Fake;
  /** Sets the clock to 23:30 and so many seconds. */
  setClock(seconds: number): void;
  newKey(settings: Partial<KeySettings>): Promise<string>;
  ask(more?: { readonly key?: string; readonly headers?: Record<string, string>; readonly fields?: object }): Promise<Response>;
}

async function openStage({ skip }: TestContext): Promise<Stage> {
  if (missing) skip(missing);
  const fake = await openFake();
  onTestFinished(() => fake.close());
  fake.always(() => json(chatCompletion({ text: 'hello' })));
  const clock = join(temporaryFolder(), 'clock');
  // Today at 23:30, so that an hour later is tomorrow.
  const evening = Math.round(DAY_S - HOUR_S / 2 - ((Date.now() / 1_000) % DAY_S));
  const setClock = (seconds: number): void => {
    const offset = evening + seconds;
    // Replaced atomically: the library may read it at any moment.
    writeFileSync(`${clock}.new`, `${offset < 0 ? '' : '+'}${offset}`);
    renameSync(`${clock}.new`, clock);
  };
  setClock(0);
  const upstreams = { vendor: { kind: 'openai', baseUrl: fake.url } };
  const settings = { upstreams, models: [{ id: model, kind: 'text' }], admin: { enabled: false } };
  const served = await setUp({ settings, under: clockOf(clock) });
  await served.run();
  return {
    served,
    fake,
    setClock,
    async newKey(more) {
      const { connection, close } = openDatabase({ folder: served.data, durability: 'relaxed' });
      const access = await openAccess(served.data, { connection });
      const now = (): number => Date.now() + evening * 1_000;
      const { key } = await issueKey({ accountName: 'default', name: 'test', ...more }, { ...access, now }).finally(close);
      return key;
    },
    ask: ({ key = served.key, headers = {}, fields = {} } = {}) =>
      fetch(`${served.origin}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ ...body, ...fields }),
      }),
  };
}

/** The time of the last heartbeat, by the clock of the process. */
function lastBeat(served: GatewayProcess): number {
  const database = served.open();
  try {
    return Number(database.prepare('SELECT max(seen_at) AS at FROM nodes').get()?.at);
  } finally {
    database.close();
  }
}

/** Waits for two heartbeats: with the second one the process also looks for dead ones. */
async function twoBeats(served: GatewayProcess): Promise<void> {
  for (let count = 0, last = lastBeat(served); count < 2; count++) {
    await expect.poll(() => lastBeat(served), { timeout: 60_000, interval: 100 }).not.toBe(last);
    last = lastBeat(served);
  }
}

/** Waits for a heartbeat after the clock went back. The last time is set to 0 first, as an earlier time would not be written over it. */
async function anEarlierBeat(served: GatewayProcess): Promise<void> {
  const database = new DatabaseSync(getDatabasePath(served.data), { timeout: 30_000 });
  database.exec('UPDATE nodes SET seen_at = 0');
  database.close();
  await expect.poll(() => lastBeat(served), { timeout: 60_000, interval: 100 }).toBeGreaterThan(0);
}

const jumps = [HOUR_S, 0, -HOUR_S, 0];

test('G2: continues a stream over clock jumps, keeps its hold, and charges it once', async (context) => {
  const { served, fake, setClock, ask } = await openStage(context);
  const { promise, resolve } = Promise.withResolvers<void>();
  const frames = chatFrames({ text: ['one ', 'two'], includeUsage: true });
  fake.clear();
  fake.next(stream([...frames.slice(0, 2), { until: promise }, ...frames.slice(2)]));
  const answer = await ask({ fields: { stream: true, stream_options: { include_usage: true } } });
  setClock(HOUR_S);
  await twoBeats(served);
  expect(openHolds(served)).toEqual([answer.headers.get('x-request-id')]);
  setClock(0);
  await anEarlierBeat(served);
  expect(openHolds(served)).toEqual([answer.headers.get('x-request-id')]);
  resolve();
  expect(readChat(await answer.text())).toMatchObject({ text: 'one two', isDone: true });
  await expect.poll(() => openHolds(served)).toEqual([]);
  const database = served.open();
  const charges = database.prepare('SELECT state, charged > 0 AS paid FROM charges').all();
  database.close();
  expect(charges.map((row) => ({ ...row }))).toEqual([{ state: 'posted', paid: 1 }]);
  expect(await served.stop()).toBe(0);
  expect(served.logged('hold of a dead process expired')).toEqual([]);
  recordAttempts('G2', { what: 'jumps of the clock during a stream', times: 2 });
});

test('G11: rejects a second call over the rate limit after any clock jump, with a wait of at most a minute', async (context) => {
  const { newKey, setClock, ask } = await openStage(context);
  const none = { tokensPerMinute: null, concurrency: null };
  const key = await newKey({ limits: { ...none, requestsPerMinute: { limit: 1, mode: 'enforce' } } });
  expect((await ask({ key })).status).toBe(200);
  for (const seconds of jumps) {
    setClock(seconds);
    const rejected = await ask({ key });
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  }
  recordAttempts('G11', { what: 'jumps of the clock at a limit', times: jumps.length });
});

test('expires a key by the wall clock, revives it when the clock goes back, and keeps one without expiry', async (context) => {
  const { newKey, setClock, ask } = await openStage(context);
  const inAnHour = await newKey({ expiresAt: Date.now() + (DAY_S + HOUR_S / 4) * 1_000 - ((Date.now() / 1_000) % DAY_S) * 1_000 });
  const statuses = async () => [(await ask({ key: inAnHour })).status, (await ask()).status];
  expect(await statuses()).toEqual([200, 200]);
  setClock(HOUR_S);
  expect(await statuses()).toEqual([401, 200]);
  for (const seconds of [0, -HOUR_S, 0]) {
    setClock(seconds);
    expect(await statuses()).toEqual([200, 200]);
  }
});

test('F40: returns the stored response for a repeated idempotency key after any clock jump', async (context) => {
  const { fake, setClock, ask } = await openStage(context);
  const headers = { 'idempotency-key': 'the-same' };
  const first = await (await ask({ headers })).text();
  for (const seconds of jumps) {
    setClock(seconds);
    expect(await (await ask({ headers })).text()).toBe(first);
  }
  expect(fake.requests).toHaveLength(1);
});

test('starts a daily cap again on the next day, and finds it used up when the clock goes back', async (context) => {
  const { served, newKey, setClock, ask } = await openStage(context);
  await (await ask()).text();
  const database = served.open();
  const held = BigInt(Number(database.prepare('SELECT max(held) AS held FROM charges').get()?.held));
  database.close();
  // Enough for one call: its charge exceeds the 10 micro-dollars that remain beside its hold.
  const key = await newKey({ caps: [{ micros: held + 10n, period: 'day' }] });
  const statuses = async () => [(await ask({ key })).status, (await ask({ key })).status];
  expect(await statuses()).toEqual([200, 403]);
  setClock(HOUR_S);
  expect(await statuses()).toEqual([200, 403]);
  setClock(0);
  expect(await statuses()).toEqual([403, 403]);
});

test('logs valid times, and request durations that follow no clock jump', async (context) => {
  const { served, fake, setClock, ask } = await openStage(context);
  const from = performance.now();
  for (const seconds of jumps) {
    fake.clear();
    // The clock jumps during the request.
    fake.always(() => {
      setClock(seconds);
      return json(chatCompletion({ text: 'hello' }));
    });
    expect((await ask()).status).toBe(200);
  }
  expect(await served.stop()).toBe(0);
  // By the clock of this process, which does not jump.
  const allMs = performance.now() - from;
  const lines = served.log
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));
  for (const { time } of lines) expect(new Date(String(time)).toISOString()).toBe(time);
  const requests = lines.filter(({ msg }) => msg === 'request');
  expect(requests).toHaveLength(jumps.length);
  for (const { durationMs } of requests) {
    expect(Number(durationMs)).toBeGreaterThanOrEqual(0);
    expect(Number(durationMs)).toBeLessThanOrEqual(allMs);
  }
});
