/** The three limiters, opened for tests: in memory, counted by a supervisor, and in Redis. Only the test advances their clock. */
import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { type Limiter, openMemoryLimits } from '../../../server/limits/limiter.ts';
import { openRedisLimits } from '../../../server/limits/redis/redis-limits.ts';
import { LimitCounter, type LimitsChannel, type LimitsResponse, openRemoteLimits } from '../../../server/limits/remote-limits.ts';
import { hangLimitMs } from '../../harness/hang-limit.ts';
import { redisMissing } from '../../harness/servers.ts';
import { leftOut } from '../../harness/tools.ts';
import { silent } from './redis-log.ts';

/** So many processes that count together. */
export type Engine = (now: () => number, processes: number) => Promise<readonly [Limiter, ...Limiter[]]>;

export const openMemory: Engine = async (now, processes) => {
  const store = openMemoryLimits(now);
  return [store, ...Array.from({ length: processes - 1 }, () => store)];
};

const toMessage = <T>(message: T): T => JSON.parse(JSON.stringify(message)) as T;

/** Processes that ask one counter, by messages as between a worker and its supervisor. */
const openSupervised: Engine = async (now, processes) => {
  const counter = new LimitCounter(openMemoryLimits(now));
  const openOne = (id: number) => {
    let reply: (response: LimitsResponse) => void = () => undefined;
    const channel: LimitsChannel = {
      ask: (request) => void setImmediate(() => reply(toMessage(counter.handle(id, toMessage(request))))),
      onReply(listener) {
        reply = listener;
      },
    };
    return openRemoteLimits({
      channel,
      log: { warn: () => undefined, info: () => undefined },
      waitMs: hangLimitMs,
      fallback: openMemoryLimits(now),
      processes,
    });
  };
  return [openOne(0), ...Array.from({ length: processes - 1 }, (_, index) => openOne(index + 1))];
};

/** On the Redis of the run, with keys of its own each time. */
function redisEngine(): Engine {
  return async (now, processes) => {
    const url = inject('redisUrl');
    if (url === null) throw new Error('there is no Redis');
    // A busy machine must not look like an outage.
    const shared = { url, log: silent, now, prefix: `${randomUUID()}:`, leaseMs: 3_600_000, waitMs: 20_000, trustMs: 0 };
    const openOne = (node: number) => openRedisLimits({ ...shared, node: `node_${node}`, fallback: openMemoryLimits(now) });
    return [await openOne(0), ...(await Promise.all(Array.from({ length: processes - 1 }, (_, index) => openOne(index + 1))))];
  };
}

export const engines = [
  { name: 'memory', engine: openMemory, isMissing: false },
  { name: 'the supervisor', engine: openSupervised, isMissing: false },
  { name: `Redis${leftOut(redisMissing)}`, engine: redisEngine(), isMissing: redisMissing !== null },
];
