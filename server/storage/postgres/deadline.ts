/** How long anyone waits for PostgreSQL: a server that is slow is waited for, as `database.timeoutMs` says (docs/decisions/0025, F52). */
import { openSharedTimeout } from '../../primitives/shared-timeout.ts';
import { StorageError } from '../errors.ts';

/** Where nobody says otherwise; the configuration has the same. */
export const STANDARD_TIMEOUT_MS = 2_000;

export interface Deadlines {
  /** All of one step on the way of a call, with its wait for a connection and its repetitions. */
  readonly callMs: number;
  /** Silence after which a new connection is given up. It may take longer than the step that asked for it: it is there for the next ones. */
  readonly connectMs: number;
  /** What PostgreSQL itself gives up after, on a call's way: sooner than we do, so that its answer is known and the connection stays. */
  readonly statementMs: number;
  /** Twice, since a step that found a lock is tried again. */
  readonly lockMs: number;
  /** Steps that nobody waits for, or that carry much: each statement of them. */
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

/** Nobody knows what the server made of it. */
export class LateError extends StorageError {
  constructor(ms: number) {
    super(`PostgreSQL did not answer within ${Math.round(ms)} ms. Check the server and its locks.`);
  }
}

/** Nothing was sent: nobody waits for a server that hangs. */
export class HungError extends StorageError {
  constructor(ms: number) {
    super(`PostgreSQL hangs: it answered nothing for ${ms} ms, and nothing is sent until it does. Check the server and the way there.`);
  }
}

export const TICK_MS = 50;
/** A process that was suspended finds answers that came long ago, and they count. */
export const patience = openSharedTimeout(TICK_MS, setImmediate);

/** Rejects where the work takes longer, and lets it run. `allMs`: where time was spent before, what the failure says. */
export const inTime = <T>(work: Promise<T>, ms: number, allMs = ms): Promise<T> => patience(work, ms, () => new LateError(allMs));
