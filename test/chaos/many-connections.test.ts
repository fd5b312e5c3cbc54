/** Thousands of connections: all at once, silent or with half a request, or with as many streams as one upstream may have (promise G7, F53). */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { Agent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { chatFrames } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { type GatewayProcess, setUp } from '../harness/gateway-process.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { openHolds } from './crash-books.ts';
import { Crowd } from './load/crowd.ts';

const model = 'm';
const limits = { requestsPerMinute: 1_000_000, tokensPerMinute: 10_000_000_000, concurrency: 10_000 };
/** Short timeouts, for connections that they are to cut. */
const hurry = { headersTimeoutMs: 2_000, keepAliveTimeoutMs: 2_000 };

async function serve(server: object = {}): Promise<{ readonly served: GatewayProcess; readonly fake: Fake }> {
  const fake = await openFake();
  onTestFinished(() => fake.close());
  // Enough for the caller to get the first event, and no end.
  fake.always(() => stream(chatFrames({ text: ['a', 'b'], model }), { stopAfter: { frames: 2 }, ending: 'stall' }));
  const served = await setUp({
    settings: {
      server,
      // No concurrency limit of its own, so the default one applies.
      upstreams: { vendor: { kind: 'openai', baseUrl: fake.url, accountShare: 100 } },
      models: [{ id: model, kind: 'text' }],
      limits: { perKey: limits, perAccount: limits },
      log: { level: 'warn' },
      admin: { enabled: false },
    },
  });
  await served.run();
  return { served, fake };
}

interface Caller {
  readonly socket: Socket;
  readonly connected: Promise<unknown>;
  /** All that the gateway sent; resolves when the connection closed. */
  readonly told: Promise<string>;
}

function call({ origin }: GatewayProcess, words = ''): Caller {
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  const connected = once(socket, 'connect');
  const { promise: told, resolve } = Promise.withResolvers<string>();
  let heard = '';
  socket.setEncoding('latin1').on('data', (text) => {
    heard += text;
  });
  socket.on('error', () => undefined).on('close', () => resolve(heard));
  if (words !== '') socket.write(words);
  return { socket, connected, told };
}

/** Connections in the system's listen queue, which the gateway has not accepted yet. */
function standingAtTheDoor({ origin }: GatewayProcess): number {
  const port = Number(new URL(origin).port).toString(16).toUpperCase().padStart(4, '0');
  const listening = new RegExp(`: 0100007F:${port} 00000000:0000 0A [0-9A-F]+:([0-9A-F]+) `);
  return Number.parseInt(listening.exec(readFileSync('/proc/net/tcp', 'latin1'))?.[1] ?? '', 16);
}

const crowdOf = <T>(count: number, one: () => T): T[] => Array.from({ length: count }, one);

test('G7, F53: serves all of 1,500 connections that arrive while the gateway is busy', async () => {
  const { served } = await serve();
  const ask = 'GET /livez HTTP/1.1\r\nhost: gateway.test\r\nconnection: close\r\n\r\n';
  process.kill(served.pid, 'SIGSTOP');
  const callers = crowdOf(1_500, () => call(served, ask));
  // A stopped process accepts nothing: a queue that is too short would never hold them all.
  await expect
    .poll(() => standingAtTheDoor(served), { interval: 20 })
    .toBe(callers.length)
    .finally(() => process.kill(served.pid, 'SIGCONT'));
  const told = await Promise.all(callers.map((caller) => caller.told));
  expect(told.filter((text) => !text.startsWith('HTTP/1.1 200 '))).toEqual([]);
  recordAttempts('G7', { what: 'callers who came while the gateway was busy', times: callers.length });
});

const half = 'POST /v1/chat/completions HTTP/1.1\r\nhost: gateway.test\r\nauthor';
const whole = 'GET /livez HTTP/1.1\r\nhost: gateway.test\r\n\r\n';

test('G7, F53: serves a good call beside 1,200 connections that are silent, idle, or have sent half a head', async () => {
  const { served } = await serve();
  const idle = crowdOf(200, () => call(served, whole));
  await Promise.all(idle.map(({ socket }) => once(socket, 'data')));
  const waiting = [...crowdOf(500, () => call(served)), ...crowdOf(500, () => call(served, half)), ...idle];
  await Promise.all(waiting.map(({ connected }) => connected));
  const good = await fetch(`${served.origin}/v1/models`, { headers: { authorization: `Bearer ${served.key}` } });
  expect(good.status).toBe(200);
  expect(waiting.filter(({ socket }) => socket.closed)).toEqual([]);
});

test('G7, F53: closes connections that are silent, idle, or stop within a request head after their timeout', async () => {
  const { served } = await serve(hurry);
  const from = performance.now();
  const idle = crowdOf(200, () => call(served, whole));
  const silent = crowdOf(500, () => call(served));
  const halves = crowdOf(500, () => call(served, half));
  const firstMs = Promise.race([...silent, ...halves, ...idle].map(({ told }) => told)).then(() => performance.now() - from);
  const [nothing, rejected, answered] = await Promise.all(
    [silent, halves, idle].map((callers) => Promise.all(callers.map((caller) => caller.told))),
  );
  expect(await firstMs, 'the first one was cut after').toBeGreaterThan(hurry.headersTimeoutMs - 50);
  const starts = (texts: readonly string[] = []): string[] => [...new Set(texts.map((text) => text.slice(0, 13)))];
  expect([starts(nothing), starts(rejected), starts(answered)]).toEqual([['HTTP/1.1 408 '], ['HTTP/1.1 408 '], ['HTTP/1.1 200 ']]);
  recordAttempts('G7', { what: 'connections that said nothing, half a head or no second request', times: 1_200 });
});

test('G7: rejects calls beside 1,024 streams at one upstream with 503, and serves as many again afterwards', async () => {
  const { served, fake } = await serve();
  const agent = new Agent({ connections: null, pipelining: 1 });
  onTestFinished(() => agent.destroy());
  const body = { model, messages: [{ role: 'user', content: 'Go on.' }], stream: true };
  for (const seed of [1, 2]) {
    const crowd = new Crowd({ origin: served.origin, key: served.key, agent }, { path: '/v1/chat/completions', body }, seed);
    crowd.open(1_024);
    await expect.poll(() => crowd.statuses).toEqual({ 200: 1_024 });
    const asked = fake.requests.length;
    crowd.open(3);
    await expect.poll(() => crowd.statuses).toEqual({ 200: 1_024, 503: 3 });
    expect([fake.requests.length, fake.connections.open, crowd.size]).toEqual([asked, 1_024, 1_024]);
    await crowd.leave();
    await expect.poll(() => [fake.connections.open, openHolds(served)]).toEqual([0, []]);
  }
  expect(served.logged('request failed').filter(({ code }) => code !== 'overloaded')).toEqual([]);
  recordAttempts('G7', { what: 'streams at an upstream that was full with them', times: 2_048 });
});
