/** A Redis of its own for a test file, processes that share limits in it, and callers that press on them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import type { Limit, Take } from '../../../server/limits/limits.ts';
import { openMemoryLimits } from '../../../server/limits/memory.ts';
import { openRedisLimits, type RedisLimits, type RedisLimitsOptions } from '../../../server/limits/redis.ts';
import { type PrivateServer, redisMissing, startRedis } from '../../harness/servers.ts';
import { takeOf } from '../../unit/limits/limit.ts';
import { silent } from './redis-log.ts';

/** Within this a state has changed, on a machine that has other things to do. */
export const SOON = { timeout: 15_000, interval: 20 };

export interface RedisStage {
  readonly server: PrivateServer;
  open(options?: Partial<RedisLimitsOptions>): Promise<RedisLimits>;
  /** Processes that know of each other. */
  openThree(options?: Partial<RedisLimitsOptions>): Promise<readonly [RedisLimits, RedisLimits, RedisLimits]>;
  /** What an operator does to the server. */
  command(...words: readonly string[]): Promise<void>;
}

/** Starts and ends with the file; what a test opened is closed after it. */
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
    const fallback = openMemoryLimits(() => performance.now());
    const limits = await openRedisLimits({ url: server().url, node: randomUUID(), log: silent, fallback, ...options });
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
      await vi.waitFor(() => expect(three.map((limits) => limits.state().processes)).toEqual([3, 3, 3]), SOON);
      return three;
    },
    async command(...words) {
      const client = await createClient({ url: server().url }).connect();
      await client.sendCommand([...words]);
      client.destroy();
    },
  };
}

export async function isTaken(limits: RedisLimits, take: Take): Promise<boolean> {
  return (await limits.take(take)).kind === 'taken';
}

/** Takes one after the other until told to stop; what it counts is what was let through, and the longest that a caller waited. */
export function load(stores: readonly RedisLimits[], limit: Limit) {
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

export const becomes = (stores: readonly RedisLimits[], kind: 'shared' | 'own') =>
  vi.waitFor(() => expect(stores.map((limits) => limits.state().kind)).toEqual(stores.map(() => kind)), SOON);
