/** Who is let in at the door by what Redis said a moment ago, and who is asked about: far from the limit, lately, and only for a take that is asked again (promise G11). */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Limit, Take } from '../../../server/limits/limiter.ts';
import { Lately } from '../../../server/limits/read-cache.ts';
import { limitOf, takeOf } from './limit.ts';

const ONE = 60_000;
const ten = limitOf('requests', 10);
const door = (limits: readonly Limit[], more: Partial<Take> = {}): Take =>
  takeOf(limits, { quantities: ['requests'], scopes: ['key'], isProvisional: true, isAskedAgain: true, ...more });

function openLately(trustMs = 1_000) {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  // Not from 0: a moment is not an age.
  vi.advanceTimersByTime(500);
  return { lately: new Lately(trustMs), pass: (ms: number) => void vi.advanceTimersByTime(ms) };
}

test('a caller of whom nothing is known is asked about', () => {
  const { lately } = openLately();
  expect(lately.trust(door([ten]))).toBeNull();
});

test('a caller who has half of the limit free goes in, and hears what is left', () => {
  const { lately } = openLately();
  lately.note([{ limit: ten, level: 4 * ONE, pending: 0 }]);
  expect(lately.trust(door([ten]))).toMatchObject({ requests: { limit: 10, remaining: 5 } });
});

test.each([
  ['used', { level: 4 * ONE + 1, pending: 0 }],
  ['held', { level: 0, pending: 5 }],
])('a caller who has not is asked about: more than half is %s, with this one', (_what, said) => {
  const { lately } = openLately();
  lately.note([{ limit: ten, ...said }]);
  expect(lately.trust(door([ten]))).toBeNull();
});

test('those who went in are counted until Redis speaks again', () => {
  const { lately } = openLately();
  lately.note([{ limit: ten, level: 0, pending: 0 }]);
  const left = [1, 2, 3, 4, 5].map(() => lately.trust(door([ten]))?.requests?.remaining);
  expect(left).toEqual([9, 8, 7, 6, 5]);
  expect(lately.trust(door([ten]))).toBeNull();
  lately.note([{ limit: ten, level: 0, pending: 0 }]);
  expect(lately.trust(door([ten]))).not.toBeNull();
});

test('what was said counts for so long', () => {
  const { lately, pass } = openLately();
  lately.note([{ limit: ten, level: 0, pending: 0 }]);
  pass(1_000);
  expect(lately.trust(door([ten]))).not.toBeNull();
  pass(1);
  expect(lately.trust(door([ten]))).toBeNull();
});

test('what was used leaks as time passes', () => {
  const { lately, pass } = openLately();
  lately.note([{ limit: ten, level: 4 * ONE + 600, pending: 0 }]);
  pass(59);
  expect(lately.trust(door([ten]))).toBeNull();
  pass(1);
  expect(lately.trust(door([ten]))).not.toBeNull();
});

test('where nothing is trusted everybody is asked about', () => {
  const { lately } = openLately(0);
  lately.note([{ limit: ten, level: 0, pending: 0 }]);
  expect(lately.trust(door([ten]))).toBeNull();
});

test('a limit that the caller is told of has to be known, though nothing is taken from it at the door', () => {
  const { lately } = openLately();
  const ofAccount = limitOf('requests', 20, { scope: 'account', subject: 'ada' });
  lately.note([{ limit: ten, level: 0, pending: 0 }]);
  expect(lately.trust(door([ten, ofAccount]))).toBeNull();
  // Full, and none of the door's business.
  lately.note([{ limit: ofAccount, level: 20 * ONE, pending: 0 }]);
  expect(lately.trust(door([ten, ofAccount]))).toMatchObject({ requests: { limit: 20, remaining: 0 } });
});

test('slots, and limits that are only observed, need not be known', () => {
  const { lately } = openLately();
  lately.note([{ limit: ten, level: 0, pending: 0 }]);
  const others = [limitOf('concurrency', 1), limitOf('requests', 1, { scope: 'account', mode: 'observe' })];
  expect(lately.trust(door([ten, ...others]))).not.toBeNull();
});

test('one limit that is near sends the caller to Redis, and nobody is counted as let in', () => {
  const { lately } = openLately();
  const tight = limitOf('requests', 2, { subject: 'other' });
  lately.note([
    { limit: ten, level: 0, pending: 0 },
    { limit: tight, level: ONE, pending: 0 },
  ]);
  expect(lately.trust(door([ten, tight]))).toBeNull();
  expect(lately.trust(door([ten]))).toMatchObject({ requests: { remaining: 9 } });
});
