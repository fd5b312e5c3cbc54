/** A stop by signal: what a vendor bills to the end is heard out for callers who have left, within the drain; a second signal waits for nothing (promises G6 and G9). */
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { databaseFile } from '../../server/storage/database.ts';
import { stream } from '../fakes/delivery.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { startGateway } from '../harness/gateway.ts';
import { chat } from '../harness/protocols.ts';
import { type Served, setUp } from '../harness/served.ts';

interface Stage {
  readonly fake: Fake;
  readonly served: Served;
  /** A caller who reads the beginning of a stream. */
  call(): Promise<{ readonly leave: () => void }>;
}

async function open({ server = {}, upstream = {} }: { server?: object; upstream?: object } = {}): Promise<Stage> {
  const fake = await openFake();
  onTestFinished(() => fake.close());
  const vendor = { kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor', ...upstream };
  const models = [{ id: chat.ask.model, kind: 'text', upstream: 'vendor' }];
  const settings = { admin: { enabled: false }, server, upstreams: { vendor }, models };
  // What Node would write to its cache at the end, for the next start, is no part of the product.
  const served = await setUp({ settings, under: ['env', '-u', 'NODE_COMPILE_CACHE'] });
  await served.run();
  return {
    fake,
    served,
    async call() {
      const leaving = new AbortController();
      const answer = await fetch(`${served.origin}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...chat.ask, ...chat.streamed }),
        signal: leaving.signal,
      });
      await answer.body?.getReader().read();
      return { leave: () => leaving.abort() };
    },
  };
}

function chargesOf(served: Served) {
  const connection = served.open();
  const rows = connection.prepare('SELECT state, estimated, outcome, charged > 0 AS paid FROM charges').all();
  connection.close();
  return rows.map((row) => ({ ...row }));
}

const stalled = stream(chat.frames, { stopAfter: { frames: 2 }, ending: 'stall' });
const drained = { onClientGone: 'drain', drainMs: 60_000 } as const;

test('G6, G9: an answer that is heard out when the stop comes is heard to its end, and charged as its vendor counts it', async () => {
  const { fake, served, call } = await open({ upstream: drained });
  const { promise, resolve: go } = Promise.withResolvers<void>();
  fake.next(stream([...chat.frames.slice(0, 2), { until: promise }, ...chat.frames.slice(2)]));
  (await call()).leave();
  const ended = served.stop();
  // The vendor was not told, and the gateway waits for it.
  await expect(fake.hangUp(0, 500)).rejects.toThrow('did not hang up');
  go();
  expect(await ended).toBe(0);
  expect(chargesOf(served)).toEqual([{ state: 'posted', estimated: 0, outcome: 'client_gone', paid: 1 }]);
});

test('G6, G9: one that does not end within the drain is cut and settled, and the process says that it did not end well', async () => {
  const { fake, served, call } = await open({ upstream: drained, server: { drainMs: 600 } });
  fake.next(stalled);
  (await call()).leave();
  const at = performance.now();
  expect(await served.stop()).toBe(1);
  expect(performance.now() - at).toBeLessThan(5_000);
  await fake.hangUp(0);
  expect(chargesOf(served)).toEqual([{ state: 'posted', estimated: 1, outcome: 'client_gone', paid: 1 }]);
});

test('a second signal ends the process within a second, even while its database is locked by another', async () => {
  const { fake, served, call } = await open();
  fake.next(stalled).next(stalled);
  await call();
  const other = new DatabaseSync(databaseFile(served.data));
  other.exec('BEGIN IMMEDIATE');
  onTestFinished(() => other.close());
  // Waits for the lock, and its thread with it.
  const waiting = call().catch(() => undefined);
  await expect.poll(() => served.logged('the ledger is down').length + served.logged('request failed').length, { timeout: 5_000 }).toBe(1);
  const first = served.stop();
  await expect.poll(() => served.logged('stopping'), { timeout: 5_000 }).toHaveLength(1);
  const at = performance.now();
  process.kill(served.pid, 'SIGTERM');
  expect(await first).toBe(1);
  expect(performance.now() - at).toBeLessThan(1_000);
  await waiting;
});

test('a hold that does not end keeps a gateway from closing for three seconds, whatever the clock says meanwhile', async () => {
  const { gateway, close } = await startGateway();
  gateway.money?.open.add('req_of_nobody');
  let jumps = 0;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => ++jumps * 3_600_000);
  onTestFinished(() => clock.mockRestore());
  const at = performance.now();
  await close();
  expect(performance.now() - at).toBeGreaterThan(2_900);
});
