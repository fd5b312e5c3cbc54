/** How long a caller waits for the store before it is told to come back (promises G1 and G2: what happens later is still settled once). */
import { openSharedTimeout } from '../primitives/shared-timeout.ts';
import { StorageError } from './errors.ts';

const patience = openSharedTimeout(100);

/** Rejects with a StorageError where the work takes longer; it goes on all the same. How long that is the configuration says: `database.timeoutMs`. */
export function within<T>(work: Promise<T>, waitMs: number): Promise<T> {
  return patience(
    work,
    waitMs,
    () => new StorageError(`The database did not answer within ${waitMs} ms. Check its disk and its load, and who else holds it.`),
  );
}
