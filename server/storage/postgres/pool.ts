/** The connections to PostgreSQL: statements and transactions with a deadline, tried again where two of them met, and failures that say what to do. */
import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type ClientBase, Pool, type PoolClient, types } from 'pg';
import { StorageError } from '../errors.ts';
import { type Ask, openAsk, type Statement } from './ask.ts';
import { callMs, connectMs, inTime, LateError, lockMs, signOfLifeMs, statementMs, workMs } from './deadline.ts';
import { asFailure, isPassing, isSpoiled, lackedTime } from './failures.ts';
import type { Row, Value } from './rows.ts';

export interface Queries {
  query(statement: Statement, values?: readonly Value[]): Promise<readonly Row[]>;
}

export type Access = 'write' | 'read';

/** A rejection with a StorageError means that the store failed; where that was at a commit, nobody knows whether it took place. */
export interface Postgres extends Queries {
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
  /** The most at once. */
  readonly connections?: number;
}

/** A statement in a hundredth of a second, ten at once: a thousand a second, many times that where steps are gathered. */
const standardConnections = 10;
const mostTries = 4;
const longestPauseMs = 15;

export function openPostgres({ url, connections = standardConnections }: PostgresOptions): Postgres {
  refuseOther(url);
  const sockets = new Set<Socket>();
  const ask = openAsk();
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'modelgate',
    onConnect: setUp,
    types: { getTypeParser },
    stream: () => remembered(new Socket(), sockets),
  });
  // Whoever asks next finds out by itself, and gets another connection.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const transaction = <T>({ access, aliveMs, mostMs }: Patience, work: (queries: Queries) => Promise<T>): Promise<T> =>
    retried(mostMs, () => onClient(pool, aliveMs, (client, leftMs) => transact(client, { ask, access, leftMs, mostMs }, work)));
  const postgres: Postgres = {
    query: (statement, values = []) =>
      retried(callMs, (mostMs) => onClient(pool, mostMs, (client, leftMs) => inTime(ask(client, statement, values), leftMs))),
    transaction: (access, work, mostMs = workMs) => transaction({ access, aliveMs: callMs, mostMs }, work),
    async work(statement, values = []) {
      try {
        return await postgres.query(statement, values);
      } catch (error) {
        if (!lackedTime(error)) throw error;
        const aliveMs = error instanceof LateError ? signOfLifeMs : callMs;
        return transaction({ access: 'write', aliveMs, mostMs: workMs }, (queries) => queries.query(statement, values));
      }
    },
    async close() {
      await pool.end();
      // A server that hangs would not let the process end.
      for (const socket of sockets) socket.destroySoon();
    },
  };
  return postgres;
}

/** Every step looks after it has its locks. A database whose standard is another one would show it what was before. */
const isolation = "SET default_transaction_isolation = 'read committed'";
const limits = `SET statement_timeout = ${statementMs}; SET lock_timeout = ${lockMs}; SET idle_in_transaction_session_timeout = ${workMs}`;

/** Said on the connection and not while it is opened: there PgBouncer refuses what it does not know. */
async function setUp(client: ClientBase): Promise<void> {
  await inTime(client.query(`${isolation}; ${limits}; SET jit = off`), connectMs);
}

/** The driver's own words on a wrong address would hold the password. */
function refuseOther(url: string): void {
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return;
  throw new StorageError('DATABASE_URL is no address of a PostgreSQL database. Write postgres://user:password@host:5432/name.');
}

function remembered(socket: Socket, sockets: Set<Socket>): Socket {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  return socket;
}

const int8 = 20;
const readInt8 = (value: string): bigint => BigInt(value);
/** For these connections alone; elsewhere in the process the driver reads as ever. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === int8 ? readInt8 : types.getTypeParser(oid, format as 'text');

/** Again where two steps met, each after a pause of its own length, as long as there is time. */
async function retried<T>(mostMs: number, work: (leftMs: number) => Promise<T>): Promise<T> {
  const endAt = performance.now() + mostMs;
  for (let tries = 1; ; tries++) {
    try {
      return await work(endAt - performance.now());
    } catch (error) {
      const pauseMs = tries * Math.random() * longestPauseMs;
      if (!isPassing(error) || tries === mostTries || performance.now() + pauseMs >= endAt) throw error;
      await wait(pauseMs);
    }
  }
}

/** The wait for the connection is part of the time. */
async function onClient<T>(pool: Pool, mostMs: number, work: (client: PoolClient, leftMs: number) => Promise<T>): Promise<T> {
  const endAt = performance.now() + mostMs;
  const client = await connect(pool, mostMs);
  try {
    const result = await work(client, endAt - performance.now());
    client.release();
    return result;
  } catch (error) {
    client.release(isSpoiled(error));
    throw error;
  }
}

async function connect(pool: Pool, mostMs: number): Promise<PoolClient> {
  const connecting = pool.connect();
  let isLate = false;
  connecting.then(
    (client) => isLate && client.release(),
    () => undefined,
  );
  try {
    return await inTime(connecting, mostMs);
  } catch (error) {
    isLate = true;
    throw asFailure(error);
  }
}

const begin: Readonly<Record<Access, string>> = {
  write: 'BEGIN ISOLATION LEVEL READ COMMITTED',
  read: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
};

interface Patience {
  readonly access: Access;
  /** For a connection and its first answer together. */
  readonly aliveMs: number;
  /** For each statement after that. */
  readonly mostMs: number;
}

interface Terms {
  readonly ask: Ask;
  readonly access: Access;
  /** For the first answer: it shows that the server lives. */
  readonly leftMs: number;
  /** For each statement after that. */
  readonly mostMs: number;
}

async function transact<T>(client: PoolClient, { ask, access, leftMs, mostMs }: Terms, work: (queries: Queries) => Promise<T>): Promise<T> {
  const say = (text: string, ms: number) => inTime(ask(client, { text }, []), ms);
  await say(`${begin[access]}; SET LOCAL statement_timeout = ${mostMs}; SET LOCAL lock_timeout = ${mostMs}`, leftMs);
  try {
    const result = await work({ query: (statement, values = []) => inTime(ask(client, statement, values), mostMs) });
    await say('COMMIT', mostMs);
    return result;
  } catch (error) {
    if (!isSpoiled(error)) await say('ROLLBACK', callMs);
    throw error;
  }
}
