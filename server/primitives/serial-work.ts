/** What takes long is done one after the other: several large requests at once would hold up everybody else for the sum of their times, and keep the sum of their copies. */

let last: Promise<void> = Promise.resolve();

/** Resolves in a turn in which it has resolved for nobody else; in the order of the calls. */
export function ownTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}

let lastWork: Promise<unknown> = Promise.resolve();

/** Does a piece of work when every piece before it has ended, well or badly. */
export function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const done = lastWork.then(work);
  lastWork = done.catch(() => undefined);
  return done;
}
