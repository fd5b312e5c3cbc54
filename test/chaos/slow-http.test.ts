/** Slow HTTP attacks by slowhttptest: slow connections are cut at their timeout, and other callers do not wait (promise G7, F53). */
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
import { type GatewayProcess, setUp } from '../harness/gateway-process.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { openHolds } from './crash-books.ts';

const { error } = spawnSync('slowhttptest', ['-h']);
const missing = error ? `slowhttptest cannot be run: ${error.message}` : null;
if (missing) console.warn(`Slow callers are not tested. ${missing}`);

const CONNECTIONS = 203;
/** More slow connections than this at once are an attack. */
const MANY = 20;
const MAX_ATTACKS = 5;
/** The address of the good caller; the slow ones have another. */
const ELSEWHERE = '127.0.0.2';
const model = 'm';

async function serve(more: object): Promise<{ readonly served: GatewayProcess; readonly fake: Fake }> {
  const fake = await openFake();
  fake.always(() => json(chatCompletion({ text: 'hello' })));
  onTestFinished(() => fake.close());
  // Long enough for all slow connections to exist at once, and for a good caller to be answered meanwhile.
  const server = { headersTimeoutMs: 3_000, requestTimeoutMs: 4_000, keepAliveTimeoutMs: 1_000, writeStallMs: 3_000, ...more };
  const upstreams = { vendor: { kind: 'openai', baseUrl: fake.url } };
  const served = await setUp({ settings: { server, upstreams, models: [{ id: model, kind: 'text' }], admin: { enabled: false } } });
  await served.run();
  return { served, fake };
}

interface GoodCaller {
  /** How many calls were answered while many slow connections existed, both before and after the call. */
  besideMany(): number;
  /** Rejects as soon as a call fails; resolves after `stop`. */
  readonly ended: Promise<void>;
  stop(): void;
}

/** Sends one call after the other. */
function openGoodCaller({ origin, key }: GatewayProcess, slow: () => readonly string[]): GoodCaller {
  // A new connection for each call, since the slow ones might use connections up.
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

/** Runs the tool until the gateway has accepted and closed all its connections, then gives null; gives the report of the tool if it ended before. The tool may notice a closed connection late. */
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

/** The remote addresses of the slow connections that the gateway has accepted and not closed: the system gives their sockets an inode, and others the number 0. */
function slowConnections({ origin }: GatewayProcess): readonly string[] {
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

/** Attacks a gateway beside a good caller and checks what is left afterwards. */
async function survive(
  attackers: (served: GatewayProcess) => readonly string[],
  server: object = {},
): Promise<{ readonly served: GatewayProcess; readonly fake: Fake }> {
  const { served, fake } = await serve(server);
  const { pid } = served;
  const before = { sockets: socketsOf(pid), memory: memoryOf(pid) };
  const slow = () => slowConnections(served);
  const good = openGoodCaller(served, slow);
  // On a busy machine the slow connections may be cut before the good caller was answered often enough; then the attack is repeated.
  for (let attacks = 0; attacks < MAX_ATTACKS && good.besideMany() <= 2; attacks++) {
    const report = await Promise.race([attack(slow, attackers(served)), good.ended]);
    expect(report, 'the tool ended before the gateway had closed all connections').toBeNull();
  }
  expect(good.besideMany(), 'calls answered beside many slow connections').toBeGreaterThan(2);
  good.stop();
  await good.ended;
  // Connections to the vendor may stay open.
  await expect.poll(() => socketsOf(pid)).toBeLessThanOrEqual(before.sockets + 4);
  expect(openHolds(served)).toEqual([]);
  expect(memoryOf(pid) - before.memory, 'megabytes more').toBeLessThan(150);
  expect(served.logged('request').filter(({ level }) => level === 'error')).toEqual([]);
  recordAttempts('G7', { what: 'connections of callers who are slow on purpose', times: CONNECTIONS });
  return { served, fake };
}

describe.skipIf(missing)(`slow callers${missing ? `, LEFT OUT: ${missing}` : ''}`, { timeout: 300_000 }, () => {
  test('G7: disconnects callers that send headers slowly, and serves a good caller beside them', async () => {
    await survive(({ origin }) => ['-H', '-i', '1', '-u', `${origin}/v1/models`]);
  });

  test('G7: disconnects authenticated callers that send a body slowly, and calls no upstream', async () => {
    const { served, fake } = await survive(({ origin, key }) => {
      // The tool has no option for this header, so it is appended to the content type.
      const headers = `application/json\r\nauthorization: Bearer ${key}`;
      return ['-B', '-i', '1', '-s', '100000', '-f', headers, '-u', `${origin}/v1/chat/completions`];
    });
    await served.stop();
    const good = served.logged('request').filter(({ status }) => status === 200);
    expect(fake.requests).toHaveLength(good.length);
  });

  test('G7: disconnects callers that read a response too slowly', async () => {
    // More bytes than the system buffers, and no other timeout that could close the connections.
    const words = ['-X', '-n', '5', '-z', '16', '-w', '64', '-y', '128', '-k', '10'];
    await survive(({ origin }) => [...words, '-u', `${origin}/openapi.json`], { keepAliveTimeoutMs: 600_000 });
  });
});
