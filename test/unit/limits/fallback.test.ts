/** The share of each limit that one process enforces while Redis is away (promise G11). */
import { describe, expect, test } from 'vitest';
import { describeState } from '../../../server/limits/limiter.ts';
import { divideLimit, openLocalShare } from '../../../server/limits/local-share.ts';
import { limitOf, openClocked, takeOf } from './limit.ts';

test.each([
  [10, 1, 10],
  [10, 3, 3],
  [10, 10, 1],
  [10, 11, 1],
  [1, 5, 1],
])('the share of a limit of %i among %i processes is %i', (most, processes, share) => {
  expect(divideLimit(most, processes)).toBe(share);
});

function openShare(processes = 2) {
  const { limits, pass } = openClocked();
  let count = processes;
  return {
    share: openLocalShare(limits, () => count),
    limits,
    pass,
    setProcesses: (next: number) => {
      count = next;
    },
  };
}

describe('G11: a limit of ten among two processes', () => {
  const ten = limitOf('requests', 10);
  const slots = limitOf('concurrency', 10);

  test('admits five, and the refusal names the limit of ten', () => {
    const { share } = openShare();
    for (let n = 0; n < 5; n++) expect(share.acquire(takeOf([ten])).kind).toBe('taken');
    expect(share.acquire(takeOf([ten]))).toMatchObject({ kind: 'rejected', limit: ten });
  });

  test('is measured by its share, so that five of ten is all of it', () => {
    const { share } = openShare();
    for (let n = 0; n < 5; n++) share.acquire(takeOf([ten, slots]));
    expect(share.getStatuses([ten, slots])).toEqual([
      { most: 5, remaining: 0, resetMs: 60_000 },
      { most: 5, remaining: 0, resetMs: null },
    ]);
  });

  test('has the remaining requests of the share', () => {
    const { share } = openShare();
    expect(share.peek([ten])).toMatchObject({ requests: { limit: 5, remaining: 5 } });
    share.acquire(takeOf([ten]));
    expect(share.peek([ten])).toMatchObject({ requests: { remaining: 4 } });
  });

  test('counts a request that was taken at the door once, and gives it back', () => {
    const { share } = openShare();
    const door = () => takeOf([ten], { quantities: ['requests'], isProvisional: true });
    const left = () => share.peek([ten]).requests?.remaining;
    const [entered, turned] = [door(), door()];
    share.acquire(entered);
    share.acquire(turned);
    share.acquire(takeOf([ten], { replaces: entered }));
    expect([left(), share.has(entered), share.has(turned)]).toEqual([3, false, true]);
    share.release(turned);
    expect([left(), share.has(turned)]).toEqual([4, false]);
  });

  test('admits more when another process has gone', () => {
    const { share, setProcesses } = openShare();
    for (let n = 0; n < 5; n++) share.acquire(takeOf([ten]));
    setProcesses(1);
    expect(share.acquire(takeOf([ten])).kind).toBe('taken');
  });

  test('frees the slots that were taken, also when the share has changed meanwhile', () => {
    const { share, setProcesses } = openShare();
    const takes = Array.from({ length: 5 }, () => takeOf([slots]));
    for (const take of takes) share.acquire(take);
    setProcesses(10);
    for (const take of takes) share.finish(take, 0);
    expect(share.acquire(takeOf([slots])).kind).toBe('taken');
    expect(share.acquire(takeOf([slots])).kind).toBe('rejected');
  });

  test('in observe mode is returned as configured', () => {
    const { share } = openShare();
    const observed = limitOf('requests', 2, { mode: 'observe' });
    share.acquire(takeOf([observed]));
    expect(share.acquire(takeOf([observed]))).toMatchObject({ kind: 'taken', observed: [observed] });
  });
});

describe('a take of this process', () => {
  const two = limitOf('requests', 4);

  test('is known until it is given back or finished, and not when it was rejected', () => {
    const { share } = openShare();
    const [given, ended, rejected] = [takeOf([two], { isProvisional: true }), takeOf([two]), takeOf([two])];
    for (const take of [given, ended, rejected]) share.acquire(take);
    expect([given, ended, rejected].map((take) => share.has(take))).toEqual([true, true, false]);
    share.release(given);
    share.finish(ended, 0);
    expect([given, ended].map((take) => share.has(take))).toEqual([false, false]);
  });

  test('is given back once', () => {
    const { share } = openShare();
    const [one, other] = [takeOf([two], { isProvisional: true }), takeOf([two], { isProvisional: true })];
    for (const take of [one, other]) share.acquire(take);
    share.release(one);
    share.release(one);
    expect(share.peek([two])).toMatchObject({ requests: { remaining: 1 } });
  });

  test('replaces the provisional one without taking more', () => {
    const { share } = openShare();
    const door = takeOf([two], { isProvisional: true });
    share.acquire(door);
    expect(share.acquire(takeOf([two], { replaces: door })).kind).toBe('taken');
    expect([share.has(door), share.peek([two])]).toMatchObject([false, { requests: { remaining: 1 } }]);
  });

  test('that is rejected leaves the provisional one', () => {
    const { share } = openShare();
    const slot = limitOf('concurrency', 2);
    share.acquire(takeOf([slot]));
    const door = takeOf([two], { isProvisional: true });
    share.acquire(door);
    expect(share.acquire(takeOf([two, slot], { replaces: door })).kind).toBe('rejected');
    expect([share.has(door), share.peek([two])]).toMatchObject([true, { requests: { remaining: 1 } }]);
  });

  test('is needed to free a slot: the end of an unknown take frees nothing', () => {
    const { share } = openShare();
    const slot = limitOf('concurrency', 2);
    share.acquire(takeOf([slot]));
    share.finish(takeOf([slot]), 0);
    share.release(takeOf([slot]));
    expect(share.acquire(takeOf([slot])).kind).toBe('rejected');
  });
});

test('G11: addSlots counts the slots of running calls beyond the share, and its result frees them', () => {
  const { share } = openShare();
  const [slot, rate] = [limitOf('concurrency', 2), limitOf('requests', 2)];
  const counted = [1, 2, 3].map(() => share.addSlots(takeOf([slot, rate])));
  expect(share.acquire(takeOf([slot])).kind).toBe('rejected');
  expect(share.peek([rate])).toMatchObject({ requests: { remaining: 1 } });
  for (const uncount of counted) uncount();
  expect(share.acquire(takeOf([slot])).kind).toBe('taken');
});

test('a process says whether its limits are shared, and since when they are not', () => {
  expect(describeState({ kind: 'shared', processes: 3 })).toBe('limits: shared');
  expect(describeState({ kind: 'own', since: 0, processes: 3 })).toBe('limits: enforcing own share since 1970-01-01T00:00:00.000Z');
});
