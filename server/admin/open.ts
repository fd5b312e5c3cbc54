/** Opens an operator's calls on a data folder, for the command line: beside a running gateway, or without one. */
import { openAccess } from '../access/open.ts';
import type { Config } from '../config.ts';
import { openSqliteLedger } from '../ledger/sqlite.ts';
import { openLedgerSteps } from '../ledger/steps.ts';
import { openDatabase } from '../storage/database.ts';
import { runHere } from '../storage/steps.ts';
import type { Operations } from './operations.ts';

export interface OperationsPlace {
  readonly folder: string;
  /** Read when something of it is asked for: a secret that is missing in the operator's shell is no reason to refuse a revocation. */
  readonly loadConfig: () => Config;
}

export interface OpenOperations {
  readonly operations: Operations;
  close(): void;
}

export async function openOperations({ folder, loadConfig }: OperationsPlace): Promise<OpenOperations> {
  // What a person did at the prompt is kept whatever happens to the power, hence strict.
  const database = openDatabase({ folder, durability: 'strict' });
  try {
    const { connection } = database;
    const access = await openAccess(folder, { connection });
    const ledger = openSqliteLedger({ connection, steps: runHere(connection, openLedgerSteps) });
    const config = once(loadConfig);
    const operations: Operations = {
      access,
      limits: null,
      prices: null,
      now: Date.now,
      get config() {
        return config();
      },
      get ledger() {
        return isBillingOff(config) ? null : ledger;
      },
    };
    return { operations, close: () => database.close() };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Balances are there to be looked at also where the configuration cannot be read; whoever needs more of it is told. */
function isBillingOff(config: () => Config): boolean {
  try {
    return config().billing === 'off';
  } catch {
    return false;
  }
}

/** A failure is remembered too: reading the file again would find the same. */
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
