/** How long a call waits for the store before it fails (promises G1 and G2: what happens later is still settled once). */
import { openSharedTimeout } from '../primitives/shared-timeout.ts';
import { StorageError } from './errors.ts';

const withTimeout = openSharedTimeout(100);

/** Rejects with a StorageError when the work takes longer than `waitMs` (`database.timeoutMs` of the configuration); the work continues. */
export function within<T>(work: Promise<T>, waitMs: number): Promise<T> {
  return withTimeout(
    work,
    waitMs,
    () => new StorageError(`The database did not answer within ${waitMs} ms. Check its disk and its load, and who else holds it.`),
  );
}
