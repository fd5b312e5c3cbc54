/** What `modelgate db migrate` does: today's tables on the configured database, and a line on what that took. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { databaseFile, openDatabase } from '../storage/database.ts';
import { openPostgres, type Postgres } from '../storage/postgres/pool.ts';
import { migratePostgres } from '../storage/postgres/schema.ts';
import { type AdminOptions, print } from './administration.ts';
import { findDatabase, labelOf } from './db-place.ts';

interface Step {
  /** 0 where there was no table. */
  readonly before: number;
  readonly after: number;
}

export async function runMigrate(options: AdminOptions): Promise<void> {
  const address = findDatabase(options);
  const { before, after } = address.kind === 'sqlite' ? migrateFile(address.folder) : await migrateServer(address.url);
  const database = labelOf(address);
  const text =
    before === after
      ? `${database} is at schema ${after}, nothing is to be done.\n`
      : `${database} went from schema ${before} to ${after}.\n`;
  print(options, { database, from: before, to: after }, text);
}

function migrateFile(folder: string): Step {
  const file = databaseFile(folder);
  const before = existsSync(file) ? versionIn(file) : 0;
  openDatabase({ folder, durability: 'strict' }).close();
  return { before, after: versionIn(file) };
}

/** 0 where the file cannot be read either: whoever opens it for good says what is wrong. */
function versionIn(file: string): number {
  try {
    const connection = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    try {
      const table = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get();
      return table === undefined ? 0 : Number(connection.prepare('SELECT max(version) AS version FROM migrations').get()?.version);
    } finally {
      connection.close();
    }
  } catch {
    return 0;
  }
}

async function migrateServer(url: string): Promise<Step> {
  const postgres = openPostgres({ url });
  try {
    const before = await versionOn(postgres);
    await migratePostgres(postgres);
    return { before, after: await versionOn(postgres) };
  } finally {
    await postgres.close();
  }
}

async function versionOn(postgres: Postgres): Promise<number> {
  const [table] = await postgres.query({ text: `SELECT to_regclass('migrations') IS NOT NULL AS exists` });
  if (table?.exists !== true) return 0;
  const [row] = await postgres.query({ text: 'SELECT coalesce(max(version), 0) AS version FROM migrations' });
  return Number(row?.version);
}
