/** The concurrency limit of an upstream, with a bounded queue; a request that finds the queue full is rejected immediately. */
import type { EventEmitter } from 'node:events';
import { type CallName, type ErrorOf, GatewayError, tryAgainIn } from '../errors.ts';

interface ConcurrencyBounds {
  /** Most requests that run at the same time. */
  readonly connections: number;
  /** The most that one account may hold while no other account has requests, in percent of `connections` (also of `queue`). */
  readonly accountShare: number;
  /** Most requests that may wait for a slot. */
  readonly queue: number;
  /** Longest wait for a slot, in milliseconds. */
  readonly waitMs: number;
}

interface Waiting {
  readonly admit: () => void;
}

export class ConcurrencyLimit {
  readonly #bounds: ConcurrencyBounds;
  readonly #waiting = new FairQueue<Waiting>();
  /** Running requests, by account. */
  readonly #running = new Map<string, number>();
  #all = 0;

  constructor(bounds: ConcurrencyBounds) {
    this.#bounds = bounds;
  }

  get running(): number {
    return this.#all;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Undefined if a slot is free now. Throws or rejects with `overloaded` if none becomes free in time. After admission, call `leave`. */
  enter(gone: EventEmitter, account = ''): Promise<void> | undefined {
    if (this.#hasRoom(account)) {
      this.#begin(account);
      return undefined;
    }
    const { size } = this.#waiting;
    if (!this.#isFair(this.#waiting.sizeOf(account), this.#bounds.queue - size)) throw this.#full();
    return this.#wait(gone, account);
  }

  /** Frees a slot; waiting accounts get free slots in turn. */
  leave(account = ''): void {
    const own = this.#running.get(account) ?? 0;
    if (own > 1) this.#running.set(account, own - 1);
    else this.#running.delete(account);
    this.#all -= 1;
    const next = this.#waiting.first((waiting) => this.#hasRoom(waiting));
    if (!next) return;
    this.#waiting.take(next);
    this.#begin(next.account);
    next.one.admit();
  }

  #begin(account: string): void {
    this.#running.set(account, (this.#running.get(account) ?? 0) + 1);
    this.#all += 1;
  }

  #hasRoom(account: string): boolean {
    return this.#isFair(this.#running.get(account) ?? 0, this.#bounds.connections - this.#all);
  }

  /** An account may hold a fixed multiple of what is free. So some slots always stay free, and each account's share shrinks as more accounts run. */
  #isFair(own: number, free: number): boolean {
    const { accountShare } = this.#bounds;
    return free > 0 && own * (100 - accountShare) < accountShare * free;
  }

  #wait(gone: EventEmitter, account: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (): void => {
      stop();
      this.#waiting.remove({ account, one: waiting });
      reject(this.#full());
    };
    const timer = setTimeout(giveUp, this.#bounds.waitMs);
    const stop = (): void => {
      clearTimeout(timer);
      gone.off('abort', giveUp);
    };
    const waiting: Waiting = {
      admit: () => {
        stop();
        resolve();
      },
    };
    gone.once('abort', giveUp);
    this.#waiting.add({ account, one: waiting });
    return promise;
  }

  #full(): ErrorOf<CallName, 503> {
    const isFull = this.#all >= this.#bounds.connections;
    const what = isFull
      ? "Concurrency limit reached for this model's upstream."
      : "This account's share of this model's upstream is in use.";
    return new GatewayError('overloaded', {
      message: `${what} ${tryAgainIn(1)}`,
      headers: { 'retry-after': '1' },
    });
  }
}

interface QueueEntry<T> {
  readonly account: string;
  readonly one: T;
}

export class FairQueue<T> {
  /** Accounts whose last turn was longest ago come first. */
  readonly #byAccount = new Map<string, Set<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(account: string): number {
    return this.#byAccount.get(account)?.size ?? 0;
  }

  add({ account, one }: QueueEntry<T>): void {
    const own = this.#byAccount.get(account) ?? new Set();
    this.#byAccount.set(account, own.add(one));
    this.#size += 1;
  }

  /** Removes an entry that no longer waits. */
  remove({ account, one }: QueueEntry<T>): void {
    const own = this.#byAccount.get(account);
    if (!own?.delete(one)) return;
    this.#size -= 1;
    if (own.size === 0) this.#byAccount.delete(account);
  }

  /** The first entry of the first account that `fits`. */
  first(fits: (account: string) => boolean = () => true): QueueEntry<T> | null {
    for (const [account, own] of this.#byAccount) {
      const [one] = own;
      if (one !== undefined && fits(account)) return { account, one };
    }
    return null;
  }

  /** Removes the entry and moves its account after all others. */
  take(inLine: QueueEntry<T>): void {
    this.remove(inLine);
    const own = this.#byAccount.get(inLine.account);
    if (!own) return;
    this.#byAccount.delete(inLine.account);
    this.#byAccount.set(inLine.account, own);
  }
}
