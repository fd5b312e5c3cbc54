/** How many requests an upstream has at once: whoever is over the bound is told so at once, and waits in no queue that nobody sees. */
import type { EventEmitter } from 'node:events';
import { type CallName, type ErrorOf, GatewayError } from '../errors.ts';
import { FairQueue } from './fair-queue.ts';

export interface AdmissionBounds {
  /** Most requests at once. */
  readonly connections: number;
  /** How much of the room one account may have while nobody else wants any, in percent. */
  readonly accountShare: number;
  /** Most requests that may wait for one of those to end. */
  readonly queue: number;
  /** How long one waits at most. */
  readonly waitMs: number;
}

interface Waiting {
  readonly admit: () => void;
}

export class Admission {
  readonly #bounds: AdmissionBounds;
  readonly #waiting = new FairQueue<Waiting>();
  /** By account, of those that run. */
  readonly #running = new Map<string, number>();
  #all = 0;

  constructor(bounds: AdmissionBounds) {
    this.#bounds = bounds;
  }

  /** Undefined where there is room now. Throws or rejects with `overloaded` where there is none; who was let in has to leave. */
  enter(gone: EventEmitter, account = ''): Promise<void> | undefined {
    if (this.#hasRoom(account)) {
      this.#begin(account);
      return undefined;
    }
    const { size } = this.#waiting;
    if (!this.#isFair(this.#waiting.sizeOf(account), this.#bounds.queue - size)) throw this.#full();
    return this.#wait(gone, account);
  }

  /** The accounts that wait have what is free by turns. */
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

  /** Each account may have so many times as much as is free: some always is, be there one account or many, and the more there are the less each has. */
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
    const who = isFull
      ? 'The upstream of this model has all the requests'
      : 'This account has all the requests at the upstream of this model';
    return new GatewayError('overloaded', {
      message: `${who} that it may have at once. Try again shortly.`,
      headers: { 'retry-after': '1' },
    });
  }
}
