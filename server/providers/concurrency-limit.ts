/** The concurrency limit of an upstream, with a bounded queue; a request that finds the queue full is rejected immediately. */

import type { EventEmitter } from 'node:events';
import { type CallName, formatRetryHint, GatewayError, type OperationError } from '../primitives/errors.ts';
import { FairQueue } from './fair-queue.ts';

interface ConcurrencyBounds {
  /** Maximum concurrent requests. */
  readonly maxConcurrentRequests: number;
  /** Maximum share for one account while no other account has requests, in percent of `maxConcurrentRequests`. Also applies to the queue. */
  readonly accountShare: number;
  /** Maximum requests waiting for a slot. */
  readonly maxPendingRequests: number;
  /** Maximum wait for a slot, in milliseconds. */
  readonly waitMs: number;
}

interface Waiter {
  readonly admit: () => void;
}

export class ConcurrencyLimit {
  readonly #bounds: ConcurrencyBounds;
  readonly #queue = new FairQueue<Waiter>();
  /** Running requests, by account. */
  readonly #runningByAccount = new Map<string, number>();
  #runningTotal = 0;

  constructor(bounds: ConcurrencyBounds) {
    this.#bounds = bounds;
  }

  get running(): number {
    return this.#runningTotal;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** Undefined if a slot is free now. Throws or rejects with `overloaded` if none frees up in time. Call `release` once the request is done. */
  acquire(cancelEvents: EventEmitter, account = ''): Promise<void> | undefined {
    if (this.#canStart(account)) {
      this.#start(account);
      return undefined;
    }
    const { size } = this.#queue;
    if (!this.#isWithinShare(this.#queue.getSize(account), this.#bounds.maxPendingRequests - size)) throw this.#createFullError();
    return this.#wait(cancelEvents, account);
  }

  /** Frees a slot. Waiting accounts get free slots in turn. */
  release(account = ''): void {
    const accountRunning = this.#runningByAccount.get(account) ?? 0;
    if (accountRunning > 1) this.#runningByAccount.set(account, accountRunning - 1);
    else this.#runningByAccount.delete(account);
    this.#runningTotal -= 1;
    const next = this.#queue.findFirst((waiting) => this.#canStart(waiting));
    if (!next) return;
    this.#queue.dequeue(next);
    this.#start(next.account);
    next.one.admit();
  }

  #start(account: string): void {
    this.#runningByAccount.set(account, (this.#runningByAccount.get(account) ?? 0) + 1);
    this.#runningTotal += 1;
  }

  #canStart(account: string): boolean {
    return this.#isWithinShare(this.#runningByAccount.get(account) ?? 0, this.#bounds.maxConcurrentRequests - this.#runningTotal);
  }

  /** An account can use a fixed multiple of the free slots. So some slots always stay free, and each account's share shrinks as more accounts run requests. */
  #isWithinShare(used: number, free: number): boolean {
    const { accountShare } = this.#bounds;
    return free > 0 && used * (100 - accountShare) < accountShare * free;
  }

  #wait(cancelEvents: EventEmitter, account: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const rejectWaiter = (): void => {
      stopWaiting();
      this.#queue.remove({ account, one: waiter });
      reject(this.#createFullError());
    };
    const timer = setTimeout(rejectWaiter, this.#bounds.waitMs);
    const stopWaiting = (): void => {
      clearTimeout(timer);
      cancelEvents.off('abort', rejectWaiter);
    };
    const waiter: Waiter = {
      admit: () => {
        stopWaiting();
        resolve();
      },
    };
    cancelEvents.once('abort', rejectWaiter);
    this.#queue.add({ account, one: waiter });
    return promise;
  }

  #createFullError(): OperationError<CallName, 503> {
    const isFull = this.#runningTotal >= this.#bounds.maxConcurrentRequests;
    const reason = isFull
      ? "Concurrency limit reached for this model's upstream."
      : "This account's share of this model's upstream is in use.";
    return new GatewayError('overloaded', {
      message: `${reason} ${formatRetryHint(1)}`,
      headers: { 'retry-after': '1' },
    });
  }
}
