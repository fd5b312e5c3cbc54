/** Steps that seldom have to wait. A promise for each of them would be a tenth of the cost of a small call. */

/** A value, or the promise of one. */
export type Awaitable<T> = T | Promise<T>;

/** Calls `next` with the value: at once when it is there, otherwise when the promise resolves. */
export const after = <T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> =>
  value instanceof Promise ? value.then(next) : next(value);
