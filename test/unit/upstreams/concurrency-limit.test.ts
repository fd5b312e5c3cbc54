/** The concurrency limit of an upstream, its queue, and the share of an account. */
import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { GatewayError } from '../../../server/errors.ts';
import { Admission } from '../../../server/upstreams/concurrency-limit.ts';
import { hangLimitMs } from '../../harness/hang-limit.ts';
import { holdTimers } from '../../harness/held-clock.ts';

const nobody = new EventEmitter();

test('a request over the limit is refused at once, and one more is admitted when another has ended', () => {
  const admission = new Admission({ connections: 2, accountShare: 80, queue: 0, waitMs: hangLimitMs });
  admission.enter(nobody);
  admission.enter(nobody);
  expect(() => admission.enter(nobody)).toThrow(GatewayError);
  admission.leave();
  expect(admission.enter(nobody)).toBeUndefined();
  expect(() => admission.enter(nobody)).toThrow('at once');
});

test('requests in the queue are admitted in order, and a request over the queue is refused', async () => {
  const admission = new Admission({ connections: 1, accountShare: 100, queue: 2, waitMs: hangLimitMs });
  admission.enter(nobody);
  const order: number[] = [];
  const first = admission.enter(nobody)?.then(() => order.push(1));
  const second = admission.enter(nobody)?.then(() => order.push(2));
  expect(() => admission.enter(nobody)).toThrow('at once');
  admission.leave();
  await first;
  expect(order).toEqual([1]);
  admission.leave();
  await second;
  admission.leave();
  expect([order, admission.enter(nobody)]).toEqual([[1, 2], undefined]);
});

test('a request in the queue is refused after waitMs, and when its caller disconnects', async () => {
  await holdTimers();
  const admission = new Admission({ connections: 1, accountShare: 80, queue: 1, waitMs: 30 });
  admission.enter(nobody);
  const refused: unknown[] = [];
  const over = admission.enter(nobody)?.catch((error) => refused.push(error));
  await vi.advanceTimersByTimeAsync(29);
  expect(refused).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await over;
  expect(refused).toMatchObject([{ code: 'overloaded', headers: { 'retry-after': '1' } }]);
  const leaving = new EventEmitter();
  const waiting = admission.enter(leaving);
  leaving.emit('abort');
  await expect(waiting).rejects.toMatchObject({ code: 'overloaded' });
  admission.leave();
  expect([admission.enter(nobody), leaving.listenerCount('abort')]).toEqual([undefined, 0]);
});

/** The number of admitted requests out of so many. */
const enterTimes = (admission: Admission, account: string, times: number): number => {
  let entered = 0;
  for (let n = 0; n < times; n++) {
    try {
      admission.enter(nobody, account);
      entered++;
    } catch {
      // It was refused.
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
])('A13: with %i connections and an accountShare of %i percent, one account has at most %i', (connections, accountShare, most) => {
  const admission = new Admission({ connections, accountShare, queue: 0, waitMs: hangLimitMs });
  expect(enterTimes(admission, 'ada', 2_000)).toBe(most);
});

test('A13: of the connections that an account leaves, each next account has its share at most', () => {
  const admission = new Admission({ connections: 100, accountShare: 80, queue: 0, waitMs: hangLimitMs });
  expect(['ada', 'bob', 'cyd'].map((account) => enterTimes(admission, account, 200))).toEqual([80, 16, 4]);
  for (let n = 0; n < 40; n++) admission.leave('ada');
  expect([enterTimes(admission, 'ada', 200), enterTimes(admission, 'bob', 200)]).toEqual([24, 10]);
});

test('A13: an account with its full share is refused with a message, and has the same share again after its requests have ended', () => {
  const admission = new Admission({ connections: 10, accountShare: 80, queue: 0, waitMs: hangLimitMs });
  enterTimes(admission, 'ada', 8);
  expect(() => admission.enter(nobody, 'ada')).toThrow('This account has all the requests');
  for (let n = 0; n < 8; n++) admission.leave('ada');
  expect(enterTimes(admission, 'ada', 20)).toBe(8);
});

test('A13: the queue admits accounts in turn, and no account takes all of it', async () => {
  const admission = new Admission({ connections: 1, accountShare: 80, queue: 5, waitMs: hangLimitMs });
  admission.enter(nobody, 'ada');
  const order: string[] = [];
  const wait = (account: string) => admission.enter(nobody, account)?.then(() => order.push(account));
  const waiting = ['ada', 'ada', 'ada', 'ada'].map(wait);
  expect(() => admission.enter(nobody, 'ada')).toThrow('at once');
  waiting.push(wait('bob'));
  for (const account of ['ada', 'ada', 'bob', 'ada', 'ada']) {
    admission.leave(account);
    await new Promise(setImmediate);
  }
  await Promise.all(waiting);
  expect(order).toEqual(['ada', 'bob', 'ada', 'ada', 'ada']);
});
