/** Fills an embedded database with a request log of 90 days, its sums and its ledger lines; the same rows each time, made by the database itself. */

import { openAccess } from '../../../server/access/access.ts';
import { activityStoreDefinition } from '../../../server/records/plans.ts';
import { buildAddRollupsSql, rollupTables } from '../../../server/records/rollups.ts';
import { DAY_MS, HOUR_MS } from '../../../server/records/time-bucket.ts';
import { type Database, openDatabase, runInline } from '../../../server/store/sqlite/database.ts';

export const DAYS = 90;
export const ACCOUNTS = 500;
export const KEYS = 2_000;
const MODELS = 12;
const UPSTREAMS = 4;
/** Of one account. An end user has a key and a tag of their account. */
const END_USERS = 40;
const AT_ONCE = 250_000;

/** A number from 0 up to 1 for row `n`, another for each `salt`: rows are spread as by chance, and alike in each run. */
const spread = (salt: number): string => `((n * ${7_919 + salt * 104_729} + ${salt} * 15485863) % 1000003 / 1000003.0)`;

/** A tenth of the accounts makes half of the calls, as of the models. */
const skewed = (salt: number, count: number): string => `CAST(${count} * ${spread(salt)} * ${spread(salt)} * ${spread(salt)} AS INTEGER)`;

const ROWS = `
  WITH RECURSIVE
    numbers (n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2),
    drawn AS MATERIALIZED (
      SELECT n, CAST(?3 + n * ?4 AS INTEGER) AS at, ${skewed(1, ACCOUNTS)} AS account,
        ${skewed(2, MODELS)} AS model, CAST(${UPSTREAMS} * ${spread(3)} AS INTEGER) AS upstream, ${spread(4)} AS luck,
        CAST(${END_USERS} * ${spread(8)} AS INTEGER) AS end_user,
        CAST(200 + 4000 * ${spread(5)} AS INTEGER) AS input, CAST(20 + 900 * ${spread(6)} AS INTEGER) AS output,
        CAST(150 + 2000 * ${spread(7)} * ${spread(7)} AS INTEGER) AS first
      FROM numbers)`;
const OUTCOME = "CASE WHEN luck < 0.02 THEN 'rejected' WHEN luck < 0.025 THEN 'failed' ELSE 'completed' END";
const CHARGED = 'CASE WHEN luck < 0.025 THEN NULL ELSE input * 5 / 4 + output * 10 END';

const FILL_REQUESTS = `${ROWS}
  INSERT INTO requests (id, request_id, ended_at, account_id, key_id, model, operation, upstream, status, code, outcome, is_stream, attempts, first_ms,
    total_ms, input, cached_input, cache_write, output, images, charged, repeats, details, vendor_cost, end_user, tag)
  SELECT n + 1, printf('req_%024d', n), at, printf('acct_%04d', account), printf('key_%04d', account * 4 + end_user % 4), printf('model-%02d', model),
    CASE n % 3 WHEN 0 THEN 'createResponse' ELSE 'createChatCompletion' END, printf('upstream-%d', upstream),
    CASE WHEN luck < 0.02 THEN 429 WHEN luck < 0.025 THEN 502 ELSE 200 END,
    CASE WHEN luck < 0.02 THEN 'rate_limit_exceeded' WHEN luck < 0.025 THEN 'upstream_error' END, ${OUTCOME}, n % 2, 1,
    CASE WHEN luck < 0.025 THEN NULL ELSE first END, first + output * 15, CASE WHEN luck < 0.025 THEN 0 ELSE input END, 0, 0,
    CASE WHEN luck < 0.025 THEN 0 ELSE output END, 0, ${CHARGED}, 0,
    printf('{"attempts":[{"upstream":"upstream-%d","model":"model-%02d","status":200,"code":null,"ms":%d}],"requests":{"limit":600,"remaining":%d}}', upstream, model, first, n % 600),
    CASE WHEN luck < 0.025 THEN NULL ELSE input + output * 8 END, printf('user_%03d_%02d', account, end_user), printf('app-%d', end_user % 12)
  FROM drawn`;
/** The line of the account; that of the operator is in no statement. */
const FILL_ENTRIES = `${ROWS}
  INSERT INTO entries (id, transfer, kind, book, amount, note, created_at)
  SELECT n + 1, printf('req_%024d', n), 'charge', printf('account:acct_%04d', account), -(${CHARGED}), NULL, at FROM drawn WHERE luck >= 0.025`;

const FILL_OWNERS = [
  `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ACCOUNTS - 1})
   INSERT INTO accounts (id, name, created_at) SELECT printf('acct_%04d', n), printf('account-%04d', n), ?1 FROM numbers`,
  `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${KEYS - 1})
   INSERT INTO keys (id, account_id, name, hash, last_four, created_at)
   SELECT printf('key_%04d', n), printf('acct_%04d', n / 4), printf('key-%04d', n), randomblob(32), printf('%04d', n), ?1 FROM numbers`,
  "INSERT INTO balances (account_id, balance) SELECT id, 1000000000 + ?1 % 2 FROM accounts WHERE id GLOB 'acct_[0-9]*'",
];
/** Hours that were compared with the ledger: otherwise a gateway would begin with comparing all of them. */
const FILL_CHECKS = `
  INSERT INTO activity_checks (hour, first_entry, booked, summed)
  SELECT hour, 1, sum(charged), sum(charged) FROM activity_hours WHERE hour < ?1 GROUP BY hour`;

/** Indexes are made when the rows are there: that is quicker, and takes no more of the disk. */
function withoutIndexes({ connection }: Database, work: () => void): void {
  const indexes = connection
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN ('requests', 'entries')")
    .all();
  for (const { name } of indexes) connection.exec(`DROP INDEX ${name}`);
  work();
  for (const { sql } of indexes) connection.exec(String(sql));
}

/** `rows` calls that ended in the 90 days before `now`. */
export async function fillLog(folder: string, rows: number, now: number): Promise<void> {
  const database = openDatabase({ folder, durability: 'relaxed' });
  const { connection } = database;
  // Makes the secret without which keys are not served.
  await openAccess(folder, database);
  connection.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA cache_size = -400000; PRAGMA temp_store = FILE');
  const start = now - DAYS * DAY_MS;
  for (const sql of FILL_OWNERS) connection.prepare(sql).run(start);
  withoutIndexes(database, () => {
    for (const fill of [FILL_REQUESTS, FILL_ENTRIES].map((sql) => connection.prepare(sql)))
      for (let from = 0; from < rows; from += AT_ONCE) fill.run(from, Math.min(from + AT_ONCE, rows) - 1, start, (DAYS * DAY_MS) / rows);
  });
  for (const table of rollupTables) connection.exec(buildAddRollupsSql(table, 'requests'));
  const activity = activityStoreDefinition.onSqlite({ connection, steps: runInline(connection, activityStoreDefinition.steps) });
  while (await activity.closeDay(now));
  connection.prepare(FILL_CHECKS).run(now - (now % HOUR_MS) - HOUR_MS);
  connection.exec('ANALYZE; PRAGMA journal_mode = WAL');
  database.close();
}
