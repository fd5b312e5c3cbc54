/** `modelgate db migrate`: updates the schema of a database. */

import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openPostgres } from '../../store/postgres/postgres.ts';
import { findSchemaOn, migratePostgres } from '../../store/postgres/schema.ts';
import { type DatabaseSchema, describeNewer } from '../../store/schema-compatibility.ts';
import { getDatabasePath, openDatabase, readSchema, supportedSchemaVersion } from '../../store/sqlite/database.ts';
import type { AdminOptions } from './admin-command.ts';
import { findDatabase, formatAddress } from './database-address.ts';
import { printResult } from './print-result.ts';

interface MigrationStep {
  /** 0 if the database had no tables. */
  readonly before: number;
  readonly after: DatabaseSchema;
}

export async function runDbMigrate(options: AdminOptions): Promise<void> {
  const address = findDatabase(options);
  const { before, after } = address.kind === 'sqlite' ? migrateFile(address.folder) : await migrateServer(address.url);
  const database = formatAddress(address);
  printResult(options, { database, from: before, to: after.version }, `${database} ${formatMigration(before, after)}\n`);
}

function formatMigration(before: number, after: DatabaseSchema): string {
  const newer = describeNewer(after, supportedSchemaVersion);
  if (newer !== null) return `is at ${newer}; nothing to do.`;
  return before === after.version ? `is at schema ${before}; nothing to do.` : `was migrated from schema ${before} to ${after.version}.`;
}

function migrateFile(folder: string): MigrationStep {
  const file = getDatabasePath(folder);
  const before = existsSync(file) ? readSchemaVersion(file) : 0;
  const database = openDatabase({ folder, durability: 'strict' });
  database.close();
  return { before, after: database.schema };
}

/** Also returns 0 if the file can't be read, because opening the database reports the reason. */
function readSchemaVersion(file: string): number {
  try {
    const connection = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    try {
      return readSchema(connection).version;
    } finally {
      connection.close();
    }
  } catch {
    return 0;
  }
}

async function migrateServer(url: string): Promise<MigrationStep> {
  const postgres = openPostgres({ url });
  try {
    const { version: before } = await findSchemaOn(postgres);
    return { before, after: await migratePostgres(postgres) };
  } finally {
    await postgres.close();
  }
}
