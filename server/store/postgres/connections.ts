/** Opens the connections to PostgreSQL, plus one for probes, and runs statements, steps, and transactions on them. */

import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { type ClientBase, Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { StorageError } from '../errors.ts';
import type { Row } from '../rows.ts';
import type { Breaker } from './breaker.ts';
import { createClientClass } from './client-class.ts';
import { type Deadlines, PostgresTimeoutError, withDeadline, withTimeout } from './deadlines.ts';
import { breaksConnection, getSqlState, isUnknownStatement, toStoreError } from './errors.ts';

interface Connections {
  /** Acquires a connection for a step of several statements. The caller must release it, with the error if the step failed. */
  acquire(maxMs: number): Promise<PoolClient>;
  release(client: PoolClient, error?: unknown): void;
  /** Runs one statement. The timeout includes the wait for the connection. */
  use<T>(maxMs: number, statement: (client: PoolClient) => Promise<T>): Promise<T>;
  /** Probes the server over a dedicated connection. Never rejects. Any response is reported to `answered`. */
  probe(): Promise<void>;
  /** Waits for running statements. */
  close(): Promise<void>;
}

interface ConnectionOptions {
  readonly url: string;
  /** The maximum number of concurrent connections. */
  readonly most: number;
  /** The number of connections to keep open. */
  readonly least: number;
  readonly deadlines: Deadlines;
  /** Called when the server responds. */
  readonly answered: () => void;
}

/** A probe without a response ends after this time. The next one uses a new connection, because the network path may have changed. */
const PROBE_SILENCE_MS = 2_000;

export function openConnections({
  url,
  most: maxConnections,
  least: minConnections,
  deadlines,
  answered: onResponse,
}: ConnectionOptions): Connections {
  assertPostgresUrl(url);
  const sockets = new Set<Socket>();
  const TimeoutClient = createClientClass(deadlines.connectMs, sockets);
  const clientOptions = { connectionString: url, keepAlive: true, application_name: 'modelgate' };
  const pool = openPool({
    ...clientOptions,
    max: maxConnections,
    min: minConnections,
    idleTimeoutMillis: 60_000,
    onConnect: async (client) => {
      await configureSession(client, deadlines);
      if (client instanceof TimeoutClient) client.disableTimeout();
      onResponse();
    },
    types: { getTypeParser },
    Client: TimeoutClient,
    pipeline: true,
  });
  const probePool = openPool({ ...clientOptions, max: 1, Client: createClientClass(PROBE_SILENCE_MS, sockets) });
  /** An error that rejects the connection is also a response from the server. */
  const handleError = (error: unknown): void => {
    if (getSqlState(error) !== undefined) onResponse();
  };
  const checkout = new ConnectionCheckout({ pool, least: minConnections, graceMs: deadlines.callMs, failed: handleError });
  return {
    acquire: (maxMs) => checkout.acquire(maxMs),
    release: (client, error) => checkout.release(client, error),
    async use(maxMs, statement) {
      const endAt = performance.now() + maxMs;
      const client = await checkout.acquire(maxMs);
      const work = statement(client);
      try {
        const result = await withDeadline(work, endAt - performance.now(), maxMs);
        checkout.release(client);
        return result;
      } catch (error) {
        if (error instanceof PostgresTimeoutError) void checkout.releaseLate(client, work);
        else checkout.release(client, error);
        throw error;
      }
    },
    probe: () => probePool.query('SELECT 1').then(onResponse, handleError),
    async close() {
      checkout.end();
      const probePoolEnd = probePool.end();
      await pool.end();
      // If the server hangs, open sockets would keep the process alive.
      for (const socket of sockets) socket.destroySoon();
      await probePoolEnd;
    },
  };
}

function openPool(config: PoolConfig): Pool {
  const pool = new Pool(config);
  // The pool drops the broken connection, and the next statement gets another one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Every step reads after it has acquired its locks. With a stricter default of the database, it would see data from before the locks. */
const ISOLATION = "SET default_transaction_isolation = 'read committed'";

/** Uses a statement instead of startup parameters, because PgBouncer rejects unknown parameters. */
async function configureSession(client: ClientBase, { connectMs, statementMs, lockMs, workMs }: Deadlines): Promise<void> {
  const limits = `SET statement_timeout = ${statementMs}; SET lock_timeout = ${lockMs}; SET idle_in_transaction_session_timeout = ${workMs}`;
  await withDeadline(client.query(`${ISOLATION}; ${limits}; SET jit = off`), connectMs);
}

/** Checked here, because the driver's message about an invalid URL would contain the password. */
function assertPostgresUrl(url: string): void {
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return;
  throw new StorageError("DATABASE_URL isn't a PostgreSQL URL. Use postgres://user:password@host:5432/name.");
}

const INT8 = 20;
const readInt8 = (value: string): bigint => BigInt(value);
/** For these connections only. Other users of the driver in this process keep its defaults. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 ? readInt8 : types.getTypeParser(oid, format as 'text');

interface CheckoutOptions {
  readonly pool: Pool;
  /** The number of connections that are opened together with the first one, and kept open. */
  readonly least: number;
  /** How long to wait for a late response before closing its connection. */
  readonly graceMs: number;
  /** Called with the error if a new connection fails. */
  readonly failed: (error: unknown) => void;
}

class ConnectionCheckout {
  readonly #options: CheckoutOptions;
  #waiters: { resolve: (client: PoolClient) => void; reject: (error: unknown) => void }[] = [];
  /** Connections requested from the pool that it hasn't returned yet. */
  #pendingConnections = 0;
  /** Connections that are waiting for a late response. */
  readonly #lateClients = new Set<PoolClient>();
  #isEnding = false;

  constructor(options: CheckoutOptions) {
    this.#options = options;
  }

  /** The caller must return the connection with `release`. */
  acquire(maxMs: number): Promise<PoolClient> {
    const { promise, resolve, reject } = Promise.withResolvers<PoolClient>();
    const waiter = { resolve, reject };
    this.#waiters.push(waiter);
    if (this.#pendingConnections < this.#waiters.length || this.#options.pool.idleCount > 0) this.#requestConnection();
    return withTimeout(promise, maxMs, () => {
      this.#waiters = this.#waiters.filter((other) => other !== waiter);
      return new PostgresTimeoutError(maxMs);
    });
  }

  /** `error`: the failure of the work on the connection. */
  release(client: PoolClient, error?: unknown): void {
    if (breaksConnection(error)) {
      client.release(true);
      this.#keepMinimum();
    } else this.#assignClient(client);
  }

  /** For work that continues after its timeout. The connection can be used again once the server responds. */
  async releaseLate(client: PoolClient, work: Promise<unknown>): Promise<void> {
    if (this.#isEnding) return client.release(true);
    this.#lateClients.add(client);
    const error = await withDeadline(work, this.#options.graceMs).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (this.#lateClients.delete(client)) this.release(client, error);
  }

  /** Stops waiting for late responses. */
  end(): void {
    this.#isEnding = true;
    for (const client of this.#lateClients) client.release(true);
    this.#lateClients.clear();
  }

  #assignClient(client: PoolClient): void {
    const waiter = this.#waiters.shift();
    if (waiter) waiter.resolve(client);
    else client.release();
  }

  /**
   * Requests an idle or a new connection from the pool, which queues the request if it has neither. If the waiter is gone, the connection
   * stays for later ones.
   */
  #requestConnection(): void {
    this.#pendingConnections++;
    this.#options.pool.connect().then(
      (client) => {
        this.#pendingConnections--;
        this.#keepMinimum();
        this.#assignClient(client);
      },
      (error: unknown) => {
        this.#pendingConnections--;
        this.#options.failed(error);
        if (this.#pendingConnections < this.#waiters.length) this.#waiters.shift()?.reject(toStoreError(error));
      },
    );
  }

  /** Opens missing connections only if none is idle, because the pool would return an idle one. */
  #keepMinimum(): void {
    const { pool, least: minConnections } = this.#options;
    if (pool.ending || pool.idleCount > 0) return;
    for (let missing = minConnections - pool.totalCount; missing > 0; missing--) this.#requestConnection();
  }
}

export type BoundStatement = readonly [statement: Statement, values: readonly Value[]];

/**
 * Steps find every row by key, and each connection plans a statement once. The plan must not depend on how small the tables were at that
 * time.
 * All settings are in one message to save round trips.
 */
const createBeginStatement = (idleMs: number): Statement => ({
  text: `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;
    SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`,
});

/**
 * Runs a transaction in two round trips: reads with locks, then writes the result and commits.
 * If this process stalls during the transaction, the server releases its locks after `idleMs`.
 */
export async function runStep<T>(
  client: ClientBase,
  ask: PreparedQuery,
  idleMs: number,
  readStatements: readonly BoundStatement[],
  decide: DecideStep<T>,
): Promise<T> {
  try {
    const statements: readonly BoundStatement[] = [[createBeginStatement(idleMs), []], ...readStatements];
    const [, ...results] = await Promise.all(statements.map(([statement, values]) => ask(client, statement, values)));
    const { result, write } = decide(results);
    const commit = { text: 'COMMIT' };
    await Promise.all(write ? [ask(client, ...write), ask(client, commit, [])] : [ask(client, commit, [])]);
    return result;
  } catch (error) {
    if (!breaksConnection(error)) await ask(client, { text: 'ROLLBACK' }, []);
    throw error;
  }
}

/** `write` is null if nothing changes. */
export type DecideStep<T> = (results: readonly (readonly Row[])[]) => { readonly result: T; readonly write: BoundStatement | null };

export interface Queries {
  query(statement: Statement, values?: readonly Value[]): Promise<readonly Row[]>;
}

export type AccessMode = 'write' | 'read';

interface TransactOptions {
  readonly connections: Connections;
  readonly breaker: Breaker;
  readonly ask: PreparedQuery;
  readonly access: AccessMode;
  /** Timeout for the connection and `BEGIN` together, and for `ROLLBACK`. */
  readonly callMs: number;
  /** Timeout for each other statement. */
  readonly mostMs: number;
}

const beginStatements: Readonly<Record<AccessMode, string>> = {
  write: 'BEGIN ISOLATION LEVEL READ COMMITTED',
  read: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
};

export async function transact<T>(options: TransactOptions, work: (queries: Queries) => Promise<T>): Promise<T> {
  const { connections, breaker } = options;
  const client = await breaker.watch(() => beginTransaction(options));
  try {
    const result = await endTransaction(client, options, work);
    connections.release(client);
    return result;
  } catch (error) {
    connections.release(client, error);
    throw error;
  }
}

async function beginTransaction({ connections, ask, access, callMs, mostMs: maxMs }: TransactOptions): Promise<PoolClient> {
  const endAt = performance.now() + callMs;
  const client = await connections.acquire(callMs);
  const text = `${beginStatements[access]}; SET LOCAL statement_timeout = ${maxMs}; SET LOCAL lock_timeout = ${maxMs}`;
  try {
    await withDeadline(ask(client, { text }, []), endAt - performance.now(), callMs);
    return client;
  } catch (error) {
    connections.release(client, error);
    throw error;
  }
}

async function endTransaction<T>(
  client: PoolClient,
  { ask, callMs, mostMs: maxMs }: TransactOptions,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  const execute = (text: string, ms: number) => withDeadline(ask(client, { text }, []), ms);
  try {
    const result = await work({ query: (statement, values = []) => withDeadline(ask(client, statement, values), maxMs) });
    await execute('COMMIT', maxMs);
    return result;
  } catch (error) {
    if (!breaksConnection(error)) await execute('ROLLBACK', callMs);
    throw error;
  }
}

/** A statement with a name is prepared once per connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

type PreparedQuery = (client: ClientBase, statement: Statement, values: readonly Value[]) => Promise<readonly Row[]>;

/**
 * For one pool. A pooler in front of the server can send each transaction over another connection, which loses prepared statements.
 * After the first such failure, statements are no longer prepared. The failed statement had no effect and can be retried.
 * `answered` is called for each response, including errors.
 */
export function openPreparedQuery(onResponse: () => void): PreparedQuery {
  /** By text. The number of texts is small. */
  const names = new Map<string, string>();
  let canPrepare = true;
  const getStatementName = (statement: Statement): string => {
    const name = names.get(statement.text) ?? createStatementName(statement);
    names.set(statement.text, name);
    return name;
  };
  return async (client, statement, values) => {
    const statementName = canPrepare && statement.name !== undefined && { name: getStatementName(statement) };
    try {
      const { rows } = await client.query({ ...statementName, text: statement.text, values: [...values] });
      onResponse();
      return rows;
    } catch (error) {
      if (getSqlState(error) !== undefined) onResponse();
      if (isUnknownStatement(error)) canPrepare = false;
      throw toStoreError(error);
    }
  };
}

/** The name contains a hash of the text: on a pooled connection, another version may have prepared a different text under the same name. */
const createStatementName = ({ name, text }: Statement): string =>
  `${name}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;

type Scalar = string | number | bigint | boolean | Buffer | null;
export type Value = Scalar | readonly Scalar[];
