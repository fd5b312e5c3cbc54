/** Limits that many processes share in Redis, while processes die and Redis loses its data: the limit is kept and no slot is lost (promise G11). */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { recordAttempts } from '../../harness/record-attempts.ts';
import { redisMissing } from '../../harness/servers.ts';
import { leftOut } from '../../harness/tools.ts';
import { limitOf, takeOf } from '../../unit/limits/limit.ts';
import type { Order } from './redis-caller.ts';
import { openKeptLog } from './redis-log.ts';
import { isTaken, load, redisStage } from './redis-stage.ts';

const redis = redisStage();
const callers: ChildProcess[] = [];
afterEach(() => {
  for (const caller of callers.splice(0)) caller.kill('SIGKILL');
});

async function callFrom(order: Partial<Order>): Promise<ChildProcess> {
  const whole: Order = {
    url: redis.server.url,
    node: randomUUID(),
    leaseMs: 30_000,
    quantity: 'requests',
    most: 1,
    takes: 1,
    now: null,
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

describe.skipIf(redisMissing)(`limits of many processes${leftOut(redisMissing)}`, () => {
  test('F37, F39, G11: admits at most one call per process above a limit of 100 over three processes and 1,000 calls', async () => {
    await redis.command('FLUSHALL');
    const three = await Promise.all(Array.from({ length: 3 }, () => callFrom({ most: 100, takes: 334 })));
    const before = performance.now();
    const taken = (await Promise.all(three.map(go))).reduce((sum, each) => sum + each, 0);
    // The bucket is refilled by one in 600 ms.
    const leaked = Math.ceil((performance.now() - before) / 600);
    expect(taken).toBeGreaterThanOrEqual(100);
    expect(taken).toBeLessThanOrEqual(100 + Math.max(leaked, 3));
    recordAttempts('G11', { what: 'calls at once over a limit at three processes', times: 3 * 334 });
  });

  test('F38: frees the slots of a killed process when their lease ends, and keeps those of a running process', async () => {
    await redis.command('FLUSHALL');
    const leaseMs = 3_600_000;
    const most = 10;
    let now = 5_000;
    const victim = await callFrom({ leaseMs, quantity: 'concurrency', most, takes: 6, now });
    const living = await redis.open({ leaseMs, node: 'living', now: () => now });
    const limit = limitOf('concurrency', most);
    expect(await go(victim)).toBe(6);
    for (let count = 0; count < 4; count++) expect(await isTaken(living, takeOf([limit]))).toBe(true);
    expect(await isTaken(living, takeOf([limit]))).toBe(false);
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    now += leaseMs - 1;
    // A heartbeat of the running process renews the lease of its slots.
    await expect.poll(() => redis.command('ZSCORE', '{modelgate}:limits:processes', 'living')).toBe(now);
    expect(await isTaken(living, takeOf([limit]))).toBe(false);
    now += 1;
    for (let count = 0; count < 6; count++) expect(await isTaken(living, takeOf([limit]))).toBe(true);
    expect(await isTaken(living, takeOf([limit]))).toBe(false);
  });

  test('G11: frees no slot, refills no rate, and drops no process because of a clock ten minutes off', async () => {
    const [right, wrong] = await redis.openThree({ leaseMs: 30_000 });
    const limits = [limitOf('concurrency', 1), limitOf('requests', 2)];
    expect(await isTaken(right, takeOf(limits))).toBe(true);
    onTestFinished(() => void vi.useRealTimers());
    for (const aheadMs of [600_000, -600_000]) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + aheadMs });
      expect(await isTaken(wrong, takeOf(limits))).toBe(false);
      await right.peek(limits);
      vi.useRealTimers();
    }
    // The first call took one of two requests.
    expect(await isTaken(wrong, takeOf(limits.slice(1)))).toBe(true);
    expect(await isTaken(wrong, takeOf(limits.slice(1)))).toBe(false);
    expect([right, wrong].map((one) => one.getState().processes)).toEqual([3, 3]);
  });

  test('releases the slots of a process that closes', async () => {
    const [leaving, staying] = await redis.openThree();
    const limit = limitOf('concurrency', 1);
    expect(await isTaken(leaving, takeOf([limit]))).toBe(true);
    expect(await isTaken(staying, takeOf([limit]))).toBe(false);
    await leaving.close();
    expect(await isTaken(staying, takeOf([limit]))).toBe(true);
  });

  test('keeps a limit exact and logs nothing although Redis loses its scripts', async () => {
    const log = openKeptLog();
    const three = await redis.openThree({ log });
    const limit = limitOf('requests', 100);
    const before = performance.now();
    let taken = 0;
    for (let round = 0; round < 60; round++) {
      if (round % 10 === 5) await redis.command('SCRIPT', 'FLUSH');
      const kinds = await Promise.all(three.map((limits) => isTaken(limits, takeOf([limit]))));
      taken += kinds.filter(Boolean).length;
    }
    expect(taken).toBeGreaterThanOrEqual(100);
    expect(taken).toBeLessThanOrEqual(100 + Math.ceil((performance.now() - before) / 600));
    expect(log.lines).toEqual([]);
  });

  test('G11: admits at most one more limit when Redis loses its data, and running calls keep their slots', async () => {
    const three = await redis.openThree();
    const [first] = three;
    const slots = limitOf('concurrency', 2);
    const calls = [takeOf([slots]), takeOf([slots])];
    for (const call of calls) expect(await isTaken(first, call)).toBe(true);
    const before = performance.now();
    const { seen, stop } = load(three, limitOf('requests', 100));
    await expect.poll(() => seen.asked).toBeGreaterThan(200);
    await redis.command('FLUSHALL');
    await expect.poll(() => first.peek([limitOf('requests', 100)])).toMatchObject({ requests: { remaining: 0 } });
    const { taken } = await stop();
    expect(taken).toBeGreaterThanOrEqual(200);
    // Twice the limit, and the refill of one in 600 ms.
    expect(taken).toBeLessThanOrEqual(203 + Math.ceil((performance.now() - before) / 600));
    // The next heartbeat tells Redis of the running calls.
    const isLetIn = async () => {
      const probe = takeOf([slots]);
      const wasTaken = await isTaken(first, probe);
      if (wasTaken) await first.finish(probe, 0);
      return wasTaken;
    };
    await expect.poll(isLetIn).toBe(false);
    for (const call of calls) await first.finish(call, 0);
    expect(await isTaken(first, takeOf([slots]))).toBe(true);
  });
});
