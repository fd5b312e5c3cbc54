/** The timeout of the store, counted in turns, so that a busy process does not shorten it. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { StorageError } from '../../../server/storage/errors.ts';
import { within } from '../../../server/storage/store-timeout.ts';

const never = (): Promise<never> => new Promise(() => undefined);

/** Counts the ticks of a timer like the one that measures waits. */
function countTicks(): () => number {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 100);
  onTestFinished(() => clearInterval(timer));
  return () => ticks;
}

test('a store that does not answer is a StorageError after the timeout', async () => {
  const ticks = countTicks();
  await expect(within(never(), 300)).rejects.toThrow(StorageError);
  // One more than fits, since the first may be due at once, and one for the order within a turn.
  expect(ticks()).toBeGreaterThanOrEqual(3);
  expect(ticks()).toBeLessThanOrEqual(5);
});

test('the error does not come before a shorter timer, however late timers are', async () => {
  // Of two timers the shorter one is first, on a busy machine too.
  const earlier = pause(290, 'earlier');
  expect(await Promise.race([within(never(), 300), earlier])).toBe('earlier');
});

test('the answer or the error of the store in time is passed on', async () => {
  expect(await within(nextTurn('kept'), 300)).toBe('kept');
  await expect(
    within(
      nextTurn().then(() => Promise.reject(new Error('refused'))),
      300,
    ),
  ).rejects.toThrow('refused');
});

test('a pause of the process does not count as one of the store', async () => {
  const work = nextTurn().then(() => nextTurn('kept'));
  const waiting = within(work, 300);
  for (const end = performance.now() + 600; performance.now() < end; );
  expect(await waiting).toBe('kept');
});
