/** PostgreSQL at its worst, with a real server: what meets is tried again, what hangs or is gone is told, and all is well when it is back (F52). */
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPostgresLedger } from '../../../server/money/postgres.ts';
import type { LedgerStore } from '../../../server/money/store.ts';
import { StorageError } from '../../../server/store/errors.ts';
import { PostgresHungError } from '../../../server/store/postgres/deadlines.ts';
import { openPostgres, type Postgres, type PostgresOptions } from '../../../server/store/postgres/postgres.ts';
import { type FreshDatabase, postgresName, usePrivatePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';
import { order, posting, topUp } from '../../unit/money/open.ts';

/** Who waits longer hangs. */
const maxMs = 30_000;
const sound = { differences: [], unbalanced: [], contradictions: [] };

interface Failed {
  readonly error: unknown;
  readonly afterMs: number;
}

async function failureOf(work: () => Promise<unknown>): Promise<Failed> {
  const startedAt = performance.now();
  const error = await work().then(
    () => null,
    (reason: unknown) => reason,
  );
  return { error, afterMs: performance.now() - startedAt };
}

async function expectFailure(work: () => Promise<unknown>): Promise<void> {
  const { error, afterMs } = await failureOf(work);
  expect(error).toBeInstanceOf(StorageError);
  expect(afterMs).toBeLessThan(maxMs);
}

/** The same objects work again, without anybody's doing. */
async function untilBack(work: () => Promise<unknown>): Promise<void> {
  await expect.poll(() => failureOf(work).then(({ error }) => error), { timeout: maxMs, interval: 50 }).toBeNull();
}

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const place = usePrivatePostgres({ settings: { deadlock_timeout: '50ms' } });

  async function open(options: Omit<PostgresOptions, 'url'> = {}): Promise<FreshDatabase & { readonly ledger: LedgerStore }> {
    const database = await place.fresh(options);
    await database.postgres.query({ text: "INSERT INTO accounts (id, name, created_at) VALUES ('ada', 'ada', 0), ('bob', 'bob', 0)" });
    const ledger = openPostgresLedger(database.postgres);
    for (const account of ['ada', 'bob']) await topUp(ledger, account, 1_000n);
    return { ...database, ledger };
  }

  /** Somebody else on the same database. */
  async function stranger(url: string): Promise<Client> {
    const client = new Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }

  const addOne = (row: number) => ({ text: `UPDATE counters SET n = n + 1 WHERE id = ${row}` });
  const countersOf = async (postgres: Postgres) => (await postgres.query({ text: 'SELECT n FROM counters ORDER BY id' })).map(({ n }) => n);

  async function openCounters(): Promise<Postgres> {
    const { postgres } = await place.fresh();
    await postgres.query({ text: 'CREATE TABLE counters (id INT PRIMARY KEY, n INT NOT NULL)' });
    await postgres.query({ text: 'INSERT INTO counters VALUES (1, 0), (2, 0)' });
    return postgres;
  }

  /** Both have come here once before either goes on; later rounds do not wait. */
  function meeting(): () => Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let came = 0;
    return () => {
      if (++came === 2) resolve();
      return promise;
    };
  }

  test('completes two that lock the same rows crosswise: the one that PostgreSQL ends is tried again', async () => {
    const postgres = await openCounters();
    const meet = meeting();
    let rounds = 0;
    const cross = (first: number, second: number) =>
      postgres.transaction('write', async ({ query }) => {
        rounds++;
        await query(addOne(first));
        await meet();
        await query(addOne(second));
      });
    await Promise.all([cross(1, 2), cross(2, 1)]);
    expect(await countersOf(postgres)).toEqual([2, 2]);
    // The one that is tried again may lock its first row before the other has woken, and be ended once more.
    expect(rounds).toBeGreaterThanOrEqual(3);
  });

  test("orders two transactions that depend on each other's changes", async () => {
    const postgres = await openCounters();
    const meet = meeting();
    let rounds = 0;
    const takeIfEmpty = (row: number) =>
      postgres.transaction('write', async ({ query }) => {
        rounds++;
        await query({ text: 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE' });
        const [sum] = await query({ text: 'SELECT sum(n)::INT AS n FROM counters' });
        await meet();
        if (sum?.n === 0) await query(addOne(row));
      });
    await Promise.all([takeIfEmpty(1), takeIfEmpty(2)]);
    const counters = await countersOf(postgres);
    expect([...counters].sort()).toEqual([0, 1]);
    expect(rounds).toBe(3);
  });

  test('retries a reservation that PostgreSQL ends because of a deadlock, and succeeds', async () => {
    const { ledger, url } = await open();
    const other = await stranger(url);
    await other.query("SET deadlock_timeout = '1min'; BEGIN; SELECT * FROM balances WHERE account_id = 'ada' FOR UPDATE");
    const reserved = ledger.reserve(order({ requestId: 'r1', amount: 7n }));
    // It holds the lock of the account and waits for the row; we wait for the lock of the account.
    const isWaiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    const watcher = await stranger(url);
    await expect.poll(async () => (await watcher.query(isWaiting)).rowCount, { interval: 5 }).toBe(1);
    await other.query("SELECT pg_advisory_xact_lock(hashtextextended('ada', 7301529464217)); COMMIT");
    expect(await reserved).toEqual({ kind: 'held', source: 'balance' });
    expect(await ledger.getBalance('ada')).toEqual({ balance: 1_000n, held: 7n });
  });

  test('fails a call to a locked account after its full time, and serves others of the same turn before', async () => {
    const { ledger, postgres, url } = await open();
    const other = await stranger(url);
    await other.query("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('ada', 7301529464217))");
    const told: string[] = [];
    const reserve = async (accountId: string, requestId: string) => {
      const { error } = await failureOf(() => ledger.reserve(order({ requestId, amount: 1n, accountId })));
      told.push(accountId);
      return error;
    };
    const [ada, bob] = await Promise.all([reserve('ada', 'r1'), reserve('bob', 'r2')]);
    expect([ada, bob]).toEqual([expect.any(StorageError), null]);
    expect(told).toEqual(['bob', 'ada']);
    // Whoever waits for a lock waits for no server.
    expect(postgres.getRefusal()).toBeNull();
    await other.query('COMMIT');
    await ledger.void('r1', 1, 'rejected');
    expect(await ledger.reserve(order({ requestId: 'r3', amount: 1n }))).toMatchObject({ kind: 'held' });
    expect(await ledger.getBalance('ada')).toEqual({ balance: 1_000n, held: 1n });
  });

  test('rejects an order that no column accepts, and serves those of the same turn', async () => {
    const { ledger } = await open();
    const names = ['good_1', 'zero \0', 'good_2'];
    const came = await Promise.allSettled(names.map((requestId) => ledger.reserve(order({ requestId, amount: 1n }))));
    expect(came.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(came[1]).not.toMatchObject({ reason: expect.any(StorageError) });
    expect(await ledger.getBalance('ada')).toEqual({ balance: 1_000n, held: 2n });
  });

  test('rejects a call while every connection is busy, and serves it when one is free', async () => {
    const { ledger, postgres } = await open({ connections: 2, timeoutMs: 1_000 });
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const busy = [1, 2].map(() => postgres.transaction('write', () => gate));
    await expectFailure(() => ledger.getBalance('ada'));
    await expectFailure(() => ledger.reserve(order({ requestId: 'r1', amount: 1n })));
    release();
    await Promise.all(busy);
    await untilBack(() => ledger.getBalance('ada'));
    expect(await ledger.getBalance('ada')).toMatchObject({ balance: 1_000n });
  });

  test('rejects a call when the server has no connection left for us', async () => {
    const { url } = await open();
    const limited = await stranger(url);
    await limited.query("CREATE ROLE crowded LOGIN PASSWORD 'crowded' CONNECTION LIMIT 0");
    const at = new URL(url);
    [at.username, at.password] = ['crowded', 'crowded'];
    const rejected = openPostgres({ url: at.href });
    onTestFinished(() => rejected.close());
    await expectFailure(() => rejected.query({ text: 'SELECT 1' }));
    await limited.query('ALTER ROLE crowded CONNECTION LIMIT 5');
    await untilBack(() => rejected.query({ text: 'SELECT 1' }));
  });

  test("rejects calls to a server that hangs, again and again, and works as soon as it's back", async () => {
    const { ledger, postgres } = await open({ timeoutMs: 1_000 });
    await ledger.reserve(order({ requestId: 'before', amount: 5n }));
    place.server.pause();
    try {
      for (const round of [1, 2, 3]) {
        await expectFailure(() => ledger.reserve(order({ requestId: `r${round}`, amount: 1n })));
        await expectFailure(() => ledger.post(posting('before', 5n)));
        await expectFailure(() => ledger.findActiveSubscription('ada', 0));
        expect(postgres.getRefusal()).toBeInstanceOf(PostgresHungError);
      }
    } finally {
      place.server.resume();
    }
    await untilBack(() => ledger.post(posting('before', 5n)));
    expect((await ledger.findCharge('before'))?.charged).toBe(5n);
    expect(await ledger.reconcile()).toMatchObject(sound);
  });

  test('releases reservations made while the server hung, before or after they arrive', async () => {
    const { ledger } = await open();
    place.server.pause();
    const ids = Array.from({ length: 60 }, (_, index) => `r${index}`);
    const turnedAway = await Promise.all(ids.map((requestId) => failureOf(() => ledger.reserve(order({ requestId, amount: 1n })))));
    expect(turnedAway.every(({ error }) => error instanceof StorageError)).toBe(true);
    // Their reservations may still lie before the server when the voids come.
    place.server.resume();
    for (const requestId of ids) await untilBack(() => ledger.void(requestId, 1, 'rejected'));
    expect(await ledger.getBalance('ada')).toEqual({ balance: 1_000n, held: 0n });
    const again = await Promise.all(ids.map((requestId) => ledger.reserve(order({ requestId, amount: 1n }))));
    expect(again.every((one) => one.kind === 'rejected' && one.by === 'duplicate')).toBe(true);
    expect(await ledger.getBalance('ada')).toEqual({ balance: 1_000n, held: 0n });
  });

  test("rejects calls while the server is gone, and loses nothing when it's back", async () => {
    const { ledger } = await open();
    await ledger.reserve(order({ requestId: 'r1', amount: 5n }));
    await place.server.stop();
    await expectFailure(() => ledger.post(posting('r1', 5n)));
    await expectFailure(() => ledger.getBalance('ada'));
    await place.server.restart();
    await untilBack(() => ledger.post(posting('r1', 5n)));
    expect(await ledger.getBalance('ada')).toEqual({ balance: 995n, held: 0n });
    expect(await ledger.reconcile()).toMatchObject(sound);
  });

  test('keeps the ledger sound over a restart in the middle of much traffic', async () => {
    const { ledger } = await open();
    let isOver = false;
    const traffic = Array.from({ length: 20 }, async (_, lane) => {
      for (let turn = 0; !isOver; turn++) {
        const requestId = `r${lane}_${turn}`;
        const held = await failureOf(() => ledger.reserve(order({ requestId, amount: 2n })));
        if (held.error === null) await untilBack(() => ledger.post(posting(requestId, 1n)));
        else await untilBack(() => ledger.void(requestId, 1, 'rejected'));
      }
    });
    await wait(200);
    await place.server.restart();
    await wait(200);
    isOver = true;
    await Promise.all(traffic);
    expect((await ledger.getBalance('ada'))?.held).toBe(0n);
    expect(await ledger.reconcile()).toMatchObject(sound);
  });

  test('connections that the server ends are replaced without a word', async () => {
    const { ledger, url } = await open();
    await Promise.all(Array.from({ length: 50 }, () => ledger.getBalance('ada')));
    const other = await stranger(url);
    await other.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await untilBack(() => ledger.getBalance('ada'));
    expect(await ledger.getBalance('ada')).toMatchObject({ balance: 1_000n });
  });

  test('reads on from a read-only server, names the remedy, and writes again when it can', async () => {
    const { ledger, url } = await open();
    const other = await stranger(url);
    await other.query('ALTER SYSTEM SET default_transaction_read_only = on');
    await other.query('SELECT pg_reload_conf()');
    await expect.poll(async () => (await failureOf(() => ledger.void('nothing', 1, 'x'))).error).toBeInstanceOf(StorageError);
    const { error, afterMs } = await failureOf(() => ledger.reserve(order({ requestId: 'r1', amount: 1n })));
    expect(error).toMatchObject({ name: 'StorageError', message: expect.stringContaining('Point DATABASE_URL at the primary.') });
    expect(afterMs).toBeLessThan(maxMs);
    expect(await ledger.getBalance('ada')).toMatchObject({ balance: 1_000n });
    await other.query('BEGIN READ WRITE; COMMIT');
    await other.query('SET default_transaction_read_only = off');
    await other.query('ALTER SYSTEM RESET default_transaction_read_only');
    await other.query('SELECT pg_reload_conf()');
    await untilBack(() => ledger.reserve(order({ requestId: 'r2', amount: 1n })));
  });

  test('hides the password in every error', async () => {
    const secret = 'never-to-be-told';
    const at = new URL(place.server.url);
    at.password = secret;
    for (const url of [at.href, `mysql://user:${secret}@127.0.0.1/x`, `postgres://user:${secret}@127.0.0.1:bad/x`]) {
      const { error } = await failureOf(async () => {
        const postgres = openPostgres({ url });
        await postgres.query({ text: 'SELECT 1' }).finally(() => postgres.close());
      });
      expect(error).toBeInstanceOf(StorageError);
      const told = error instanceof StorageError ? [error.message, error.stack, JSON.stringify(error.cause)].join() : '';
      expect(told).not.toContain(secret);
    }
  });
});
