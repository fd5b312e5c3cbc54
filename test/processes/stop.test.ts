/** A stop by signal: answers of callers who have left are read on within the drain, and a second signal ends the process at once (promises G6 and G9). */
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { getDatabasePath } from '../../server/store/sqlite/database.ts';
import { stream } from '../fakes/delivery.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { beginStream, type DisconnectingCaller } from '../harness/disconnecting-caller.ts';
import { startGateway } from '../harness/gateway.ts';
import { type GatewayProcess, setUp } from '../harness/gateway-process.ts';
import { chat, responses } from '../harness/protocols.ts';

interface Stage {
  readonly fake: Fake;
  readonly served: GatewayProcess;
  /** Begins a stream and reads its start. */
  call(): Promise<DisconnectingCaller>;
}

async function open({ server = {}, upstream = {} }: { server?: object; upstream?: object } = {}): Promise<Stage> {
  const fake = await openFake();
  onTestFinished(() => fake.close());
  const vendor = { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor', ...upstream };
  const models = [{ id: chat.ask.model, kind: 'text', upstream: 'vendor' }];
  // Load shedding is off, since the start may be slow on a busy machine.
  const settings = { admin: { enabled: false }, server: { overload: { loopDelayMs: 0 }, ...server }, upstreams: { vendor }, models };
  // Without the compile cache, which Node would write at the end.
  const served = await setUp({ settings, under: ['env', '-u', 'NODE_COMPILE_CACHE'] });
  await served.run();
  return {
    fake,
    served,
    call: () => beginStream({ origin: served.origin, key: served.key, body: { ...chat.ask, ...chat.streamed } }),
  };
}

function chargesOf(served: GatewayProcess) {
  const connection = served.open();
  const rows = connection.prepare('SELECT state, estimated, outcome, charged > 0 AS paid FROM charges').all();
  connection.close();
  return rows.map((row) => ({ ...row }));
}

const stalled = stream(chat.frames, { stopAfter: { frames: 2 }, ending: 'stall' });
const drained = { onClientDisconnect: 'drain', drainMs: 600_000 } as const;
const drainIsOver = 'drain timeout reached; aborting requests in flight';

test('G6, G9: reads a response to its end after a disconnect and a stop, and charges its usage', async () => {
  const { fake, served, call } = await open({ upstream: drained, server: { drainMs: 600_000 } });
  const beside = await open();
  const { promise, resolve: go } = Promise.withResolvers<void>();
  fake.next(stream([...chat.frames.slice(0, 2), { until: promise }, ...chat.frames.slice(2)]));
  await (await call()).leave();
  const ended = served.stop();
  await expect.poll(() => served.logged('stopping')).toHaveLength(1);
  // A gateway without such an answer ends meanwhile; this one waits, and its request is still open.
  expect(await beside.served.stop()).toBe(0);
  expect(fake.last.closedAt).toBeNull();
  go();
  expect(await ended).toBe(0);
  expect(served.logged(drainIsOver)).toEqual([]);
  expect(chargesOf(served)).toEqual([{ state: 'posted', estimated: 0, outcome: 'client_disconnected', paid: 1 }]);
});

test('G6, G9: cuts one that outlasts drainMs, estimates its charge, and exits with code 1', async () => {
  const { fake, served, call } = await open({ upstream: drained, server: { drainMs: 600 } });
  fake.next(stalled);
  await (await call()).leave();
  expect(await served.stop()).toBe(1);
  expect(served.logged(drainIsOver)).toHaveLength(1);
  await fake.hangUp(0);
  expect(chargesOf(served)).toEqual([{ state: 'posted', estimated: 1, outcome: 'client_disconnected', paid: 1 }]);
});

test('ends the process immediately on a second signal, with calls in flight and with a locked database', async () => {
  // The first signal would wait for ten minutes.
  const { fake, served, call } = await open({ server: { drainMs: 600_000 } });
  fake.next(stalled).next(stalled);
  await call();
  const other = new DatabaseSync(getDatabasePath(served.data), { timeout: 5_000 });
  other.exec('BEGIN IMMEDIATE');
  onTestFinished(() => other.close());
  // It waits for the lock, and so does the thread that writes.
  const waiting = call().catch(() => undefined);
  await expect.poll(() => served.logged('ledger unavailable').length + served.logged('request failed').length).toBe(1);
  const first = served.stop();
  await expect.poll(() => served.logged('stopping')).toHaveLength(1);
  process.kill(served.pid, 'SIGTERM');
  expect(await first).toBe(1);
  expect({ isLocked: other.isTransaction, isDrained: served.logged(drainIsOver) }).toEqual({ isLocked: true, isDrained: [] });
  await waiting;
});

test("closes after two seconds and the store's timeout despite an open hold, whatever the wall clock does", async () => {
  const { gateway, close } = await startGateway({ database: { timeoutMs: 1_000 } });
  const money = gateway.money ?? expect.fail('billing is off');
  money.open.add('req_of_nobody');
  let jumps = 0;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => ++jumps * 3_600_000);
  // The test controls the monotonic clock.
  let passed = performance.now();
  const monotonic = vi.spyOn(performance, 'now').mockImplementation(() => passed);
  onTestFinished(() => {
    clock.mockRestore();
    monotonic.mockRestore();
  });
  const begun = vi.spyOn(money, 'close');
  let isClosed = false;
  const closing = close().then(() => {
    isClosed = true;
  });
  await expect.poll(() => begun.mock.calls.length).toBe(1);
  passed += 2_999;
  // The close reads the clock repeatedly.
  const { length: looks } = monotonic.mock.calls;
  await expect.poll(() => monotonic.mock.calls.length).toBeGreaterThan(looks + 5);
  expect(isClosed).toBe(false);
  passed += 2;
  await closing;
});

test('closes idle WebSocket connections with 1001 at a stop, and the others after their turn', async () => {
  const { fake, served } = await open({ server: { drainMs: 60_000 } });
  const connect = async (): Promise<WebSocket> => {
    const url = `${served.origin.replace('http', 'ws')}/v1/responses`;
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${served.key}` } });
    await once(socket, 'open');
    return socket;
  };
  const [idle, busy] = [await connect(), await connect()];
  const { promise, resolve: go } = Promise.withResolvers<void>();
  fake.next(stream([...responses.frames.slice(0, 5), { until: promise }, ...responses.frames.slice(5)]));
  const types: string[] = [];
  busy.on('message', (data) => types.push(JSON.parse(String(data)).type));
  busy.send(JSON.stringify({ type: 'response.create', model: chat.ask.model, input: 'Hello' }));
  await expect.poll(() => types).toContain('response.output_text.delta');
  const ended = served.stop();
  expect((await once(idle, 'close'))[0]).toBe(1001);
  expect(busy.readyState).toBe(WebSocket.OPEN);
  go();
  expect((await once(busy, 'close'))[0]).toBe(1001);
  expect(types.at(-1)).toBe('response.completed');
  expect(await ended).toBe(0);
});

describe('a response in the background', () => {
  const script = (go: Promise<void>) => stream([...responses.frames.slice(0, 6), { until: go }, ...responses.frames.slice(6)]);
  const begin = async ({ fake, served }: Stage, go: Promise<void>): Promise<void> => {
    fake.next(script(go));
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...responses.ask, background: true, store: true }),
    };
    expect(await (await fetch(`${served.origin}/v1/responses`, init)).json()).toMatchObject({ status: 'queued' });
    await expect.poll(() => fake.requests).toHaveLength(1);
  };
  const statusIn = (served: GatewayProcess): unknown => {
    const connection = served.open();
    const row = connection.prepare("SELECT response ->> 'status' AS status FROM responses").get();
    connection.close();
    return row?.status;
  };

  test('G9, G15: completes before the process stops', async () => {
    const stage = await open({ server: { drainMs: 600_000 } });
    const { promise, resolve: go } = Promise.withResolvers<void>();
    await begin(stage, promise);
    const ended = stage.served.stop();
    await expect.poll(() => stage.served.logged('stopping')).toHaveLength(1);
    go();
    expect(await ended).toBe(0);
    expect(statusIn(stage.served)).toBe('completed');
    expect(chargesOf(stage.served)).toMatchObject([{ state: 'posted', estimated: 0, outcome: 'completed' }]);
  });

  test('G9, G15: fails when the drain time is over, and is charged for its output so far', async () => {
    const stage = await open({ server: { drainMs: 600 } });
    await begin(stage, new Promise(() => undefined));
    expect(await stage.served.stop()).toBe(1);
    expect(statusIn(stage.served)).toBe('failed');
    expect(chargesOf(stage.served)).toMatchObject([{ state: 'posted', estimated: 1 }]);
  });
});
