/** Lends the connections of a pool: whoever waits gets the first one that is free, and a server that is slow costs none of those that there are. */
import type { Pool, PoolClient } from 'pg';
import { inTime, LateError, patience } from './deadline.ts';
import { isSpoiled } from './failures.ts';

export interface LendingOptions {
  readonly pool: Pool;
  /** So many connections are opened with the first one, and kept. */
  readonly least: number;
  /** How long a late answer is waited for, before its connection is closed. */
  readonly graceMs: number;
  /** Told why there is no new connection. */
  readonly failed: (error: unknown) => void;
}

interface Waiter {
  readonly resolve: (client: PoolClient) => void;
  readonly reject: (error: unknown) => void;
}

export class Lending {
  readonly #options: LendingOptions;
  #waiting: Waiter[] = [];
  /** How many were asked of the pool. */
  #coming = 0;
  /** Those on which an answer is late. */
  readonly #late = new Set<PoolClient>();
  #isEnding = false;

  constructor(options: LendingOptions) {
    this.#options = options;
  }

  /** To be given back. */
  take(mostMs: number): Promise<PoolClient> {
    const { promise, resolve, reject } = Promise.withResolvers<PoolClient>();
    const waiter = { resolve, reject };
    this.#waiting.push(waiter);
    if (this.#coming < this.#waiting.length || this.#options.pool.idleCount > 0) this.#fetch();
    return patience(promise, mostMs, () => {
      this.#waiting = this.#waiting.filter((other) => other !== waiter);
      return new LateError(mostMs);
    });
  }

  /** `error`: what the work on it failed with. */
  giveBack(client: PoolClient, error?: unknown): void {
    if (isSpoiled(error)) {
      client.release(true);
      this.#keepLeast();
    } else this.#pass(client);
  }

  /** Work that goes on after its time: with its answer the connection is as good as before. */
  async giveBackLate(client: PoolClient, work: Promise<unknown>): Promise<void> {
    if (this.#isEnding) return client.release(true);
    this.#late.add(client);
    const error = await inTime(work, this.#options.graceMs).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (this.#late.delete(client)) this.giveBack(client, error);
  }

  /** Late answers are waited for no longer. */
  end(): void {
    this.#isEnding = true;
    for (const client of this.#late) client.release(true);
    this.#late.clear();
  }

  #pass(client: PoolClient): void {
    const first = this.#waiting.shift();
    if (first) first.resolve(client);
    else client.release();
  }

  /** One that lies idle, or else a new one; where neither can be, the pool keeps it in mind. What nobody waits for any more is there for the next ones. */
  #fetch(): void {
    this.#coming++;
    this.#options.pool.connect().then(
      (client) => {
        this.#coming--;
        this.#keepLeast();
        this.#pass(client);
      },
      (error: unknown) => {
        this.#coming--;
        this.#options.failed(error);
        if (this.#coming < this.#waiting.length) this.#waiting.shift()?.reject(error);
      },
    );
  }

  /** The pool makes a new one only where none lies idle. */
  #keepLeast(): void {
    const { pool, least } = this.#options;
    if (pool.ending || pool.idleCount > 0) return;
    for (let missing = least - pool.totalCount; missing > 0; missing--) this.#fetch();
  }
}
