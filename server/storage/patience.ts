/** How long a caller waits for the store before it is told to come back (promises G1 and G2: what happens later is still settled once). */
import { StorageError } from './errors.ts';

/** For a hold before a call, and for a charge before it goes to the spool: an answer that is late by more than this is worse than none. */
export const storeWaitMs = 1_000;
const tickMs = 100;

/**
 * Rejects with a StorageError where the work takes longer. The work itself goes on: whoever asked for it has to see to what comes of it.
 * Time is counted in turns of the event loop, so that a process which was busy itself does not take its own pause for one of the store.
 */
export function within<T>(work: Promise<T>, waitMs = storeWaitMs): Promise<T> {
  return new Promise((resolve, reject) => {
    let ticks = Math.ceil(waitMs / tickMs);
    const timer = setTimeout(() => {
      ticks--;
      if (ticks > 0) timer.refresh();
      else reject(new StorageError(`The database did not answer within ${waitMs} ms. Check its disk and its load, and who else holds it.`));
    }, tickMs);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
