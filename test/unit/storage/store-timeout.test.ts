/** How long a caller waits for the store: as many turns as told, and not less because the process itself was busy. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { StorageError } from '../../../server/storage/errors.ts';
import { within } from '../../../server/storage/store-timeout.ts';

const never = (): Promise<never> => new Promise(() => undefined);

/** How often a timer of the length by which waits are counted has come. */
function countTicks(): () => number {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 100);
  onTestFinished(() => clearInterval(timer));
  return () => ticks;
}

test('a caller whose store does not answer is told so in time', async () => {
  const ticks = countTicks();
  await expect(within(never(), 300)).rejects.toThrow(StorageError);
  // One more than fit, since the first may be about to come, and one for what comes before or after another in the same turn.
  expect(ticks()).toBeGreaterThanOrEqual(3);
  expect(ticks()).toBeLessThanOrEqual(5);
});

test('a caller is not told so before, however late every timer comes', async () => {
  // Of two timers the shorter one comes first, on a busy machine too.
  const earlier = pause(290, 'earlier');
  expect(await Promise.race([within(never(), 300), earlier])).toBe('earlier');
});

test('a caller gets what the store says in time, be it good or bad', async () => {
  expect(await within(nextTurn('kept'), 300)).toBe('kept');
  await expect(
    within(
      nextTurn().then(() => Promise.reject(new Error('refused'))),
      300,
    ),
  ).rejects.toThrow('refused');
});

test('a pause of the process itself is not taken for one of the store', async () => {
  const work = nextTurn().then(() => nextTurn('kept'));
  const patient = within(work, 300);
  for (const end = performance.now() + 600; performance.now() < end; );
  expect(await patient).toBe('kept');
});
