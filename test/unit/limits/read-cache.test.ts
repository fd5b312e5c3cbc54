/** Provisional takes that are admitted by a recent answer of Redis, while the limit is at most half used (promise G11). */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Acquisition, Limit } from '../../../server/limits/limiter.ts';
import { BucketCache } from '../../../server/limits/redis/bucket-cache.ts';
import { limitOf, takeOf } from './limit.ts';

const ONE = 60_000;
const ten = limitOf('requests', 10);
const door = (limits: readonly Limit[], more: Partial<Acquisition> = {}): Acquisition =>
  takeOf(limits, { quantities: ['requests'], scopes: ['key'], isProvisional: true, isRepeated: true, ...more });

function openLately(trustMs = 1_000) {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  // The clock does not start at 0.
  vi.advanceTimersByTime(500);
  return { lately: new BucketCache(trustMs), pass: (ms: number) => void vi.advanceTimersByTime(ms) };
}

test('without an answer of Redis a take is not trusted', () => {
  const { lately } = openLately();
  expect(lately.findTrusted(door([ten]))).toBeNull();
});

test('a take that leaves half of the limit free is trusted, and returns the windows', () => {
  const { lately } = openLately();
  lately.record([{ limit: ten, level: 4 * ONE, pending: 0 }]);
  expect(lately.findTrusted(door([ten]))).toMatchObject({ requests: { limit: 10, remaining: 5 } });
});

test.each([
  ['used', { level: 4 * ONE + 1, pending: 0 }],
  ['held', { level: 0, pending: 5 }],
])('a take with which more than half is %s is not trusted', (_what, said) => {
  const { lately } = openLately();
  lately.record([{ limit: ten, ...said }]);
  expect(lately.findTrusted(door([ten]))).toBeNull();
});

test('trusted takes are counted until the next answer of Redis', () => {
  const { lately } = openLately();
  lately.record([{ limit: ten, level: 0, pending: 0 }]);
  const left = [1, 2, 3, 4, 5].map(() => lately.findTrusted(door([ten]))?.requests?.remaining);
  expect(left).toEqual([9, 8, 7, 6, 5]);
  expect(lately.findTrusted(door([ten]))).toBeNull();
  lately.record([{ limit: ten, level: 0, pending: 0 }]);
  expect(lately.findTrusted(door([ten]))).not.toBeNull();
});

test('an answer counts for trustMs', () => {
  const { lately, pass } = openLately();
  lately.record([{ limit: ten, level: 0, pending: 0 }]);
  pass(1_000);
  expect(lately.findTrusted(door([ten]))).not.toBeNull();
  pass(1);
  expect(lately.findTrusted(door([ten]))).toBeNull();
});

test('the level of an answer leaks with time', () => {
  const { lately, pass } = openLately();
  lately.record([{ limit: ten, level: 4 * ONE + 600, pending: 0 }]);
  pass(59);
  expect(lately.findTrusted(door([ten]))).toBeNull();
  pass(1);
  expect(lately.findTrusted(door([ten]))).not.toBeNull();
});

test('with trustMs 1 a take is trusted for a millisecond', () => {
  const { lately, pass } = openLately(1);
  lately.record([{ limit: ten, level: 0, pending: 0 }]);
  pass(1);
  expect(lately.findTrusted(door([ten]))).not.toBeNull();
});

test('with trustMs 0 no take is trusted', () => {
  const { lately } = openLately(0);
  lately.record([{ limit: ten, level: 0, pending: 0 }]);
  expect(lately.findTrusted(door([ten]))).toBeNull();
});

test('a limit whose window the caller gets must be known, though nothing is taken from it', () => {
  const { lately } = openLately();
  const ofAccount = limitOf('requests', 20, { scope: 'account', subject: 'ada' });
  lately.record([{ limit: ten, level: 0, pending: 0 }]);
  expect(lately.findTrusted(door([ten, ofAccount]))).toBeNull();
  // It is full, but the provisional take does not take from it.
  lately.record([{ limit: ofAccount, level: 20 * ONE, pending: 0 }]);
  expect(lately.findTrusted(door([ten, ofAccount]))).toMatchObject({ requests: { limit: 20, remaining: 0 } });
  lately.record([{ limit: ofAccount, level: 17 * ONE, pending: 0 }]);
  expect(lately.findTrusted(door([ten, ofAccount]))).toMatchObject({ requests: { limit: 20, remaining: 3 } });
});

test('slots and limits in observe mode need not be known', () => {
  const { lately } = openLately();
  lately.record([{ limit: ten, level: 0, pending: 0 }]);
  const others = [limitOf('concurrency', 1), limitOf('requests', 1, { scope: 'account', mode: 'observe' })];
  expect(lately.findTrusted(door([ten, ...others]))).not.toBeNull();
});

test('when one limit is more than half used the take is not trusted, and counts for none', () => {
  const { lately } = openLately();
  const tight = limitOf('requests', 2, { subject: 'other' });
  lately.record([
    { limit: ten, level: 0, pending: 0 },
    { limit: tight, level: ONE, pending: 0 },
  ]);
  expect(lately.findTrusted(door([ten, tight]))).toBeNull();
  expect(lately.findTrusted(door([ten]))).toMatchObject({ requests: { remaining: 9 } });
});
