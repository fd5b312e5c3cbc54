/** Provisional takes, made before a body is read: some are answered without Redis, and the limit is still exact. */
import { randomUUID } from 'node:crypto';
import { createClient } from '@redis/client';
import { describe, expect, test } from 'vitest';
import type { Acquisition, Limiter } from '../../../server/limits/limiter.ts';
import { redisMissing } from '../../harness/servers.ts';
import { leftOut } from '../../harness/tools.ts';
import { limitOf, takeOf } from '../../unit/limits/limit.ts';
import { redisStage } from './redis-stage.ts';

const stage = redisStage();
/** The clock of Redis stands still, so that nothing is refilled while a busy machine pauses. */
const open = () => stage.open({ trustMs: 60_000, now: () => 5_000, prefix: `${randomUUID()}:` });

/** The number of scripts that Redis ran during the work. */
async function scriptsOf(work: () => Promise<void>): Promise<number> {
  const client = await createClient({ url: stage.server.url, RESP: 2 }).connect();
  try {
    await client.sendCommand(['CONFIG', 'RESETSTAT']);
    await work();
    const stats = await client.sendCommand<string>(['INFO', 'commandstats']);
    return Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(stats)?.[1] ?? 0);
  } finally {
    client.destroy();
  }
}

const DOOR: Partial<Acquisition> = { quantities: ['requests'], scopes: ['key'], isProvisional: true, isRepeated: true };

/** A call as the gateway makes it: a provisional take, the real one, and its end. */
async function callThrough(store: Limiter, limits: Acquisition['limits']): Promise<boolean> {
  const door = takeOf(limits, DOOR);
  if ((await store.acquire(door)).kind === 'rejected') return false;
  const inside = takeOf(limits, { replaces: door });
  const { kind } = await store.acquire(inside);
  if (kind === 'taken') await store.finish(inside, 0);
  else await store.release(door);
  return kind === 'taken';
}

describe.skipIf(redisMissing)(`G11: provisional takes${leftOut(redisMissing)}`, () => {
  test('grants one far below the limit without Redis', async () => {
    const limits = [limitOf('requests', 1_000), limitOf('concurrency', 10)];
    const store = await open();
    // Nothing is known of these limits yet.
    expect(await scriptsOf(async () => void (await callThrough(store, limits)))).toBe(3);
    expect(
      await scriptsOf(async () => {
        for (let count = 0; count < 10; count++) expect(await callThrough(store, limits)).toBe(true);
      }),
    ).toBe(20);
    expect((await store.peek(limits)).requests).toMatchObject({ limit: 1_000, remaining: 989 });
  });

  test('checks one near the limit with Redis', async () => {
    const limits = [limitOf('requests', 4)];
    const store = await open();
    for (let count = 0; count < 3; count++) expect(await callThrough(store, limits)).toBe(true);
    expect(await scriptsOf(async () => void (await store.acquire(takeOf(limits, DOOR))))).toBe(1);
  });

  test('counts the remaining requests down over takes granted without Redis', async () => {
    const limits = [limitOf('requests', 100)];
    const store = await open();
    await callThrough(store, limits);
    const told: (number | undefined)[] = [];
    for (let count = 0; count < 3; count++) {
      const taken = await store.acquire(takeOf(limits, DOOR));
      told.push(taken.windows.requests?.remaining);
    }
    expect(told).toEqual([98, 97, 96]);
  });

  test('admits exactly the remainder of a limit of 100, however many takes were granted', async () => {
    const limits = [limitOf('requests', 100)];
    const store = await open();
    await callThrough(store, limits);
    const doors = await Promise.all(
      Array.from({ length: 300 }, async () => {
        const door = takeOf(limits, DOOR);
        return { door, kind: (await store.acquire(door)).kind };
      }),
    );
    const inside = await Promise.all(
      doors.filter(({ kind }) => kind === 'taken').map(async ({ door }) => (await store.acquire(takeOf(limits, { replaces: door }))).kind),
    );
    expect(inside.filter((kind) => kind === 'taken')).toHaveLength(99);
  });

  test('runs no script in Redis for a take of requests without an enforced request limit', async () => {
    const limits = [limitOf('concurrency', 2), limitOf('requests', 9, { scope: 'account', mode: 'observe' })];
    const store = await open();
    const door = takeOf(limits, { ...DOOR, isRepeated: false });
    const work = async () => {
      expect(await store.acquire(door)).toMatchObject({ kind: 'taken' });
      expect(await store.acquire({ ...door, isProvisional: false, replaces: door })).toMatchObject({ kind: 'taken' });
    };
    expect(await scriptsOf(work)).toBe(0);
    expect(store.getState().kind).toBe('shared');
  });

  test('grants takes without a second check (`isAskedAgain: false`) exactly up to the limit', async () => {
    const limits = [limitOf('requests', 60)];
    const store = await open();
    await store.peek(limits);
    const kinds = Array.from({ length: 300 }, async () => {
      const door = takeOf(limits, { ...DOOR, isRepeated: false });
      const { kind } = await store.acquire(door);
      // As with a list of models: what it counts is counted when it is answered.
      if (kind === 'taken') await store.acquire({ ...door, isProvisional: false, replaces: door });
      return kind;
    });
    expect((await Promise.all(kinds)).filter((kind) => kind === 'taken')).toHaveLength(60);
  });
});
