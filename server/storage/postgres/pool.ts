/** PostgreSQL for the stores: statements and transactions with deadlines, retries after conflicts, and errors that say what to do. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Row } from '../rows.ts';
import {
  type Access,
  type Asked,
  type Decide,
  openAsk,
  openConnections,
  type Queries,
  type Statement,
  stepOn,
  transact,
  type Value,
} from './connections.ts';
import { Breaker, deadlinesFor, isTransient, STANDARD_TIMEOUT_MS, timedOut } from './outage.ts';

export type { Access, Queries } from './connections.ts';

/** A rejection with a StorageError means that the store failed; after a failed commit it is unknown whether the transaction was committed. */
export interface Postgres extends Queries {
  /** How long a step of a call may take. */
  readonly timeoutMs: number;
  /** The error for every step while the server hangs and nothing is sent; null otherwise. */
  refusal(): Error | null;
  /** One statement of a call, within `timeoutMs`. */
  query(statement: Statement, values?: readonly Value[]): Promise<readonly Row[]>;
  /** One statement that may transfer much data and may be sent twice: when `timeoutMs` was too short, it is sent again with more time. */
  work(statement: Statement, values?: readonly Value[]): Promise<readonly Row[]>;
  /** A transaction of a call, within `timeoutMs`: reads, decides, and writes what was decided. It may run more than once. */
  step<T>(looks: readonly Asked[], decide: Decide<T>): Promise<T>;
  /** All or nothing, with `mostMs` for each statement; `read` is a consistent snapshot. `work` may run more than once. */
  transaction<T>(access: Access, work: (queries: Queries) => Promise<T>, mostMs?: number): Promise<T>;
  /** Waits for running statements. */
  close(): Promise<void>;
}

export interface PostgresOptions {
  readonly url: string;
  /** The most connections at once, without the one for probes. */
  readonly connections?: number;
  /** Whether all connections are opened together and stay open, for a long-lived process: a slow server is slow to open connections, too. */
  readonly isKeptFull?: boolean;
  /** How long a step of a call may take. */
  readonly timeoutMs?: number;
  /** Called when the server hangs, and when it answers again. */
  readonly changed?: (isHung: boolean) => void;
}

/** Ten statements at once of 10 ms each are 1,000 a second; batched steps are many times that. */
const STANDARD_CONNECTIONS = 10;
const MAX_TRIES = 4;
const MAX_PAUSE_MS = 15;

export function openPostgres(options: PostgresOptions): Postgres {
  const { url, connections: most = STANDARD_CONNECTIONS, isKeptFull = false, timeoutMs = STANDARD_TIMEOUT_MS, changed } = options;
  const deadlines = deadlinesFor(timeoutMs);
  const { callMs, workMs, lockMs } = deadlines;
  const answered = (): void => breaker.noteAnswer();
  const connections = openConnections({ url, most, least: isKeptFull ? most : 0, deadlines, answered });
  const breaker = new Breaker({ timeoutMs, probe: () => connections.probe(), changed });
  const ask = openAsk(answered);
  const postgres: Postgres = {
    timeoutMs,
    refusal: () => (breaker.isOpen ? breaker.refuse() : null),
    query: (statement, values = []) =>
      breaker.watch(() => retried(callMs, (mostMs) => connections.use(mostMs, (client) => ask(client, statement, values)))),
    step: (looks, decide) =>
      breaker.watch(() =>
        retried(callMs, (mostMs) => connections.use(mostMs, (client) => stepOn(client, { ask, idleMs: lockMs }, looks, decide))),
      ),
    transaction: (access, work, mostMs = workMs) =>
      retried(mostMs, () => transact({ connections, breaker, ask, access, callMs, mostMs }, work)),
    async work(statement, values = []) {
      try {
        return await postgres.query(statement, values);
      } catch (error) {
        // Rejected when the server hangs.
        if (timedOut(error)) return postgres.transaction('write', (queries) => queries.query(statement, values));
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

/** Retries after conflicts, each time after a random pause, while there is time. */
async function retried<T>(mostMs: number, work: (leftMs: number) => Promise<T>): Promise<T> {
  const endAt = performance.now() + mostMs;
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
