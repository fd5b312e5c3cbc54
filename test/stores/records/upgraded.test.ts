/** The sums of keys in a file of the version before are all there after its upgrade, and calls are added to them. */
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { buildAddRollupsSql, rollupTables } from '../../../server/records/rollups.ts';
import { DAY_MS } from '../../../server/records/time-bucket.ts';
import { migrate, migrations } from '../../../server/store/sqlite/database.ts';

const DAYS = 3;
const KEYS = 5;

test('keeps the sums of keys when their table is upgraded', () => {
  const connection = new DatabaseSync(':memory:');
  onTestFinished(() => connection.close());
  migrate(connection, migrations.slice(0, 3));
  const insert = connection.prepare(`INSERT INTO requests
    (request_id, ended_at, account_id, key_id, model, operation, status, outcome, is_stream, attempts, total_ms, input, cached_input, cache_write, output, images, charged, repeats, details)
    VALUES (?, ?, ?, ?, 'play', 'createResponse', 200, 'completed', 0, 1, 5, 10, 0, 0, 3, 0, ?, 0, '{}')`);
  const table = rollupTables.find(({ name }) => name === 'key_days') ?? expect.fail('no such table');
  const addDay = (day: number) => {
    for (let key = 0; key < KEYS; key++) insert.run(`req_${day}_${key}`, day * DAY_MS + key, `acct_${key % 2}`, `key_${key}`, 100 + key);
    connection.prepare(buildAddRollupsSql(table, 'requests', 'ended_at >= ?1 AND ended_at < ?2')).run(day * DAY_MS, (day + 1) * DAY_MS);
  };
  for (let day = 0; day < DAYS; day++) addDay(day);
  const read = () => connection.prepare('SELECT * FROM key_days ORDER BY account_id, day, key_id, model').all();
  const before = read();
  expect(before).toHaveLength(DAYS * KEYS);
  migrate(connection);
  expect(read()).toEqual(before);
  const byEndUser = connection.prepare('SELECT end_user, sum(requests) AS requests FROM end_user_days GROUP BY end_user').all();
  expect(byEndUser).toEqual([{ end_user: '', requests: DAYS * KEYS }]);
  // What is there already is added to, as before.
  connection.prepare(buildAddRollupsSql(table, 'requests', 'ended_at >= ?1 AND ended_at < ?2')).run(0, DAY_MS);
  expect(connection.prepare('SELECT sum(requests) AS requests FROM key_days WHERE day = 0').get()).toEqual({ requests: 2 * KEYS });
});
