/** PostgreSQL as the stores use it: statements and transactions with a deadline, tried again where two of them met, and failures that say what to do. */
import { setTimeout as wait } from 'node:timers/promises';
import { Breaker } from './circuit-breaker.ts';
import { openConnections } from './connections.ts';
import { deadlinesFor, STANDARD_TIMEOUT_MS } from './deadline.ts';
import { isPassing, lackedTime } from './failures.ts';
import { openAsk, type Statement } from './prepared.ts';
import type { Row, Value } from './rows.ts';
import { type Access, type Queries, transact } from './transaction.ts';

export type { Access, Queries } from './transaction.ts';

/** A rejection with a StorageError means that the store failed; where that was at a commit, nobody knows whether it took place. */
export interface Postgres extends Queries {
  /** How long a step on the way of a call may take. */
  readonly timeoutMs: number;
  /** While the server hangs: what everybody is told at once, and nothing is sent. Else null. */
  refusal(): Error | null;
  /** One statement on the way of a call: it may not take long. */
  query(statement: Statement, values?: readonly Value[]): Promise<readonly Row[]>;
  /** One statement that may carry much and may be sent twice: where the time of a call was too short, again with more. */
  work(statement: Statement, values?: readonly Value[]): Promise<readonly Row[]>;
  /** All of it or nothing, each statement with `mostMs` to work; `read` sees one moment. May run more than once. */
  transaction<T>(access: Access, work: (queries: Queries) => Promise<T>, mostMs?: number): Promise<T>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

export interface PostgresOptions {
  readonly url: string;
  /** The most at once; one more comes now and then, to see whether the server still speaks. */
  readonly connections?: number;
  /** Whether all are opened at once and stay open, for a process that lives long: a server that is slow takes its time over new ones, too. */
  readonly isKeptFull?: boolean;
  /** How long a step on the way of a call may take. */
  readonly timeoutMs?: number;
  /** Told when the server is found to hang, and when it answers again. */
  readonly changed?: (isHung: boolean) => void;
}

/** A statement in a hundredth of a second, ten at once: a thousand a second, many times that where steps are gathered. */
const STANDARD_CONNECTIONS = 10;
const MOST_TRIES = 4;
const LONGEST_PAUSE_MS = 15;

export function openPostgres(options: PostgresOptions): Postgres {
  const { url, connections: most = STANDARD_CONNECTIONS, isKeptFull = false, timeoutMs = STANDARD_TIMEOUT_MS, changed } = options;
  const deadlines = deadlinesFor(timeoutMs);
  const { callMs, workMs } = deadlines;
  const heard = (): void => breaker.heard();
  const connections = openConnections({ url, most, least: isKeptFull ? most : 0, deadlines, heard });
  const breaker = new Breaker({ timeoutMs, probe: () => connections.probe(), changed });
  const ask = openAsk(heard);
  const postgres: Postgres = {
    timeoutMs,
    refusal: () => (breaker.isOpen ? breaker.refuse() : null),
    query: (statement, values = []) =>
      breaker.watch(() => retried(callMs, (mostMs) => connections.use(mostMs, (client) => ask(client, statement, values)))),
    transaction: (access, work, mostMs = workMs) =>
      retried(mostMs, () => transact({ connections, breaker, ask, access, callMs, mostMs }, work)),
    async work(statement, values = []) {
      try {
        return await postgres.query(statement, values);
      } catch (error) {
        // Where the server hangs, this is refused.
        if (lackedTime(error)) return postgres.transaction('write', (queries) => queries.query(statement, values));
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

/** Again where two steps met, each after a pause of its own length, as long as there is time. */
async function retried<T>(mostMs: number, work: (leftMs: number) => Promise<T>): Promise<T> {
  const endAt = performance.now() + mostMs;
  for (let tries = 1; ; tries++) {
    try {
      return await work(endAt - performance.now());
    } catch (error) {
      const pauseMs = tries * Math.random() * LONGEST_PAUSE_MS;
      if (!isPassing(error) || tries === MOST_TRIES || performance.now() + pauseMs >= endAt) throw error;
      await wait(pauseMs);
    }
  }
}
