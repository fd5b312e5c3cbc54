/** A slow or hung PostgreSQL, made with a real server behind a proxy that holds data back: a statement fails unsent only while the server gives no sign of life (F52, docs/decisions/0014). */
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPostgresLedger } from '../../../server/money/postgres.ts';
import { PostgresHungError, PostgresTimeoutError } from '../../../server/store/postgres/deadlines.ts';
import { openPostgres, type Postgres, type PostgresOptions } from '../../../server/store/postgres/postgres.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';
import { openWire, type Wire } from '../../harness/wire.ts';
import { order, topUp } from '../../unit/money/open.ts';

const one = { text: 'SELECT 1 AS one' };
const failureOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((error: unknown) => error);
/** How often the polls of these tests look. */
const budget = { interval: 20 };

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const place = usePostgres();

  interface Opened {
    readonly postgres: Postgres;
    readonly wire: Wire;
    /** Each report that the server hangs (true) or answers again (false). */
    readonly told: readonly boolean[];
  }

  async function open(options: Omit<PostgresOptions, 'url'>): Promise<Opened> {
    const wire = await openWire((await place.fresh()).url);
    const told: boolean[] = [];
    const postgres = openPostgres({ url: wire.url, changed: (isHung) => told.push(isHung), ...options });
    onTestFinished(async () => {
      wire.resume();
      await postgres.close();
    });
    // On a busy machine a login may take longer than the timeout of a statement.
    await expect.poll(() => failureOf(postgres.query(one)), budget).toBeNull();
    told.length = 0;
    return { postgres, wire, told };
  }

  /** Another client of the same database. */
  async function stranger(url: string): Promise<Client> {
    const client = new Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }

  /** Opens a client whose server hangs and whose first statement has timed out. */
  async function openHung(options: Omit<PostgresOptions, 'url'> = {}): Promise<Opened> {
    const opened = await open({ timeoutMs: 400, ...options });
    opened.wire.hang();
    expect(await failureOf(opened.postgres.query(one))).toBeInstanceOf(PostgresTimeoutError);
    expect(opened.told).toEqual([true]);
    return opened;
  }

  test('C16: fails later statements immediately after a first timeout on a hung server, and sends none', async () => {
    const { postgres, wire } = await openHung();
    const asked = { text: "SELECT 'never sent' AS word" };
    const all = [
      ...Array.from({ length: 50 }, () => postgres.query(asked)),
      postgres.work(asked),
      postgres.transaction('write', ({ query }) => query(asked)),
    ];
    for (const failure of await Promise.all(all.map(failureOf))) expect(failure).toBeInstanceOf(PostgresHungError);
    expect(wire.sent('never sent')).toBe(0);
  });

  test('C16: completes 50 concurrent queries as soon as the server responds again', async () => {
    // On a busy machine fifty queries may take longer than the timeout of the other tests.
    const { postgres, wire, told } = await openHung({ timeoutMs: 5_000 });
    wire.resume();
    await expect.poll(() => postgres.getRefusal(), budget).toBeNull();
    expect(await Promise.all(Array.from({ length: 50 }, () => postgres.query(one)))).toEqual(Array(50).fill([{ one: 1 }]));
    expect(told).toEqual([true, false]);
  });

  test('C16: opens a new connection when the open ones stay dead but new ones work', async () => {
    const { postgres, wire } = await openHung();
    wire.forget();
    await expect.poll(() => failureOf(postgres.query(one)), budget).toBeNull();
  });

  test('C16: keeps using a connection whose result came after the timeout', async () => {
    const { postgres, wire } = await openHung({ timeoutMs: 2_000, connections: 1 });
    wire.resume();
    await expect.poll(() => postgres.getRefusal(), budget).toBeNull();
    expect(await postgres.query(one)).toEqual([{ one: 1 }]);
    expect(wire.sent('SET default_transaction_isolation')).toBe(1);
  });

  test('C16: times out a statement that waits too long for a connection, without counting a hung server', async () => {
    const { postgres, told } = await open({ timeoutMs: 3_000, connections: 2 });
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const busy = [1, 2].map(() => postgres.transaction('write', () => gate));
    expect(await failureOf(postgres.query(one))).toBeInstanceOf(PostgresTimeoutError);
    expect([postgres.getRefusal(), told]).toEqual([null, []]);
    release();
    await Promise.all(busy);
    expect(await postgres.query(one)).toEqual([{ one: 1 }]);
  });

  test('C16: gives a waiting statement the first free connection, even while a new one is being opened', async () => {
    const { postgres, wire } = await open({ timeoutMs: 20_000, connections: 2 });
    const first = postgres.query({ text: 'SELECT pg_sleep(0.2)' });
    wire.hangNew();
    const second = postgres.query(one);
    await first;
    expect(await second).toEqual([{ one: 1 }]);
  });

  test('C16: accepts a result that arrived while the process was blocked for longer than the timeout', async () => {
    const { postgres, told } = await open({ timeoutMs: 200 });
    const asked = postgres.query({ text: "SELECT 'there' AS word" });
    await wait(0);
    for (const end = performance.now() + 1_000; performance.now() < end; );
    expect(await asked).toEqual([{ word: 'there' }]);
    expect(told).toEqual([]);
  });

  test('C16: queues the reservations of one batch together for a locked account, also beyond the lock timeout', async () => {
    const { url, postgres } = await place.fresh({ timeoutMs: 10_000 });
    await postgres.query({ text: "INSERT INTO accounts (id, name, created_at) VALUES ('ada', 'ada', 0)" });
    const ledger = openPostgresLedger(postgres);
    await topUp(ledger, 'ada', 1_000n);
    const [other, watcher] = [await stranger(url), await stranger(url)];
    await other.query("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('ada', 7301529464217))");
    const ids = Array.from({ length: 50 }, (_, index) => `r${index}`);
    const reserved = Promise.all(ids.map((requestId) => ledger.reserve(order({ requestId, amount: 1n }))));
    const waiting = "SELECT query_start FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    const startOf = async () => (await watcher.query(waiting)).rows.map((row) => String(row.query_start));
    await expect.poll(startOf, budget).toHaveLength(1);
    const [first] = await startOf();
    // The lock timeout ended the statement, and it was sent again: still one for all of them.
    await expect.poll(startOf, budget).toEqual([expect.not.stringContaining(first ?? '')]);
    await other.query('COMMIT');
    expect(new Set((await reserved).map(({ kind }) => kind))).toEqual(new Set(['held']));
  });

  test('C16: opens all connections in advance with `isKeptFull`, and replaces lost ones', async () => {
    const { url } = await place.fresh();
    const postgres = openPostgres({ url, connections: 4, isKeptFull: true });
    const watcher = openPostgres({ url });
    onTestFinished(async () => {
      await postgres.close();
      await watcher.close();
    });
    const others = 'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
    const count = async () => (await watcher.query({ text: `SELECT count(*)::INT AS n ${others}` }))[0]?.n;
    await postgres.query(one);
    await expect.poll(count, budget).toBe(4);
    await watcher.query({ text: `SELECT pg_terminate_backend(pid) ${others}` });
    await expect.poll(() => failureOf(postgres.query(one)), budget).toBeNull();
    await expect.poll(count, budget).toBe(4);
  });
});
