/** The connections to PostgreSQL for statements, and one more for probes. */

import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { type ClientBase, Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { StorageError } from '../errors.ts';
import type { Row } from '../rows.ts';
import {
  asFailure,
  type Breaker,
  breaksConnection,
  clientWithTimeouts,
  type Deadlines,
  inTime,
  isUnknownStatement,
  LateError,
  sqlState,
  withTimeout,
} from './outage.ts';

interface Connections {
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

interface ConnectionOptions {
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
  rejectOther(url);
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
      if (client instanceof OurClient) client.disableTimeout();
      heard();
    },
    types: { getTypeParser },
    Client: OurClient,
    pipeline: true,
  });
  const spare = openPool({ ...common, max: 1, Client: clientWithTimeouts({ mostMs: PROBE_SILENCE_MS, sockets }) });
  /** A server that rejects the connection with an error has answered, too. */
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

/** Set by a statement and not by start-up parameters: PgBouncer rejects those that it does not know. */
async function setUp(client: ClientBase, { connectMs, statementMs, lockMs, workMs }: Deadlines): Promise<void> {
  const limits = `SET statement_timeout = ${statementMs}; SET lock_timeout = ${lockMs}; SET idle_in_transaction_session_timeout = ${workMs}`;
  await inTime(client.query(`${ISOLATION}; ${limits}; SET jit = off`), connectMs);
}

/** The driver's message about a wrong address would contain the password. */
function rejectOther(url: string): void {
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return;
  throw new StorageError("DATABASE_URL isn't a PostgreSQL URL. Use postgres://user:password@host:5432/name.");
}

const INT8 = 20;
const readInt8 = (value: string): bigint => BigInt(value);
/** For these connections only; other users of the driver in this process keep its defaults. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 ? readInt8 : types.getTypeParser(oid, format as 'text');

interface CheckoutOptions {
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

class ConnectionCheckout {
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

/** A statement with its values. */
export type Asked = readonly [statement: Statement, values: readonly Value[]];

interface Decided<T> {
  readonly result: T;
  /** Null: nothing changes. */
  readonly write: Asked | null;
}

/**
 * Everything is found by its keys, and planned once per connection: so a plan must not depend on how small the tables were then. One message, since
 * each costs a way to the server.
 */
const beginStep = (idleMs: number): Statement => ({
  text: `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;
    SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`,
});

interface StepTerms {
  readonly ask: PreparedQuery;
  /** When this process stands still in between, its locks are given back after this time. */
  readonly idleMs: number;
}

/** A transaction of two flights: what is read under lock, and after the decision what is written, with its commit. */
export async function stepOn<T>(client: ClientBase, { ask, idleMs }: StepTerms, looks: readonly Asked[], decide: Decide<T>): Promise<T> {
  try {
    const reads: readonly Asked[] = [[beginStep(idleMs), []], ...looks];
    const [, ...found] = await Promise.all(reads.map(([statement, values]) => ask(client, statement, values)));
    const { result, write } = decide(found);
    const commit = { text: 'COMMIT' };
    await Promise.all(write ? [ask(client, ...write), ask(client, commit, [])] : [ask(client, commit, [])]);
    return result;
  } catch (error) {
    if (!breaksConnection(error)) await ask(client, { text: 'ROLLBACK' }, []);
    throw error;
  }
}

export type Decide<T> = (found: readonly (readonly Row[])[]) => Decided<T>;

export interface Queries {
  query(statement: Statement, values?: readonly Value[]): Promise<readonly Row[]>;
}

export type Access = 'write' | 'read';

interface Terms {
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

/** With a name, it is prepared once on each connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

type PreparedQuery = (client: ClientBase, statement: Statement, values: readonly Value[]) => Promise<readonly Row[]>;

/**
 * For one pool. A pooler in front of the server may send each transaction over another connection, which loses prepared statements: after the first
 * such failure statements are no longer prepared. The failed statement did nothing and may be retried. `answered` is called for each answer, also for
 * an error.
 */
export function openAsk(answered: () => void): PreparedQuery {
  /** By text; there are few texts. */
  const names = new Map<string, string>();
  let areKept = true;
  const nameOf = (statement: Statement): string => {
    const name = names.get(statement.text) ?? uniqueName(statement);
    names.set(statement.text, name);
    return name;
  };
  return async (client, statement, values) => {
    const named = areKept && statement.name !== undefined && { name: nameOf(statement) };
    try {
      const { rows } = await client.query({ ...named, text: statement.text, values: [...values] });
      answered();
      return rows;
    } catch (error) {
      if (sqlState(error) !== undefined) answered();
      if (isUnknownStatement(error)) areKept = false;
      throw asFailure(error);
    }
  };
}

/** The name holds a hash of the text: on a pooled connection another version may have prepared another text under the same name. */
const uniqueName = ({ name, text }: Statement): string => `${name}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;

type Scalar = string | number | bigint | boolean | Buffer | null;
/** A parameter of a statement. */
export type Value = Scalar | readonly Scalar[];
