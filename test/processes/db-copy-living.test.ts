/** `db copy` from a running gateway of an older version: it is rejected before anything is changed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listRunningGateways } from '../../server/operate/commands/running-gateways.ts';
import { openPostgres } from '../../server/store/postgres/postgres.ts';
import { getDatabasePath } from '../../server/store/sqlite/database.ts';
import { modelgate } from '../harness/command-line.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { postgresName, usePostgres } from '../harness/postgres.ts';
import { postgresMissing } from '../harness/servers.ts';

/** Stands for an older schema: without the table `migrations`, opening it would make all others. */
const OLDER = 'CREATE TABLE nodes (id TEXT PRIMARY KEY NOT NULL, seen_at BIGINT NOT NULL)';

test('leaves the schema of a SQLite source unmigrated, and creates no target', async () => {
  const [folder, target] = [temporaryFolder(), join(temporaryFolder(), 'new')];
  const connection = new DatabaseSync(getDatabasePath(folder));
  onTestFinished(() => connection.close());
  connection.exec(OLDER);
  connection.prepare('INSERT INTO nodes VALUES (?, ?)').run('node_alive', Date.now());
  const outcome = await modelgate(['db', 'copy', folder, target]);
  expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('(node_alive). Stop it first') });
  expect(connection.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all()).toEqual([{ name: 'nodes' }]);
  expect(existsSync(target)).toBe(false);
  connection.exec('DROP TABLE nodes');
  expect(await modelgate(['db', 'copy', folder, target])).toMatchObject({ code: 0, stderr: '' });
});

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const server = usePostgres();

  test('leaves the schema of a PostgreSQL source unmigrated', async () => {
    const { url } = await server.fresh();
    const postgres = openPostgres({ url });
    onTestFinished(() => postgres.close());
    await postgres.query({ text: 'DROP SCHEMA public CASCADE' });
    await postgres.query({ text: 'CREATE SCHEMA public' });
    expect(await listRunningGateways(postgres)).toEqual([]);
    await postgres.query({ text: OLDER });
    const now = '(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT';
    await postgres.query({ text: `INSERT INTO nodes VALUES ('node_alive', ${now}), ('node_dead', ${now} - 20000)` });
    const outcome = await modelgate(['db', 'copy', 'postgres', temporaryFolder()], { env: { DATABASE_URL: url } });
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('(node_alive). Stop it first') });
    const tables = await postgres.query({ text: `SELECT tablename FROM pg_tables WHERE schemaname = 'public'` });
    expect(tables).toEqual([{ tablename: 'nodes' }]);
  });
});
