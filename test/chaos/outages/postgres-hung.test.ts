/** PostgreSQL slow or hung, with a real server behind a way that holds things back: only where nothing is heard at all does a step fail unsent (F52, docs/decisions/0025). */
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPostgresLedger } from '../../../server/ledger/postgres.ts';
import { HungError, LateError } from '../../../server/storage/postgres/deadline.ts';
import { openPostgres, type Postgres, type PostgresOptions } from '../../../server/storage/postgres/pool.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';
import { openWire, type Wire } from '../../harness/wire.ts';
import { order, topUp } from '../../unit/ledger/open.ts';

const one = { text: 'SELECT 1 AS one' };
const failureOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((error: unknown) => error);
/** A test that takes longer hangs. */
const budget = { interval: 20 };

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const place = usePostgres();

  interface Opened {
    readonly postgres: Postgres;
    readonly wire: Wire;
    /** What was told of it. */
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
    // A busy machine may take more than the time of a step to log in.
    await expect.poll(() => failureOf(postgres.query(one)), budget).toBeNull();
    told.length = 0;
    return { postgres, wire, told };
  }

  /** Somebody else on the same database. */
  async function stranger(url: string): Promise<Client> {
    const client = new Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }

  /** Until somebody was late. */
  async function openHung(options: Omit<PostgresOptions, 'url'> = {}): Promise<Opened> {
    const opened = await open({ timeoutMs: 400, ...options });
    opened.wire.hang();
    expect(await failureOf(opened.postgres.query(one))).toBeInstanceOf(LateError);
    expect(opened.told).toEqual([true]);
    return opened;
  }

  test('C16: of a server that hangs the first hear when their time is over, and those after them at once: nothing of theirs is sent', async () => {
    const { postgres, wire } = await openHung();
    const asked = { text: "SELECT 'never sent' AS word" };
    const all = [
      ...Array.from({ length: 50 }, () => postgres.query(asked)),
      postgres.work(asked),
      postgres.transaction('write', ({ query }) => query(asked)),
    ];
    for (const failure of await Promise.all(all.map(failureOf))) expect(failure).toBeInstanceOf(HungError);
    expect(wire.sent('never sent')).toBe(0);
  });

  test('C16: as soon as it answers all is as before, whoever asks', async () => {
    // On a busy machine fifty may take more than the time of the others.
    const { postgres, wire, told } = await openHung({ timeoutMs: 5_000 });
    wire.resume();
    await expect.poll(() => postgres.refusal(), budget).toBeNull();
    expect(await Promise.all(Array.from({ length: 50 }, () => postgres.query(one)))).toEqual(Array(50).fill([{ one: 1 }]));
    expect(told).toEqual([true, false]);
  });

  test('C16: where the way there is another one by then, a new connection finds it', async () => {
    const { postgres, wire } = await openHung();
    wire.forget();
    await expect.poll(() => failureOf(postgres.query(one)), budget).toBeNull();
  });

  test('C16: an answer that is later than its step finds its connection still open, and the next ones go over that', async () => {
    const { postgres, wire } = await openHung({ timeoutMs: 2_000, connections: 1 });
    wire.resume();
    await expect.poll(() => postgres.refusal(), budget).toBeNull();
    expect(await postgres.query(one)).toEqual([{ one: 1 }]);
    expect(wire.sent('SET default_transaction_isolation')).toBe(1);
  });

  test('C16: where every connection has work, whoever waits for one is late, and the server is not taken to hang', async () => {
    const { postgres, told } = await open({ timeoutMs: 3_000, connections: 2 });
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const busy = [1, 2].map(() => postgres.transaction('write', () => gate));
    expect(await failureOf(postgres.query(one))).toBeInstanceOf(LateError);
    expect([postgres.refusal(), told]).toEqual([null, []]);
    release();
    await Promise.all(busy);
    expect(await postgres.query(one)).toEqual([{ one: 1 }]);
  });

  test('C16: whoever waits gets the connection that is free first, though a new one is on its way', async () => {
    const { postgres, wire } = await open({ timeoutMs: 20_000, connections: 2 });
    const first = postgres.query({ text: 'SELECT pg_sleep(0.2)' });
    wire.hangNew();
    const second = postgres.query(one);
    await first;
    expect(await second).toEqual([{ one: 1 }]);
  });

  test('C16: a process that did nothing itself for longer than a step may take finds the answer that came meanwhile', async () => {
    const { postgres, told } = await open({ timeoutMs: 200 });
    const asked = postgres.query({ text: "SELECT 'there' AS word" });
    await wait(0);
    for (const end = performance.now() + 1_000; performance.now() < end; );
    expect(await asked).toEqual([{ word: 'there' }]);
    expect(told).toEqual([]);
  });

  test('C16: an account that somebody holds for longer than one look at the lock is waited for, by all that came together in one statement', async () => {
    const { url, postgres } = await place.fresh({ timeoutMs: 10_000 });
    await postgres.query({ text: "INSERT INTO accounts (id, name, created_at) VALUES ('ada', 'ada', 0)" });
    const ledger = openPostgresLedger(postgres);
    await topUp(ledger, 'ada', 1_000n);
    const [other, watcher] = [await stranger(url), await stranger(url)];
    await other.query("BEGIN; SELECT pg_advisory_xact_lock(account_lock('ada'))");
    const ids = Array.from({ length: 50 }, (_, index) => `r${index}`);
    const reserved = Promise.all(ids.map((requestId) => ledger.reserve(order({ requestId, amount: 1n }))));
    const waiting = "SELECT query_start FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    const startOf = async () => (await watcher.query(waiting)).rows.map((row) => String(row.query_start));
    await expect.poll(startOf, budget).toHaveLength(1);
    const [first] = await startOf();
    // PostgreSQL has ended it for the lock, and it was sent again: still one for all of them.
    await expect.poll(startOf, budget).toEqual([expect.not.stringContaining(first ?? '')]);
    await other.query('COMMIT');
    expect(new Set((await reserved).map(({ kind }) => kind))).toEqual(new Set(['held']));
  });

  test('C16: all connections are open before they are needed, where that is asked for, and one that is lost is replaced', async () => {
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
