/** Limits while Redis hangs, dies and comes back: no caller waits, and each process enforces its share and logs it (promise G11). */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { RedisLimits } from '../../../server/limits/redis/redis-limits.ts';
import { redisMissing } from '../../harness/servers.ts';
import { leftOut } from '../../harness/tools.ts';
import { openWire } from '../../harness/wire.ts';
import { becomes, impatient, isTaken, load, redisStage } from '../../stores/limits/redis-stage.ts';
import { limitOf, takeOf } from '../../unit/limits/limit.ts';

const redis = redisStage();

/** A wait of 50 ms is six ticks of 10 ms, the first of which may be shorter. */
const TICK_BUDGET = 10;

/** Three calls at once, since a single one may succeed by chance. */
async function kindAfterLook(limits: RedisLimits): Promise<'shared' | 'own'> {
  await Promise.all([1, 2, 3].map(() => limits.peek([limitOf('requests', 1)])));
  return limits.getState().kind;
}

describe.skipIf(redisMissing)(`limits without Redis${leftOut(redisMissing)}`, () => {
  test('lets no caller wait long when Redis hangs under load, and shares limits again when it responds', async () => {
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

  test('G11: lets no caller wait long when Redis restarts empty under load, and always limits, shared or not', async () => {
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

  test('replaces a connection without replies by one that works', async () => {
    const wire = await openWire(redis.server.url);
    const limits = await redis.open({ url: wire.url, ...impatient });
    wire.forget();
    const { stop } = load([limits], limitOf('requests', 1_000_000));
    await becomes([limits], 'own');
    await becomes([limits], 'shared');
    await stop();
  });

  test('frees the slot of a call that ends while Redis hangs as soon as Redis is back', async () => {
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

  test('opens a limiter while Redis hangs, and shares limits when it responds', async () => {
    redis.server.pause();
    const late = await redis.open(impatient);
    expect(late.getState().kind).toBe('own');
    redis.server.resume();
    await becomes([late], 'shared');
  });

  test('counts a read-only Redis as unavailable', async () => {
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
});
