/** On PostgreSQL concurrent holds are decided and written together, with the result of one after the other on the embedded database (promise G3). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openPostgresLedger } from '../../../server/money/postgres.ts';
import type { HoldOrder, HoldResult, LedgerStore } from '../../../server/money/store.ts';
import type { Postgres } from '../../../server/store/postgres/postgres.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';
import { isThorough } from '../../harness/thorough.ts';
import { dayMs, noon, openMemory, order, subscription, topUp } from '../../unit/money/open.ts';

const accounts = ['plain', 'stops', 'falls', 'over', 'poor'] as const;

async function fill(ledger: LedgerStore): Promise<void> {
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
  owner: fc.constantFrom('key:k1', 'key:k2'),
  micros: fc.constantFrom(70n, 1_000n),
  period: fc.constantFrom('day', 'never'),
  scope: fc.constant('key'),
});
const caps = fc.uniqueArray(cap, { minLength: 1, maxLength: 3, selector: ({ owner, period }) => `${owner} ${period}` });

/** Of one account or two: orders of different accounts hardly know of each other. Few ids are given twice, within a batch or after it. */
const aBatch: fc.Arbitrary<readonly HoldOrder[]> = fc
  .record({
    asked: fc.shuffledSubarray([...accounts], { minLength: 1, maxLength: 2 }),
    caps,
    firstId: fc.oneof({ weight: 9, arbitrary: fc.nat(1_000_000) }, fc.nat(9)),
  })
  .chain(({ asked, caps, firstId }) =>
    fc.array(
      fc
        .record({
          accountId: fc.constantFrom(...asked),
          id: fc.nat(20),
          amount,
          less: fc.constantFrom(null, null, 1n, 2n, 20n),
          at: fc.constantFrom(noon, noon, noon, noon - 1, noon - dayMs, noon + dayMs),
          caps: fc.constantFrom([], caps),
        })
        .map(({ id, less, ...rest }) => {
          const least = less === null || less > rest.amount ? undefined : rest.amount - less;
          return order({ requestId: `r${firstId + id}`, ...rest, least });
        }),
      { minLength: 1, maxLength: 4 },
    ),
  );

/** The rows of the tables after a decision. */
const tables = [
  'SELECT request_id, source, source_period, cap_owner, cap_period, held, created_at FROM charges ORDER BY request_id',
  'SELECT * FROM charge_caps ORDER BY request_id, owner, period_start',
  'SELECT account_id, balance, held FROM balances ORDER BY account_id',
  'SELECT owner, period_start, used, held FROM allowances ORDER BY owner, period_start',
];

/** A ledger that keeps the parameters of each statement that it wrote. */
function watched(postgres: Postgres) {
  const writes: (readonly unknown[])[] = [];
  const ledger = openPostgresLedger({
    ...postgres,
    step: (looks, decide) =>
      postgres.step(looks, (found) => {
        const decided = decide(found);
        writes.push(decided.write?.[1] ?? []);
        return decided;
      }),
  });
  return { ledger, writes };
}

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const server = usePostgres();
  const open = async () => {
    const { postgres } = await server.fresh();
    await postgres.query({ text: 'INSERT INTO accounts (id, name, created_at) SELECT a, a, 0 FROM unnest($1::TEXT[]) AS a' }, [accounts]);
    const opened = watched(postgres);
    await fill(opened.ledger);
    return { postgres, ...opened };
  };

  test('G3: returns the same for holds reserved together as for one after the other', async () => {
    const { postgres, ledger, writes } = await open();
    const { connection, ledger: other } = openMemory(...accounts);
    await fill(other);
    const seen = { granted: 0, rejected: 0, mixed: 0 };
    const batches = fc.asyncProperty(aBatch, fc.constantFrom(0, 20, 50, 90), async (orders, used) => {
      for (const text of ['UPDATE balances SET held = 0', `UPDATE allowances SET held = 0, used = ${used}`]) {
        await postgres.query({ text });
        connection.exec(text);
      }
      const before = writes.length;
      const together = await Promise.all(orders.map((one) => ledger.reserve(one)));
      expect(writes.length - before).toBe(1);
      const alone: HoldResult[] = [];
      for (const one of orders) alone.push(await other.reserve(one));
      expect(together).toEqual(alone);
      for (const text of tables) {
        const statement = connection.prepare(text);
        statement.setReadBigInts(true);
        expect(await postgres.query({ text })).toEqual(statement.all().map((row) => ({ ...row })));
      }
      const kinds = new Set(together.map(({ kind }) => kind));
      seen[kinds.size === 2 ? 'mixed' : kinds.has('held') ? 'granted' : 'rejected']++;
    });
    const numRuns = isThorough() ? 850 : 150;
    await fc.assert(batches, { numRuns, endOnFailure: true });
    connection.close();
    // Each kind came up in more than one batch of fifty.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(numRuns / 50);
  });

  test('changes the rows of an account, its subscription and its cap once for all holds', async () => {
    const { ledger, writes } = await open();
    const caps = [{ owner: 'key:k', micros: 1_000n, period: 'day', scope: 'key' } as const];
    const ids = Array.from({ length: 20 }, (_, index) => `r${index}`);
    const orders = [
      ...ids.map((id) => order({ requestId: id, accountId: 'plain', amount: 2n, caps })),
      ...ids.map((id) => order({ requestId: `of_${id}`, accountId: 'stops', amount: 2n })),
    ];
    const results = await Promise.all(orders.map((one) => ledger.reserve(one)));
    expect(new Set(results.map((result) => result.kind === 'held' && result.source))).toEqual(new Set(['balance', 'subscription']));
    const [last = []] = writes.slice(-1);
    expect(writes).toHaveLength(1);
    const lists = last.map((value) => (Array.isArray(value) ? value.length : 0));
    expect(lists).toEqual([...Array<number>(14).fill(40), 1, 1, 2, 2, 2, 0, 0, 0]);
  });
});
