/** `db copy` from a database whose gateway still runs: it is refused before anything is changed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runningGatewaysOn } from '../../server/storage/copy/postgres.ts';
import { openPostgres } from '../../server/storage/postgres/pool.ts';
import { migratePostgres } from '../../server/storage/postgres/schema.ts';
import { databaseFile, migrate } from '../../server/storage/sqlite/database.ts';
import { modelgate } from '../harness/command-line.ts';
import { temporaryFolder } from '../harness/folder.ts';
import { postgresName, usePostgres } from '../harness/postgres.ts';
import { postgresMissing } from '../harness/servers.ts';

test('a SQLite file with a running gateway is not copied, and no target is made', async () => {
  const [folder, target] = [temporaryFolder(), join(temporaryFolder(), 'new')];
  const connection = new DatabaseSync(databaseFile(folder));
  onTestFinished(() => connection.close());
  migrate(connection);
  connection.prepare('INSERT INTO nodes (id, seen_at) VALUES (?, ?)').run('node_alive', Date.now());
  const outcome = await modelgate(['db', 'copy', '--from', folder, '--to', target]);
  expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('(node_alive). Stop it first') });
  expect(existsSync(target)).toBe(false);
  connection.exec('DELETE FROM nodes');
  expect(await modelgate(['db', 'copy', '--from', folder, '--to', target])).toMatchObject({ code: 0, stderr: '' });
});

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const server = usePostgres();

  test('a PostgreSQL database with a running gateway is not copied', async () => {
    const { url } = await server.fresh();
    const postgres = openPostgres({ url });
    onTestFinished(() => postgres.close());
    await postgres.query({ text: 'DROP SCHEMA public CASCADE' });
    await postgres.query({ text: 'CREATE SCHEMA public' });
    expect(await runningGatewaysOn(postgres, 15_000)).toEqual([]);
    await migratePostgres(postgres);
    const now = '(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT';
    await postgres.query({ text: `INSERT INTO nodes (id, seen_at) VALUES ('node_alive', ${now}), ('node_dead', ${now} - 20000)` });
    const outcome = await modelgate(['db', 'copy', '--from', 'postgres', '--to', temporaryFolder()], { env: { DATABASE_URL: url } });
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('(node_alive). Stop it first') });
  });
});
