/** What one process enforces by itself while Redis is away: its share of each limit, told as the limit is written (promise G11). */
import { describe, expect, test } from 'vitest';
import { openOwnShare, shareOf } from '../../../server/limits/fallback.ts';
import { limitOf, openClocked, takeOf } from './limit.ts';

test.each([
  [10, 1, 10],
  [10, 3, 3],
  [10, 10, 1],
  [10, 11, 1],
  [1, 5, 1],
])(
  'a limit of %i among %i processes is one of %i: never none, and all together never more than one each above it',
  (most, processes, share) => {
    expect(shareOf(most, processes)).toBe(share);
  },
);

function openShare(processes = 2) {
  const { limits, pass } = openClocked();
  let count = processes;
  return {
    share: openOwnShare(limits, () => count),
    limits,
    pass,
    setProcesses: (next: number) => {
      count = next;
    },
  };
}

describe('G11: of a limit of ten among two', () => {
  const ten = limitOf('requests', 10);
  const slots = limitOf('concurrency', 10);

  test('five are let in, and the sixth hears of a limit of ten', () => {
    const { share } = openShare();
    for (let n = 0; n < 5; n++) expect(share.take(takeOf([ten])).kind).toBe('taken');
    expect(share.take(takeOf([ten]))).toMatchObject({ kind: 'refused', limit: ten });
  });

  test('what is left is that of the share', () => {
    const { share } = openShare();
    expect(share.look([ten])).toMatchObject({ requests: { limit: 5, remaining: 5 } });
    share.take(takeOf([ten]));
    expect(share.look([ten])).toMatchObject({ requests: { remaining: 4 } });
  });

  test('more are let in as soon as another process has gone', () => {
    const { share, setProcesses } = openShare();
    for (let n = 0; n < 5; n++) share.take(takeOf([ten]));
    setProcesses(1);
    expect(share.take(takeOf([ten])).kind).toBe('taken');
  });

  test('a slot that is free again is the one that was taken, though the share has changed meanwhile', () => {
    const { share, setProcesses } = openShare();
    const takes = Array.from({ length: 5 }, () => takeOf([slots]));
    for (const take of takes) share.take(take);
    setProcesses(10);
    for (const take of takes) share.finish(take, 0);
    expect(share.take(takeOf([slots])).kind).toBe('taken');
    expect(share.take(takeOf([slots])).kind).toBe('refused');
  });

  test('what is only observed is told as it is written', () => {
    const { share } = openShare();
    const observed = limitOf('requests', 2, { mode: 'observe' });
    share.take(takeOf([observed]));
    expect(share.take(takeOf([observed]))).toMatchObject({ kind: 'taken', observed: [observed] });
  });
});

describe('a take that is here', () => {
  const two = limitOf('requests', 4);

  test('is known until it is given back or ended, and one that was refused is not', () => {
    const { share } = openShare();
    const [given, ended, refused] = [takeOf([two], { isProvisional: true }), takeOf([two]), takeOf([two])];
    for (const take of [given, ended, refused]) share.take(take);
    expect([given, ended, refused].map((take) => share.has(take))).toEqual([true, true, false]);
    share.giveBack(given);
    share.finish(ended, 0);
    expect([given, ended].map((take) => share.has(take))).toEqual([false, false]);
  });

  test('gives its place back, once', () => {
    const { share } = openShare();
    const [one, other] = [takeOf([two], { isProvisional: true }), takeOf([two], { isProvisional: true })];
    for (const take of [one, other]) share.take(take);
    share.giveBack(one);
    share.giveBack(one);
    expect(share.look([two])).toMatchObject({ requests: { remaining: 1 } });
  });

  test('stands in place of the provisional one, and takes no second place', () => {
    const { share } = openShare();
    const door = takeOf([two], { isProvisional: true });
    share.take(door);
    expect(share.take(takeOf([two], { replaces: door })).kind).toBe('taken');
    expect([share.has(door), share.look([two])]).toMatchObject([false, { requests: { remaining: 1 } }]);
  });

  test('where it is refused leaves the provisional one', () => {
    const { share } = openShare();
    const slot = limitOf('concurrency', 2);
    share.take(takeOf([slot]));
    const door = takeOf([two], { isProvisional: true });
    share.take(door);
    expect(share.take(takeOf([two, slot], { replaces: door })).kind).toBe('refused');
    expect([share.has(door), share.look([two])]).toMatchObject([true, { requests: { remaining: 1 } }]);
  });

  test('of elsewhere is nothing here: its end frees nothing', () => {
    const { share } = openShare();
    const slot = limitOf('concurrency', 2);
    share.take(takeOf([slot]));
    share.finish(takeOf([slot]), 0);
    share.giveBack(takeOf([slot]));
    expect(share.take(takeOf([slot])).kind).toBe('refused');
  });
});

test('G11: a call that runs already holds its slots beyond any share, and gives them back', () => {
  const { share } = openShare();
  const [slot, rate] = [limitOf('concurrency', 2), limitOf('requests', 2)];
  const counted = [1, 2, 3].map(() => share.addSlots(takeOf([slot, rate])));
  expect(share.take(takeOf([slot])).kind).toBe('refused');
  expect(share.look([rate])).toMatchObject({ requests: { remaining: 1 } });
  for (const uncount of counted) uncount();
  expect(share.take(takeOf([slot])).kind).toBe('taken');
});
