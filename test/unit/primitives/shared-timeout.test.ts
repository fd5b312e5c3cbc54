/** A timeout shared by many waits, whose timer runs only while something waits. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSharedTimeout } from '../../../server/primitives/shared-timeout.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const late = (): Error => new Error('too late');

test('leaves no timer when nothing waits', async () => {
  const withTimeout = openSharedTimeout(10);
  await withTimeout(Promise.resolve(), 50, late);
  vi.advanceTimersByTime(10);
  expect(vi.getTimerCount()).toBe(0);
});

test('times out a wait that begins after a pause, too', async () => {
  const withTimeout = openSharedTimeout(10);
  for (let times = 0; times < 2; times++) {
    const waiting = expect(withTimeout(new Promise(() => undefined), 50, late)).rejects.toThrow('too late');
    vi.advanceTimersByTime(60);
    await waiting;
    vi.advanceTimersByTime(100);
  }
});

test('ends a wait one tick after its time, since the first tick may be due immediately', async () => {
  const withTimeout = openSharedTimeout(100);
  let isOver = false;
  const waiting = withTimeout(new Promise(() => undefined), 300, late).catch(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(399);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(isOver).toBe(true);
});

test('waits for the result in a process that was busy beyond the timeout: only ticks count', async () => {
  const withTimeout = openSharedTimeout(100);
  const { promise, resolve } = Promise.withResolvers<string>();
  const waiting = withTimeout(promise, 300, late);
  // The clock goes on without ticks; afterwards one is due.
  vi.setSystemTime(Date.now() + 600);
  await vi.advanceTimersByTimeAsync(100);
  resolve('kept');
  expect(await waiting).toBe('kept');
});
