/** The calls of one process that hold slots, while Redis goes and comes back: each slot is counted in one place, and what has ended is told (promise G11). */
import { expect, test } from 'vitest';
import { RunningCalls } from '../../../server/limits/concurrency-leases.ts';
import { openOwnShare } from '../../../server/limits/fallback.ts';
import { limitOf, openClocked, takeOf } from './limit.ts';

const slot = limitOf('concurrency', 3);
const key = 'p:key:key_1:concurrency';

function open() {
  const share = openOwnShare(openClocked().limits, () => 1);
  const calls = new RunningCalls(share, 'p:');
  const free = (): number => {
    const looks = [1, 2, 3].map(() => takeOf([slot]));
    const taken = looks.filter((take) => share.take(take).kind === 'taken');
    for (const take of taken) share.finish(take, 0);
    return taken.length;
  };
  return { share, calls, free };
}

test('only a call that takes slots is one that runs', () => {
  const { calls } = open();
  calls.begin(takeOf([limitOf('requests', 3)]), true);
  calls.begin(takeOf([slot], { quantities: ['requests'] }), true);
  expect(calls.count).toBe(0);
  calls.begin(takeOf([slot], { requestId: 'r1' }), true);
  expect([calls.count, calls.report().running]).toEqual([1, [{ requestId: 'r1', keys: [key] }]]);
});

test('Redis hears of the end of a call that it knows, and not of one that it does not', () => {
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

test('a call that Redis was told of meanwhile is one that it knows', () => {
  const { calls } = open();
  const own = takeOf([slot], { requestId: 'own' });
  calls.begin(own, false);
  calls.report();
  expect(calls.end(own)).toMatchObject({ requestId: 'own' });
});

test('G11: when Redis goes, its calls count here, those that count here already do not count twice, and when it is back none does', () => {
  const { calls, share, free } = open();
  const [shared, own] = [takeOf([slot]), takeOf([slot])];
  calls.begin(shared, true);
  share.take(own);
  calls.begin(own, false);
  calls.moveHere();
  calls.moveHere();
  expect(free()).toBe(1);
  calls.moveBack();
  expect(free()).toBe(2);
  share.finish(own, 0);
  expect(free()).toBe(3);
});

test('a call that ends while Redis is away frees its slot here', () => {
  const { calls, free } = open();
  const shared = takeOf([slot]);
  calls.begin(shared, true);
  calls.moveHere();
  expect(free()).toBe(2);
  calls.end(shared);
  expect(free()).toBe(3);
  calls.moveBack();
  expect(free()).toBe(3);
});

test('what Redis could not be told is owed until it has heard of that very end', () => {
  const { calls } = open();
  const slots = { requestId: 'r1', keys: [key] };
  calls.owe(null);
  calls.owe(slots);
  const { ended } = calls.report();
  expect(ended).toEqual([slots]);
  // It ran and ended once more in the meantime.
  calls.owe({ ...slots });
  calls.forget(ended);
  expect(calls.report().ended).toEqual([slots]);
  calls.forget(calls.report().ended);
  expect(calls.report().ended).toEqual([]);
});
