/** `db copy` from a running gateway of an older version: it is refused before anything is changed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runningGatewaysOn } from '../../server/storage/copy/postgres.ts';
import { openPostgres } from '../../server/storage/postgres/pool.ts';
import { migratePostgres, migrations as serverMigrations } from '../../server/storage/postgres/schema.ts';
import { databaseFile, migrate, migrations } from '../../server/storage/sqlite/database.ts';
import { modelgate } from '../harness/command-line.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { postgresName, usePostgres } from '../harness/postgres.ts';
import { postgresMissing } from '../harness/servers.ts';

/** The newest migration of the older version. */
const older = 5;

test('the schema of a SQLite source is not migrated, and no target is made', async () => {
  const [folder, target] = [temporaryFolder(), join(temporaryFolder(), 'new')];
  const connection = new DatabaseSync(databaseFile(folder));
  onTestFinished(() => connection.close());
  migrate(connection, migrations.slice(0, older));
  connection.prepare('INSERT INTO nodes VALUES (?, ?)').run('node_alive', Date.now());
  const outcome = await modelgate(['db', 'copy', '--from', folder, '--to', target]);
  expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('(node_alive). Stop it first') });
  expect(connection.prepare('SELECT max(version) AS newest FROM migrations').get()?.newest).toBe(older);
  expect(existsSync(target)).toBe(false);
  connection.exec('DELETE FROM nodes');
  expect(await modelgate(['db', 'copy', '--from', folder, '--to', target])).toMatchObject({ code: 0, stderr: '' });
});

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const server = usePostgres();

  test('the schema of a PostgreSQL source is not migrated', async () => {
    const { url } = await server.fresh();
    const postgres = openPostgres({ url });
    onTestFinished(() => postgres.close());
    await postgres.query({ text: 'DROP SCHEMA public CASCADE' });
    await postgres.query({ text: 'CREATE SCHEMA public' });
    expect(await runningGatewaysOn(postgres, 15_000)).toEqual([]);
    await migratePostgres(postgres, serverMigrations.slice(0, older));
    const now = '(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT';
    await postgres.query({ text: `INSERT INTO nodes VALUES ('node_alive', ${now}), ('node_dead', ${now} - 20000)` });
    const outcome = await modelgate(['db', 'copy', '--from', 'postgres', '--to', temporaryFolder()], { env: { DATABASE_URL: url } });
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('(node_alive). Stop it first') });
    const [row] = await postgres.query({ text: 'SELECT max(version) AS newest FROM migrations' });
    expect(row?.newest).toBe(BigInt(older));
  });
});
