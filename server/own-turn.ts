/** Gives every large request a turn of the event loop of its own: several that come at once would hold up everybody else for the sum of their times. */

let last: Promise<void> = Promise.resolve();

/** Resolves in a turn in which it has resolved for nobody else; in the order of the calls. */
export function ownTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}
