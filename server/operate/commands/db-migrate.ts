/** `modelgate db migrate`: updates the schema of a database. */

import { withPostgres } from '../../store/postgres/postgres.ts';
import { findSchemaOn, migratePostgres } from '../../store/postgres/schema.ts';
import { type DatabaseSchema, describeNewer } from '../../store/schema-compatibility.ts';
import { openDatabase, readDatabase, readSchema, supportedSchemaVersion } from '../../store/sqlite/database.ts';
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
  const before = readSchemaVersion(folder);
  const database = openDatabase({ folder, durability: 'strict' });
  database.close();
  return { before, after: database.schema };
}

/** Also returns 0 if there's no file, or if it can't be read, because opening the database reports the reason. */
function readSchemaVersion(folder: string): number {
  try {
    return readDatabase(folder, 5_000, readSchema).version;
  } catch {
    return 0;
  }
}

const migrateServer = (url: string): Promise<MigrationStep> =>
  withPostgres({ url }, async (postgres) => ({ before: (await findSchemaOn(postgres)).version, after: await migratePostgres(postgres) }));
