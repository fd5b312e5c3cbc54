/** Spreads work over turns of the event loop: one piece per turn, in the order of the calls. */

let lastTurn: Promise<void> = Promise.resolve();
/** Resolves at most once per turn of the event loop, in the order of the calls. */
export function waitForTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastTurn;
}
