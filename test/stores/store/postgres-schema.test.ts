/** The tables on PostgreSQL: made once, by whoever is first, and never by an older version over a newer one. */
import { describe, expect, test } from 'vitest';
import { openPostgres } from '../../../server/store/postgres/postgres.ts';
import { migratePostgres, migrations } from '../../../server/store/postgres/schema.ts';
import { migrations as embedded } from '../../../server/store/sqlite/database.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';

test('numbers the steps alike on both engines', () => {
  expect(migrations.map(({ version }) => version)).toEqual(embedded.map(({ version }) => version));
});

test('lets the previous version work on what each step leaves, alike on both engines', () => {
  expect(migrations.map(({ worksWith }) => worksWith)).toEqual(embedded.map(({ worksWith }) => worksWith));
  const saying = migrations.filter(({ version }) => version > 1);
  for (const { version, worksWith } of saying)
    expect([version, worksWith]).toEqual([version, expect.toSatisfy((oldest) => oldest < version)]);
});

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const place = usePostgres();

  test('takes each step once when processes start at once on an empty database', async () => {
    const { postgres, url } = await place.fresh();
    await postgres.transaction('write', ({ query }) => query({ text: 'DROP SCHEMA public CASCADE; CREATE SCHEMA public' }));
    const processes = Array.from({ length: 5 }, () => openPostgres({ url }));
    await Promise.all(processes.map((one) => migratePostgres(one)));
    const taken = await postgres.query({ text: 'SELECT version, name FROM migrations ORDER BY version' });
    expect(taken).toEqual(migrations.map(({ version, name }) => ({ version: BigInt(version), name })));
    await Promise.all(processes.map((one) => one.close()));
  });

  test('leaves nothing of a step that fails, and keeps those before it', async () => {
    const { postgres } = await place.fresh();
    const steps = [...migrations, { version: 99, name: 'broken', sql: 'CREATE TABLE half (id INT); SELECT 1 / 0' }];
    await expect(migratePostgres(postgres, steps)).rejects.toThrow('division by zero');
    expect(await postgres.query({ text: "SELECT to_regclass('half') AS half, max(version) AS version FROM migrations" })).toEqual([
      { half: null, version: BigInt(migrations.length) },
    ]);
    await migratePostgres(postgres);
  });

  test('rejects a database of a pre-release version, and changes nothing', async () => {
    const { postgres } = await place.fresh();
    await postgres.query({ text: "UPDATE migrations SET name = 'accounts and keys' WHERE version = 1" });
    await expect(migratePostgres(postgres)).rejects.toThrow('created by a pre-release version of Modelgate');
  });

  test('rejects a newer database in an older version', async () => {
    const { postgres } = await place.fresh();
    await postgres.query({ text: "INSERT INTO migrations (version, name, applied_at) VALUES (99, 'from tomorrow', 0)" });
    await expect(migratePostgres(postgres)).rejects.toThrow('written by a newer Modelgate (schema 99');
  });

  test('prepares a statement again after its table was widened, without a restart', async () => {
    const { postgres } = await place.fresh({ connections: 1 });
    const all = { name: 'all_nodes', text: 'SELECT * FROM nodes' };
    await postgres.query(all);
    await postgres.query({ text: "ALTER TABLE nodes ADD COLUMN later TEXT DEFAULT 'x'" });
    await expect(postgres.query(all)).rejects.toThrow('cached plan');
    expect(await postgres.query(all)).toEqual([]);
  });

  test('remembers the versions that can work with a step, and lets them in', async () => {
    const { postgres } = await place.fresh();
    const next = { version: migrations.length + 1, name: 'next', sql: 'CREATE TABLE next (id INT)', worksWith: migrations.length };
    const found = { version: next.version, worksWith: migrations.length };
    expect(await migratePostgres(postgres, [...migrations, next])).toEqual(found);
    expect(await migratePostgres(postgres)).toEqual(found);
    await expect(migratePostgres(postgres, migrations.slice(0, -1))).rejects.toThrow(
      `(schema ${next.version}; this version supports schema ${migrations.length - 1}). Start the newer version, or one that supports at least schema ${migrations.length}`,
    );
  });

  test('uses our isolation level on a database with another default', async () => {
    const { postgres, url } = await place.fresh();
    const name = new URL(url).pathname.slice(1);
    await postgres.query({ text: `ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'` });
    const later = openPostgres({ url });
    const [row] = await later.query({ text: "SELECT current_setting('transaction_isolation') AS level" });
    await later.close();
    expect(row).toEqual({ level: 'read committed' });
  });
});
