/** The share of each limit that one process enforces while the shared limiter is away: what it takes and gives back (promise G11). */
import { expect, test } from 'vitest';
import { openLocalShare } from '../../../server/limits/local-share.ts';
import { limitOf, openClocked, takeOf } from './limit.ts';

const openShare = () => openLocalShare(openClocked().limits, () => 2);

test('G11: counts a request that was taken at the door once, and gives it back once', () => {
  const share = openShare();
  const ten = limitOf('requests', 10);
  const door = () => takeOf([ten], { quantities: ['requests'], isProvisional: true });
  const left = () => share.peek([ten]).requests?.remaining;
  const [entered, turned] = [door(), door()];
  share.acquire(entered);
  share.acquire(turned);
  share.acquire(takeOf([ten], { replaces: entered }));
  expect([left(), share.has(entered), share.has(turned)]).toEqual([3, false, true]);
  for (const _ of [1, 2]) share.release(turned);
  expect([left(), share.has(turned)]).toEqual([4, false]);
});

test('frees no slot at the end of a take that it did not count', () => {
  const share = openShare();
  const slot = limitOf('concurrency', 2);
  share.acquire(takeOf([slot]));
  share.finish(takeOf([slot]), 0);
  share.release(takeOf([slot]));
  expect(share.acquire(takeOf([slot])).kind).toBe('rejected');
});

test('G11: counts the slots of running calls beyond the share', () => {
  const share = openShare();
  const [slot, rate] = [limitOf('concurrency', 2), limitOf('requests', 2)];
  const counted = [1, 2, 3].map(() => share.addSlots(takeOf([slot, rate])));
  expect(share.acquire(takeOf([slot])).kind).toBe('rejected');
  expect(share.peek([rate])).toMatchObject({ requests: { remaining: 1 } });
  for (const uncount of counted) uncount();
  expect(share.acquire(takeOf([slot])).kind).toBe('taken');
});
