/** Limits that processes share in Redis, while it forgets, hangs, dies and comes back: no caller waits, and none is let through without end (promise G11). */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Limit, Take } from '../../../server/limits/limits.ts';
import { openMemoryLimits } from '../../../server/limits/memory.ts';
import { describeState, openRedisLimits, type RedisLimits, type RedisLimitsOptions } from '../../../server/limits/redis.ts';
import { type PrivateServer, redisMissing, startRedis } from '../../harness/servers.ts';
import { limitOf, takeOf } from './limit.ts';
import type { Order } from './redis-caller.ts';
import { openKeptLog, silent } from './redis-log.ts';

/** Within this a state has changed, on a machine that has other things to do. */
const SOON = { timeout: 15_000, interval: 20 };

let redis: PrivateServer;
beforeAll(async () => {
  if (redisMissing === null) redis = await startRedis();
});
afterAll(() => redis?.close());

const opened: RedisLimits[] = [];
const callers: ChildProcess[] = [];
afterEach(async () => {
  redis.resume();
  await Promise.all(opened.splice(0).map((limits) => limits.close()));
  for (const caller of callers.splice(0)) caller.kill('SIGKILL');
});

let nodes = 0;
async function open(options: Partial<RedisLimitsOptions> = {}): Promise<RedisLimits> {
  const fallback = openMemoryLimits(() => performance.now());
  const limits = await openRedisLimits({ url: redis.url, node: `node_${++nodes}`, log: silent, fallback, ...options });
  opened.push(limits);
  return limits;
}

/** Processes that know of each other. */
async function openThree(options: Partial<RedisLimitsOptions> = {}): Promise<readonly RedisLimits[]> {
  const shared = { prefix: `${randomUUID()}:`, ...options };
  const three = [await open(shared), await open(shared), await open(shared)];
  await vi.waitFor(() => expect(three.map((limits) => limits.state().processes)).toEqual([3, 3, 3]), SOON);
  return three;
}

/** What an operator does to the server. */
async function command(...words: readonly string[]): Promise<void> {
  const client = await createClient({ url: redis.url }).connect();
  await client.sendCommand([...words]);
  client.destroy();
}

async function isTaken(limits: RedisLimits, take: Take): Promise<boolean> {
  return (await limits.take(take)).kind === 'taken';
}

/** Takes one after the other until told to stop; what it counts is what was let through, and the longest that a caller waited. */
function load(stores: readonly RedisLimits[], limit: Limit) {
  const seen = { taken: 0, asked: 0, longestMs: 0 };
  let isOver = false;
  const run = async (limits: RedisLimits): Promise<void> => {
    while (!isOver) {
      const before = performance.now();
      if (await isTaken(limits, takeOf([limit]))) seen.taken++;
      seen.asked++;
      seen.longestMs = Math.max(seen.longestMs, performance.now() - before);
      // Without Redis nothing of a take gives way to timers.
      await wait(1);
    }
  };
  const running = stores.flatMap((limits) => [run(limits), run(limits)]);
  return {
    seen,
    async stop() {
      isOver = true;
      await Promise.all(running);
      return seen;
    },
  };
}

const becomes = (stores: readonly RedisLimits[], kind: 'shared' | 'own') =>
  vi.waitFor(() => expect(stores.map((limits) => limits.state().kind)).toEqual(stores.map(() => kind)), SOON);

async function callFrom(order: Partial<Order>): Promise<ChildProcess> {
  const whole: Order = {
    ...{ url: redis.url, node: `node_${++nodes}`, leaseMs: 30_000, quantity: 'requests', most: 1, takes: 1 },
    ...order,
  };
  const caller = fork(new URL('./redis-caller.ts', import.meta.url), [JSON.stringify(whole)]);
  callers.push(caller);
  await once(caller, 'message');
  return caller;
}

async function go(caller: ChildProcess): Promise<number> {
  caller.send('go');
  const [taken] = await once(caller, 'message');
  return Number(taken);
}

/** A wire to Redis on which, once cut, nothing more comes through, and nobody is told; what connects after that is through. */
async function openWire(to: number): Promise<{ readonly port: number; cut(): void; close(): void }> {
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const [from, onto] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(from);
      from.on('data', (data) => void onto.write(data)).on('error', () => from.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the wire has no port');
  return {
    port: address.port,
    cut() {
      for (const end of ends) end.removeAllListeners('data').resume();
    },
    close() {
      server.close();
      for (const end of ends) end.destroy();
    },
  };
}

describe.skipIf(redisMissing)(`limits of many processes${redisMissing === null ? '' : `: ${redisMissing}`}`, () => {
  test('F37, F39: three processes let through 1,000 callers within one request each of a limit of 100', async () => {
    await command('FLUSHALL');
    const three = await Promise.all(Array.from({ length: 3 }, () => callFrom({ most: 100, takes: 334 })));
    const before = performance.now();
    const taken = (await Promise.all(three.map(go))).reduce((sum, each) => sum + each, 0);
    // The bucket leaks one in 600 ms.
    const leaked = Math.ceil((performance.now() - before) / 600);
    expect(taken).toBeGreaterThanOrEqual(100);
    expect(taken).toBeLessThanOrEqual(100 + Math.max(leaked, 3));
  });

  test('F38: the slots of a process that was killed come back when their lease ends; those of the living stay taken', async () => {
    await command('FLUSHALL');
    const leaseMs = 1_500;
    const most = 10;
    const victim = await callFrom({ leaseMs, quantity: 'concurrency', most, takes: 6 });
    const living = await open({ leaseMs });
    const limit = limitOf('concurrency', most);
    expect(await go(victim)).toBe(6);
    for (let count = 0; count < 4; count++) expect(await isTaken(living, takeOf([limit]))).toBe(true);
    expect(await isTaken(living, takeOf([limit]))).toBe(false);
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    let back = 0;
    await vi.waitFor(async () => {
      if (await isTaken(living, takeOf([limit]))) back++;
      expect(back).toBe(6);
    }, SOON);
    await wait(2 * leaseMs);
    expect(await isTaken(living, takeOf([limit]))).toBe(false);
  });

  test('a process that stops in order leaves no slot behind', async () => {
    const [leaving, staying] = await openThree();
    if (!leaving || !staying) throw new Error('three were opened');
    const limit = limitOf('concurrency', 1);
    expect(await isTaken(leaving, takeOf([limit]))).toBe(true);
    expect(await isTaken(staying, takeOf([limit]))).toBe(false);
    await leaving.close();
    expect(await isTaken(staying, takeOf([limit]))).toBe(true);
  });

  test('nobody notices when Redis forgets its scripts', async () => {
    const log = openKeptLog();
    const three = await openThree({ log, waitMs: 10_000 });
    const limit = limitOf('requests', 100);
    const before = performance.now();
    let taken = 0;
    for (let round = 0; round < 60; round++) {
      if (round % 10 === 5) await command('SCRIPT', 'FLUSH');
      const kinds = await Promise.all(three.map((limits) => isTaken(limits, takeOf([limit]))));
      taken += kinds.filter(Boolean).length;
    }
    expect(taken).toBeGreaterThanOrEqual(100);
    expect(taken).toBeLessThanOrEqual(100 + Math.ceil((performance.now() - before) / 600));
    expect(log.lines).toEqual([]);
  });

  test('when Redis is emptied callers get one limit more at most, and calls that run keep their slots', async () => {
    const three = await openThree({ waitMs: 10_000, leaseMs: 3_000 });
    const [first] = three;
    if (!first) throw new Error('three were opened');
    const slots = limitOf('concurrency', 2);
    const calls = [takeOf([slots]), takeOf([slots])];
    for (const call of calls) expect(await isTaken(first, call)).toBe(true);
    const { seen, stop } = load(three, limitOf('requests', 100));
    await vi.waitFor(() => expect(seen.asked).toBeGreaterThan(200), SOON);
    const before = performance.now();
    await command('FLUSHALL');
    await vi.waitFor(async () => expect(await first.look([limitOf('requests', 100)])).toMatchObject({ requests: { remaining: 0 } }), SOON);
    const { taken } = await stop();
    expect(taken).toBeGreaterThanOrEqual(200);
    expect(taken).toBeLessThanOrEqual(203 + Math.ceil((performance.now() - before + 5_000) / 600));
    // The next beat tells Redis of them.
    await vi.waitFor(async () => {
      const probe = takeOf([slots]);
      const wasTaken = await isTaken(first, probe);
      if (wasTaken) await first.finish(probe, 0);
      expect(wasTaken).toBe(false);
    }, SOON);
    for (const call of calls) await first.finish(call, 0);
    expect(await isTaken(first, takeOf([slots]))).toBe(true);
  });

  test('when Redis dies each process enforces its share, says so once, and shares again when it is back', async () => {
    const log = openKeptLog();
    const three = await openThree({ log });
    const limit = limitOf('requests', 90);
    await redis.stop();
    await becomes(three, 'own');
    const kinds = three.map((limits) => Array.from({ length: 90 }, () => limits.take(takeOf([limit]))));
    // Not even a promise stands between a caller and the answer.
    const taken = kinds.map((each) => each.filter((answer) => !(answer instanceof Promise) && answer.kind === 'taken').length);
    expect(taken).toEqual([30, 30, 30]);
    expect(three.map((limits) => describeState(limits.state()))).toEqual(
      three.map(() => expect.stringMatching(/^limits: own share since 20\d\d-/)),
    );
    await redis.restart();
    await becomes(three, 'shared');
    expect(three.map((limits) => describeState(limits.state()))).toEqual(three.map(() => 'limits: shared'));
    expect(log.lines.toSorted()).toEqual([
      ...three.map(() => 'Redis answers again; limits are shared'),
      ...three.map(() => 'Redis does not answer; this process enforces its own share of each limit'),
    ]);
    expect(three.map((limits) => limits.state().processes)).toEqual([3, 3, 3]);
  });

  test('a caller of a refusing share hears of the limit as it is written', async () => {
    const three = await openThree();
    const [first] = three;
    if (!first) throw new Error('three were opened');
    const limit = limitOf('concurrency', 3);
    redis.pause();
    await vi.waitFor(async () => {
      await first.look([limitOf('requests', 1)]);
      expect(first.state().kind).toBe('own');
    }, SOON);
    expect(await isTaken(first, takeOf([limit]))).toBe(true);
    expect(first.take(takeOf([limit]))).toMatchObject({ kind: 'refused', limit: { most: 3 } });
  });

  test('when Redis hangs in mid-load no caller waits long, each is answered, and all goes on when it answers again', async () => {
    const three = await openThree();
    const limit = limitOf('requests', 1_000);
    const { seen, stop } = load(three, limit);
    await vi.waitFor(() => expect(seen.asked).toBeGreaterThan(100), SOON);
    redis.pause();
    await becomes(three, 'own');
    const { asked } = seen;
    await vi.waitFor(() => expect(seen.asked).toBeGreaterThan(asked + 500), SOON);
    // Longer than a connection is kept on which nothing comes back.
    await wait(3_000);
    redis.resume();
    await becomes(three, 'shared');
    const { longestMs, taken } = await stop();
    expect(longestMs).toBeLessThan(500);
    // The limit, the three shares of it, and what leaked.
    expect(taken).toBeLessThanOrEqual(2_000 + 400);
  });

  test('what Redis does after nobody waits for it any more is undone', async () => {
    const prefix = `${randomUUID()}:`;
    const [limits, other] = [await open({ prefix }), await open({ prefix, waitMs: 20_000 })];
    const [rate, tokens, slots] = [limitOf('requests', 5), limitOf('tokens', 1_000), limitOf('concurrency', 5)];
    redis.pause();
    const calls = Array.from({ length: 5 }, () => takeOf([rate, tokens, slots], { tokens: 100 }));
    const kinds = await Promise.all(calls.map((call) => isTaken(limits, call)));
    expect(kinds).toContain(true);
    expect(limits.state().kind).toBe('own');
    for (const [index, call] of calls.entries()) if (kinds[index]) await limits.finish(call, 100);
    redis.resume();
    await becomes([limits], 'shared');
    // By time alone it would take a minute.
    await vi.waitFor(async () => expect(await other.look([rate])).toMatchObject({ requests: { remaining: 5 } }), SOON);
    const five = await Promise.all(Array.from({ length: 5 }, () => isTaken(other, takeOf([tokens, slots], { tokens: 199 }))));
    expect(five).toEqual([true, true, true, true, true]);
  });

  test('a connection on which nothing comes back any more is replaced by one that works', async () => {
    const wire = await openWire(Number(new URL(redis.url).port));
    const url = new URL(redis.url);
    url.port = String(wire.port);
    const limits = await open({ url: url.href });
    wire.cut();
    const { stop } = load([limits], limitOf('requests', 1_000_000));
    await becomes([limits], 'own');
    await becomes([limits], 'shared');
    await stop();
    wire.close();
  });

  test('a call that ends while Redis hangs has its slot free as soon as Redis is back', async () => {
    const prefix = `${randomUUID()}:`;
    const [limits, other] = [await open({ prefix }), await open({ prefix, waitMs: 20_000 })];
    const slots = limitOf('concurrency', 2);
    const [ends, stays, late] = [takeOf([slots]), takeOf([slots]), takeOf([slots])];
    expect(await isTaken(limits, ends)).toBe(true);
    expect(await isTaken(limits, stays)).toBe(true);
    redis.pause();
    await vi.waitFor(async () => {
      await limits.look([limitOf('requests', 1)]);
      expect(limits.state().kind).toBe('own');
    }, SOON);
    // Both run here: the share of one is taken.
    expect(await isTaken(limits, late)).toBe(false);
    await limits.finish(ends, 0);
    await limits.finish(stays, 0);
    expect(await isTaken(limits, late)).toBe(true);
    redis.resume();
    await becomes([limits], 'shared');
    // What was let through in the meantime counts for all.
    expect(await isTaken(other, takeOf([slots]))).toBe(true);
    expect(await isTaken(other, takeOf([slots]))).toBe(false);
    await limits.finish(late, 0);
    expect(await isTaken(other, takeOf([slots]))).toBe(true);
  });

  test('a gateway starts while Redis is away or hangs, and shares when it comes', async () => {
    await redis.stop();
    const early = await open();
    expect(early.state()).toMatchObject({ kind: 'own', processes: 1 });
    expect(await isTaken(early, takeOf([limitOf('requests', 1)]))).toBe(true);
    await redis.restart();
    await becomes([early], 'shared');
    redis.pause();
    const before = performance.now();
    const late = await open();
    expect(performance.now() - before).toBeLessThan(3_000);
    expect(late.state().kind).toBe('own');
    redis.resume();
    await becomes([early, late], 'shared');
  });

  test('a Redis that may only be read is as good as none', async () => {
    const limits = await open();
    await command('REPLICAOF', '127.0.0.1', '1');
    for (let count = 0; count < 3; count++) expect(await isTaken(limits, takeOf([limitOf('requests', 10)]))).toBe(true);
    expect(limits.state().kind).toBe('own');
    await command('REPLICAOF', 'NO', 'ONE');
    await becomes([limits], 'shared');
  });

  test('an address that cannot be read is found at the start', async () => {
    await expect(open({ url: 'http://127.0.0.1:6379' })).rejects.toThrow();
  });
});
