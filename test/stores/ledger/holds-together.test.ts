/** On PostgreSQL one statement reserves concurrent holds if all are granted, with the same result as reserving them one after the other (promise G3). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openReserve } from '../../../server/ledger/postgres/calls.ts';
import { openPostgresLedger } from '../../../server/ledger/postgres.ts';
import type { HoldOrder, HoldResult } from '../../../server/ledger/store.ts';
import type { Postgres, Queries } from '../../../server/storage/postgres/pool.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';
import { isThorough } from '../../harness/thorough.ts';
import { dayMs, noon, order, subscription, topUp } from '../../unit/ledger/open.ts';

const accounts = ['plain', 'stops', 'falls', 'over', 'poor'] as const;

async function openAccounts(postgres: Postgres): Promise<void> {
  await postgres.query({ text: 'INSERT INTO accounts (id, name, created_at) SELECT a, a, 0 FROM unnest($1::TEXT[]) AS a' }, [accounts]);
  const ledger = openPostgresLedger(postgres);
  for (const account of ['plain', 'stops', 'falls', 'over']) await topUp(ledger, account, 100n);
  const common = { included: 100n, period: 'day', startsAt: noon - 2 * dayMs } as const;
  await ledger.addSubscription(subscription({ ...common, id: 'p1', accountId: 'stops', onExhaustion: 'stop' }));
  await ledger.addSubscription(subscription({ ...common, id: 'p2', accountId: 'falls', onExhaustion: 'balance' }));
  await ledger.addSubscription(subscription({ ...common, id: 'p3', accountId: 'over', onExhaustion: 'balance', endsAt: noon }));
}

/** Amounts of which two or three add up to the balance. */
const amount = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(0n, 20n, 40n, 50n, 60n, 80n, 100n) },
  { weight: 1, arbitrary: fc.constantFrom(-1n, 2n ** 62n) },
);
const cap = fc.record({
  owner: fc.constantFrom('k1', 'k2'),
  micros: fc.constantFrom(70n, 1_000n),
  period: fc.constantFrom('day', 'never'),
});

/** Of one account or two: orders of different accounts hardly know of each other. Few ids are given twice, within a batch or after it. */
const aBatch: fc.Arbitrary<readonly HoldOrder[]> = fc
  .record({
    asked: fc.shuffledSubarray([...accounts], { minLength: 1, maxLength: 2 }),
    cap,
    firstId: fc.oneof({ weight: 9, arbitrary: fc.nat(1_000_000) }, fc.nat(9)),
  })
  .chain(({ asked, cap, firstId }) =>
    fc.array(
      fc
        .record({
          accountId: fc.constantFrom(...asked),
          id: fc.nat(20),
          amount,
          less: fc.constantFrom(null, null, 1n, 2n, 20n),
          at: fc.constantFrom(noon, noon, noon, noon - 1, noon - dayMs, noon + dayMs),
          cap: fc.constantFrom(null, cap),
        })
        .map(({ id, less, ...rest }) => {
          const least = less === null || less > rest.amount ? undefined : rest.amount - less;
          return order({ requestId: `r${firstId + id}`, ...rest, least });
        }),
      { minLength: 1, maxLength: 4 },
    ),
  );

/** The rows of the three tables after a decision. */
async function kept(queries: Queries): Promise<unknown> {
  const tables = ['charges ORDER BY request_id', 'balances ORDER BY account_id', 'allowances ORDER BY owner, period_start'];
  const found: unknown[] = [];
  for (const table of tables) found.push(await queries.query({ text: `SELECT * FROM ${table}` }));
  return found;
}

/** How often rows of these tables were written over this connection. */
async function written(queries: Queries): Promise<readonly number[]> {
  const rows = await queries.query({
    text: `SELECT (n_tup_ins + n_tup_upd)::INT AS times FROM pg_stat_xact_user_tables
      WHERE relname IN ('allowances', 'balances', 'charges') ORDER BY relname`,
  });
  return rows.map(({ times }) => Number(times));
}

/** Concurrent orders are sent in one statement, which is passed to `query`. */
const reserveBy = (query: Postgres['query'], orders: readonly HoldOrder[]): Promise<readonly HoldResult[]> =>
  Promise.all(orders.map(openReserve({ query, timeoutMs: 30_000, refusal: () => null }, () => 0)));

/** Runs both ways from the same rows, and compares their results and the rows after them; the second way is committed. */
async function takeBothWays(postgres: Postgres, orders: readonly HoldOrder[]): Promise<readonly HoldResult[]> {
  const ways: unknown[] = [];
  const results = await postgres.transaction('write', (queries) =>
    reserveBy(async (statement, values) => {
      await queries.query({ text: 'SAVEPOINT before' });
      ways.push(await queries.query({ text: statement.text.replace('reserve_holds', 'decide_holds') }, values), await kept(queries));
      await queries.query({ text: 'ROLLBACK TO SAVEPOINT before' });
      const together = await queries.query(statement, values);
      ways.push(together, await kept(queries));
      return together;
    }, orders),
  );
  expect(ways).toHaveLength(4);
  expect(ways.slice(2)).toEqual(ways.slice(0, 2));
  return results;
}

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const server = usePostgres();

  test('G3: reserving holds together has the same result as reserving them one after the other', async () => {
    const { postgres } = await server.fresh();
    await openAccounts(postgres);
    const seen = { granted: 0, refused: 0, mixed: 0 };
    const batches = fc.asyncProperty(aBatch, fc.constantFrom(0, 20, 50, 90), async (orders, used) => {
      await postgres.query({ text: 'UPDATE balances SET held = 0' });
      await postgres.query({ text: `UPDATE allowances SET held = 0, used = ${used}` });
      const kinds = new Set((await takeBothWays(postgres, orders)).map(({ kind }) => kind));
      seen[kinds.size === 2 ? 'mixed' : kinds.has('held') ? 'granted' : 'refused']++;
    });
    const numRuns = isThorough() ? 850 : 150;
    await fc.assert(batches, { numRuns, endOnFailure: true });
    // Each kind came up in more than one batch of fifty.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(numRuns / 50);
  });

  test('one statement changes the rows of an account, its subscription and its cap once for all holds', async () => {
    const { postgres } = await server.fresh();
    await openAccounts(postgres);
    const cap = { owner: 'k', micros: 1_000n, period: 'day' } as const;
    const ids = Array.from({ length: 20 }, (_, index) => `r${index}`);
    const orders = [
      ...ids.map((id) => order({ requestId: id, accountId: 'plain', amount: 2n, cap })),
      ...ids.map((id) => order({ requestId: `of_${id}`, accountId: 'stops', amount: 2n })),
    ];
    const changes = await postgres.transaction('write', async (queries) => {
      const before = await written(queries);
      const results = await reserveBy((statement, values) => queries.query(statement, values), orders);
      expect(new Set(results.map((result) => result.kind === 'held' && result.source))).toEqual(new Set(['balance', 'subscription']));
      return (await written(queries)).map((times, index) => times - (before[index] ?? 0));
    });
    const [allowances, balances, charges] = changes;
    expect({ allowances, balances, charges }).toEqual({ allowances: 2, balances: 1, charges: 40 });
  });
});
