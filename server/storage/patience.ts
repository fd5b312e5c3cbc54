/** How long a caller waits for the store before it is told to come back (promises G1 and G2: what happens later is still settled once). */
import { StorageError } from './errors.ts';

/** For a hold before a call, and for a charge before it goes to the spool: an answer that is late by more than this is worse than none. */
export const storeWaitMs = 1_000;
const tickMs = 100;

interface Patience {
  ticks: number;
  readonly end: () => void;
}

/** One clock for all who wait: a timer for each would cost more than most of what is waited for. */
const waiting = new Set<Patience>();
let clock: NodeJS.Timeout | undefined;

function wait(patience: Patience): void {
  waiting.add(patience);
  clock ??= setInterval(tick, tickMs);
  clock.ref();
}

function settle(patience: Patience): void {
  waiting.delete(patience);
  if (waiting.size === 0) clock?.unref();
}

function tick(): void {
  for (const patience of waiting) {
    patience.ticks--;
    if (patience.ticks <= 0) patience.end();
  }
}

/**
 * Rejects with a StorageError where the work takes longer. The work itself goes on: whoever asked for it has to see to what comes of it.
 * Time is counted in turns of the event loop, so that a process which was busy itself does not take its own pause for one of the store.
 */
export function within<T>(work: Promise<T>, waitMs = storeWaitMs): Promise<T> {
  return new Promise((resolve, reject) => {
    const patience: Patience = {
      // The first tick may be about to come.
      ticks: Math.ceil(waitMs / tickMs) + 1,
      end: () => {
        settle(patience);
        reject(new StorageError(`The database did not answer within ${waitMs} ms. Check its disk and its load, and who else holds it.`));
      },
    };
    wait(patience);
    work.then(
      (value) => {
        settle(patience);
        resolve(value);
      },
      (error: unknown) => {
        settle(patience);
        reject(error);
      },
    );
  });
}
