/** The concurrency limit of an upstream, its queue, and the share of an account. */
import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { GatewayError } from '../../../server/primitives/errors.ts';
import { ConcurrencyLimit } from '../../../server/providers/concurrency-limit.ts';
import { hangLimitMs } from '../../harness/hang-limit.ts';
import { holdTimers } from '../../harness/held-clock.ts';

const nobody = new EventEmitter();

test('a request over the bound is told so at once, and the next one after an end is let in', () => {
  const admission = new ConcurrencyLimit({ maxConcurrentRequests: 2, accountShare: 80, maxPendingRequests: 0, waitMs: hangLimitMs });
  admission.acquire(nobody);
  admission.acquire(nobody);
  expect(() => admission.acquire(nobody)).toThrow(GatewayError);
  admission.release();
  expect(admission.acquire(nobody)).toBeUndefined();
  expect(() => admission.acquire(nobody)).toThrow('Concurrency limit reached');
});

test('requests that may wait are let in by turns', async () => {
  const admission = new ConcurrencyLimit({ maxConcurrentRequests: 1, accountShare: 100, maxPendingRequests: 2, waitMs: hangLimitMs });
  admission.acquire(nobody);
  const order: number[] = [];
  const first = admission.acquire(nobody)?.then(() => order.push(1));
  const second = admission.acquire(nobody)?.then(() => order.push(2));
  expect(() => admission.acquire(nobody)).toThrow('Concurrency limit reached');
  admission.release();
  await first;
  expect(order).toEqual([1]);
  admission.release();
  await second;
  admission.release();
  expect([order, admission.acquire(nobody)]).toEqual([[1, 2], undefined]);
});

test('a request in the queue is rejected after waitMs, and when its caller disconnects', async () => {
  await holdTimers();
  const admission = new ConcurrencyLimit({ maxConcurrentRequests: 1, accountShare: 80, maxPendingRequests: 1, waitMs: 30 });
  admission.acquire(nobody);
  const rejected: unknown[] = [];
  const over = admission.acquire(nobody)?.catch((error) => rejected.push(error));
  await vi.advanceTimersByTimeAsync(29);
  expect(rejected).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await over;
  expect(rejected).toMatchObject([{ code: 'overloaded', headers: { 'retry-after': '1' } }]);
  const leaving = new EventEmitter();
  const waiting = admission.acquire(leaving);
  leaving.emit('abort');
  await expect(waiting).rejects.toMatchObject({ code: 'overloaded' });
  admission.release();
  expect([admission.acquire(nobody), leaving.listenerCount('abort')]).toEqual([undefined, 0]);
});

/** How many of so many requests are let in. */
const enterTimes = (admission: ConcurrencyLimit, account: string, times: number): number => {
  let entered = 0;
  for (let n = 0; n < times; n++) {
    try {
      admission.acquire(nobody, account);
      entered++;
    } catch {
      // It was rejected.
    }
  }
  return entered;
};

test.each([
  [1024, 80, 820],
  [10, 80, 8],
  [10, 50, 5],
  [10, 100, 10],
  [10, 1, 1],
  [4, 80, 4],
  [1, 80, 1],
])('A13: of room for %i one account alone, whose share is %i in a hundred, has %i', (connections, accountShare, most) => {
  const admission = new ConcurrencyLimit({ maxConcurrentRequests: connections, accountShare, maxPendingRequests: 0, waitMs: hangLimitMs });
  expect(enterTimes(admission, 'ada', 2_000)).toBe(most);
});

test('A13: what an account leaves is for the others, each of whom leaves some', () => {
  const admission = new ConcurrencyLimit({ maxConcurrentRequests: 100, accountShare: 80, maxPendingRequests: 0, waitMs: hangLimitMs });
  expect(['ada', 'bob', 'cyd'].map((account) => enterTimes(admission, account, 200))).toEqual([80, 16, 4]);
  for (let n = 0; n < 40; n++) admission.release('ada');
  expect([enterTimes(admission, 'ada', 200), enterTimes(admission, 'bob', 200)]).toEqual([24, 10]);
});

test('A13: an account that has its share is told so, and has the same again once it has left', () => {
  const admission = new ConcurrencyLimit({ maxConcurrentRequests: 10, accountShare: 80, maxPendingRequests: 0, waitMs: hangLimitMs });
  enterTimes(admission, 'ada', 8);
  expect(() => admission.acquire(nobody, 'ada')).toThrow("This account's share of this model's upstream is in use");
  for (let n = 0; n < 8; n++) admission.release('ada');
  expect(enterTimes(admission, 'ada', 20)).toBe(8);
});

test('A13: those who wait are let in account by account, and no account takes all of the line', async () => {
  const admission = new ConcurrencyLimit({ maxConcurrentRequests: 1, accountShare: 80, maxPendingRequests: 5, waitMs: hangLimitMs });
  admission.acquire(nobody, 'ada');
  const order: string[] = [];
  const wait = (account: string) => admission.acquire(nobody, account)?.then(() => order.push(account));
  const waiting = ['ada', 'ada', 'ada', 'ada'].map(wait);
  expect(() => admission.acquire(nobody, 'ada')).toThrow('Concurrency limit reached');
  waiting.push(wait('bob'));
  for (const account of ['ada', 'ada', 'bob', 'ada', 'ada']) {
    admission.release(account);
    await new Promise(setImmediate);
  }
  await Promise.all(waiting);
  expect(order).toEqual(['ada', 'bob', 'ada', 'ada', 'ada']);
});
