/** Callers who are slow on purpose, by slowhttptest: they hold nothing for longer than they may, and nobody else waits for them (promise G7, F53). */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { type Served, setUp } from '../harness/served.ts';
import { tried } from '../harness/tally.ts';
import { openHolds } from './crash-books.ts';

const { error } = spawnSync('slowhttptest', ['-h']);
const missing = error ? `slowhttptest cannot be run: ${error.message}` : null;
if (missing) console.warn(`Slow callers are not tried. ${missing}`);

const CONNECTIONS = 200;
const model = 'm';
/** Of an answer to a good caller, while all of this goes on. */
const MOST_MS = 2_000;

async function serve(): Promise<{ readonly served: Served; readonly fake: Fake }> {
  const fake = await openFake();
  fake.always(() => json(chatCompletion({ text: 'hello' })));
  onTestFinished(() => fake.close());
  const server = { headersTimeoutMs: 1_000, requestTimeoutMs: 2_000, keepAliveTimeoutMs: 1_000, writeStallMs: 1_000 };
  const upstreams = { vendor: { kind: 'openai', baseUrl: fake.url } };
  const served = await setUp({ settings: { server, upstreams, models: [{ id: model, kind: 'text' }], admin: { enabled: false } } });
  await served.run();
  return { served, fake };
}

/** What a good caller waits for each answer, until it is told to stop. */
async function goOnAsking({ origin, key }: Served, until: AbortSignal): Promise<readonly number[]> {
  const waits: number[] = [];
  while (!until.aborted) {
    const begun = performance.now();
    // A connection of its own each time: what the slow ones might use up.
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' };
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] });
    const answer = await fetch(`${origin}/v1/chat/completions`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('hello');
    waits.push(performance.now() - begun);
    await pause(20);
  }
  return waits;
}

interface Gone {
  readonly report: string;
  readonly mostOpen: number;
  /** How long any number of connections worth the name was open, as the gateway saw it. */
  readonly heldMs: number;
}

/** Two hundred connections at once, for a few seconds, with nobody between. */
async function attack({ pid }: Served, words: readonly string[]): Promise<Gone> {
  const most = ['-c', String(CONNECTIONS), '-r', '200', '-l', '12', '-p', '3', '-v', '1'];
  const child = spawn('slowhttptest', [...words, ...most], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  const report = text(child.stdout);
  const [begun, before] = [performance.now(), socketsOf(pid)];
  let [mostOpen, heldMs] = [0, 0];
  while (child.exitCode === null && child.signalCode === null) {
    const open = socketsOf(pid) - before;
    mostOpen = Math.max(mostOpen, open);
    if (open > CONNECTIONS / 10) heldMs = performance.now() - begun;
    await Promise.race([exit, pause(50)]);
  }
  return { report: await report, mostOpen, heldMs };
}

const socketsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).filter((fd) => linkOf(pid, fd).startsWith('socket:')).length;

function linkOf(pid: number, fd: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`);
  } catch {
    // Closed since it was listed.
    return '';
  }
}

const memoryOf = (pid: number): number => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** What the three have in common: who is slow, and how many of them there have to be at once so that it was an attack at all. */
async function survive(attackers: (served: Served) => readonly string[]): Promise<{ readonly served: Served; readonly fake: Fake }> {
  const { served, fake } = await serve();
  const { pid } = served;
  const before = { sockets: socketsOf(pid), memory: memoryOf(pid) };
  const over = new AbortController();
  const good = goOnAsking(served, over.signal);
  const { report, mostOpen, heldMs } = await attack(served, attackers(served)).finally(() => over.abort());
  const waits = await good;
  expect(mostOpen, report).toBeGreaterThan(CONNECTIONS / 2);
  // It was the gateway that ended them, and not the tool at the end of its twelve seconds.
  expect(heldMs, report).toBeLessThan(8_000);
  expect(waits.length).toBeGreaterThan(20);
  expect(Math.max(...waits), 'longest wait of a good caller').toBeLessThan(MOST_MS);
  // Connections to the vendor may be kept.
  await expect.poll(() => socketsOf(pid), { timeout: 10_000 }).toBeLessThanOrEqual(before.sockets + 4);
  expect(openHolds(served)).toEqual([]);
  expect(memoryOf(pid) - before.memory, 'megabytes more').toBeLessThan(150);
  expect(served.logged('request').filter(({ level }) => level === 'error')).toEqual([]);
  tried('G7', { what: 'connections of callers who are slow on purpose', times: mostOpen });
  return { served, fake };
}

describe.skipIf(missing)(`slow callers${missing ? `, LEFT OUT: ${missing}` : ''}`, () => {
  test('G7: who sends headers bit by bit is cut at the end of their time, and nobody else waits', async () => {
    await survive(({ origin }) => ['-H', '-i', '1', '-u', `${origin}/v1/models`]);
  });

  test('G7: who sends a body bit by bit, with a good key, is cut, and no vendor is asked for them', async () => {
    const { served, fake } = await survive(({ origin, key }) => {
      // The tool knows no such header; the one that it knows comes last.
      const headers = `application/json\r\nauthorization: Bearer ${key}`;
      return ['-B', '-i', '1', '-s', '100000', '-f', headers, '-u', `${origin}/v1/chat/completions`];
    });
    await served.stop();
    const good = served.logged('request').filter(({ status }) => status === 200);
    expect(fake.requests).toHaveLength(good.length);
  });

  test('G7: who reads an answer bit by bit is cut when nothing was read for too long', async () => {
    await survive(({ origin }) => ['-X', '-n', '5', '-z', '16', '-w', '64', '-y', '128', '-k', '3', '-u', `${origin}/openapi.json`]);
  });
});
