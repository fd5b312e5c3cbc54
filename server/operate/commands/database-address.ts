/** Parses, formats, and opens the databases that `modelgate db` names, without ever printing a password. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { openPostgresLedger } from '../../money/postgres.ts';
import { reconcile } from '../../money/reconcile.ts';
import type { Reconciliation } from '../../money/store.ts';
import type { CopyDatabase } from '../../store/copy/copy.ts';
import { openPostgresCopyDatabase } from '../../store/copy/postgres.ts';
import { openSqliteCopyDatabase } from '../../store/copy/sqlite.ts';
import { openPostgres } from '../../store/postgres/postgres.ts';
import { migratePostgres } from '../../store/postgres/schema.ts';
import { assertCopyable } from '../../store/schema-compatibility.ts';
import { openDatabase, supportedSchemaVersion } from '../../store/sqlite/database.ts';
import { CommandError } from './command-error.ts';
import { getDataFolder, type LocationOptions, readConfig } from './location-options.ts';

export type DatabaseAddress = { readonly kind: 'sqlite'; readonly folder: string } | { readonly kind: 'postgres'; readonly url: string };

export interface OpenDatabase {
  readonly side: CopyDatabase;
  reconcile(): Promise<Reconciliation>;
  close(): Promise<void>;
}

/** Returns PostgreSQL if it's configured, otherwise the SQLite file. */
export function findDatabase(options: LocationOptions): DatabaseAddress {
  const url = getConfiguredUrl(options);
  return url === undefined ? { kind: 'sqlite', folder: getDataFolder(options) } : { kind: 'postgres', url };
}

/** The environment takes precedence over the file. If it's set, the file isn't read, so an invalid file doesn't matter. */
const getConfiguredUrl = (options: LocationOptions): string | undefined =>
  options.shell.env.DATABASE_URL || readConfig(options).database.url;

export function parseAddress(text: string, options: LocationOptions, argument: 'source' | 'target'): DatabaseAddress {
  if (text === 'sqlite') return { kind: 'sqlite', folder: getDataFolder(options) };
  if (text === 'postgres') {
    const url = getConfiguredUrl(options);
    if (url === undefined)
      throw new CommandError('No PostgreSQL database is configured. Set DATABASE_URL, or database.url in the configuration.');
    return { kind: 'postgres', url };
  }
  if (/^postgres(?:ql)?:/.test(text)) return { kind: 'postgres', url: text };
  // This may be a mistyped URL with a password, so it isn't printed, and no folder is created with this name.
  if (text.includes('://') || /^[^./][^/]*:.*@/.test(text)) {
    throw new CommandError(ADDRESS_RULE);
  }
  const folder = resolve(options.shell.folder, text);
  // A bare word is more likely a typo or an unsupported database than a new folder.
  if (/^[^./\\]+$/.test(text) && !existsSync(folder)) {
    throw new CommandError(`${argument}: folder '${text}' not found. Write ./${text} for a new folder. ${ADDRESS_RULE}`);
  }
  return { kind: 'sqlite', folder };
}

const ADDRESS_RULE = 'Specify a database as sqlite, postgres, a data folder such as ./data, or a URL that starts with postgres://.';

/** Formats a database for messages, without query parameters, which can contain secrets. */
export function formatAddress(address: DatabaseAddress): string {
  if (address.kind === 'sqlite') return address.folder;
  if (!URL.canParse(address.url)) return 'PostgreSQL';
  const { protocol, username, host, pathname, search, hash } = new URL(address.url);
  // An unencoded slash in a password moves part of the password there.
  if (`${pathname}${search}${hash}`.includes('@')) return 'PostgreSQL';
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
}

export function openAddress(address: DatabaseAddress): Promise<OpenDatabase> {
  return address.kind === 'sqlite' ? openSqliteDatabase(address) : openPostgresDatabase(address);
}

async function openSqliteDatabase(address: DatabaseAddress & { kind: 'sqlite' }): Promise<OpenDatabase> {
  const database = openDatabase({ folder: address.folder, durability: 'strict', mayBeHalf: true });
  try {
    assertCopyable(database.schema, supportedSchemaVersion);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    side: openSqliteCopyDatabase(database, formatAddress(address)),
    // Uses the connection of the copy, so that it sees the same snapshot.
    reconcile: async () => reconcile(database.connection),
    close: async () => database.close(),
  };
}

async function openPostgresDatabase(address: DatabaseAddress & { kind: 'postgres' }): Promise<OpenDatabase> {
  const postgres = openPostgres({ url: address.url });
  try {
    assertCopyable(await migratePostgres(postgres), supportedSchemaVersion);
  } catch (error) {
    await postgres.close();
    throw error;
  }
  return {
    side: openPostgresCopyDatabase(postgres, formatAddress(address)),
    reconcile: () => openPostgresLedger(postgres).reconcile(),
    close: () => postgres.close(),
  };
}
