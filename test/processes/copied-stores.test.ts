/** The copy from one engine to the other: no row is missing or duplicated, and differences are found (promises G1 to G4). */

import { describe, expect, onTestFinished, test } from 'vitest';
import { accessStoreDefinition } from '../../server/access/plans.ts';
import { historyStoreDefinition } from '../../server/history/plans.ts';
import { idempotencyStoreDefinition } from '../../server/money/idempotency.ts';
import { openPostgresLedger } from '../../server/money/postgres.ts';
import { openLedgerSteps, openSqliteLedger } from '../../server/money/sqlite.ts';
import {
  type Comparison,
  type CopyDatabase,
  type CopyResult,
  compareDatabases,
  copyTables,
  excludedTables,
  ORDER_COLUMN,
  type Progress,
  tables,
} from '../../server/store/copy/copy.ts';
import { openPostgresCopyDatabase } from '../../server/store/copy/postgres.ts';
import { openSqliteCopyDatabase } from '../../server/store/copy/sqlite.ts';
import type { Postgres } from '../../server/store/postgres/postgres.ts';
import { readText } from '../../server/store/rows.ts';
import { openDatabase, runInline } from '../../server/store/sqlite/database.ts';
import { COPY_NOTES_TABLE } from '../../server/store/unfinished-copy.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { postgresName, usePostgres } from '../harness/postgres.ts';
import { postgresMissing } from '../harness/servers.ts';
import { claimOf, type Filled, fillDatabase } from '../stores/store/filled.ts';
import { noon, topUp } from '../unit/money/open.ts';

/** `table.column` for all columns that the copy knows. */
const known = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)).sort();
const isLeft = (table: string): boolean => table in excludedTables;
const noPause = 0;
const noLimits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

test('knows every table, column and primary key of the embedded database', () => {
  const { connection, close } = openDatabase({ folder: temporaryFolder(), durability: 'relaxed' });
  onTestFinished(close);
  const columns = connection
    .prepare(
      `SELECT t.name AS "table", c.name AS "column", c.pk AS place
       FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`,
    )
    .all()
    .map((row) => ({ table: String(row.table), column: String(row.column), place: Number(row.place) }))
    .filter(({ table }) => !isLeft(table));
  // The number of a row is no column there.
  expect(columns.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(
    known.filter((name) => !name.endsWith(`.${ORDER_COLUMN}`)),
  );
  // The engines may have the columns of a key in another order.
  const keyOf = (table: string) => columns.filter((one) => one.table === table && one.place > 0).map(({ column }) => column);
  for (const { name, key } of tables) expect([name, ...keyOf(name).sort()]).toEqual([name, ...key.toSorted()]);
});

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const server = usePostgres();

  async function openTarget() {
    const { postgres } = await server.fresh();
    return { postgres, target: openPostgresCopyDatabase(postgres, 'the target', noPause) };
  }

  async function openBoth() {
    const filled = await fillDatabase(temporaryFolder());
    onTestFinished(filled.database.close);
    return { filled, source: openSqliteCopyDatabase(filled.database, 'the source'), ...(await openTarget()) };
  }

  const copyTo = (source: CopyDatabase, target: CopyDatabase, onProgress?: (progress: Progress) => void): Promise<CopyResult> =>
    source.readConsistently((look) => copyTables({ source: look, target, ...(onProgress && { onProgress }) }));
  const compareTo = (source: CopyDatabase, target: CopyDatabase): Promise<Comparison> =>
    source.readConsistently((one) => target.readConsistently((other) => compareDatabases({ source: one, target: other })));
  const differing = ({ tables: compared }: Comparison) => compared.filter(({ isEqual }) => !isEqual).map(({ name }) => name);

  test('knows every table and column of PostgreSQL', async () => {
    const { postgres } = await openTarget();
    const rows = await postgres.query({
      text: `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'`,
    });
    const found = rows.map((row) => [readText(row.table_name), readText(row.column_name)] as const).filter(([table]) => !isLeft(table));
    expect(found.map((names) => names.join('.')).sort()).toEqual(known);
  });

  test('copies every row and every balance of the file, in the same order', async () => {
    const { source, target, postgres, filled } = await openBoth();
    const { rows } = await copyTo(source, target);
    const compared = await compareTo(source, target);
    expect(compared).toMatchObject({ isEqual: true, sourceBalance: compared.targetBalance });
    expect(compared.tables.filter(({ sourceRows }) => sourceRows === 0)).toEqual([]);
    expect(compared.tables.reduce((sum, { targetRows }) => sum + targetRows, 0)).toBe(rows);
    await expectSameAnswers(filled, postgres);
  });

  async function expectSameAnswers({ database: { connection }, accountId }: Filled, postgres: Postgres): Promise<void> {
    const oldLedger = openSqliteLedger({ connection, steps: runInline(connection, openLedgerSteps) });
    const newLedger = openPostgresLedger(postgres);
    const books = await newLedger.reconcile();
    expect(books).toEqual(await oldLedger.reconcile());
    expect(books).toMatchObject({ accounts: 2, differences: [], unbalanced: [], contradictions: [] });
    expect(books.overrun).toBeGreaterThan(0n);
    expect(await newLedger.getBalance(accountId)).toEqual(await oldLedger.getBalance(accountId));
    const oldAccess = accessStoreDefinition.onSqlite({ connection, steps: runInline(connection, accessStoreDefinition.steps) });
    const newAccess = accessStoreDefinition.onPostgres(postgres);
    const keys = await newAccess.listKeys();
    expect(keys).toEqual(await oldAccess.listKeys());
    expect(keys.map(({ name }) => name)).toEqual(['first', 'second', 'third', 'fourth', 'fifth', 'gone']);
    expect(await newAccess.listAudit({ limit: 100 })).toEqual(await oldAccess.listAudit({ limit: 100 }));
    const chain = await historyStoreDefinition.onPostgres(postgres).listChain(accountId, 'resp_3');
    expect(chain.map(({ id }) => id)).toEqual(['resp_0', 'resp_1', 'resp_2', 'resp_3']);
    const again = await idempotencyStoreDefinition.onPostgres(postgres).find({ ...claimOf(accountId, 'answered'), requestId: 'req_again' });
    expect(again).toMatchObject({ kind: 'answered', requestId: 'req_of_answered', answer: { contentType: 'application/json' } });
    expect(again.kind === 'answered' && [...again.answer.bytes.subarray(254, 258)]).toEqual([254, 255, 0, 1]);
  }

  test('resumes a copy that was stopped in the middle of a table, and completes it', async () => {
    const { source, target } = await openBoth();
    const stopAt = (name: string) => (progress: Progress) => {
      if (progress.table === name) throw new Error(`stopped in ${name}`);
    };
    for (const name of ['charges', 'responses']) await expect(copyTo(source, target, stopAt(name))).rejects.toThrow(`stopped in ${name}`);
    expect(differing(await compareTo(source, target))).toContain('responses');
    const seen: Progress[] = [];
    expect(await copyTo(source, target, (progress) => seen.push(progress))).toMatchObject({ isResumed: true });
    const again = new Set(seen.map(({ table }) => table));
    expect([again.has('charges'), again.has('responses')]).toEqual([false, true]);
    expect(seen.at(-1)).toMatchObject({ done: seen.at(-1)?.total });
    expect(differing(await compareTo(source, target))).toEqual([]);
  });

  test("doesn't repeat rows on resuming that were written but not noted as done", async () => {
    const { source, target, postgres } = await openBoth();
    await copyTo(source, target);
    await postgres.query({ text: `DELETE FROM ${COPY_NOTES_TABLE} WHERE name <> 'source'` });
    await copyTo(source, target);
    expect(differing(await compareTo(source, target))).toEqual([]);
  });

  test('rejects resuming a copy if the source has changed since it began', async () => {
    const { source, target, filled } = await openBoth();
    const stop = () => {
      throw new Error('stopped');
    };
    await expect(copyTo(source, target, stop)).rejects.toThrow('stopped');
    const { connection } = filled.database;
    await topUp(openSqliteLedger({ connection, steps: runInline(connection, openLedgerSteps) }), filled.accountId, 5n);
    await expect(copyTo(source, target)).rejects.toThrow('The source has changed since the copy started');
  });

  test('rejects a target that holds other data with the names of its tables, and leaves it unchanged', async () => {
    const { source, target, postgres } = await openBoth();
    await openPostgresLedger(postgres).addPrice({ priceList: 'standard', model: 'm', source: 'config', prices: '{}', createdAt: noon });
    await expect(copyTo(source, target)).rejects.toThrow('the target already holds other data (price_versions)');
    expect(await target.readNotes()).toBeNull();
  });

  test('finds a changed row in a table, even with as many rows on both sides', async () => {
    const { source, target, postgres } = await openBoth();
    await copyTo(source, target);
    const changes = [
      ['keys', 'UPDATE keys SET revoked_at = NULL'],
      ['balances', 'UPDATE balances SET balance = balance + 1'],
      ['idempotency', 'UPDATE idempotency SET answer = substr(answer, 2) WHERE answer IS NOT NULL'],
      ['responses', `UPDATE responses SET input = '[]' WHERE id = 'resp_3'`],
    ] as const;
    for (const [, sql] of changes) await postgres.query({ text: sql });
    const compared = await compareTo(source, target);
    expect(differing(compared).sort()).toEqual(changes.map(([table]) => table).sort());
    expect(compared).toMatchObject({ isEqual: false, targetBalance: compared.sourceBalance + 2n });
    expect(compared.tables.every(({ sourceRows, targetRows }) => sourceRows === targetRows)).toBe(true);
  });

  test('gives rows that are written to PostgreSQL after the copy new numbers, so they come last', async () => {
    const { source, target, postgres, filled } = await openBoth();
    await copyTo(source, target);
    const ledger = openPostgresLedger(postgres);
    const { version } = await ledger.addPrice({ priceList: 'other', model: 'm', source: 'admin', prices: '{}', createdAt: noon });
    expect(version).toBe(3);
    await topUp(ledger, filled.accountId, 5n);
    const access = accessStoreDefinition.onPostgres(postgres);
    await access.addAuditEntry({ actor: 'test', action: 'late', target: 'x', details: {}, at: noon });
    expect((await access.listAudit({ limit: 1 })).map(({ action }) => action)).toEqual(['late']);
    const record = { id: 'acct_0', name: 'late', group: 'default', createdAt: noon, limits: noLimits, suspendedAt: null };
    expect(await access.addAccount(record, { actor: 'test', action: 'account.create', target: 'acct_0', details: {}, at: noon })).toBe(
      true,
    );
    // It has the time of the others, and was made after them.
    expect((await access.listAccounts()).at(-1)).toMatchObject({ name: 'late' });
  });

  test('copies from PostgreSQL back into an equal file that can be used', async () => {
    const { source, target, filled } = await openBoth();
    await copyTo(source, target);
    await target.dropNotes();
    const database = openDatabase({ folder: temporaryFolder(), durability: 'relaxed' });
    onTestFinished(database.close);
    const back = openSqliteCopyDatabase(database, 'the way back');
    await copyTo(target, back);
    expect(differing(await compareTo(target, back))).toEqual([]);
    expect(differing(await compareTo(source, back))).toEqual([]);
    await back.dropNotes();
    const ledger = openSqliteLedger({ connection: database.connection, steps: runInline(database.connection, openLedgerSteps) });
    await topUp(ledger, filled.accountId, 5n);
    expect(await ledger.reconcile()).toMatchObject({ differences: [], unbalanced: [], contradictions: [] });
  });
});
