/** C2: refusals that were stored before migration step 15 are explained after it, and an older program still finds its table. */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { migratePostgres, migrations as serverMigrations } from '../../../server/storage/postgres/schema.ts';
import { migrate, migrations } from '../../../server/storage/sqlite/database.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';

const before = <M extends { readonly version: number }>(steps: readonly M[]): M[] => steps.filter(({ version }) => version < 15);
const attempts = '[{"upstream":"east","status":500,"code":"upstream_error","ms":1.5}]';
const insert = (id: string, status: number) => `
  INSERT INTO refusals (request_id, created_at, account_id, key_id, operation, model, status, code, param, message, attempts)
  VALUES ('${id}', 5, 'ada', 'key_1', 'createResponse', 'none', ${status}, 'a_code', NULL, 'It''s "late".', '${attempts}')`;
const read = 'SELECT request_id, outcome, details FROM requests ORDER BY id';

const expected = ['refused', 'failed', 'failed'].map((outcome, at) => ({
  id: `req_${at}`,
  outcome,
  details: { param: null, message: 'It\'s "late".', asked: 'none', attempts: JSON.parse(attempts) },
}));
const told = (rows: readonly Readonly<Record<string, unknown>>[]) =>
  rows.map(({ request_id: id, outcome, details }) => ({ id, outcome, details: JSON.parse(String(details)) }));
const inserts = [404, 502, 200].map((status, at) => insert(`req_${at}`, status));

test('C2: sqlite', () => {
  const connection = new DatabaseSync(':memory:');
  migrate(connection, before(migrations));
  for (const sql of inserts) connection.exec(sql);
  migrate(connection);
  expect(told(connection.prepare(read).all())).toEqual(expected);
  connection.exec(insert('req_of_before', 404));
});

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const place = usePostgres();

  test('C2: postgres', async () => {
    const { postgres } = await place.fresh();
    await postgres.transaction('write', ({ query }) => query({ text: 'DROP SCHEMA public CASCADE; CREATE SCHEMA public' }));
    await migratePostgres(postgres, before(serverMigrations));
    for (const text of inserts) await postgres.query({ text });
    await migratePostgres(postgres);
    expect(told(await postgres.query({ text: read }))).toEqual(expected);
    await postgres.query({ text: insert('req_of_before', 404) });
  });
});
