/** The calls of a process that hold slots, while Redis is away and comes back: each slot counts in one place, and ends are reported (promise G11). */
import { expect, test } from 'vitest';
import { openLocalShare } from '../../../server/limits/local-share.ts';
import { RunningCalls } from '../../../server/limits/redis/running-calls.ts';
import { limitOf, openClocked, takeOf } from './limit.ts';

const slot = limitOf('concurrency', 3);
const key = 'p:key:key_1:concurrency';

function open() {
  const share = openLocalShare(openClocked().limits, () => 1);
  const calls = new RunningCalls(share, 'p:');
  const free = (): number => {
    const looks = [1, 2, 3].map(() => takeOf([slot]));
    const taken = looks.filter((take) => share.acquire(take).kind === 'taken');
    for (const take of taken) share.finish(take, 0);
    return taken.length;
  };
  return { share, calls, free };
}

test('G11: counts calls in this process once while Redis is away, and not when it is back', () => {
  const { calls, share, free } = open();
  const [shared, own] = [takeOf([slot]), takeOf([slot])];
  calls.begin(shared, true);
  share.acquire(own);
  calls.begin(own, false);
  calls.startLocalCount();
  calls.startLocalCount();
  expect(free()).toBe(1);
  calls.stopLocalCount();
  expect(free()).toBe(2);
  calls.startLocalCount();
  expect(free()).toBe(1);
  calls.stopLocalCount();
  expect(free()).toBe(2);
  share.finish(own, 0);
  expect(free()).toBe(3);
});

test('reports an end again until Redis has recorded it', () => {
  const { calls } = open();
  const slots = { requestId: 'r1', keys: [key] };
  calls.queueRelease(null);
  calls.queueRelease(slots);
  const { ended } = calls.collectSlots();
  expect(ended).toEqual([slots]);
  // A call with the same id has ended again in the meantime.
  calls.queueRelease({ ...slots });
  calls.forget(ended);
  expect(calls.collectSlots().ended).toEqual([slots]);
  calls.forget(calls.collectSlots().ended);
  expect(calls.collectSlots().ended).toEqual([]);
});
