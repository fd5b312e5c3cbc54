/** The databases that `modelgate db` is pointed at: read from its words without ever repeating a password, opened, and brought to today's tables. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openPostgresLedger } from '../ledger/postgres.ts';
import { reconcile } from '../ledger/sqlite/reconcile.ts';
import type { Reconciliation } from '../ledger/store.ts';
import { refuseToCopy } from '../storage/compatibility.ts';
import type { Place } from '../storage/copy/place.ts';
import { livingOn, openPostgresPlace } from '../storage/copy/postgres.ts';
import { livingIn, openSqlitePlace } from '../storage/copy/sqlite.ts';
import { openPostgres } from '../storage/postgres/pool.ts';
import { migratePostgres } from '../storage/postgres/schema.ts';
import { databaseFile, hasDatabase, openDatabase } from '../storage/sqlite/database.ts';
import { knownSchema } from '../storage/sqlite/schema.ts';
import { CommandError } from './failure.ts';
import { findData, type LocationOptions, readConfig } from './location.ts';

export type Address = { readonly kind: 'sqlite'; readonly folder: string } | { readonly kind: 'postgres'; readonly url: string };

export interface OpenPlace {
  readonly place: Place;
  reconcile(): Promise<Reconciliation>;
  close(): Promise<void>;
}

/** PostgreSQL where it is configured, else the SQLite file. */
export function findDatabase(options: LocationOptions): Address {
  const url = configuredUrl(options);
  return url === undefined ? { kind: 'sqlite', folder: findData(options) } : { kind: 'postgres', url };
}

/** The environment goes before the file; where it speaks, a file that cannot be read is no reason to stop. */
const configuredUrl = (options: LocationOptions): string | undefined => options.shell.env.DATABASE_URL || readConfig(options).database.url;

export function readPlace(words: string, options: LocationOptions, option: '--from' | '--to'): Address {
  if (words === 'sqlite') return { kind: 'sqlite', folder: findData(options) };
  if (words === 'postgres') {
    const url = configuredUrl(options);
    if (url === undefined)
      throw new CommandError('There is no PostgreSQL to be found: set DATABASE_URL, or database.url in the configuration.');
    return { kind: 'postgres', url };
  }
  if (/^postgres(?:ql)?:/.test(words)) return { kind: 'postgres', url: words };
  // May be an address with a password and a mistake in it: it is not repeated, and no folder is made of it.
  if (words.includes('://') || /^[^./][^/]*:.*@/.test(words)) {
    throw new CommandError(PLACE_RULE);
  }
  const folder = resolve(options.shell.folder, words);
  // A bare word is rather a slip, or a database that this is none for, than a new folder.
  if (/^[^./\\]+$/.test(words) && !existsSync(folder)) {
    throw new CommandError(`${option}: there is no folder '${words}'. Write ./${words} for a new one. ${PLACE_RULE}`);
  }
  return { kind: 'sqlite', folder };
}

const PLACE_RULE = 'A place is sqlite, postgres, a data folder such as ./data, or an address that starts with postgres://.';

/** For people. The parameters behind the name may hold secrets too. */
export function labelOf(address: Address): string {
  if (address.kind === 'sqlite') return address.folder;
  if (!URL.canParse(address.url)) return 'PostgreSQL';
  const { protocol, username, host, pathname, search, hash } = new URL(address.url);
  // A password with a slash in it that was not encoded ends up there.
  if (`${pathname}${search}${hash}`.includes('@')) return 'PostgreSQL';
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}

/** Three beats, after which the others take a process for dead too. */
export const SILENT_MS = 15_000;

/** Gateways that run there and were not silent for as long as this. Nothing is changed: a look comes before the tables are brought to today's. */
export function livingAt(address: Address, silentMs: number): Promise<readonly string[]> {
  return address.kind === 'sqlite' ? livingInFile(address.folder, silentMs) : livingOnServer(address.url, silentMs);
}

async function livingInFile(folder: string, silentMs: number): Promise<readonly string[]> {
  if (!hasDatabase(folder)) return [];
  try {
    const connection = new DatabaseSync(databaseFile(folder), { readOnly: true, timeout: 5_000 });
    try {
      return livingIn(connection, silentMs);
    } finally {
      connection.close();
    }
  } catch {
    // Whoever opens it for good says what is wrong with it.
    return [];
  }
}

async function livingOnServer(url: string, silentMs: number): Promise<readonly string[]> {
  const postgres = openPostgres({ url });
  try {
    return await livingOn(postgres, silentMs);
  } finally {
    await postgres.close();
  }
}

export function openPlace(address: Address): Promise<OpenPlace> {
  return address.kind === 'sqlite' ? openFile(address) : openServer(address);
}

async function openFile(address: Address & { kind: 'sqlite' }): Promise<OpenPlace> {
  const database = openDatabase({ folder: address.folder, durability: 'strict', mayBeHalf: true });
  try {
    refuseToCopy(database.schema, knownSchema);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    place: openSqlitePlace(database, labelOf(address)),
    // On the connection of the copy: within a look it is about the same moment.
    reconcile: async () => reconcile(database.connection),
    close: async () => database.close(),
  };
}

async function openServer(address: Address & { kind: 'postgres' }): Promise<OpenPlace> {
  const postgres = openPostgres({ url: address.url });
  try {
    refuseToCopy(await migratePostgres(postgres), knownSchema);
  } catch (error) {
    await postgres.close();
    throw error;
  }
  return {
    place: openPostgresPlace(postgres, labelOf(address)),
    reconcile: () => openPostgresLedger(postgres).reconcile(),
    close: () => postgres.close(),
  };
}
