/** Limits while Redis is away: each process enforces its share, nothing is lost or counted twice, and the processes share again when it is back (promise G11). */
import { describe, expect, test } from 'vitest';
import { redisMissing } from '../../harness/servers.ts';
import { leftOut } from '../../harness/tools.ts';
import { limitOf, takeOf } from '../../unit/limits/limit.ts';
import { openKeptLog } from './redis-log.ts';
import { becomes, isTaken, redisStage } from './redis-stage.ts';

const redis = redisStage();

describe.skipIf(redisMissing)(`limits without Redis${leftOut(redisMissing)}`, () => {
  test('G11: leaves each of three processes a third of a limit, with its running calls, until Redis is back', async () => {
    const log = openKeptLog();
    const three = await redis.openThree({ log });
    const [one] = three;
    const [requests, slots] = [limitOf('requests', 10), limitOf('concurrency', 8)];
    const measured = async () => (await one.getStatuses([requests, slots])).map(({ most, remaining }) => [most, remaining]);
    const before = takeOf([slots]);
    expect(await isTaken(one, before)).toBe(true);
    await redis.server.stop();
    await becomes(three, 'own');
    expect(one.getState()).toEqual({ kind: 'own', since: expect.any(Number), processes: 3 });
    expect(log.lines).toHaveLength(3);
    const calls = [takeOf([requests, slots]), takeOf([requests]), takeOf([requests])];
    for (const call of calls) expect(await isTaken(one, call)).toBe(true);
    expect(await measured()).toEqual([
      [3, 0],
      [2, 0],
    ]);
    expect(await one.acquire(takeOf([requests]))).toMatchObject({ kind: 'rejected', limit: requests });
    expect(await isTaken(one, takeOf([slots]))).toBe(false);
    await one.finish(before, 0);
    expect((await measured())[1]).toEqual([2, 1]);
    await redis.server.restart();
    await becomes(three, 'shared');
    expect(log.lines).toHaveLength(6);
    expect(one.getState()).toEqual({ kind: 'shared', processes: 3 });
    // Redis has lost its data; the running call is told to it.
    expect(await measured()).toEqual([
      [10, 10],
      [8, 7],
    ]);
    for (const call of calls) await one.finish(call, 0);
    expect((await measured())[1]).toEqual([8, 8]);
    expect(await isTaken(one, takeOf([slots]))).toBe(true);
  });

  test('G11: decides a call locally when Redis responds too late, and leaves nothing in Redis', async () => {
    const prefix = 'late:';
    const patient = await redis.open({ prefix });
    const hasty = await redis.open({ prefix, waitMs: 100 });
    const some = [limitOf('requests', 9), limitOf('tokens', 100), limitOf('concurrency', 6)];
    redis.server.pause();
    const call = takeOf(some, { tokens: 30 });
    expect(await isTaken(hasty, call)).toBe(true);
    redis.server.resume();
    const left = async () => (await patient.getStatuses(some)).map(({ remaining }) => remaining);
    await expect.poll(left).toEqual([9, 100, 6]);
    await hasty.finish(call, 30);
    expect(await left()).toEqual([9, 100, 6]);
  });

  test("G11: starts without Redis, gives up on it after three late replies, and shares its limits when it's there", async () => {
    const log = openKeptLog();
    await redis.server.stop();
    const limits = await redis.open({ log, prefix: 'start:', waitMs: 100 });
    expect(limits.getState()).toMatchObject({ kind: 'own', processes: 1 });
    await redis.server.restart();
    await becomes([limits], 'shared');
    redis.server.pause();
    for (let late = 0; late < 3; late++) {
      expect(limits.getState().kind).toBe('shared');
      expect(await isTaken(limits, takeOf([limitOf('requests', 9)]))).toBe(true);
    }
    expect(limits.getState().kind).toBe('own');
    redis.server.resume();
    await becomes([limits], 'shared');
  });
});
