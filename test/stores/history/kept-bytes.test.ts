/** A3: the tables count the stored bytes of each account, whoever writes them. */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { migrate } from '../../../server/store/sqlite/database.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';

const columns = 'account_id, id, previous_id, upstream, created_at, input, response';
/** 10 bytes of input and 6 bytes of the answer. */
const rowOf = (account: string, id: string) => `('${account}', '${id}', NULL, 'east', 1, '["üüü"]', '{"a":1')`;

test('A3: counts in sqlite', () => {
  const connection = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true });
  migrate(connection);
  connection.exec(`INSERT INTO responses (${columns}) VALUES ${rowOf('ada', '1')}, ${rowOf('ada', '2')}, ${rowOf('bob', '1')}`);
  const kept = () => connection.prepare('SELECT account_id, bytes FROM kept_bytes ORDER BY account_id').all();
  expect(kept()).toMatchObject([
    { account_id: 'ada', bytes: 32 },
    { account_id: 'bob', bytes: 16 },
  ]);
  for (const _ of [1, 2]) connection.exec(`INSERT OR REPLACE INTO responses (${columns}) VALUES ${rowOf('bob', '2')}`);
  connection.exec("DELETE FROM responses WHERE account_id = 'ada' AND id = '1'");
  expect(kept()).toMatchObject([{ bytes: 16 }, { bytes: 32 }]);
});

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const place = usePostgres();

  test('A3: postgres', async () => {
    const { postgres } = await place.fresh();
    await postgres.query({
      text: `INSERT INTO responses (${columns}) VALUES ${rowOf('ada', '1')}, ${rowOf('ada', '2')}, ${rowOf('bob', '1')}`,
    });
    const kept = async () => (await postgres.query({ text: 'SELECT bytes FROM kept_bytes ORDER BY account_id' })).map(({ bytes }) => bytes);
    expect(await kept()).toEqual([32n, 16n]);
    const again = `INSERT INTO responses (${columns}) VALUES ${rowOf('bob', '2')} ON CONFLICT (account_id, id) DO UPDATE SET input = excluded.input`;
    for (const _ of [1, 2]) await postgres.query({ text: again });
    await postgres.query({ text: "DELETE FROM responses WHERE account_id = 'ada' AND id = '1'" });
    expect(await kept()).toEqual([16n, 32n]);
  });
});
