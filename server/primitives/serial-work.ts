/** Runs long work one piece after the other: several large requests at once would block all others for the sum of their times, and hold all their copies in memory. */

let last: Promise<void> = Promise.resolve();

/** Resolves at most once per turn of the event loop, in the order of the calls. */
export function ownTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}

let lastWork: Promise<unknown> = Promise.resolve();

/** Runs a piece of work when every piece before it has succeeded or failed, in a turn of the event loop of its own: work that waits for nothing would hold up everybody for the sum of the pieces. */
export function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const done = lastWork.then(ownTurn).then(work);
  lastWork = done.catch(() => undefined);
  return done;
}
