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

test('only calls that take slots are kept', () => {
  const { calls } = open();
  calls.begin(takeOf([limitOf('requests', 3)]), true);
  calls.begin(takeOf([slot], { quantities: ['requests'] }), true);
  expect(calls.count).toBe(0);
  calls.begin(takeOf([slot], { requestId: 'r1' }), true);
  expect([calls.count, calls.collectSlots().running]).toEqual([1, [{ requestId: 'r1', keys: [key] }]]);
});

test('the end of a call is reported to Redis if Redis has counted it', () => {
  const { calls } = open();
  const [shared, own] = [takeOf([slot], { requestId: 'shared' }), takeOf([slot], { requestId: 'own' })];
  calls.begin(shared, true);
  calls.begin(own, false);
  expect([calls.end(shared), calls.end(own), calls.end(shared), calls.count]).toEqual([
    { requestId: 'shared', keys: [key] },
    null,
    null,
    0,
  ]);
});

test('the end of a call is reported to Redis if the call itself was reported', () => {
  const { calls } = open();
  const own = takeOf([slot], { requestId: 'own' });
  calls.begin(own, false);
  calls.collectSlots();
  expect(calls.end(own)).toMatchObject({ requestId: 'own' });
});

test('G11: while Redis is away its calls count in this process once, and when it is back they do not', () => {
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

test('a call that ends while Redis is away frees its slot in this process', () => {
  const { calls, free } = open();
  const shared = takeOf([slot]);
  calls.begin(shared, true);
  calls.startLocalCount();
  expect(free()).toBe(2);
  calls.end(shared);
  expect(free()).toBe(3);
  calls.stopLocalCount();
  expect(free()).toBe(3);
});

test('an end that was not reported stays in the report until it is forgotten', () => {
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
