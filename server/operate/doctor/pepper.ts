/** Checks that the pepper matches the keys in the database. */

import { type Environment, hasDifferentPepper, hasPepper, openPepper } from '../../access/pepper.ts';
import { accessStoreDefinition } from '../../access/plans.ts';
import type { Config } from '../../config/config.ts';
import { withPostgres } from '../../store/postgres/postgres.ts';
import { hasDatabase, hasTable, readDatabase, runInline } from '../../store/sqlite/database.ts';
import { hasPostgresTable } from '../../store/unfinished-copy.ts';
import { type CheckResult, reportFault, reportOk, reportWarning } from './check-result.ts';

/** Checks the pepper, without which no key in the database is recognized. */
export async function examinePepper({ data, database }: Pick<Config, 'data' | 'database'>, env: Environment): Promise<CheckResult> {
  if (hasPepper(data, env)) {
    const source = env.MODELGATE_PEPPER?.trim() ? 'from MODELGATE_PEPPER' : 'in the data folder';
    // A database that doesn't respond is reported separately.
    const storedFingerprint = await (database.url === undefined ? readFileFingerprint(data) : readServerFingerprint(database.url)).catch(
      () => undefined,
    );
    if (!hasDifferentPepper(storedFingerprint, openPepper(data, env))) return reportOk(source);
    return reportFault(
      `${source}, but the keys in the database were created with a different one`,
      'Set MODELGATE_PEPPER to the pepper of the gateways that created the keys, or to the content of the file "pepper" in their data folder.',
    );
  }
  const needsPepper = await (database.url === undefined ? doesFileNeedPepper(data) : doesServerNeedPepper(database.url)).catch(
    () => undefined,
  );
  if (needsPepper === false) return reportOk("doesn't exist yet; the first start creates it");
  if (needsPepper === undefined) return reportWarning("missing, and the database, which may contain keys, doesn't respond", REMEDY);
  return reportFault('the database has keys, but their pepper is missing', REMEDY);
}

const REMEDY = 'Copy the file "pepper" here from the folder where the keys were created, or set MODELGATE_PEPPER to its content.';

const FILE_TIMEOUT_MS = 2_000;

/** If one of these tables has rows, the database needs its pepper. */
const pepperTables = ['keys', 'admin_keys', 'pepper_fingerprint'];

const toFirstRowQuery = (table: string): string => `SELECT 1 AS found FROM ${table} LIMIT 1`;

const doesFileNeedPepper = async (folder: string): Promise<boolean> =>
  hasDatabase(folder) &&
  readDatabase(folder, FILE_TIMEOUT_MS, (connection) =>
    pepperTables.some((table) => hasTable(connection, table) && connection.prepare(toFirstRowQuery(table)).get() !== undefined),
  );

const doesServerNeedPepper = (url: string): Promise<boolean> =>
  withPostgres({ url, connections: 1 }, async (postgres) => {
    for (const table of pepperTables)
      if ((await hasPostgresTable(postgres, table)) && (await postgres.query({ text: toFirstRowQuery(table) })).length > 0) return true;
    return false;
  });

const readFileFingerprint = async (folder: string) =>
  readDatabase(folder, FILE_TIMEOUT_MS, (connection) =>
    accessStoreDefinition.onSqlite({ connection, steps: runInline(connection, accessStoreDefinition.steps) }).findFingerprint(),
  );

const readServerFingerprint = (url: string) =>
  withPostgres({ url, connections: 1 }, (postgres) => accessStoreDefinition.onPostgres(postgres).findFingerprint());
