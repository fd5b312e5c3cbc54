/** Reconciliation finds every kind of inconsistency in the database. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLedgerSteps, openSqliteLedger } from '../../../server/money/sqlite.ts';
import { openDatabase } from '../../../server/store/sqlite/database.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { addAccounts, noon, openMemory, order, posting, runHere, subscription, topUp } from '../../unit/money/open.ts';
import { type EngineLedger, type EngineName, engines } from './engines.ts';

const sound = { differences: [], unbalanced: [], contradictions: [] };

/** One charge in each state, from both sources. */
async function fill({ ledger }: EngineLedger): Promise<void> {
  await topUp(ledger, 'ada', 100n);
  await ledger.addSubscription(subscription({ accountId: 'bob' }));
  const key = { owner: 'key:key_1', micros: 90n, scope: 'key' } as const;
  const caps = [
    { ...key, period: 'day' },
    { ...key, period: 'never' },
  ] as const;
  for (const requestId of ['posted', 'voided', 'held', 'over']) await ledger.reserve(order({ requestId, amount: 10n, caps }));
  for (const requestId of ['sub_posted', 'sub_held'])
    await ledger.reserve(order({ requestId, amount: 10n, accountId: 'bob', node: 'node_2' }));
  await ledger.post(posting('posted', 4n));
  await ledger.post(posting('sub_posted', 4n));
  await ledger.post(posting('over', 12n));
  await ledger.void('voided', noon, 'failed');
}

/** Removes the protection of entries against changes. */
const unlock: Readonly<Record<EngineName, string>> = {
  sqlite: 'DROP TRIGGER entries_stay',
  postgres: 'ALTER TABLE entries DISABLE TRIGGER USER',
};

/** Each inconsistency, the statement that causes it, and the finding. */
const lies: readonly (readonly [lie: string, sql: string, found: Readonly<Record<string, unknown>>])[] = [
  [
    'a balance that was changed by hand',
    'UPDATE balances SET balance = balance + 1',
    { differences: [{ book: 'account:ada', kept: 87n, counted: 86n }] },
  ],
  ['a hold that leaked', 'UPDATE balances SET held = held + 1', { differences: [{ book: 'held:account:ada', kept: 11n, counted: 10n }] }],
  [
    'an allowance that lost what was used',
    "UPDATE allowances SET used = 0 WHERE owner = 'sub:plan_1'",
    { differences: [{ book: `used:sub:plan_1@${Date.UTC(2026, 2)}`, kept: 0n, counted: 4n }] },
  ],
  [
    'an allowance that is gone',
    "DELETE FROM allowances WHERE owner = 'key:key_1'",
    {
      differences: [
        { book: 'used:key:key_1@0', kept: 0n, counted: 14n },
        { book: `used:key:key_1@${Date.UTC(2026, 2, 5)}`, kept: 0n, counted: 14n },
        { book: 'held:key:key_1@0', kept: 0n, counted: 10n },
        { book: `held:key:key_1@${Date.UTC(2026, 2, 5)}`, kept: 0n, counted: 10n },
      ],
    },
  ],
  [
    'a balance that is gone',
    'DELETE FROM balances',
    {
      accounts: 0,
      differences: [
        { book: 'account:ada', kept: 0n, counted: 86n },
        { book: 'held:account:ada', kept: 0n, counted: 10n },
      ],
    },
  ],
  [
    'an entry that is gone',
    "DELETE FROM entries WHERE transfer = 'posted' AND book = 'revenue'",
    { entries: 9, unbalanced: ['posted'], contradictions: ['posted'] },
  ],
  [
    'a charge that was posted twice',
    "INSERT INTO entries (transfer, kind, book, amount, created_at) SELECT transfer, kind, book, amount, 0 FROM entries WHERE transfer = 'sub_posted'",
    {
      entries: 12,
      differences: [{ book: `used:sub:plan_1@${Date.UTC(2026, 2)}`, kept: 4n, counted: 8n }],
      unbalanced: ['sub_posted'],
      contradictions: ['sub_posted'],
    },
  ],
  [
    'a charge of another amount than its entries',
    "UPDATE charges SET charged = 3 WHERE request_id = 'sub_posted'",
    { contradictions: ['sub_posted'] },
  ],
  ['a voided request that was charged', "UPDATE charges SET state = 'voided' WHERE request_id = 'posted'", { contradictions: ['posted'] }],
  ['an end without a time', "UPDATE charges SET settled_at = NULL WHERE request_id = 'voided'", { contradictions: ['voided'] }],
  [
    'entries of a request that never was',
    "INSERT INTO entries (transfer, kind, book, amount, created_at) VALUES ('ghost', 'charge', 'revenue', 1, 0), ('ghost', 'charge', 'revenue', -1, 0)",
    { entries: 12, contradictions: ['ghost'] },
  ],
];

describe.for(engines)('$title', ({ name, isMissing, use }) => {
  const open = use();

  test.skipIf(isMissing)('finds a busy ledger sound', async () => {
    const busy = await open('ada', 'bob');
    await fill(busy);
    expect(await busy.ledger.reconcile()).toEqual({ ...sound, accounts: 1, entries: 10, overrun: 2n });
  });

  test.skipIf(isMissing).each(lies)('finds %s', async (_lie, sql, found) => {
    const busy = await open('ada', 'bob');
    await fill(busy);
    await busy.exec(`${unlock[name]}; ${sql}`);
    expect(await busy.ledger.reconcile()).toEqual({ ...sound, accounts: 1, entries: 10, overrun: 2n, ...found });
  });

  test.skipIf(isMissing)('checks entries once, then reads only what came after them', async () => {
    const busy = await open('ada', 'bob');
    await fill(busy);
    expect(await checkAll(busy)).toBe(10);
    expect(await busy.ledger.reconcile()).toEqual({ ...sound, accounts: 1, entries: 0, overrun: 2n });
    await busy.ledger.post(posting('held', 12n));
    await busy.ledger.post(posting('sub_held', 3n));
    await topUp(busy.ledger, 'bob', 5n);
    expect(await busy.ledger.reconcile()).toEqual({ ...sound, accounts: 2, entries: 8, overrun: 4n });
    expect(await busy.ledger.reconcile({ isFull: true })).toEqual({ ...sound, accounts: 2, entries: 18, overrun: 4n });
    expect(await checkAll(busy)).toBe(8);
    expect(await busy.ledger.reconcile()).toEqual({ ...sound, accounts: 2, entries: 0, overrun: 4n });
  });

  test.skipIf(isMissing).each(lies)('finds %s also when the entries before it were checked', async (_lie, sql, found) => {
    const busy = await open('ada', 'bob');
    await fill(busy);
    await busy.exec(`${unlock[name]}; ${sql}`);
    const { entries: _, ...faults } = { ...sound, accounts: 1, entries: 0, overrun: 2n, ...found };
    await checkAll(busy);
    // No entry tells of a charge that cost nothing.
    const extent = { isFull: sql.includes('settled_at') };
    expect(await busy.ledger.reconcile(extent)).toMatchObject(faults);
    // The mark stays before what is not right.
    expect(await busy.ledger.checkEntries()).toBe(0);
  });
});

async function checkAll({ ledger }: EngineLedger): Promise<number> {
  let all = 0;
  for (let some = -1; some !== 0; all += some) some = await ledger.checkEntries();
  return all;
}

test('reconciles a thousand requests on disk while other work goes on', async () => {
  const folder = temporaryFolder();
  const { connection, transaction, close } = openDatabase({ folder, durability: 'relaxed' });
  onTestFinished(close);
  const steps = openLedgerSteps(connection);
  const ledger = openSqliteLedger({ connection, steps: runHere(connection, steps) });
  addAccounts(connection, ['ada']);
  await topUp(ledger, 'ada', 1_000_000n);
  transaction(() => {
    for (let index = 0; index < 1_000; index++) {
      steps.reserve(order({ requestId: `r${index}`, amount: 5n }));
      steps.post(posting(`r${index}`, 5n));
    }
  });
  let isOver = false;
  const reconciling = ledger.reconcile().finally(() => {
    isOver = true;
  });
  expect(await ledger.reserve(order({ requestId: 'during', amount: 1n }))).toMatchObject({ kind: 'held' });
  expect(isOver).toBe(false);
  expect(await reconciling).toEqual({ ...sound, accounts: 1, entries: 2_002, overrun: 0n });
});

test('reads no table again for each row of another in SQLite: the work grows linearly with the requests', async () => {
  const { connection, ledger } = openMemory('ada');
  onTestFinished(() => connection.close());
  const asked: string[] = [];
  const prepare = connection.prepare.bind(connection);
  connection.prepare = (sql) => {
    asked.push(sql);
    return prepare(sql);
  };
  await ledger.reconcile();
  connection.prepare = prepare;
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter((sql) => hasNestedScan(prepare(`EXPLAIN QUERY PLAN ${sql}`).all()))).toEqual([]);
  const nested = prepare('EXPLAIN QUERY PLAN SELECT 1 FROM charges FULL JOIN entries ON transfer = request_id').all();
  expect(hasNestedScan(nested)).toBe(true);
});

/** Of the loops within one select only the outermost may read a whole table; the others must find their rows by an index. */
function hasNestedScan(plan: readonly Record<string, unknown>[]): boolean {
  const scans = Map.groupBy(
    plan.filter(({ detail }) => String(detail).startsWith('SCAN ')),
    ({ parent }) => parent,
  );
  return [...scans.values()].some(({ length }) => length > 1);
}
