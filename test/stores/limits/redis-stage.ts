/** A separate Redis server for a test file, processes that share limits in it, and callers that put load on them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type Acquisition, type Limit, openMemoryLimits } from '../../../server/limits/limiter.ts';
import { openRedisLimits, type RedisLimits, type RedisLimitsOptions } from '../../../server/limits/redis/redis-limits.ts';
import { hangLimitMs } from '../../harness/hang-limit.ts';
import { type PrivateServer, redisMissing, startRedis } from '../../harness/servers.ts';
import { takeOf } from '../../unit/limits/limit.ts';
import { silent } from './redis-log.ts';

/** For calls that are to give Redis up: a caller is answered by this process after so many milliseconds, told in turns of the event loop. */
export const impatient = { waitMs: 50 };

export interface RedisStage {
  readonly server: PrivateServer;
  /** Waits for Redis however busy the machine is, unless told otherwise. A clock that is given counts for the own share too. */
  open(options?: Partial<RedisLimitsOptions>): Promise<RedisLimits>;
  /** Processes that know of each other. */
  openThree(options?: Partial<RedisLimitsOptions>): Promise<readonly [RedisLimits, RedisLimits, RedisLimits]>;
  /** What an operator does to the server. */
  command(...words: readonly string[]): Promise<unknown>;
}

/** Starts and stops with the test file; closes whatever a test opened, after that test. */
export function redisStage(): RedisStage {
  let started: PrivateServer | null = null;
  const opened: RedisLimits[] = [];
  const server = (): PrivateServer => {
    if (!started) throw new Error('there is no Redis');
    return started;
  };
  beforeAll(async () => {
    if (redisMissing === null) started = await startRedis();
  });
  afterEach(async () => {
    started?.resume();
    await Promise.all(opened.splice(0).map((limits) => limits.close()));
  });
  afterAll(() => started?.close());
  const open = async (options: Partial<RedisLimitsOptions> = {}): Promise<RedisLimits> => {
    const fallback = openMemoryLimits(options.now ?? (() => performance.now()));
    const patient = { url: server().url, node: randomUUID(), log: silent, fallback, waitMs: hangLimitMs };
    const limits = await openRedisLimits({ ...patient, ...options });
    opened.push(limits);
    return limits;
  };
  return {
    get server() {
      return server();
    },
    open,
    async openThree(options = {}) {
      const shared = { prefix: `${randomUUID()}:`, ...options };
      const three = [await open(shared), await open(shared), await open(shared)] as const;
      await expect.poll(() => three.map((limits) => limits.getState())).toEqual(three.map(() => ({ kind: 'shared', processes: 3 })));
      return three;
    },
    async command(...words) {
      const client = await createClient({ url: server().url }).connect();
      return client.sendCommand([...words]).finally(() => client.destroy());
    },
  };
}

export async function isTaken(limits: RedisLimits, take: Acquisition): Promise<boolean> {
  return (await limits.acquire(take)).kind === 'taken';
}

/** How long the product and this file think that a timer of one turn is. */
const tickMs = 10;

/**
 * Takes one after the other until told to stop; what it counts is what was let through, and how long the longest waited: in ticks of a timer like
 * the one by which the product counts, so that both are late together.
 */
export function load(stores: readonly RedisLimits[], limit: Limit) {
  const seen = { taken: 0, asked: 0, maxTicks: 0 };
  let isOver = false;
  let ticks = 0;
  const ticking = setInterval(() => ticks++, tickMs);
  const run = async (limits: RedisLimits): Promise<void> => {
    while (!isOver) {
      const before = ticks;
      if (await isTaken(limits, takeOf([limit]))) seen.taken++;
      seen.asked++;
      seen.maxTicks = Math.max(seen.maxTicks, ticks - before);
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
      clearInterval(ticking);
      return seen;
    },
  };
}

export const becomes = (stores: readonly RedisLimits[], kind: 'shared' | 'own') =>
  expect.poll(() => stores.map((limits) => limits.getState().kind)).toEqual(stores.map(() => kind));
