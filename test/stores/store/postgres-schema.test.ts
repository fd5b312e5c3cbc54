/** The tables on PostgreSQL: made once, by whoever is first, and never by an older version over a newer one. */
import { describe, expect, test } from 'vitest';
import { openPostgres } from '../../../server/store/postgres/postgres.ts';
import { migratePostgres, migrations } from '../../../server/store/postgres/schema.ts';
import { migrations as embedded } from '../../../server/store/sqlite/database.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';

test('the steps have the same numbers on both engines', () => {
  expect(migrations.map(({ version }) => version)).toEqual(embedded.map(({ version }) => version));
});

test('on both engines the version before may work on what each step leaves, and the steps say the same', () => {
  expect(migrations.map(({ worksWith }) => worksWith)).toEqual(embedded.map(({ worksWith }) => worksWith));
  const saying = migrations.filter(({ version }) => version > 1);
  for (const { version, worksWith } of saying)
    expect([version, worksWith]).toEqual([version, expect.toSatisfy((oldest) => oldest < version)]);
});

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const place = usePostgres();

  test('processes that start at once on an empty database take each step once', async () => {
    const { postgres, url } = await place.fresh();
    await postgres.transaction('write', ({ query }) => query({ text: 'DROP SCHEMA public CASCADE; CREATE SCHEMA public' }));
    const processes = Array.from({ length: 5 }, () => openPostgres({ url }));
    await Promise.all(processes.map((one) => migratePostgres(one)));
    const taken = await postgres.query({ text: 'SELECT version, name FROM migrations ORDER BY version' });
    expect(taken).toEqual(migrations.map(({ version, name }) => ({ version: BigInt(version), name })));
    await Promise.all(processes.map((one) => one.close()));
  });

  test('a step that fails leaves nothing of itself, and those before it stay', async () => {
    const { postgres } = await place.fresh();
    const steps = [...migrations, { version: 99, name: 'broken', sql: 'CREATE TABLE half (id INT); SELECT 1 / 0' }];
    await expect(migratePostgres(postgres, steps)).rejects.toThrow('division by zero');
    expect(await postgres.query({ text: "SELECT to_regclass('half') AS half, max(version) AS version FROM migrations" })).toEqual([
      { half: null, version: BigInt(migrations.length) },
    ]);
    await migratePostgres(postgres);
  });

  test('a database of a pre-release version is rejected, and nothing is changed', async () => {
    const { postgres } = await place.fresh();
    await postgres.query({ text: "UPDATE migrations SET name = 'accounts and keys' WHERE version = 1" });
    await expect(migratePostgres(postgres)).rejects.toThrow('created by a pre-release version of Modelgate');
  });

  test('an older version refuses a database of a newer one', async () => {
    const { postgres } = await place.fresh();
    await postgres.query({ text: "INSERT INTO migrations (version, name, applied_at) VALUES (99, 'from tomorrow', 0)" });
    await expect(migratePostgres(postgres)).rejects.toThrow('written by a newer Modelgate (schema 99');
  });

  test('a statement whose table was widened under it is prepared anew, and nobody waits for a restart', async () => {
    const { postgres } = await place.fresh({ connections: 1 });
    const all = { name: 'all_nodes', text: 'SELECT * FROM nodes' };
    await postgres.query(all);
    await postgres.query({ text: "ALTER TABLE nodes ADD COLUMN later TEXT DEFAULT 'x'" });
    await expect(postgres.query(all)).rejects.toThrow('cached plan');
    expect(await postgres.query(all)).toEqual([]);
  });

  test('of a step that programs of before can work with, it is kept which, and theirs are let in', async () => {
    const { postgres } = await place.fresh();
    const next = { version: migrations.length + 1, name: 'next', sql: 'CREATE TABLE next (id INT)', worksWith: migrations.length };
    const found = { version: next.version, worksWith: migrations.length };
    expect(await migratePostgres(postgres, [...migrations, next])).toEqual(found);
    expect(await migratePostgres(postgres)).toEqual(found);
    await expect(migratePostgres(postgres, migrations.slice(0, -1))).rejects.toThrow(
      `(schema ${next.version}; this version supports schema ${migrations.length - 1}). Start the newer version, or one that supports at least schema ${migrations.length}`,
    );
  });

  test('a database whose standard isolation is another one is used as ours', async () => {
    const { postgres, url } = await place.fresh();
    const name = new URL(url).pathname.slice(1);
    await postgres.query({ text: `ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'` });
    const later = openPostgres({ url });
    const [row] = await later.query({ text: "SELECT current_setting('transaction_isolation') AS level" });
    await later.close();
    expect(row).toEqual({ level: 'read committed' });
  });
});
