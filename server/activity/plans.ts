/** The request log in the database. */
import { MAX_SWEPT, shareReads } from '../storage/audit.ts';
import { type Dialect, driveOn, hot, openRoom, type Plan, sql } from '../storage/plan.ts';
import type { Postgres } from '../storage/postgres/pool.ts';
import { number, numberOrNull } from '../storage/rows.ts';
import { openReader } from '../storage/sqlite/reader.ts';
import type { ActivityStore, LogRow } from './record.ts';
import { addSumsSql, closeDaySql, DAY_MS, expireKeyHoursSql, nextDaySql, rowColumns, sumTables } from './sums.ts';

/** The rows as JSON: one text is cheaper to pass on than many objects. */
type ActivityRoom = Pick<ActivityStore, 'sweep' | 'recount' | 'closeDay' | 'noteCheck'> & { addRows(json: string): Promise<void> };

const texts: readonly string[] = [
  'request_id',
  'account_id',
  'key_id',
  'model',
  'operation',
  'upstream',
  'session',
  'code',
  'outcome',
  'details',
];
const typed = rowColumns.map((name) => `${name} ${texts.includes(name) ? 'TEXT' : 'BIGINT'}`).join(', ');
/** One statement is one transaction; a row that is there already is in no sum. */
const ADD_SHARED = `
  WITH added AS (
    INSERT INTO requests (${rowColumns.join(', ')})
    SELECT ${rowColumns.join(', ')} FROM json_to_recordset(?1::JSON) AS given (${typed})
    ON CONFLICT (request_id) DO NOTHING RETURNING *
  ), ${sumTables.map((table) => `${table.name}_added AS (${addSumsSql(table, 'added')})`).join(', ')}
  SELECT count(*) AS rows FROM added`;
const ADD = `INSERT OR IGNORE INTO requests (${rowColumns.join(', ')}) VALUES (${rowColumns.map((_, index) => `?${index + 1}`).join(', ')})`;
const sumNewer = sumTables.map((table) => addSumsSql(table, 'requests', 'id > ?1'));

function* addRows({ isShared }: Dialect, json: string): Plan<void> {
  if (isShared) return void (yield hot('keep_requests', ADD_SHARED, json));
  const [newest] = yield sql('SELECT coalesce(max(id), 0) AS id FROM requests');
  // Written by `add` below, without names, which would make it twice as long.
  for (const values of JSON.parse(json) as LogRow[keyof LogRow][][]) yield sql(ADD, ...values);
  for (const text of sumNewer) yield sql(text, number(newest?.id));
}

const oldSql = ({ lockFree }: Dialect, which: string): string =>
  `DELETE FROM requests WHERE id IN (SELECT id FROM requests WHERE ${which} ${lockFree}) RETURNING id`;
const NOTE = `
  INSERT INTO activity_checks (hour, first_entry, booked, summed) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (hour) DO UPDATE SET first_entry = excluded.first_entry, booked = excluded.booked, summed = excluded.summed`;
/** Of a statement over a day of rows. */
const MAX_RECOUNT_MS = 600_000;
const MAX_READ_MS = 5_000;

const room = openRoom<ActivityRoom>(
  'activity',
  { reads: [], noTransaction: ['addRows', 'sweep', 'noteCheck'], mostMs: { recount: MAX_RECOUNT_MS, closeDay: MAX_RECOUNT_MS } },
  (db) => ({
    addRows: (json) => addRows(db, json),
    sweep: function* ({ before, unknownBefore, maxUnknown, hoursBefore }) {
      const steps = [
        sql(oldSql(db, `ended_at < ?1 ORDER BY ended_at LIMIT ${MAX_SWEPT}`), before),
        sql(oldSql(db, `account_id IS NULL AND ended_at < ?1 ORDER BY ended_at LIMIT ${MAX_SWEPT}`), unknownBefore),
        sql(oldSql(db, `account_id IS NULL ORDER BY ended_at DESC, id DESC LIMIT ${MAX_SWEPT} OFFSET ?1`), maxUnknown),
        sql(`${expireKeyHoursSql} RETURNING hour`, hoursBefore),
      ];
      for (const step of steps) {
        const { length } = yield step;
        if (length > 0) return length;
      }
      return 0;
    },
    recount: function* (from, to) {
      // No process adds to the sums meanwhile.
      if (db.isShared) yield sql(`LOCK TABLE ${sumTables.map(({ name }) => name).join(', ')} IN EXCLUSIVE MODE`);
      for (const table of sumTables) {
        const time = 'hour' in table.key ? 'hour' : 'day';
        yield sql(`DELETE FROM ${table.name} WHERE ${time} >= ?1 AND ${time} < ?2`, from, to);
        yield sql(addSumsSql(table, 'requests', 'ended_at >= ?1 AND ended_at < ?2'), from, to);
      }
    },
    closeDay: function* (before) {
      const [found] = yield sql(nextDaySql, before - (before % DAY_MS));
      const day = numberOrNull(found?.day ?? null);
      if (day !== null) yield sql(closeDaySql, day, day + DAY_MS);
      return day !== null;
    },
    noteCheck: function* ({ hour, firstEntry, booked, summed }) {
      yield sql(NOTE, hour, firstEntry, booked, summed);
    },
  }),
);

export const activityRoom = {
  steps: room.steps,
  onSqlite(place: Parameters<typeof room.onSqlite>[0]): ActivityStore {
    const { addRows: add, ...store } = room.onSqlite(place);
    const reader = openReader(place.connection);
    const written = (rows: readonly LogRow[]): string => JSON.stringify(rows.map((row) => rowColumns.map((name) => row[name])));
    return { ...store, add: (rows) => add(written(rows)), ask: reader.read, close: () => reader.close() };
  },
  onPostgres(postgres: Postgres): ActivityStore {
    const { addRows: add, ...store } = room.onPostgres(postgres);
    const read = (text: string, values: Parameters<ActivityStore['ask']>[1]) =>
      postgres.transaction('read', (queries) => driveOn(one(text, values), queries), MAX_READ_MS);
    // The pool belongs to all stores.
    return { ...store, add: (rows) => add(JSON.stringify(rows)), ask: shareReads(read), close: async () => undefined };
  },
};

function* one(text: string, values: Parameters<ActivityStore['ask']>[1]): Plan<Awaited<ReturnType<ActivityStore['ask']>>> {
  return yield sql(text, ...values);
}
