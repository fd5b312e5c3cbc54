/** The pepper under `modelgate doctor`: there, and the one that the keys of the database were made with. */
import { DatabaseSync } from 'node:sqlite';
import { isOther } from '../access/fingerprint.ts';
import { hasPepper, openPepper } from '../access/pepper.ts';
import type { Config } from '../config.ts';
import { databaseFile, hasDatabase } from '../storage/database.ts';
import { openPostgres } from '../storage/postgres/pool.ts';
import { fault, ok, type Verdict } from './finding.ts';

/** Without it no key of a database can be recognised. */
export async function examinePepper({ data, database }: Pick<Config, 'data' | 'database'>): Promise<Verdict> {
  if (hasPepper(data)) {
    const place = process.env.MODELGATE_PEPPER?.trim() ? 'from MODELGATE_PEPPER' : 'in the data folder';
    // A database that cannot be asked is told of as a part of its own.
    const kept = await (database.url === undefined ? keptInFile(data) : keptOnServer(database.url)).catch(() => undefined);
    if (!isOther(kept, openPepper(data))) return ok(place);
    return fault(
      `${place}, and the keys of the database were made with another one`,
      'Set MODELGATE_PEPPER to that of the gateways that know the keys, or to what is in the file "pepper" of their data folder.',
    );
  }
  const isNew = database.url === undefined && !hasDatabase(data);
  if (isNew) return ok('not there yet; the first start makes it');
  return fault(
    'there is a database, and no pepper for its keys',
    'Put the file "pepper" of the folder that the keys were made with here, or set MODELGATE_PEPPER to what is in it.',
  );
}

const fingerprint = 'SELECT fingerprint FROM pepper_fingerprint';
const bytes = (value: unknown): Uint8Array | undefined => (value instanceof Uint8Array ? value : undefined);

async function keptInFile(folder: string): Promise<Uint8Array | undefined> {
  const connection = new DatabaseSync(databaseFile(folder), { readOnly: true, timeout: 2_000 });
  try {
    return bytes(connection.prepare(fingerprint).get()?.fingerprint);
  } finally {
    connection.close();
  }
}

async function keptOnServer(url: string): Promise<Uint8Array | undefined> {
  const postgres = openPostgres({ url, connections: 1 });
  try {
    return bytes((await postgres.query({ text: fingerprint }))[0]?.fingerprint);
  } finally {
    await postgres.close();
  }
}
