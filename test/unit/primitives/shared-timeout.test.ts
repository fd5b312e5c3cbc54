/** How long somebody waits for a store: the clock for it stands still where nobody does. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSharedTimeout } from '../../../server/primitives/shared-timeout.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const late = (): Error => new Error('too late');

test('a process that waits for nothing is not woken to see whether anybody does', async () => {
  const patience = openSharedTimeout(10);
  await patience(Promise.resolve(), 50, late);
  vi.advanceTimersByTime(10);
  expect(vi.getTimerCount()).toBe(0);
});

test('whoever waits after a pause is told in time, as are those before', async () => {
  const patience = openSharedTimeout(10);
  for (let times = 0; times < 2; times++) {
    const waiting = expect(patience(new Promise(() => undefined), 50, late)).rejects.toThrow('too late');
    vi.advanceTimersByTime(60);
    await waiting;
    vi.advanceTimersByTime(100);
  }
});
