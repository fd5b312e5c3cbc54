/** Where everything is kept: the embedded SQLite file with the thread that writes it, or PostgreSQL, for many processes on one store. */

import { adoptPepper } from './access/fingerprint.ts';
import type { Access } from './access/open.ts';
import { openAccess, openAccessOn } from './access/open.ts';
import type { Environment } from './access/pepper.ts';
import { openPostgresStore } from './access/postgres.ts';
import type { Config } from './config.ts';
import { openPostgresHistory } from './history/postgres.ts';
import { openHistoryStore } from './history/sqlite.ts';
import type { HistoryStore } from './history/store.ts';
import { openPatient } from './idempotency/patient.ts';
import { openPostgresIdempotency } from './idempotency/postgres.ts';
import { openSqliteIdempotency } from './idempotency/sqlite.ts';
import type { IdempotencyStore } from './idempotency/store.ts';
import type { Away } from './ledger/away.ts';
import { openPostgresLedger } from './ledger/postgres.ts';
import { openSqliteLedger } from './ledger/sqlite.ts';
import { type LedgerSteps, openLedgerSteps } from './ledger/steps.ts';
import type { LedgerStore } from './ledger/store.ts';
import { openPostgresRefusals } from './refusals/postgres.ts';
import { openSqliteRefusals } from './refusals/sqlite.ts';
import type { RefusalStore } from './refusals/store.ts';
import { describeNewer, type FoundSchema } from './storage/compatibility.ts';
import { openDatabase } from './storage/database.ts';
import { refuseHalfCopy } from './storage/postgres/half-copy.ts';
import { openPostgres, type Postgres } from './storage/postgres/pool.ts';
import { migratePostgres } from './storage/postgres/schema.ts';
import { knownSchema } from './storage/schema.ts';
import { openStepThread } from './storage/thread.ts';
import type { WriterSteps } from './writer.ts';

export interface Stores {
  readonly access: Access;
  readonly ledger: LedgerStore;
  readonly responses: HistoryStore;
  readonly idempotency: IdempotencyStore;
  readonly refusals: RefusalStore;
  /** What a person should know who looks at the start: that the tables are newer than this program. */
  readonly note: string | null;
  /** Whether the store answers. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
}

type Place = Pick<Config, 'data' | 'durability' | 'database'>;

export interface StoresOptions {
  /** That of the process where left out. */
  readonly env?: Environment | undefined;
  /** Told when a server is found to hang, and when it answers again. */
  readonly changed: (isHung: boolean) => void;
}

export function openStores(place: Place, { env, changed }: StoresOptions): Promise<Stores> {
  const { url, timeoutMs } = place.database;
  if (url === undefined) return openEmbedded(place, env);
  return openShared(openPostgres({ url, timeoutMs, changed, isKeptFull: true }), place.data, env);
}

/** What each paid call waits for, twice. */
const onEveryCall: readonly (keyof LedgerSteps)[] = ['reserve', 'post', 'void'];

async function openEmbedded({ data: folder, durability }: Place, env?: Environment): Promise<Stores> {
  const database = openDatabase({ folder, durability, checkpoints: 'elsewhere' });
  const entry = new URL('./writer.ts', import.meta.url);
  const away: Away = { count: 0 };
  const short = { open: openLedgerSteps, names: onEveryCall };
  const steps = openStepThread<WriterSteps>({ entry, folder, durability, short, expected: () => away.count });
  const { connection } = database;
  const close = async (): Promise<void> => {
    await steps.close();
    database.close();
  };
  return {
    access: await orClose(close, () => adopted(openAccess(folder, { connection, steps, env }))),
    ledger: openSqliteLedger({ connection, steps, away }),
    responses: openHistoryStore({ connection, steps }),
    idempotency: openPatient(openSqliteIdempotency(steps)),
    refusals: openSqliteRefusals({ connection, steps }),
    note: noteOn(database.schema),
    isReady: () => isFine(async () => connection.prepare('SELECT 1').get()),
    close,
  };
}

/** The data folder still holds the pepper of the keys, which all processes need, and the spool of each. */
async function openShared(postgres: Postgres, folder: string, env?: Environment): Promise<Stores> {
  const close = (): Promise<void> => postgres.close();
  const schema = await orClose(close, () => prepare(postgres));
  return {
    access: await orClose(close, () => adopted(openAccessOn(folder, openPostgresStore(postgres), env))),
    ledger: openPostgresLedger(postgres),
    responses: openPostgresHistory(postgres),
    idempotency: openPatient(openPostgresIdempotency(postgres)),
    refusals: openPostgresRefusals(postgres),
    note: noteOn(schema),
    isReady: () => isFine(() => postgres.query({ text: 'SELECT 1' })),
    close,
  };
}

/** Half of a copy must not be served, or written to. */
async function prepare(postgres: Postgres): Promise<FoundSchema> {
  const schema = await migratePostgres(postgres);
  await refuseHalfCopy(postgres);
  return schema;
}

function noteOn(schema: FoundSchema): string | null {
  const newer = describeNewer(schema, knownSchema);
  return newer && `the database is at ${newer}; once it runs well, start the newer version here too`;
}

/** With the pepper of all other gateways on this database. */
async function adopted(opening: Promise<Access>): Promise<Access> {
  const access = await opening;
  await adoptPepper(access);
  return access;
}

async function orClose<T>(close: () => Promise<void>, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await close();
    throw error;
  }
}

/** What is wrong is in the log of the first request that needed the store. */
async function isFine(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch {
    return false;
  }
}
