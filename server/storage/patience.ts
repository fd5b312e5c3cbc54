/** How long a caller waits for the store before it is told to come back (promises G1 and G2: what happens later is still settled once). */
import { openPatience } from '../patience.ts';
import { StorageError } from './errors.ts';

/** For a hold before a call, and for a charge before it goes to the spool: an answer that is late by more than this is worse than none. */
export const storeWaitMs = 1_000;
const patience = openPatience(100);

/** Rejects with a StorageError where the work takes longer; it goes on all the same. */
export function within<T>(work: Promise<T>, waitMs = storeWaitMs): Promise<T> {
  return patience(
    work,
    waitMs,
    () => new StorageError(`The database did not answer within ${waitMs} ms. Check its disk and its load, and who else holds it.`),
  );
}
