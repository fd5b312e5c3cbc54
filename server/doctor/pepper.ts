/** The pepper check of `modelgate doctor`: it exists, and the keys of the database were made with it. */
import { DatabaseSync } from 'node:sqlite';
import { isOther } from '../access/fingerprint.ts';
import { type Environment, hasPepper, openPepper } from '../access/pepper.ts';
import { openFingerprint } from '../access/postgres/fingerprint.ts';
import { openFingerprintReads } from '../access/sqlite/fingerprint.ts';
import type { Config } from '../config/config.ts';
import { openPostgres, type Postgres } from '../storage/postgres/pool.ts';
import { databaseFile, hasDatabase } from '../storage/sqlite/database.ts';
import { fault, ok, type Verdict, warning } from './finding.ts';

/** Without it no key of a database can be recognised. */
export async function examinePepper({ data, database }: Pick<Config, 'data' | 'database'>, env: Environment): Promise<Verdict> {
  if (hasPepper(data, env)) {
    const place = env.MODELGATE_PEPPER?.trim() ? 'from MODELGATE_PEPPER' : 'in the data folder';
    // A database that does not answer is reported as its own part.
    const kept = await (database.url === undefined ? keptInFile(data) : keptOnServer(database.url)).catch(() => undefined);
    if (!isOther(kept, openPepper(data, env))) return ok(place);
    return fault(
      `${place}, but the keys of the database were made with a different one`,
      'Set MODELGATE_PEPPER to that of the gateways that know the keys, or to the content of the file "pepper" of their data folder.',
    );
  }
  const needs = await (database.url === undefined ? fileNeedsOne(data) : serverNeedsOne(database.url)).catch(() => undefined);
  if (needs === false) return ok('does not exist yet; the first start creates it');
  if (needs === undefined) return warning('missing, and the database does not answer whether it has keys', REMEDY);
  return fault('the database has keys, but their pepper is missing', REMEDY);
}

const REMEDY = 'Copy the file "pepper" here from the folder in which the keys were made, or set MODELGATE_PEPPER to its content.';

/** Whether the database has keys, or the fingerprint of a pepper. */
const tablesOfPepper = ['keys', 'admin_keys', 'pepper_fingerprint'];
const firstRow = (table: string): string => `SELECT 1 AS found FROM ${table} LIMIT 1`;

const fileNeedsOne = async (folder: string): Promise<boolean> =>
  hasDatabase(folder) &&
  (await inFile(folder, (connection) => {
    const isThere = connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
    return tablesOfPepper.some((table) => isThere.get(table) !== undefined && connection.prepare(firstRow(table)).get() !== undefined);
  }));

const serverNeedsOne = (url: string): Promise<boolean> =>
  onServer(url, async (postgres) => {
    for (const table of tablesOfPepper) {
      const [known] = await postgres.query({ text: 'SELECT to_regclass($1) IS NOT NULL AS known' }, [table]);
      if (known?.known === true && (await postgres.query({ text: firstRow(table) })).length > 0) return true;
    }
    return false;
  });

const keptInFile = (folder: string) => inFile(folder, (connection) => openFingerprintReads(connection).findFingerprint());
const keptOnServer = (url: string) => onServer(url, (postgres) => openFingerprint(postgres).findFingerprint());

async function inFile<T>(folder: string, look: (connection: DatabaseSync) => T): Promise<T> {
  const connection = new DatabaseSync(databaseFile(folder), { readOnly: true, timeout: 2_000 });
  try {
    return look(connection);
  } finally {
    connection.close();
  }
}

async function onServer<T>(url: string, look: (postgres: Postgres) => Promise<T>): Promise<T> {
  const postgres = openPostgres({ url, connections: 1 });
  try {
    return await look(postgres);
  } finally {
    await postgres.close();
  }
}
