/** The database of a gateway as somebody beside it sees and changes it, on whichever engine it is. */
import { DatabaseSync } from 'node:sqlite';
import type { Config } from '../../server/config/config.ts';
import { openPostgres } from '../../server/storage/postgres/pool.ts';
import { databaseFile } from '../../server/storage/sqlite/database.ts';
import { hangLimitMs } from './hang-limit.ts';

export interface Beside {
  /** What a statement that both engines understand finds, by the names of its columns; whole numbers as bigints. */
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
}

export function openBeside({ database, data }: Pick<Config, 'database' | 'data'>): Beside {
  return database.url === undefined ? besideFile(data) : besideServer(database.url);
}

function besideFile(data: string): Beside {
  const database = new DatabaseSync(databaseFile(data), { timeout: hangLimitMs });
  return {
    async rows(sql) {
      const statement = database.prepare(sql);
      statement.setReadBigInts(true);
      return statement.all();
    },
    close: async () => database.close(),
  };
}

function besideServer(url: string): Beside {
  const postgres = openPostgres({ url });
  return { rows: (sql) => postgres.query({ text: sql }), close: () => postgres.close() };
}
