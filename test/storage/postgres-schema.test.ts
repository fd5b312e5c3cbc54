/** The tables on PostgreSQL: made once, by whoever is first, and never by an older version over a newer one. */
import { describe, expect, test } from 'vitest';
import { openPostgres } from '../../server/storage/postgres/pool.ts';
import { migratePostgres, migrations } from '../../server/storage/postgres/schema.ts';
import { migrations as embedded } from '../../server/storage/schema.ts';
import { postgresName, usePostgres } from '../harness/postgres.ts';
import { postgresMissing } from '../harness/servers.ts';

test('the steps have the same numbers on both engines', () => {
  expect(migrations.map(({ version }) => version)).toEqual(embedded.map(({ version }) => version));
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

  test('an older version refuses a database of a newer one', async () => {
    const { postgres } = await place.fresh();
    await postgres.query({ text: "INSERT INTO migrations VALUES (99, 'from tomorrow', 0)" });
    await expect(migratePostgres(postgres)).rejects.toThrow('written by a newer Modelgate (schema 99');
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
