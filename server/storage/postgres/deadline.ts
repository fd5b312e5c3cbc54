/** How long to wait for PostgreSQL: calls wait for a slow server for at most `database.timeoutMs` (docs/decisions/0025, F52). */
import { openSharedTimeout } from '../../primitives/shared-timeout.ts';
import { StorageError } from '../errors.ts';

/** The default, the same as in the configuration. */
export const STANDARD_TIMEOUT_MS = 2_000;

export interface Deadlines {
  /** One whole step of a call, with its wait for a connection and its retries. */
  readonly callMs: number;
  /** Silence after which a new connection is closed. Longer than a step of a call: a connection that is late for one step serves later ones. */
  readonly connectMs: number;
  /** PostgreSQL's own timeout for a statement of a call: shorter than `callMs`, so that the outcome is known and the connection stays usable. */
  readonly statementMs: number;
  /** The wait for a lock. It must fit twice, because a step that met a lock is retried. */
  readonly lockMs: number;
  /** Each statement of a step that no call waits for, or that transfers much data. */
  readonly workMs: number;
}

const SHARE_OF_LOCK = 0.45;
const CONNECT_SLACK_MS = 1_000;
const LEAST_WORK_MS = 20_000;

export function deadlinesFor(timeoutMs: number): Deadlines {
  const lockMs = Math.floor(timeoutMs * SHARE_OF_LOCK);
  return {
    callMs: timeoutMs,
    connectMs: timeoutMs + CONNECT_SLACK_MS,
    statementMs: 2 * lockMs,
    lockMs,
    workMs: Math.max(LEAST_WORK_MS, timeoutMs),
  };
}

/** It is unknown whether the server has run the statement. */
export class LateError extends StorageError {
  constructor(ms: number) {
    super(`PostgreSQL did not answer within ${Math.round(ms)} ms. Check the server and its locks.`);
  }
}

/** Nothing was sent, because the server hangs. */
export class HungError extends StorageError {
  constructor(ms: number) {
    super(`PostgreSQL hangs: it answered nothing for ${ms} ms, and nothing is sent until it does. Check the server and the way there.`);
  }
}

export const TICK_MS = 50;
/** `setImmediate`: after the process was suspended, answers that have arrived are read before timeouts are decided. */
export const withTimeout = openSharedTimeout(TICK_MS, setImmediate);

/** Rejects when the work takes longer than `ms`; the work continues. `allMs`: the time that the error names, when some of it was spent before. */
export const inTime = <T>(work: Promise<T>, ms: number, allMs = ms): Promise<T> => withTimeout(work, ms, () => new LateError(allMs));
