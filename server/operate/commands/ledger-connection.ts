/** Opens the ledger of either database for `modelgate ledger close`, and checks that it is consistent. */

import { openPostgresLedger } from '../../money/postgres.ts';
import { openLedgerSteps, openSqliteLedger } from '../../money/sqlite.ts';
import type { LedgerStore } from '../../money/store.ts';
import { createRunner, type Dialect, type Plan, POSTGRES, runPlanOn, SQLITE } from '../../store/plan.ts';
import { openPostgres } from '../../store/postgres/postgres.ts';
import { migratePostgres } from '../../store/postgres/schema.ts';
import { inTransaction, openDatabase, runInline } from '../../store/sqlite/database.ts';
import { CommandError } from './command-error.ts';
import type { DatabaseAddress } from './database-address.ts';
import { isConsistent } from './inventory.ts';

export interface LedgerConnection {
  readonly db: Dialect;
  readonly ledger: LedgerStore;
  /** `read` and `change` each run in one transaction, which may be retried. */
  read<R>(plan: () => Plan<R>): Promise<R>;
  change<R>(plan: () => Plan<R>): Promise<R>;
  close(): Promise<void>;
}

const MAX_STEP_MS = 600_000;

export async function openLedgerConnection(address: DatabaseAddress): Promise<LedgerConnection> {
  if (address.kind === 'sqlite') {
    const { connection, close } = openDatabase({ folder: address.folder, durability: 'strict' });
    const run = createRunner(connection);
    return {
      db: SQLITE,
      ledger: openSqliteLedger({ connection, steps: runInline(connection, openLedgerSteps) }),
      read: async (plan) => run(plan()),
      change: async (plan) => inTransaction(connection, () => run(plan())),
      close: async () => close(),
    };
  }
  const postgres = openPostgres({ url: address.url });
  try {
    await migratePostgres(postgres);
  } catch (error) {
    await postgres.close();
    throw error;
  }
  return {
    db: POSTGRES,
    ledger: openPostgresLedger(postgres),
    read: (plan) => postgres.transaction('read', (queries) => runPlanOn(plan(), queries), MAX_STEP_MS),
    change: (plan) => postgres.transaction('write', (queries) => runPlanOn(plan(), queries), MAX_STEP_MS),
    close: () => postgres.close(),
  };
}

export async function assertLedgerConsistent({ ledger }: LedgerConnection, options: { readonly isFull?: boolean } = {}): Promise<void> {
  if (!isConsistent(await ledger.reconcile(options)))
    throw new CommandError("The ledger has differences, so it can't be closed. To list them, run: modelgate ledger reconcile --full");
}
