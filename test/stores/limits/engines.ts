/** The two stores of limits, opened for tests: in memory and in Redis, both with a clock that only the test advances. */
import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { type Limiter, openMemoryLimits } from '../../../server/limits/limiter.ts';
import { openRedisLimits } from '../../../server/limits/redis/redis-limits.ts';
import { silent } from './redis-log.ts';

/** So many processes that count together. */
export type Engine = (now: () => number, processes: number) => Promise<readonly [Limiter, ...Limiter[]]>;

export const openMemory: Engine = async (now, processes) => {
  const store = openMemoryLimits(now);
  return [store, ...Array.from({ length: processes - 1 }, () => store)];
};

/** On the Redis of the run, with keys of its own each time. */
export function redisEngine(): Engine {
  return async (now, processes) => {
    const url = inject('redisUrl');
    if (url === null) throw new Error('there is no Redis');
    // A busy machine must not look like an outage.
    const shared = { url, log: silent, now, prefix: `${randomUUID()}:`, leaseMs: 3_600_000, waitMs: 20_000, trustMs: 0 };
    const openOne = (node: number) => openRedisLimits({ ...shared, node: `node_${node}`, fallback: openMemoryLimits(now) });
    return [await openOne(0), ...(await Promise.all(Array.from({ length: processes - 1 }, (_, index) => openOne(index + 1))))];
  };
}
