/** The timeout of the store; how it counts time is tested with `shared-timeout`. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StorageError, withStoreTimeout } from '../../../server/store/errors.ts';

test("throws a StorageError if a store doesn't respond within the timeout", async () => {
  await expect(withStoreTimeout(new Promise(() => undefined), 1)).rejects.toThrow(StorageError);
});

test('returns the result or the error of a store in time', async () => {
  expect(await withStoreTimeout(nextTurn('kept'), 60_000)).toBe('kept');
  await expect(withStoreTimeout(Promise.reject(new Error('rejected')), 60_000)).rejects.toThrow('rejected');
});
