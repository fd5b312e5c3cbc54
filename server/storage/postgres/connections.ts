/** The connections to PostgreSQL for statements, and one more for probes. */
import type { Socket } from 'node:net';
import { type ClientBase, Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { StorageError } from '../errors.ts';
import { clientWithTimeouts } from './client-with-timeouts.ts';
import { ConnectionCheckout } from './connection-checkout.ts';
import { type Deadlines, inTime, LateError } from './deadline.ts';
import { asFailure, sqlState } from './failures.ts';

export interface Connections {
  /** For a step of several statements. The caller must give it back, with the error when the step failed. */
  take(mostMs: number): Promise<PoolClient>;
  release(client: PoolClient, error?: unknown): void;
  /** For one statement; the time includes the wait for the connection. */
  use<T>(mostMs: number, statement: (client: PoolClient) => Promise<T>): Promise<T>;
  /** Asks the server for any answer, over a connection that only probes use. Never rejects; an answer is reported to `answered`. */
  probe(): Promise<void>;
  /** Waits for running statements. */
  close(): Promise<void>;
}

export interface ConnectionOptions {
  readonly url: string;
  /** The most connections at once. */
  readonly most: number;
  /** The connections that are kept open. */
  readonly least: number;
  readonly deadlines: Deadlines;
  /** Called when the server answers. */
  readonly answered: () => void;
}

/** A probe without an answer is ended after this, and repeated on a new connection: the network path may have changed. */
const PROBE_SILENCE_MS = 2_000;

export function openConnections({ url, most, least, deadlines, answered: heard }: ConnectionOptions): Connections {
  refuseOther(url);
  const sockets = new Set<Socket>();
  const OurClient = clientWithTimeouts({ mostMs: deadlines.connectMs, sockets });
  const common = { connectionString: url, keepAlive: true, application_name: 'modelgate' };
  const pool = openPool({
    ...common,
    max: most,
    min: least,
    idleTimeoutMillis: 60_000,
    onConnect: async (client) => {
      await setUp(client, deadlines);
      if (client instanceof OurClient) client.calmDown();
      heard();
    },
    types: { getTypeParser },
    Client: OurClient,
  });
  const spare = openPool({ ...common, max: 1, Client: clientWithTimeouts({ mostMs: PROBE_SILENCE_MS, sockets }) });
  /** A server that refuses the connection with an error has answered, too. */
  const failed = (error: unknown): void => {
    if (sqlState(error) !== undefined) heard();
  };
  const checkout = new ConnectionCheckout({ pool, least, graceMs: deadlines.callMs, failed });
  return {
    take: (mostMs) => taken(checkout, mostMs),
    release: (client, error) => checkout.release(client, error),
    async use(mostMs, statement) {
      const endAt = performance.now() + mostMs;
      const client = await taken(checkout, mostMs);
      const work = statement(client);
      try {
        const result = await inTime(work, endAt - performance.now(), mostMs);
        checkout.release(client);
        return result;
      } catch (error) {
        if (error instanceof LateError) void checkout.releaseLate(client, work);
        else checkout.release(client, error);
        throw error;
      }
    },
    probe: () => spare.query('SELECT 1').then(heard, failed),
    async close() {
      checkout.end();
      const ended = spare.end();
      await pool.end();
      // With a server that hangs, open sockets would keep the process alive.
      for (const socket of sockets) socket.destroySoon();
      await ended;
    },
  };
}

async function taken(checkout: ConnectionCheckout, mostMs: number): Promise<PoolClient> {
  try {
    return await checkout.take(mostMs);
  } catch (error) {
    throw asFailure(error);
  }
}

function openPool(config: PoolConfig): Pool {
  const pool = new Pool(config);
  // The pool drops the broken connection, and the next statement gets another one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Every step reads after it has its locks. A stricter default of the database would show it the data from before. */
const ISOLATION = "SET default_transaction_isolation = 'read committed'";

/** Set by a statement and not by start-up parameters: PgBouncer refuses those that it does not know. */
async function setUp(client: ClientBase, { connectMs, statementMs, lockMs, workMs }: Deadlines): Promise<void> {
  const limits = `SET statement_timeout = ${statementMs}; SET lock_timeout = ${lockMs}; SET idle_in_transaction_session_timeout = ${workMs}`;
  await inTime(client.query(`${ISOLATION}; ${limits}; SET jit = off`), connectMs);
}

/** The driver's message about a wrong address would contain the password. */
function refuseOther(url: string): void {
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return;
  throw new StorageError('DATABASE_URL is no address of a PostgreSQL database. Write postgres://user:password@host:5432/name.');
}

const INT8 = 20;
const readInt8 = (value: string): bigint => BigInt(value);
/** For these connections only; other users of the driver in this process keep its defaults. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 ? readInt8 : types.getTypeParser(oid, format as 'text');
