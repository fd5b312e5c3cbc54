/** A stop by signal: what a vendor bills to the end is heard out for callers who have left, within the drain; a second signal waits for nothing (promises G6 and G9). */
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { databaseFile } from '../../server/storage/sqlite/database.ts';
import { stream } from '../fakes/delivery.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { startGateway } from '../harness/gateway.ts';
import { beginStream, type Leaving } from '../harness/leaving.ts';
import { chat } from '../harness/protocols.ts';
import { type Served, setUp } from '../harness/served.ts';

interface Stage {
  readonly fake: Fake;
  readonly served: Served;
  /** A caller who reads the beginning of a stream. */
  call(): Promise<Leaving>;
}

async function open({ server = {}, upstream = {} }: { server?: object; upstream?: object } = {}): Promise<Stage> {
  const fake = await openFake();
  onTestFinished(() => fake.close());
  const vendor = { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor', ...upstream };
  const models = [{ id: chat.ask.model, kind: 'text', upstream: 'vendor' }];
  // It is to be refused nothing for a busy start.
  const settings = { admin: { enabled: false }, server: { shed: { loopDelayMs: 0 }, ...server }, upstreams: { vendor }, models };
  // What Node would write to its cache at the end, for the next start, is no part of the product.
  const served = await setUp({ settings, under: ['env', '-u', 'NODE_COMPILE_CACHE'] });
  await served.run();
  return {
    fake,
    served,
    call: () => beginStream({ origin: served.origin, key: served.key, body: { ...chat.ask, ...chat.streamed } }),
  };
}

function chargesOf(served: Served) {
  const connection = served.open();
  const rows = connection.prepare('SELECT state, estimated, outcome, charged > 0 AS paid FROM charges').all();
  connection.close();
  return rows.map((row) => ({ ...row }));
}

const stalled = stream(chat.frames, { stopAfter: { frames: 2 }, ending: 'stall' });
const drained = { onClientGone: 'drain', drainMs: 600_000 } as const;
const drainIsOver = 'the drain time is over: requests that still run are ended';

test('G6, G9: an answer that is heard out when the stop comes is heard to its end, and charged as its vendor counts it', async () => {
  const { fake, served, call } = await open({ upstream: drained, server: { drainMs: 600_000 } });
  const beside = await open();
  const { promise, resolve: go } = Promise.withResolvers<void>();
  fake.next(stream([...chat.frames.slice(0, 2), { until: promise }, ...chat.frames.slice(2)]));
  await (await call()).leave();
  const ended = served.stop();
  await expect.poll(() => served.logged('stopping')).toHaveLength(1);
  // One that has nobody to hear out ends meanwhile; this one waits, and has not told its vendor anything.
  expect(await beside.served.stop()).toBe(0);
  expect(fake.last.closedAt).toBeNull();
  go();
  expect(await ended).toBe(0);
  expect(served.logged(drainIsOver)).toEqual([]);
  expect(chargesOf(served)).toEqual([{ state: 'posted', estimated: 0, outcome: 'client_gone', paid: 1 }]);
});

test('G6, G9: one that does not end within the drain is cut and settled, and the process says that it did not end well', async () => {
  const { fake, served, call } = await open({ upstream: drained, server: { drainMs: 600 } });
  fake.next(stalled);
  await (await call()).leave();
  expect(await served.stop()).toBe(1);
  expect(served.logged(drainIsOver)).toHaveLength(1);
  await fake.hangUp(0);
  expect(chargesOf(served)).toEqual([{ state: 'posted', estimated: 1, outcome: 'client_gone', paid: 1 }]);
});

test('a second signal ends the process, with calls that run and while its database is locked by another', async () => {
  // The first would let it wait for ten minutes.
  const { fake, served, call } = await open({ server: { drainMs: 600_000 } });
  fake.next(stalled).next(stalled);
  await call();
  const other = new DatabaseSync(databaseFile(served.data));
  other.exec('BEGIN IMMEDIATE');
  onTestFinished(() => other.close());
  // Waits for the lock, and its thread with it.
  const waiting = call().catch(() => undefined);
  await expect.poll(() => served.logged('the ledger is down').length + served.logged('request failed').length).toBe(1);
  const first = served.stop();
  await expect.poll(() => served.logged('stopping')).toHaveLength(1);
  process.kill(served.pid, 'SIGTERM');
  expect(await first).toBe(1);
  expect({ isLocked: other.isTransaction, isDrained: served.logged(drainIsOver) }).toEqual({ isLocked: true, isDrained: [] });
  await waiting;
});

test('a hold that does not end keeps a gateway from closing for two seconds beyond the wait for its store, whatever the clock says meanwhile', async () => {
  const { gateway, close } = await startGateway({ database: { timeoutMs: 1_000 } });
  const money = gateway.money ?? expect.fail('billing is off');
  money.open.add('req_of_nobody');
  let jumps = 0;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => ++jumps * 3_600_000);
  // What has passed since the start of the process is in the test's hand.
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
  // It looks at the clock all the time.
  const { length: looks } = monotonic.mock.calls;
  await expect.poll(() => monotonic.mock.calls.length).toBeGreaterThan(looks + 5);
  expect(isClosed).toBe(false);
  passed += 2;
  await closing;
});
