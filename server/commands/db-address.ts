/** The databases that the arguments of `modelgate db` name: parsed without ever printing a password, opened, and migrated. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openPostgresLedger } from '../ledger/postgres.ts';
import { reconcile } from '../ledger/reconcile.ts';
import type { Reconciliation } from '../ledger/store.ts';
import { assertCopyable, describeNewer, type FoundSchema } from '../storage/compatibility.ts';
import type { CopySide, Progress } from '../storage/copy/copy.ts';
import { openPostgresSide, runningGatewaysOn } from '../storage/copy/postgres.ts';
import { openSqliteSide, runningGatewaysIn } from '../storage/copy/sqlite.ts';
import { openPostgres } from '../storage/postgres/pool.ts';
import { findSchemaOn, migratePostgres } from '../storage/postgres/schema.ts';
import { databaseFile, findSchema, hasDatabase, knownSchema, openDatabase } from '../storage/sqlite/database.ts';
import { type AdminOptions, findData, type LocationOptions, print, readConfig } from './administration.ts';
import { CommandError, type Screen } from './serving.ts';

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
    if (url === undefined)
      throw new CommandError('No PostgreSQL database is configured. Set DATABASE_URL, or database.url in the configuration.');
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
    throw new CommandError(`${option}: folder '${words}' not found. Write ./${words} for a new folder. ${ADDRESS_RULE}`);
  }
  return { kind: 'sqlite', folder };
}

const ADDRESS_RULE = 'Specify a database as sqlite, postgres, a data folder such as ./data, or a URL that starts with postgres://.';

/** Name of a database for people, without query parameters, which can contain secrets. */
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
    assertCopyable(database.schema, knownSchema);
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
    assertCopyable(await migratePostgres(postgres), knownSchema);
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

interface Step {
  /** 0 when there was no table. */
  readonly before: number;
  readonly after: FoundSchema;
}

export async function runMigrate(options: AdminOptions): Promise<void> {
  const address = findDatabase(options);
  const { before, after } = address.kind === 'sqlite' ? migrateFile(address.folder) : await migrateServer(address.url);
  const database = labelOf(address);
  print(options, { database, from: before, to: after.version }, `${database} ${tellMigrated(before, after)}\n`);
}

function tellMigrated(before: number, after: FoundSchema): string {
  const newer = describeNewer(after, knownSchema);
  if (newer !== null) return `is at ${newer}; nothing to do.`;
  return before === after.version ? `is at schema ${before}; nothing to do.` : `was migrated from schema ${before} to ${after.version}.`;
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

export interface ProgressBar {
  show(progress: Progress): void;
  /** Clears the bar, so that the next output starts on a new line. */
  end(): void;
}

const BAR_WIDTH = 24;
const FRAME_MS = 100;
const LINE_MS = 3_000;

export function openProgress(screen: Screen, now: () => number): ProgressBar {
  const isTerminal = screen.isTTY === true;
  let shownAt = isTerminal ? Number.NEGATIVE_INFINITY : now();
  return {
    show(progress) {
      const isLast = isTerminal && progress.done === progress.total;
      if (!isLast && now() - shownAt < (isTerminal ? FRAME_MS : LINE_MS)) return;
      shownAt = now();
      // The next line would not clear one that wraps. Some terminals report zero columns.
      screen.write(isTerminal ? `\r\x1b[K${draw(progress).slice(0, (screen.columns || 80) - 1)}` : `${tellProgress(progress)}\n`);
    },
    end() {
      if (isTerminal) screen.write('\r\x1b[K');
    },
  };
}

function draw(progress: Progress): string {
  const filled = Math.floor(shareOf(progress) * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${tellProgress(progress)}`;
}

function tellProgress(progress: Progress): string {
  const { phase, table, done, total } = progress;
  const percent = String(Math.floor(shareOf(progress) * 100)).padStart(3);
  return `${percent} % ${phase}, ${done.toLocaleString('en')} of ${total.toLocaleString('en')} rows (${table})`;
}

const shareOf = ({ done, total }: Progress): number => (total === 0 ? 1 : Math.min(done / total, 1));
