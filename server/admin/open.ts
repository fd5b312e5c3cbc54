/** Opens the operators' API on a data folder, for the command line; a gateway may run on it at the same time. */
import { type Access, openAccess, openAccessOn } from '../access/open.ts';
import type { Environment } from '../access/pepper.ts';
import { openPostgresStore } from '../access/postgres.ts';
import { openPostgresActivity } from '../activity/postgres.ts';
import { readActivity } from '../activity/reads.ts';
import { openActivitySteps, openSqliteActivity } from '../activity/sqlite.ts';
import type { ActivityStore } from '../activity/store.ts';
import type { Config } from '../config/config.ts';
import { openPostgresLedger } from '../ledger/postgres.ts';
import { openSqliteLedger } from '../ledger/sqlite.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { openLedgerSteps } from '../ledger/write-steps.ts';
import { openPostgresSessions } from '../sessions/postgres.ts';
import { openSessionSteps, openSqliteSessions } from '../sessions/sqlite.ts';
import type { SessionStore } from '../sessions/store.ts';
import { refuseHalfCopy } from '../storage/half-copy.ts';
import { openPostgres } from '../storage/postgres/pool.ts';
import { migratePostgres } from '../storage/postgres/schema.ts';
import { openDatabase } from '../storage/sqlite/database.ts';
import { runHere } from '../storage/sqlite/write-operations.ts';
import type { Operations } from './operations.ts';

export interface OperationsPlace {
  readonly folder: string;
  readonly env: Environment;
  /** Read only when it is needed: a secret that is missing in the operator's shell must not prevent a revocation. */
  readonly loadConfig: () => Config;
}

export interface OpenOperations {
  readonly operations: Operations;
  /** The request log, for what no operation of the API does. */
  readonly activity: ActivityStore;
  close(): Promise<void>;
}

export async function openOperations({ folder, env, loadConfig }: OperationsPlace): Promise<OpenOperations> {
  const config = once(loadConfig);
  const url = databaseUrl(config, env);
  const stores = url === undefined ? await openFile(folder, env) : await openServer(url, folder, env);
  const operations: Operations = {
    access: stores.access,
    activity: readActivity(stores.activity, Date.now, () => config().activity.days),
    sessions: stores.sessions,
    limits: null,
    prices: null,
    now: Date.now,
    get config() {
      return config();
    },
    get ledger() {
      return isBillingOff(config) ? null : stores.ledger;
    },
  };
  return { operations, activity: stores.activity, close: stores.close };
}

interface Kept {
  readonly access: Access;
  readonly ledger: LedgerStore;
  readonly activity: ActivityStore;
  readonly sessions: SessionStore;
  close(): Promise<void>;
}

async function openFile(folder: string, env: Environment): Promise<Kept> {
  // Strict, so that a change by an operator survives a loss of power.
  const database = openDatabase({ folder, durability: 'strict' });
  try {
    const { connection } = database;
    const access = await openAccess(folder, { connection, env });
    const ledger = openSqliteLedger({ connection, steps: runHere(connection, openLedgerSteps) });
    const activity = openSqliteActivity({ connection, steps: runHere(connection, openActivitySteps) });
    const sessions = openSqliteSessions({ connection, steps: runHere(connection, openSessionSteps) });
    const close = async (): Promise<void> => {
      await activity.close();
      database.close();
    };
    return { access, ledger, activity, sessions, close };
  } catch (error) {
    database.close();
    throw error;
  }
}

async function openServer(url: string, folder: string, env: Environment): Promise<Kept> {
  const postgres = openPostgres({ url });
  try {
    await migratePostgres(postgres);
    await refuseHalfCopy(postgres);
    const access = await openAccessOn(folder, openPostgresStore(postgres), env);
    return {
      access,
      ledger: openPostgresLedger(postgres),
      activity: openPostgresActivity(postgres),
      sessions: openPostgresSessions(postgres),
      close: () => postgres.close(),
    };
  } catch (error) {
    await postgres.close();
    throw error;
  }
}

/** Also works when the rest of the configuration cannot be read: a revocation must reach the database with the keys. */
function databaseUrl(config: () => Pick<Config, 'database'>, env: Environment): string | undefined {
  try {
    return config().database.url;
  } catch {
    return env.DATABASE_URL || undefined;
  }
}

/** Balances can be read even when the configuration cannot; operations that need it report the error. */
function isBillingOff(config: () => Config): boolean {
  try {
    return config().billing === 'off';
  } catch {
    return false;
  }
}

/** A failure is cached too: reading the file again would give the same. */
function once<T>(load: () => T): () => T {
  let outcome: { readonly value: T } | { readonly error: unknown } | undefined;
  return () => {
    outcome ??= attempt(load);
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  };
}

function attempt<T>(work: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}
