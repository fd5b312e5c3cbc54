/** A timeout shared by many waits, whose timer runs only while something waits. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSharedTimeout } from '../../../server/primitives/shared-timeout.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const late = (): Error => new Error('too late');

test('no timer is left when nothing waits', async () => {
  const withTimeout = openSharedTimeout(10);
  await withTimeout(Promise.resolve(), 50, late);
  vi.advanceTimersByTime(10);
  expect(vi.getTimerCount()).toBe(0);
});

test('a wait that begins after a pause times out too', async () => {
  const withTimeout = openSharedTimeout(10);
  for (let times = 0; times < 2; times++) {
    const waiting = expect(withTimeout(new Promise(() => undefined), 50, late)).rejects.toThrow('too late');
    vi.advanceTimersByTime(60);
    await waiting;
    vi.advanceTimersByTime(100);
  }
});
