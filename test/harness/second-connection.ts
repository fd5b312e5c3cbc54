/** Opens a second connection to the database of a gateway, SQLite or PostgreSQL, to read and change it. */
import { DatabaseSync } from 'node:sqlite';
import type { Config } from '../../server/config/config.ts';
import { openPostgres } from '../../server/store/postgres/postgres.ts';
import { getDatabasePath } from '../../server/store/sqlite/database.ts';
import { hangLimitMs } from './hang-limit.ts';

export interface SecondConnection {
  /** The rows of a statement that both engines understand, by column name; integers as bigints. */
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
}

export function openSecondConnection({ database, data }: Pick<Config, 'database' | 'data'>): SecondConnection {
  return database.url === undefined ? besideFile(data) : besideServer(database.url);
}

function besideFile(data: string): SecondConnection {
  const database = new DatabaseSync(getDatabasePath(data), { timeout: hangLimitMs });
  return {
    async rows(sql) {
      const statement = database.prepare(sql);
      statement.setReadBigInts(true);
      return statement.all();
    },
    close: async () => database.close(),
  };
}

function besideServer(url: string): SecondConnection {
  const postgres = openPostgres({ url });
  return { rows: (sql) => postgres.query({ text: sql }), close: () => postgres.close() };
}
