/** Checks connections out of a pool: the first waiter gets the first free connection, and a slow server costs no existing connection. */
import type { Pool, PoolClient } from 'pg';
import { inTime, LateError, withTimeout } from './deadline.ts';
import { breaksConnection } from './failures.ts';

export interface CheckoutOptions {
  readonly pool: Pool;
  /** This many connections are opened together with the first one, and kept open. */
  readonly least: number;
  /** How long to wait for a late answer before its connection is closed. */
  readonly graceMs: number;
  /** Called with the error when a new connection fails. */
  readonly failed: (error: unknown) => void;
}

interface Waiter {
  readonly resolve: (client: PoolClient) => void;
  readonly reject: (error: unknown) => void;
}

export class ConnectionCheckout {
  readonly #options: CheckoutOptions;
  #waiting: Waiter[] = [];
  /** Connections that the pool was asked for and has not returned yet. */
  #coming = 0;
  /** Connections with a late answer. */
  readonly #late = new Set<PoolClient>();
  #isEnding = false;

  constructor(options: CheckoutOptions) {
    this.#options = options;
  }

  /** The caller must return the connection with `giveBack` or `giveBackLate`. */
  take(mostMs: number): Promise<PoolClient> {
    const { promise, resolve, reject } = Promise.withResolvers<PoolClient>();
    const waiter = { resolve, reject };
    this.#waiting.push(waiter);
    if (this.#coming < this.#waiting.length || this.#options.pool.idleCount > 0) this.#fetch();
    return withTimeout(promise, mostMs, () => {
      this.#waiting = this.#waiting.filter((other) => other !== waiter);
      return new LateError(mostMs);
    });
  }

  /** `error`: the failure of the work on the connection. */
  release(client: PoolClient, error?: unknown): void {
    if (breaksConnection(error)) {
      client.release(true);
      this.#keepLeast();
    } else this.#pass(client);
  }

  /** For work that continues after its timeout: once it is answered, the connection can be used again. */
  async releaseLate(client: PoolClient, work: Promise<unknown>): Promise<void> {
    if (this.#isEnding) return client.release(true);
    this.#late.add(client);
    const error = await inTime(work, this.#options.graceMs).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (this.#late.delete(client)) this.release(client, error);
  }

  /** Stops waiting for late answers. */
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

  /** Asks the pool for an idle or a new connection; the pool queues the request when it has neither. A connection that has no waiter any more stays for later ones. */
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

  /** The pool opens a new connection only when none is idle. */
  #keepLeast(): void {
    const { pool, least } = this.#options;
    if (pool.ending || pool.idleCount > 0) return;
    for (let missing = least - pool.totalCount; missing > 0; missing--) this.#fetch();
  }
}
