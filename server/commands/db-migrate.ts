/** What `modelgate db migrate` does: migrates the configured database, and prints what changed. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describeNewer, type FoundSchema } from '../storage/compatibility.ts';
import { openPostgres } from '../storage/postgres/pool.ts';
import { findSchemaOn, migratePostgres } from '../storage/postgres/schema.ts';
import { databaseFile, openDatabase } from '../storage/sqlite/database.ts';
import { findSchema, knownSchema } from '../storage/sqlite/schema.ts';
import { type AdminOptions, print } from './administration.ts';
import { findDatabase, labelOf } from './db-address.ts';

interface Step {
  /** 0 when there was no table. */
  readonly before: number;
  readonly after: FoundSchema;
}

export async function runMigrate(options: AdminOptions): Promise<void> {
  const address = findDatabase(options);
  const { before, after } = address.kind === 'sqlite' ? migrateFile(address.folder) : await migrateServer(address.url);
  const database = labelOf(address);
  print(options, { database, from: before, to: after.version }, `${database} ${tell(before, after)}\n`);
}

function tell(before: number, after: FoundSchema): string {
  const newer = describeNewer(after, knownSchema);
  if (newer !== null) return `is at ${newer}; there is nothing to do.`;
  return before === after.version
    ? `is at schema ${before}; there is nothing to do.`
    : `was migrated from schema ${before} to ${after.version}.`;
}

function migrateFile(folder: string): Step {
  const file = databaseFile(folder);
  const before = existsSync(file) ? versionIn(file) : 0;
  const database = openDatabase({ folder, durability: 'strict' });
  database.close();
  return { before, after: database.schema };
}

/** Also 0 when the file cannot be read: opening the database reports the reason. */
function versionIn(file: string): number {
  try {
    const connection = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    try {
      return findSchema(connection).version;
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
    const { version: before } = await findSchemaOn(postgres);
    return { before, after: await migratePostgres(postgres) };
  } finally {
    await postgres.close();
  }
}
