/** A process that shares limits with others: takes as often as it is told, from the moment it is told to, says what became of it, and stays. */
import { openMemoryLimits } from '../../../server/limits/memory.ts';
import { openRedisLimits } from '../../../server/limits/redis.ts';
import { limitOf, takeOf } from '../../unit/limits/limit.ts';
import { silent } from './redis-log.ts';

export interface Order {
  readonly url: string;
  readonly node: string;
  readonly leaseMs: number;
  readonly quantity: 'requests' | 'concurrency';
  readonly most: number;
  readonly takes: number;
}

const atOnce = 20;

// Written by the test that starts it.
const { url, node, leaseMs, quantity, most, takes } = JSON.parse(process.argv[2] ?? '') as Order;
const clock = (): number => performance.now();
const limits = await openRedisLimits({ url, node, leaseMs, log: silent, fallback: openMemoryLimits(clock), waitMs: 10_000 });
process.send?.('ready');
process.once('message', async () => {
  const limit = limitOf(quantity, most);
  let taken = 0;
  for (let done = 0; done < takes; done += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, takes - done) }, () =>
      limits.take(takeOf([limit], { requestId: crypto.randomUUID() })),
    );
    taken += (await Promise.all(some)).filter(({ kind }) => kind === 'taken').length;
  }
  process.send?.(taken);
});
