/** Callers who are slow on purpose, by slowhttptest: they hold nothing for longer than they may, and nobody else waits for them (promise G7, F53). */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
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

const CONNECTIONS = 203;
/** At once, so that it is an attack. */
const MANY = 20;
/** Whoever comes from another address than the slow ones. */
const ELSEWHERE = '127.0.0.2';
const model = 'm';

async function serve(more: object): Promise<{ readonly served: Served; readonly fake: Fake }> {
  const fake = await openFake();
  fake.always(() => json(chatCompletion({ text: 'hello' })));
  onTestFinished(() => fake.close());
  // Long enough for all of them to be there at once, and for a good caller to be answered meanwhile.
  const server = { headersTimeoutMs: 3_000, requestTimeoutMs: 4_000, keepAliveTimeoutMs: 1_000, writeStallMs: 3_000, ...more };
  const upstreams = { vendor: { kind: 'openai', baseUrl: fake.url } };
  const served = await setUp({ settings: { server, upstreams, models: [{ id: model, kind: 'text' }], admin: { enabled: false } } });
  await served.run();
  return { served, fake };
}

interface GoodCaller {
  /** How often it was answered while many slow ones were there, before it asked and after. */
  besideMany(): number;
  /** Rejects as soon as it was not served; resolves when it was told to stop. */
  readonly ended: Promise<void>;
  stop(): void;
}

/** Asks again and again. */
function openGoodCaller({ origin, key }: Served, slow: () => readonly string[]): GoodCaller {
  // A connection of its own each time: what the slow ones might use up.
  const dispatcher = new Agent({ localAddress: ELSEWHERE, pipelining: 0 });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const asked = JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] });
  let [besideMany, isOver] = [0, false];
  const askOnce = async (): Promise<void> => {
    const wereMany = slow().length > MANY;
    const { statusCode, body } = await request(`${origin}/v1/chat/completions`, { method: 'POST', headers, body: asked, dispatcher });
    expect([statusCode, await body.text()]).toEqual([200, expect.stringContaining('hello')]);
    if (wereMany && slow().length > MANY) besideMany++;
  };
  const goOn = async (): Promise<void> => {
    for (; !isOver; await pause(20)) await askOnce();
  };
  return {
    besideMany: () => besideMany,
    ended: goOn(),
    stop() {
      isOver = true;
    },
  };
}

/** Two hundred connections with nobody between; over when the gateway has taken and cut them all: null, or what the tool says, where it gave up by itself before. It may hear late of being cut. */
async function attack(slow: () => readonly string[], words: readonly string[]): Promise<string | null> {
  const most = ['-c', String(CONNECTIONS), '-r', '200', '-l', '240', '-p', '3', '-v', '1'];
  const child = spawn('slowhttptest', [...words, ...most], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exit = once(child, 'exit').then(() => 'ended');
  const report = text(child.stdout);
  const taken = new Set<string>();
  for (let hasEnded = false; ; ) {
    const now = slow();
    for (const one of now) taken.add(one);
    if (taken.size >= CONNECTIONS && now.length === 0) {
      child.kill('SIGKILL');
      return null;
    }
    if (hasEnded) return await report;
    hasEnded = (await Promise.race([exit, pause(50)])) === 'ended';
  }
}

/** The far ends of the slow connections that the gateway has taken and not closed: the system names their sockets, and gives others the number 0. */
function slowConnections({ origin }: Served): readonly string[] {
  const port = Number(new URL(origin).port).toString(16).toUpperCase().padStart(4, '0');
  const row = new RegExp(`: 0100007F:${port} (0100007F:[0-9A-F]{4}) .{2} \\S+ \\S+ \\S+ +\\d+ +\\d+ ([1-9]\\d*) `, 'g');
  return [...readFileSync('/proc/net/tcp', 'latin1').matchAll(row)].map(([, farEnd]) => String(farEnd));
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
async function survive(
  attackers: (served: Served) => readonly string[],
  server: object = {},
): Promise<{ readonly served: Served; readonly fake: Fake }> {
  const { served, fake } = await serve(server);
  const { pid } = served;
  const before = { sockets: socketsOf(pid), memory: memoryOf(pid) };
  const slow = () => slowConnections(served);
  const good = openGoodCaller(served, slow);
  // On a busy machine they are cut before the good caller was answered often enough beside them; then they come again.
  do {
    const report = await Promise.race([attack(slow, attackers(served)), good.ended]);
    expect(report, 'it was the tool that ended them, and not the gateway').toBeNull();
  } while (good.besideMany() <= 2);
  good.stop();
  await good.ended;
  // Connections to the vendor may be kept.
  await expect.poll(() => socketsOf(pid)).toBeLessThanOrEqual(before.sockets + 4);
  expect(openHolds(served)).toEqual([]);
  expect(memoryOf(pid) - before.memory, 'megabytes more').toBeLessThan(150);
  expect(served.logged('request').filter(({ level }) => level === 'error')).toEqual([]);
  tried('G7', { what: 'connections of callers who are slow on purpose', times: CONNECTIONS });
  return { served, fake };
}

describe.skipIf(missing)(`slow callers${missing ? `, LEFT OUT: ${missing}` : ''}`, { timeout: 300_000 }, () => {
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
    // More than the system takes off the gateway's hands, and nothing else that could end them.
    const words = ['-X', '-n', '5', '-z', '16', '-w', '64', '-y', '128', '-k', '10'];
    await survive(({ origin }) => [...words, '-u', `${origin}/openapi.json`], { keepAliveTimeoutMs: 600_000 });
  });
});
