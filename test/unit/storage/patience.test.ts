/** How long a caller waits for the store: no longer than told, and not less because the process itself was busy. */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StorageError } from '../../../server/storage/errors.ts';
import { within } from '../../../server/storage/patience.ts';

test('a caller whose store does not answer is told so in time', async () => {
  const began = performance.now();
  await expect(within(new Promise(() => undefined), 300)).rejects.toThrow(StorageError);
  const waited = performance.now() - began;
  expect(waited).toBeGreaterThan(290);
  expect(waited).toBeLessThan(3_000);
});

test('a caller gets what the store says in time, be it good or bad', async () => {
  expect(await within(pause(20, 'kept'), 300)).toBe('kept');
  await expect(
    within(
      pause(20).then(() => Promise.reject(new Error('refused'))),
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
