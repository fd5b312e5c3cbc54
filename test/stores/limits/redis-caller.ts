/** A process that shares limits with others: on command it takes a given number of times, reports the results, and keeps running. */
import { setTimeout as wait } from 'node:timers/promises';
import { openMemoryLimits } from '../../../server/limits/limiter.ts';
import { openRedisLimits } from '../../../server/limits/redis/redis-limits.ts';
import { hangLimitMs } from '../../harness/hang-limit.ts';
import { limitOf, takeOf } from '../../unit/limits/limit.ts';
import { silent } from './redis-log.ts';

export interface Order {
  readonly url: string;
  readonly node: string;
  readonly leaseMs: number;
  readonly quantity: 'requests' | 'concurrency';
  readonly most: number;
  readonly takes: number;
  /** The time of its clock in milliseconds; null: the time of Redis. */
  readonly now: number | null;
}

const atOnce = 20;

// Written by the test that starts it.
const { url, node, leaseMs, quantity, most, takes, now } = JSON.parse(process.argv[2] ?? '') as Order;
const fallback = openMemoryLimits(() => now ?? performance.now());
const clock = now === null ? {} : { now: () => now };
const limits = await openRedisLimits({ url, node, leaseMs, log: silent, fallback, waitMs: hangLimitMs, ...clock });
// Connecting may have taken longer than a process waits for Redis at its start.
while (limits.getState().kind !== 'shared') await wait(20);
process.send?.('ready');
process.once('message', async () => {
  const limit = limitOf(quantity, most);
  let taken = 0;
  for (let done = 0; done < takes; done += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, takes - done) }, () =>
      limits.acquire(takeOf([limit], { requestId: crypto.randomUUID() })),
    );
    taken += (await Promise.all(some)).filter(({ kind }) => kind === 'taken').length;
  }
  process.send?.(taken);
});
