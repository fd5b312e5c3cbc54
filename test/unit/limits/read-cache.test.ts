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

test('trusts an answer of Redis for trustMs', () => {
  const { lately, pass } = openLately();
  lately.record([{ limit: ten, level: 0, pending: 0 }]);
  pass(1_000);
  expect(lately.findTrusted(door([ten]))).not.toBeNull();
  pass(1);
  expect(lately.findTrusted(door([ten]))).toBeNull();
});

test('asks Redis when the window of a limit that the caller gets is unknown', () => {
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

test('trusts an answer without slots and observed limits', () => {
  const { lately } = openLately();
  lately.record([{ limit: ten, level: 0, pending: 0 }]);
  const others = [limitOf('concurrency', 1), limitOf('requests', 1, { scope: 'account', mode: 'observe' })];
  expect(lately.findTrusted(door([ten, ...others]))).not.toBeNull();
});
