/** Runs pieces of long work one at a time. */
import { waitForTurn } from './wait-for-turn.ts';

let lastWork: Promise<unknown> = Promise.resolve();
/**
 * Runs the work in a separate turn of the event loop, once all earlier work has succeeded or failed. Without these pauses, several long
 * pieces would block the event loop for their total time.
 */
export function runExclusive<T>(work: () => Promise<T>): Promise<T> {
  const result = lastWork.then(waitForTurn).then(work);
  lastWork = result.catch(() => undefined);
  return result;
}
