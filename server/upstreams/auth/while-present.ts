/** Waits for something as long as the caller is there. */
import type { EventEmitter } from 'node:events';
import { type CallCode, GatewayError } from '../../errors.ts';

/** Rejects with `overloaded` when `gone` emits `abort` first; what was waited for goes on for others. */
export function whilePresent<T>(work: Promise<T>, gone: EventEmitter): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const leave = (): void =>
    reject(new GatewayError<CallCode>('overloaded', { cause: new Error('the caller disconnected before the request was sent') }));
  gone.once('abort', leave);
  work.then(resolve, reject);
  return promise.finally(() => gone.off('abort', leave));
}
