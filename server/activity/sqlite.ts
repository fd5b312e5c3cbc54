/** The request log on the embedded database: the thread that writes adds rows and sums, a thread that only reads answers. */
import type { DatabaseSync } from 'node:sqlite';
import { MAX_SWEPT } from '../storage/audit.ts';
import type { StepRunner } from '../storage/sqlite/database.ts';
import { openReader } from '../storage/sqlite/reader.ts';
import type { ActivityStore, Bounds, HourCheck, LogRow } from './record.ts';
import { addSumsSql, closeDaySql, DAY_MS, expireKeyHoursSql, nextDaySql, rowColumns, sumTables } from './sums.ts';

/** The writes, on one connection; none of them begins or ends a transaction. */
export type ActivitySteps = ReturnType<typeof openActivitySteps>;

interface Range {
  readonly from: number;
  readonly to: number;
}

export function openActivitySteps(connection: DatabaseSync) {
  const insert = connection.prepare(
    `INSERT OR IGNORE INTO requests (${rowColumns.join(', ')}) VALUES (${rowColumns.map(() => '?').join(', ')})`,
  );
  const newest = connection.prepare('SELECT coalesce(max(id), 0) AS id FROM requests');
  const addSums = sumTables.map((table) => connection.prepare(addSumsSql(table, 'requests', 'id > ?')));
  const expire = connection.prepare(
    `DELETE FROM requests WHERE id IN (SELECT id FROM requests WHERE ended_at < ? ORDER BY ended_at LIMIT ${MAX_SWEPT})`,
  );
  const expireUnknown = connection.prepare(
    `DELETE FROM requests WHERE id IN (SELECT id FROM requests WHERE account_id IS NULL AND ended_at < ? ORDER BY ended_at LIMIT ${MAX_SWEPT})`,
  );
  const cutUnknown = connection.prepare(
    `DELETE FROM requests WHERE id IN (SELECT id FROM requests WHERE account_id IS NULL ORDER BY ended_at DESC, id DESC LIMIT ${MAX_SWEPT} OFFSET ?)`,
  );
  const expireHours = connection.prepare(expireKeyHoursSql);
  const forget = sumTables.map(({ name, key }) => {
    const time = 'hour' in key ? 'hour' : 'day';
    return connection.prepare(`DELETE FROM ${name} WHERE ${time} >= ? AND ${time} < ?`);
  });
  const recountOf = sumTables.map((table) => connection.prepare(addSumsSql(table, 'requests', 'ended_at >= ? AND ended_at < ?')));
  const [nextDay, closeDay] = [connection.prepare(nextDaySql), connection.prepare(closeDaySql)];
  const note = connection.prepare('INSERT OR REPLACE INTO activity_checks (hour, first_entry, booked, summed) VALUES (?, ?, ?, ?)');
  return {
    /** The values of each row in the order of its columns, as JSON: one text is cheaper to pass to the thread than many objects, and without names it is half as long. */
    keepRequests(json: string): void {
      const before = Number(newest.get()?.id);
      // Written by `add` below.
      for (const values of JSON.parse(json) as LogRow[keyof LogRow][][]) insert.run(...values);
      for (const add of addSums) add.run(before);
    },
    /** The number of deleted rows, all of the first kind that there are some of. */
    sweepRequests({ before, unknownBefore, maxUnknown, hoursBefore }: Bounds): number {
      const expired = Number(expire.run(before).changes) || Number(expireUnknown.run(unknownBefore).changes);
      return expired || Number(cutUnknown.run(maxUnknown).changes) || Number(expireHours.run(hoursBefore).changes);
    },
    recountRequests({ from, to }: Range): void {
      for (const one of forget) one.run(from, to);
      for (const one of recountOf) one.run(from, to);
    },
    closeDay({ before }: Readonly<Record<'before', number>>): boolean {
      const day = nextDay.get(before - (before % DAY_MS))?.day ?? null;
      if (day !== null) closeDay.run(day, Number(day) + DAY_MS);
      return day !== null;
    },
    noteHour: ({ hour, firstEntry, booked, summed }: HourCheck): void => void note.run(hour, firstEntry, booked, summed),
  };
}

export interface ActivityPlace {
  readonly connection: DatabaseSync;
  readonly steps: Pick<StepRunner<ActivitySteps>, 'run'>;
}

export function openSqliteActivity({ connection, steps }: ActivityPlace): ActivityStore {
  const reader = openReader(connection);
  return {
    add: (rows) => steps.run('keepRequests', JSON.stringify(rows.map((row) => rowColumns.map((name) => row[name])))),
    sweep: (bounds) => steps.run('sweepRequests', { ...bounds }),
    recount: (from, to) => steps.run('recountRequests', { from, to }),
    closeDay: (before) => steps.run('closeDay', { before }),
    noteCheck: (check) => steps.run('noteHour', check),
    ask: reader.read,
    close: () => reader.close(),
  };
}
