/** Callers who come in thousands, who connect and say nothing or half of it, or who take all the requests that an upstream may have (promise G7, F53). */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { chatFrames } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { type Served, setUp } from '../harness/served.ts';
import { tried } from '../harness/tally.ts';
import { openHolds } from './crash-books.ts';
import { Crowd } from './load/crowd.ts';

const model = 'm';
const limits = { requestsPerMinute: 1_000_000, tokensPerMinute: 10_000_000_000, concurrency: 10_000 };
const HEADERS_MS = 1_000;
const KEEP_ALIVE_MS = 2_000;

async function serve(): Promise<{ readonly served: Served; readonly fake: Fake }> {
  const fake = await openFake();
  onTestFinished(() => fake.close());
  // As much as it takes to be shown to the caller, and no end.
  fake.always(() => stream(chatFrames({ text: ['a', 'b'], model }), { stopAfter: { frames: 2 }, ending: 'stall' }));
  const served = await setUp({
    settings: {
      server: { headersTimeoutMs: HEADERS_MS, keepAliveTimeoutMs: KEEP_ALIVE_MS },
      // Of requests at once it may have as many as any upstream may that nothing is said about.
      upstreams: { vendor: { kind: 'openai', baseUrl: fake.url } },
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
  /** All that the gateway said, once it has closed. */
  readonly told: Promise<string>;
}

function call({ origin }: Served, words = ''): Caller {
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

const crowdOf = <T>(count: number, one: () => T): T[] => Array.from({ length: count }, one);

test('G7, F53: of 1,500 callers who come while the gateway is busy none is left at the door, and each is answered', async () => {
  const { served } = await serve();
  const ask = 'GET /livez HTTP/1.1\r\nhost: gateway.test\r\nconnection: close\r\n\r\n';
  process.kill(served.pid, 'SIGSTOP');
  const callers = crowdOf(1_500, () => call(served, ask));
  const connecting = Promise.all(callers.map(({ connected }) => connected)).then(() => 'all');
  // Whoever finds no room in the system's queue comes again after a second, and then after more.
  const who = await Promise.race([connecting, pause(800, 'not all')]);
  process.kill(served.pid, 'SIGCONT');
  expect(who).toBe('all');
  const told = await Promise.all(callers.map((caller) => caller.told));
  expect(told.filter((text) => !text.startsWith('HTTP/1.1 200 '))).toEqual([]);
  tried('G7', { what: 'callers who came while the gateway was busy', times: callers.length });
}, 30_000);

test('G7, F53: whoever connects and says nothing, half a head or one request is cut at the end of the time for that, and nobody waits for them', async () => {
  const { served } = await serve();
  const half = 'POST /v1/chat/completions HTTP/1.1\r\nhost: gateway.test\r\nauthor';
  const silent = crowdOf(500, () => call(served));
  const halves = crowdOf(500, () => call(served, half));
  const idle = crowdOf(200, () => call(served, 'GET /livez HTTP/1.1\r\nhost: gateway.test\r\n\r\n'));
  await Promise.all([...silent, ...halves, ...idle].map(({ connected }) => connected));
  const begun = performance.now();
  const good = await fetch(`${served.origin}/v1/models`, { headers: { authorization: `Bearer ${served.key}` } });
  expect([good.status, performance.now() - begun < 1_000]).toEqual([200, true]);
  const [nothing, refused, answered] = await Promise.all(
    [silent, halves, idle].map((callers) => Promise.all(callers.map((caller) => caller.told))),
  );
  // Looks at the clock are a quarter of the time for headers apart.
  expect(performance.now() - begun).toBeLessThan(Math.max(HEADERS_MS * 1.25, KEEP_ALIVE_MS) + 3_000);
  const starts = (texts: readonly string[] = []): string[] => [...new Set(texts.map((text) => text.slice(0, 13)))];
  expect([starts(nothing), starts(refused), starts(answered)]).toEqual([['HTTP/1.1 408 '], ['HTTP/1.1 408 '], ['HTTP/1.1 200 ']]);
  tried('G7', { what: 'connections that said nothing, half a head or no second request', times: 1_200 });
}, 30_000);

test('G7: with 1,024 streams at one upstream the next caller is refused at once; when they have left there is room for as many', async () => {
  const { served, fake } = await serve();
  const agent = new Agent({ connections: null, pipelining: 1 });
  onTestFinished(() => agent.destroy());
  const body = { model, messages: [{ role: 'user', content: 'Go on.' }], stream: true };
  for (const seed of [1, 2]) {
    const crowd = new Crowd({ origin: served.origin, key: served.key, agent }, { path: '/v1/chat/completions', body }, seed);
    crowd.open(1_024);
    await expect.poll(() => crowd.statuses, { timeout: 20_000 }).toEqual({ 200: 1_024 });
    const at = performance.now();
    crowd.open(3);
    await expect.poll(() => crowd.statuses).toEqual({ 200: 1_024, 503: 3 });
    expect(performance.now() - at).toBeLessThan(1_000);
    await crowd.leave();
    await expect.poll(() => [fake.connections.open, openHolds(served)], { timeout: 10_000 }).toEqual([0, []]);
  }
  expect(served.logged('request failed').filter(({ code }) => code !== 'overloaded')).toEqual([]);
  tried('G7', { what: 'streams at an upstream that was full with them', times: 2_048 });
}, 60_000);
