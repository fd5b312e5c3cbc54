/** The databases that the arguments of `modelgate db` name: parsed without ever printing a password, opened, and migrated. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openPostgresLedger } from '../ledger/postgres.ts';
import { reconcile } from '../ledger/sqlite/reconcile.ts';
import type { Reconciliation } from '../ledger/store.ts';
import { refuseToCopy } from '../storage/compatibility.ts';
import { openPostgresSide, runningGatewaysOn } from '../storage/copy/postgres.ts';
import type { CopySide } from '../storage/copy/side.ts';
import { openSqliteSide, runningGatewaysIn } from '../storage/copy/sqlite.ts';
import { openPostgres } from '../storage/postgres/pool.ts';
import { migratePostgres } from '../storage/postgres/schema.ts';
import { databaseFile, hasDatabase, openDatabase } from '../storage/sqlite/database.ts';
import { knownSchema } from '../storage/sqlite/schema.ts';
import { CommandError } from './failure.ts';
import { findData, type LocationOptions, readConfig } from './location.ts';

export type Address = { readonly kind: 'sqlite'; readonly folder: string } | { readonly kind: 'postgres'; readonly url: string };

export interface OpenDatabase {
  readonly side: CopySide;
  reconcile(): Promise<Reconciliation>;
  close(): Promise<void>;
}

/** PostgreSQL when it is configured, else the SQLite file. */
export function findDatabase(options: LocationOptions): Address {
  const url = configuredUrl(options);
  return url === undefined ? { kind: 'sqlite', folder: findData(options) } : { kind: 'postgres', url };
}

/** The environment wins over the file; when it is set, an unreadable file is no reason to stop. */
const configuredUrl = (options: LocationOptions): string | undefined => options.shell.env.DATABASE_URL || readConfig(options).database.url;

export function parseAddress(words: string, options: LocationOptions, option: '--from' | '--to'): Address {
  if (words === 'sqlite') return { kind: 'sqlite', folder: findData(options) };
  if (words === 'postgres') {
    const url = configuredUrl(options);
    if (url === undefined) throw new CommandError('No PostgreSQL is configured: set DATABASE_URL, or database.url in the configuration.');
    return { kind: 'postgres', url };
  }
  if (/^postgres(?:ql)?:/.test(words)) return { kind: 'postgres', url: words };
  // This may be a mistyped address with a password: do not print it, and do not create a folder of that name.
  if (words.includes('://') || /^[^./][^/]*:.*@/.test(words)) {
    throw new CommandError(ADDRESS_RULE);
  }
  const folder = resolve(options.shell.folder, words);
  // A bare word is more likely a typo or an unsupported database than a new folder.
  if (/^[^./\\]+$/.test(words) && !existsSync(folder)) {
    throw new CommandError(`${option}: there is no folder '${words}'. Write ./${words} for a new folder. ${ADDRESS_RULE}`);
  }
  return { kind: 'sqlite', folder };
}

const ADDRESS_RULE = 'A database is named by sqlite, postgres, a data folder such as ./data, or an address that starts with postgres://.';

/** For people. Without the query parameters, which may hold secrets. */
export function labelOf(address: Address): string {
  if (address.kind === 'sqlite') return address.folder;
  if (!URL.canParse(address.url)) return 'PostgreSQL';
  const { protocol, username, host, pathname, search, hash } = new URL(address.url);
  // An unencoded slash in a password puts a part of the password there.
  if (`${pathname}${search}${hash}`.includes('@')) return 'PostgreSQL';
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}

/** Three heartbeats; after these, other processes too treat a process as dead. */
export const SILENT_MS = 15_000;

/** Gateways that run there, by their recent heartbeats. Reads only, because it runs before the migration. */
export function runningGatewaysAt(address: Address, silentMs: number): Promise<readonly string[]> {
  return address.kind === 'sqlite' ? runningInFile(address.folder, silentMs) : runningOnServer(address.url, silentMs);
}

async function runningInFile(folder: string, silentMs: number): Promise<readonly string[]> {
  if (!hasDatabase(folder)) return [];
  try {
    const connection = new DatabaseSync(databaseFile(folder), { readOnly: true, timeout: 5_000 });
    try {
      return runningGatewaysIn(connection, silentMs);
    } finally {
      connection.close();
    }
  } catch {
    // Opening the database reports the reason.
    return [];
  }
}

async function runningOnServer(url: string, silentMs: number): Promise<readonly string[]> {
  const postgres = openPostgres({ url });
  try {
    return await runningGatewaysOn(postgres, silentMs);
  } finally {
    await postgres.close();
  }
}

export function openAddress(address: Address): Promise<OpenDatabase> {
  return address.kind === 'sqlite' ? openFile(address) : openServer(address);
}

async function openFile(address: Address & { kind: 'sqlite' }): Promise<OpenDatabase> {
  const database = openDatabase({ folder: address.folder, durability: 'strict', mayBeHalf: true });
  try {
    refuseToCopy(database.schema, knownSchema);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    side: openSqliteSide(database, labelOf(address)),
    // On the connection of the copy, so that it sees the same snapshot.
    reconcile: async () => reconcile(database.connection),
    close: async () => database.close(),
  };
}

async function openServer(address: Address & { kind: 'postgres' }): Promise<OpenDatabase> {
  const postgres = openPostgres({ url: address.url });
  try {
    refuseToCopy(await migratePostgres(postgres), knownSchema);
  } catch (error) {
    await postgres.close();
    throw error;
  }
  return {
    side: openPostgresSide(postgres, labelOf(address)),
    reconcile: () => openPostgresLedger(postgres).reconcile(),
    close: () => postgres.close(),
  };
}
