/** The database methods for the request log. */
import { limitReads } from '../store/audit.ts';
import { formatPlaceholders } from '../store/format-placeholders.ts';
import { type Dialect, defineStore, type Plan, preparedSql, runPlanOn, sql } from '../store/plan.ts';
import type { Postgres } from '../store/postgres/postgres.ts';
import { readNumber, readNumberOrNull } from '../store/rows.ts';
import { openReader } from '../store/sqlite/reader.ts';
import type { LogRow } from './call-record.ts';
import { buildAddRollupsSql, buildExpireRollupsSql, closeDaySql, nextDaySql, rollupTables, rowColumns } from './rollups.ts';
import type { ActivityStore } from './store.ts';
import { DAY_MS } from './time-bucket.ts';

/** The rows as JSON, because one text is cheaper to transfer than many objects. */
type ActivityQueries = Pick<ActivityStore, 'sweep' | 'recount' | 'closeDay' | 'noteCheck'> & { addRows(json: string): Promise<void> };

const textColumns: readonly string[] = [
  ...['request_id', 'account_id', 'key_id', 'model', 'operation', 'upstream', 'session', 'code', 'outcome', 'details', 'end_user', 'tag'],
];
const typedColumns = rowColumns.map((name) => `${name} ${textColumns.includes(name) ? 'TEXT' : 'BIGINT'}`).join(', ');
/** A single statement is one transaction. A row that already exists isn't added to any total. */
const ADD_ROWS_SHARED = `
  WITH added AS (
    INSERT INTO requests (${rowColumns.join(', ')})
    SELECT ${rowColumns.join(', ')} FROM json_to_recordset(?1::JSON) AS given (${typedColumns})
    ON CONFLICT (request_id) DO NOTHING RETURNING *
  ), ${rollupTables.map((table) => `${table.name}_added AS (${buildAddRollupsSql(table, 'added')})`).join(', ')}
  SELECT count(*) AS rows FROM added`;
const ADD_ROW = `INSERT OR IGNORE INTO requests (${rowColumns.join(', ')}) VALUES (${formatPlaceholders(1, rowColumns)})`;
const rollupStatements = rollupTables.map((table) => buildAddRollupsSql(table, 'requests', 'id > ?1'));

function* addRows({ isShared }: Dialect, json: string): Plan<void> {
  if (isShared) return void (yield preparedSql('keep_requests', ADD_ROWS_SHARED, json));
  const [newestRow] = yield sql('SELECT coalesce(max(id), 0) AS id FROM requests');
  // `as`: `formatRows` below wrote this JSON, without names, which would double its length.
  for (const values of JSON.parse(json) as LogRow[keyof LogRow][][]) yield sql(ADD_ROW, ...values);
  for (const text of rollupStatements) yield sql(text, readNumber(newestRow?.id));
}

const buildDeleteOldSql = ({ lockFree }: Dialect, condition: string): string =>
  `DELETE FROM requests WHERE id IN (SELECT id FROM requests WHERE ${condition} ${lockFree}) RETURNING id`;
const SAVE_CHECK = `
  INSERT INTO activity_checks (hour, first_entry, booked, summed) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (hour) DO UPDATE SET first_entry = excluded.first_entry, booked = excluded.booked, summed = excluded.summed`;
/** Timeout for a statement over a day of rows. */
const MAX_RECOUNT_MS = 600_000;
const MAX_READ_MS = 5_000;

const activityQueriesDefinition = defineStore<ActivityQueries>(
  'activity',
  { reads: [], noTransaction: ['addRows', 'sweep', 'noteCheck'], mostMs: { recount: MAX_RECOUNT_MS, closeDay: MAX_RECOUNT_MS } },
  (db) => ({
    addRows: (json) => addRows(db, json),
    sweep: function* ({ before, unknownBefore, maxUnknown, hoursBefore }) {
      const steps = [
        sql(buildDeleteOldSql(db, `ended_at < ?1 ORDER BY ended_at LIMIT ${db.maxSweptRows}`), before),
        sql(buildDeleteOldSql(db, `account_id IS NULL AND ended_at < ?1 ORDER BY ended_at LIMIT ${db.maxSweptRows}`), unknownBefore),
        sql(buildDeleteOldSql(db, `account_id IS NULL ORDER BY ended_at DESC, id DESC LIMIT ${db.maxSweptRows} OFFSET ?1`), maxUnknown),
        ...buildExpireRollupsSql(db).map((text) => sql(text, hoursBefore)),
      ];
      for (const step of steps) {
        const { length } = yield step;
        if (length > 0) return length;
      }
      return 0;
    },
    recount: function* (from, to) {
      // No process adds to the totals during the recount.
      if (db.isShared) yield sql(`LOCK TABLE ${rollupTables.map(({ name }) => name).join(', ')} IN EXCLUSIVE MODE`);
      for (const table of rollupTables) {
        const time = table.key.includes('hour') ? 'hour' : 'day';
        yield sql(`DELETE FROM ${table.name} WHERE ${time} >= ?1 AND ${time} < ?2`, from, to);
        yield sql(buildAddRollupsSql(table, 'requests', 'ended_at >= ?1 AND ended_at < ?2'), from, to);
      }
    },
    closeDay: function* (before) {
      const [nextDayRow] = yield sql(nextDaySql, before - (before % DAY_MS));
      const day = readNumberOrNull(nextDayRow?.day ?? null);
      if (day !== null) yield sql(closeDaySql, day, day + DAY_MS);
      return day !== null;
    },
    noteCheck: function* ({ hour, firstEntry, posted, summed }) {
      yield sql(SAVE_CHECK, hour, firstEntry, posted, summed);
    },
  }),
);

export const activityStoreDefinition = {
  steps: activityQueriesDefinition.steps,
  onSqlite(target: Parameters<typeof activityQueriesDefinition.onSqlite>[0]): ActivityStore {
    const { addRows: addRowsJson, ...store } = activityQueriesDefinition.onSqlite(target);
    const reader = openReader(target.connection);
    const formatRows = (rows: readonly LogRow[]): string => JSON.stringify(rows.map((row) => rowColumns.map((name) => row[name])));
    return { ...store, add: (rows) => addRowsJson(formatRows(rows)), ask: reader.read, close: () => reader.close() };
  },
  onPostgres(postgres: Postgres): ActivityStore {
    const { addRows: addRowsJson, ...store } = activityQueriesDefinition.onPostgres(postgres);
    const read = (text: string, values: Parameters<ActivityStore['ask']>[1]) =>
      postgres.transaction('read', (queries) => runPlanOn(createReadPlan(text, values), queries), MAX_READ_MS);
    // Doesn't close the pool, which all stores share.
    return { ...store, add: (rows) => addRowsJson(JSON.stringify(rows)), ask: limitReads(read), close: async () => undefined };
  },
};

function* createReadPlan(text: string, values: Parameters<ActivityStore['ask']>[1]): Plan<Awaited<ReturnType<ActivityStore['ask']>>> {
  return yield sql(text, ...values);
}
