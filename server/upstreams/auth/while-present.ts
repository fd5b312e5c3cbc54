/** Waits for a promise until the caller disconnects. */
import type { EventEmitter } from 'node:events';
import { type CallCode, GatewayError } from '../../errors.ts';

/** Rejects with `overloaded` when `gone` emits `abort` first. The work itself continues for other callers. */
export function whilePresent<T>(work: Promise<T>, gone: EventEmitter): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const leave = (): void =>
    reject(new GatewayError<CallCode>('overloaded', { cause: new Error('the caller disconnected before the request was sent') }));
  gone.once('abort', leave);
  work.then(resolve, reject);
  return promise.finally(() => gone.off('abort', leave));
}
