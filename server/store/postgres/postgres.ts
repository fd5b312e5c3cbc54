/** Opens PostgreSQL for the stores: statements and transactions with deadlines, retries after conflicts, and errors that say what to do. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Row } from '../rows.ts';
import { Breaker } from './breaker.ts';
import {
  type AccessMode,
  type BoundStatement,
  type DecideStep,
  openConnections,
  openPreparedQuery,
  type Queries,
  runStep,
  type Statement,
  transact,
  type Value,
} from './connections.ts';
import { createDeadlines, DEFAULT_TIMEOUT_MS } from './deadlines.ts';
import { isTimeout, isTransient } from './errors.ts';

export type { AccessMode as Access, Queries } from './connections.ts';

/**
 * A rejection with a StorageError means that the store failed. After a failed commit, it's unknown whether the transaction was committed.
 */
export interface Postgres extends Queries {
  /** The timeout of a step of a request. */
  readonly timeoutMs: number;
  /** Returns the error for every step while the server hangs. Null otherwise. */
  getRefusal(): Error | null;
  /** Runs one statement of a request, within `timeoutMs`. */
  query(statement: Statement, values?: readonly Value[]): Promise<readonly Row[]>;
  /**
   * Runs one statement that may transfer much data. It must be safe to send twice: if `timeoutMs` was too short, it's sent again with
   * more time.
   */
  work(statement: Statement, values?: readonly Value[]): Promise<readonly Row[]>;
  /** Runs a transaction of a request within `timeoutMs`: reads, decides, and writes the decision. It may run more than once. */
  step<T>(reads: readonly BoundStatement[], decide: DecideStep<T>): Promise<T>;
  /** Runs a transaction with `mostMs` for each statement. `read` is a consistent snapshot. `work` may run more than once. */
  transaction<T>(access: AccessMode, work: (queries: Queries) => Promise<T>, maxMs?: number): Promise<T>;
  /** Waits for running statements. */
  close(): Promise<void>;
}

export interface PostgresOptions {
  readonly url: string;
  /** The maximum number of concurrent connections, not counting the probe connection. */
  readonly connections?: number;
  /**
   * Whether all connections are opened together and stay open, for a long-lived process. A slow server is also slow to open connections.
   */
  readonly isKeptFull?: boolean;
  /** The timeout of a step of a request. */
  readonly timeoutMs?: number;
  /** Called when the server hangs, and when it responds again. */
  readonly changed?: (isHung: boolean) => void;
}

/** Ten concurrent statements of 10 ms each are 1,000 per second. With batches, that's many times more steps. */
const DEFAULT_CONNECTIONS = 10;
const MAX_TRIES = 4;
const MAX_PAUSE_MS = 15;

export function openPostgres(options: PostgresOptions): Postgres {
  const {
    url,
    connections: maxConnections = DEFAULT_CONNECTIONS,
    isKeptFull = false,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    changed: onHangChange,
  } = options;
  const deadlines = createDeadlines(timeoutMs);
  const { callMs, workMs, lockMs } = deadlines;
  const recordResponse = (): void => breaker.noteAnswer();
  const connections = openConnections({
    url,
    most: maxConnections,
    least: isKeptFull ? maxConnections : 0,
    deadlines,
    answered: recordResponse,
  });
  const breaker = new Breaker({ timeoutMs, probe: () => connections.probe(), changed: onHangChange });
  const runQuery = openPreparedQuery(recordResponse);
  const postgres: Postgres = {
    timeoutMs,
    getRefusal: () => (breaker.isOpen ? breaker.createHungError() : null),
    query: (statement, values = []) =>
      breaker.watch(() => retry(callMs, (mostMs) => connections.use(mostMs, (client) => runQuery(client, statement, values)))),
    step: (looks, decide) =>
      breaker.watch(() => retry(callMs, (mostMs) => connections.use(mostMs, (client) => runStep(client, runQuery, lockMs, looks, decide)))),
    transaction: (access, work, mostMs = workMs) =>
      retry(mostMs, () => transact({ connections, breaker, ask: runQuery, access, callMs, mostMs }, work)),
    async work(statement, values = []) {
      try {
        return await postgres.query(statement, values);
      } catch (error) {
        // The breaker rejects the transaction if the server hangs.
        if (isTimeout(error)) return postgres.transaction('write', (queries) => queries.query(statement, values));
        throw error;
      }
    },
    async close() {
      breaker.end();
      await connections.close();
    },
  };
  return postgres;
}

/** Opens PostgreSQL for one task of a command. */
export async function withPostgres<T>(options: PostgresOptions, work: (postgres: Postgres) => Promise<T>): Promise<T> {
  const postgres = openPostgres(options);
  try {
    return await work(postgres);
  } finally {
    await postgres.close();
  }
}

/** Retries after conflicts, each time after a random pause, while time remains. */
async function retry<T>(maxMs: number, work: (remainingMs: number) => Promise<T>): Promise<T> {
  const endAt = performance.now() + maxMs;
  for (let tries = 1; ; tries++) {
    try {
      return await work(endAt - performance.now());
    } catch (error) {
      const pauseMs = tries * Math.random() * MAX_PAUSE_MS;
      if (!isTransient(error) || tries === MAX_TRIES || performance.now() + pauseMs >= endAt) throw error;
      await wait(pauseMs);
    }
  }
}
