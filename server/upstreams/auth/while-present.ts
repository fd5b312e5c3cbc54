/** Waits for something as long as the caller is there. */
import type { EventEmitter } from 'node:events';

/** Rejects when `gone` emits `abort` first; what was waited for goes on for others. */
export function whilePresent<T>(work: Promise<T>, gone: EventEmitter): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const leave = (): void => reject(new Error('the caller has left'));
  gone.once('abort', leave);
  work.then(resolve, reject);
  return promise.finally(() => gone.off('abort', leave));
}
