/** A transaction on PostgreSQL. It begins within the time of a call, so that a server that hangs is noticed; then each statement has its own time. */
import type { PoolClient } from 'pg';
import type { Breaker } from './circuit-breaker.ts';
import type { Connections } from './connections.ts';
import { inTime } from './deadline.ts';
import { breaksConnection } from './failures.ts';
import type { PreparedQuery, Statement } from './prepared.ts';
import type { Row, Value } from './rows.ts';

export interface Queries {
  query(statement: Statement, values?: readonly Value[]): Promise<readonly Row[]>;
}

export type Access = 'write' | 'read';

export interface Terms {
  readonly connections: Connections;
  readonly breaker: Breaker;
  readonly ask: PreparedQuery;
  readonly access: Access;
  /** For the connection and `BEGIN` together, and for `ROLLBACK`. */
  readonly callMs: number;
  /** For each other statement. */
  readonly mostMs: number;
}

const begin: Readonly<Record<Access, string>> = {
  write: 'BEGIN ISOLATION LEVEL READ COMMITTED',
  read: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
};

export async function transact<T>(terms: Terms, work: (queries: Queries) => Promise<T>): Promise<T> {
  const { connections, breaker } = terms;
  const client = await breaker.watch(() => begun(terms));
  try {
    const result = await ended(client, terms, work);
    connections.release(client);
    return result;
  } catch (error) {
    connections.release(client, error);
    throw error;
  }
}

async function begun({ connections, ask, access, callMs, mostMs }: Terms): Promise<PoolClient> {
  const endAt = performance.now() + callMs;
  const client = await connections.take(callMs);
  const text = `${begin[access]}; SET LOCAL statement_timeout = ${mostMs}; SET LOCAL lock_timeout = ${mostMs}`;
  try {
    await inTime(ask(client, { text }, []), endAt - performance.now(), callMs);
    return client;
  } catch (error) {
    connections.release(client, error);
    throw error;
  }
}

async function ended<T>(client: PoolClient, { ask, callMs, mostMs }: Terms, work: (queries: Queries) => Promise<T>): Promise<T> {
  const say = (text: string, ms: number) => inTime(ask(client, { text }, []), ms);
  try {
    const result = await work({ query: (statement, values = []) => inTime(ask(client, statement, values), mostMs) });
    await say('COMMIT', mostMs);
    return result;
  } catch (error) {
    if (!breaksConnection(error)) await say('ROLLBACK', callMs);
    throw error;
  }
}
