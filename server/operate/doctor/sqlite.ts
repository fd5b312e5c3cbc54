/** Checks that the database file opens, is intact, and has the schema of this version. */

import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type DatabaseSchema, describeNewer, findIncompatibility } from '../../store/schema-compatibility.ts';
import { assertCopyFinished, getDatabasePath, readSchema, supportedSchemaVersion } from '../../store/sqlite/database.ts';
import { type CheckResult, formatMilliseconds, getReason, measureTime, reportFault, reportOk } from './check-result.ts';

const BUSY_TIMEOUT_MS = 2_000;
/** Maximum file size for an integrity check. Larger files take too long for an interactive command. */
const MAX_CHECKED_BYTES = 256 * 1_048_576;

export async function examineSqlite(folder: string): Promise<CheckResult> {
  const file = getDatabasePath(folder);
  if (!existsSync(file)) return reportOk("doesn't exist yet; the first start creates it");
  try {
    const connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    try {
      return await examineDatabaseFile(connection, file);
    } finally {
      connection.close();
    }
  } catch (error) {
    const hint =
      'Check whether the disk is full, another user owns the file, or another program locks it. If not, restore it from a backup, together with the pepper.';
    return reportFault(`${file}: ${getReason(error)}`, hint);
  }
}

async function examineDatabaseFile(connection: DatabaseSync, file: string): Promise<CheckResult> {
  const schema = readSchema(connection);
  const schemaFault = findSchemaFault(schema);
  if (schemaFault) return schemaFault;
  assertCopyFinished(connection);
  if (statSync(file).size <= MAX_CHECKED_BYTES) {
    const result = connection.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    if (result !== 'ok')
      return reportFault(`${file} is damaged`, 'Stop the gateway and restore the file from a backup, together with the pepper.');
  }
  const { ms } = await measureTime(() => connection.exec('BEGIN IMMEDIATE; CREATE TABLE doctor_probe (x); ROLLBACK'));
  return reportOk(`SQLite, ${formatSchema(schema)}, write and rollback ${formatMilliseconds(ms)}`);
}

export function findSchemaFault(schema: DatabaseSchema): CheckResult | null {
  const incompatibility = findIncompatibility(schema, supportedSchemaVersion);
  return incompatibility && reportFault(incompatibility.fact, `${incompatibility.remedy}; or specify another database.`);
}

export function formatSchema(schema: DatabaseSchema): string {
  const { version } = schema;
  if (version === supportedSchemaVersion) return `schema ${version}`;
  if (version === 0) return 'empty; the first start creates its tables';
  return describeNewer(schema, supportedSchemaVersion) ?? `schema ${version}; the next start migrates it to ${supportedSchemaVersion}`;
}
