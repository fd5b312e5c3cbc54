/** The request log on PostgreSQL, of all processes in one table. */

import { MAX_SWEPT, shareReads } from '../storage/audit.ts';
import type { Postgres, Queries } from '../storage/postgres/pool.ts';
import { numberOrNull } from '../storage/rows.ts';
import type { ActivityStore } from './record.ts';
import { addSumsSql, closeDaySql, DAY_MS, expireKeyHoursSql, nextDaySql, rowColumns, sumTables } from './sums.ts';

const texts: readonly string[] = ['request_id', 'account_id', 'key_id', 'model', 'operation', 'upstream', 'code', 'outcome', 'details'];
const typed = rowColumns.map((name) => `${name} ${texts.includes(name) ? 'TEXT' : 'BIGINT'}`).join(', ');

/** One statement is one transaction; a row that is there already is in no sum. */
const add = {
  name: 'keep_requests',
  text: `
    WITH added AS (
      INSERT INTO requests (${rowColumns.join(', ')})
      SELECT ${rowColumns.join(', ')} FROM json_to_recordset($1::JSON) AS given (${typed})
      ON CONFLICT (request_id) DO NOTHING RETURNING *
    ), ${sumTables.map((table) => `${table.name}_added AS (${addSumsSql(table, 'added')})`).join(', ')}
    SELECT count(*) AS rows FROM added`,
};

const old = (where: string): string => `
  DELETE FROM requests WHERE id IN (SELECT id FROM requests WHERE ${where} LIMIT ${MAX_SWEPT} FOR UPDATE SKIP LOCKED) RETURNING id`;
const expire = { text: old('ended_at < $1 ORDER BY ended_at') };
const expireUnknown = { text: old('account_id IS NULL AND ended_at < $1 ORDER BY ended_at') };
const cutUnknown = {
  text: `DELETE FROM requests WHERE id IN (
    SELECT id FROM requests WHERE account_id IS NULL ORDER BY ended_at DESC, id DESC LIMIT ${MAX_SWEPT} OFFSET $1
  ) RETURNING id`,
};
const note = {
  text: `
    INSERT INTO activity_checks (hour, first_entry, booked, summed) VALUES ($1, $2, $3, $4)
    ON CONFLICT (hour) DO UPDATE SET first_entry = excluded.first_entry, booked = excluded.booked, summed = excluded.summed`,
};

const numbered = (sql: string): string => sql.replaceAll(/\?(\d+)/g, '$$$1');
const nextDay = { text: numbered(nextDaySql) };
const expireHours = { text: `${numbered(expireKeyHoursSql)} RETURNING hour` };
const makeDay = { text: numbered(closeDaySql) };

/** Of a statement over a day of rows. */
const MAX_RECOUNT_MS = 600_000;
const MAX_READ_MS = 5_000;

export function openPostgresActivity(postgres: Postgres): ActivityStore {
  return {
    async add(rows) {
      await postgres.query(add, [JSON.stringify(rows)]);
    },
    async sweep({ before, unknownBefore, maxUnknown, hoursBefore }) {
      const expired = (await postgres.work(expire, [before])).length || (await postgres.work(expireUnknown, [unknownBefore])).length;
      return expired || (await postgres.work(cutUnknown, [maxUnknown])).length || (await postgres.work(expireHours, [hoursBefore])).length;
    },
    async recount(from, to) {
      await postgres.transaction('write', (queries) => recount(queries, from, to), MAX_RECOUNT_MS);
    },
    closeDay: (before) => postgres.transaction('write', (queries) => closeDay(queries, before), MAX_RECOUNT_MS),
    async noteCheck({ hour, firstEntry, booked, summed }) {
      await postgres.work(note, [hour, firstEntry, booked, summed]);
    },
    // The pool belongs to all stores.
    close: async () => undefined,
    ask: shareReads((sql, values) =>
      postgres.transaction('read', (queries) => queries.query({ text: numbered(sql) }, values), MAX_READ_MS),
    ),
  };
}

async function closeDay(queries: Queries, before: number): Promise<boolean> {
  const [found] = await queries.query(nextDay, [before - (before % DAY_MS)]);
  const day = numberOrNull(found?.day ?? null);
  if (day !== null) await queries.query(makeDay, [day, day + DAY_MS]);
  return day !== null;
}

/** No process adds to the sums meanwhile. */
async function recount(queries: Queries, from: number, to: number): Promise<void> {
  await queries.query({ text: `LOCK TABLE ${sumTables.map(({ name }) => name).join(', ')} IN EXCLUSIVE MODE` });
  for (const table of sumTables) {
    const time = 'hour' in table.key ? 'hour' : 'day';
    await queries.query({ text: `DELETE FROM ${table.name} WHERE ${time} >= $1 AND ${time} < $2` }, [from, to]);
    await queries.query({ text: addSumsSql(table, 'requests', 'ended_at >= $1 AND ended_at < $2') }, [from, to]);
  }
}
