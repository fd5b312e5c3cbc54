/** Sets how long connecting, waiting for a lock, and running a statement can take, and creates the errors after these times. */

import { openSharedTimeout } from '../../primitives/shared-timeout.ts';
import { StorageError } from '../errors.ts';

/** The default, as in the configuration. */
export const DEFAULT_TIMEOUT_MS = 2_000;

export interface Deadlines {
  /** The timeout of a step of a request, including the wait for a connection and retries. */
  readonly callMs: number;
  /**
   * The longest silence of a new connection before it's closed. Longer than a step, because a connection that is too late for one step
   * can serve later ones.
   */
  readonly connectMs: number;
  /**
   * PostgreSQL's own timeout for a statement of a request. Shorter than `callMs`, so that the outcome is known and the connection stays
   * usable.
   */
  readonly statementMs: number;
  /** The wait for a lock. It must fit twice into the timeout, because a step that met a lock is retried. */
  readonly lockMs: number;
  /** The timeout of each statement that no request waits for, or that transfers much data. */
  readonly workMs: number;
}

const LOCK_SHARE = 0.45;
const CONNECT_SLACK_MS = 1_000;
const MIN_WORK_MS = 20_000;

export function createDeadlines(timeoutMs: number): Deadlines {
  const lockMs = Math.floor(timeoutMs * LOCK_SHARE);
  return {
    callMs: timeoutMs,
    connectMs: timeoutMs + CONNECT_SLACK_MS,
    statementMs: 2 * lockMs,
    lockMs,
    workMs: Math.max(MIN_WORK_MS, timeoutMs),
  };
}

/** The response is late, so it's unknown whether the server has run the statement. */
export class PostgresTimeoutError extends StorageError {
  constructor(ms: number) {
    super(`PostgreSQL didn't respond within ${Math.round(ms)} ms. Check the server and its locks.`);
  }
}

/** Nothing was sent, because the server hangs. */
export class PostgresHungError extends StorageError {
  constructor(ms: number) {
    super(`PostgreSQL hangs: it hasn't responded for ${ms} ms, and nothing is sent until it does. Check the server and the network to it.`);
  }
}

export const TICK_MS = 50;
/** `setImmediate`: after the process was suspended, responses that have arrived are read before timeouts are decided. */
export const withTimeout = openSharedTimeout(TICK_MS, setImmediate);

/**
 * Rejects if the work takes longer than `ms`. The work itself continues. `allMs`: the time in the error message, if some of it was spent
 * earlier.
 */
export const withDeadline = <T>(work: Promise<T>, ms: number, totalMs = ms): Promise<T> =>
  withTimeout(work, ms, () => new PostgresTimeoutError(totalMs));
