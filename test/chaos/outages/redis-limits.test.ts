/** Limits while Redis hangs, dies and comes back: no caller waits, and each process enforces its share and logs it (promise G11). */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { describeState } from '../../../server/limits/limiter.ts';
import type { RedisLimits } from '../../../server/limits/redis/redis-limits.ts';
import { redisMissing } from '../../harness/servers.ts';
import { leftOut } from '../../harness/tools.ts';
import { openKeptLog } from '../../stores/limits/redis-log.ts';
import { becomes, impatient, isTaken, load, redisStage } from '../../stores/limits/redis-stage.ts';
import { limitOf, takeOf } from '../../unit/limits/limit.ts';

const redis = redisStage();

/** A proxy to Redis. After `cut` the open connections pass nothing on but stay open; new ones work. */
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

/** A wait of 50 ms is six ticks of 10 ms, the first of which may be shorter. */
const TICK_BUDGET = 10;

/** Three calls at once, since a single one may succeed by chance. */
async function kindAfterLook(limits: RedisLimits): Promise<'shared' | 'own'> {
  await Promise.all([1, 2, 3].map(() => limits.peek([limitOf('requests', 1)])));
  return limits.getState().kind;
}

describe.skipIf(redisMissing)(`limits without Redis${leftOut(redisMissing)}`, () => {
  test('G11: when Redis stops each process enforces its share and logs it once; when Redis is back limits are shared again', async () => {
    const log = openKeptLog();
    // With a clock that stands still no bucket refills.
    const three = await redis.openThree({ log, now: () => 5_000 });
    const limit = limitOf('requests', 90);
    await redis.server.stop();
    await becomes(three, 'own');
    const kinds = three.map((limits) => Array.from({ length: 90 }, () => limits.acquire(takeOf([limit]))));
    // The answers are synchronous.
    const taken = kinds.map((each) => each.filter((answer) => !(answer instanceof Promise) && answer.kind === 'taken').length);
    expect(taken).toEqual([30, 30, 30]);
    expect(three.map((limits) => describeState(limits.getState()))).toEqual(
      three.map(() => expect.stringMatching(/^limits: enforcing own share since 20\d\d-/)),
    );
    await redis.server.restart();
    await becomes(three, 'shared');
    expect(three.map((limits) => describeState(limits.getState()))).toEqual(three.map(() => 'limits: shared'));
    expect(log.lines.toSorted()).toEqual([
      ...three.map(() => "Redis doesn't respond; enforcing this process's share of each limit"),
      ...three.map(() => 'Redis responds again; limits are shared'),
    ]);
    expect(three.map((limits) => limits.getState().processes)).toEqual([3, 3, 3]);
  });

  test('a refusal by a share names the whole limit', async () => {
    const three = await redis.openThree(impatient);
    const [first] = three;
    const limit = limitOf('concurrency', 3);
    redis.server.pause();
    await expect.poll(() => kindAfterLook(first)).toBe('own');
    expect(await isTaken(first, takeOf([limit]))).toBe(true);
    expect(first.acquire(takeOf([limit]))).toMatchObject({ kind: 'rejected', limit: { most: 3 } });
  });

  test('when Redis hangs under load no caller waits long, and limits are shared again when it answers', async () => {
    const three = await redis.openThree(impatient);
    const limit = limitOf('requests', 1_000);
    const before = performance.now();
    const { seen, stop } = load(three, limit);
    await expect.poll(() => seen.asked).toBeGreaterThan(100);
    redis.server.pause();
    await becomes(three, 'own');
    const { asked } = seen;
    await expect.poll(() => seen.asked).toBeGreaterThan(asked + 500);
    // Longer than a connection without answers is kept.
    await wait(3_000);
    redis.server.resume();
    await becomes(three, 'shared');
    const { maxTicks, taken } = await stop();
    expect(maxTicks).toBeLessThan(TICK_BUDGET);
    // The limit, its three shares, and the refill of each: one in 60 ms.
    expect(taken).toBeLessThanOrEqual(2_000 + 2 * Math.ceil((performance.now() - before) / 60));
  });

  test('G11: when Redis restarts empty under load no caller waits long, and the limit or the shares always apply', async () => {
    const three = await redis.openThree(impatient);
    const limit = limitOf('requests', 300);
    const before = performance.now();
    const { seen, stop } = load(three, limit);
    await expect.poll(() => seen.asked).toBeGreaterThan(400);
    await redis.server.stop();
    await becomes(three, 'own');
    const { asked } = seen;
    await expect.poll(() => seen.asked).toBeGreaterThan(asked + 400);
    await redis.server.restart();
    await becomes(three, 'shared');
    const again = seen.asked;
    await expect.poll(() => seen.asked).toBeGreaterThan(again + 400);
    const { taken, maxTicks } = await stop();
    expect(maxTicks).toBeLessThan(TICK_BUDGET);
    // The limit before, the three shares, and the new limit of the empty Redis; five are refilled in a second.
    expect(taken).toBeLessThanOrEqual(3 * 300 + Math.ceil((performance.now() - before) / 200) + 3);
    expect(taken).toBeGreaterThanOrEqual(600);
  });

  test('what a hung Redis takes after the caller stopped waiting is given back', async () => {
    const prefix = `${randomUUID()}:`;
    // With a clock that stands still no bucket refills.
    const held = { prefix, now: () => 5_000 };
    const [limits, other] = [await redis.open({ ...held, ...impatient }), await redis.open(held)];
    await becomes([limits, other], 'shared');
    const [rate, tokens, slots] = [limitOf('requests', 5), limitOf('tokens', 1_000), limitOf('concurrency', 5)];
    redis.server.pause();
    const calls = Array.from({ length: 5 }, () => takeOf([rate, tokens, slots], { tokens: 100 }));
    const kinds = await Promise.all(calls.map((call) => isTaken(limits, call)));
    expect(kinds).toContain(true);
    expect(limits.getState().kind).toBe('own');
    for (const [index, call] of calls.entries()) if (kinds[index]) await limits.finish(call, 100);
    redis.server.resume();
    await becomes([limits], 'shared');
    await expect.poll(() => other.peek([rate])).toMatchObject({ requests: { remaining: 5 } });
    const five = await Promise.all(Array.from({ length: 5 }, () => isTaken(other, takeOf([tokens, slots], { tokens: 199 }))));
    expect(five).toEqual([true, true, true, true, true]);
  });

  test('a connection without answers is replaced by one that works', async () => {
    const wire = await openWire(Number(new URL(redis.server.url).port));
    const url = new URL(redis.server.url);
    url.port = String(wire.port);
    const limits = await redis.open({ url: url.href, ...impatient });
    wire.cut();
    const { stop } = load([limits], limitOf('requests', 1_000_000));
    await becomes([limits], 'own');
    await becomes([limits], 'shared');
    await stop();
    wire.close();
  });

  test('the slot of a call that ends while Redis hangs is free as soon as Redis is back', async () => {
    const prefix = `${randomUUID()}:`;
    const [limits, other] = [await redis.open({ prefix, waitMs: 2_000 }), await redis.open({ prefix })];
    await becomes([limits, other], 'shared');
    const slots = limitOf('concurrency', 2);
    const [ends, stays, late] = [takeOf([slots]), takeOf([slots]), takeOf([slots])];
    expect(await isTaken(limits, ends)).toBe(true);
    expect(await isTaken(limits, stays)).toBe(true);
    redis.server.pause();
    await expect.poll(() => kindAfterLook(limits)).toBe('own');
    // The share is one slot, and it is taken.
    expect(await isTaken(limits, late)).toBe(false);
    await limits.finish(ends, 0);
    await limits.finish(stays, 0);
    expect(await isTaken(limits, late)).toBe(true);
    redis.server.resume();
    await becomes([limits], 'shared');
    // The call that was admitted meanwhile counts for all processes.
    expect(await isTaken(other, takeOf([slots]))).toBe(true);
    expect(await isTaken(other, takeOf([slots]))).toBe(false);
    await limits.finish(late, 0);
    expect(await isTaken(other, takeOf([slots]))).toBe(true);
  });

  test('a limiter opens while Redis is stopped or hangs, and shares limits when it answers', async () => {
    await redis.server.stop();
    const early = await redis.open(impatient);
    expect(early.getState()).toMatchObject({ kind: 'own', processes: 1 });
    expect(await isTaken(early, takeOf([limitOf('requests', 1)]))).toBe(true);
    await redis.server.restart();
    await becomes([early], 'shared');
    redis.server.pause();
    // It opens without an answer of Redis.
    const late = await redis.open(impatient);
    expect(late.getState().kind).toBe('own');
    redis.server.resume();
    await becomes([early, late], 'shared');
  });

  test('a read-only Redis counts as not answering', async () => {
    const limits = await redis.open();
    await redis.command('REPLICAOF', '127.0.0.1', '1');
    for (let count = 0; count < 3; count++) {
      const call = takeOf([limitOf('requests', 10)]);
      expect(await isTaken(limits, call)).toBe(true);
      // Reads still work, which must not count as health.
      expect(await limits.finish(call, 0)).toMatchObject({ requests: { limit: 10 } });
    }
    expect(limits.getState().kind).toBe('own');
    await redis.command('REPLICAOF', 'NO', 'ONE');
    await becomes([limits], 'shared');
  });

  test('a URL of another protocol is rejected when the limiter opens', async () => {
    await expect(redis.open({ url: 'http://127.0.0.1:6379' })).rejects.toThrow();
  });
});
