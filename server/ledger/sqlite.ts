/** The ledger on the embedded database: a thread runs the steps that write, reads run here (promises G1 to G4). */
import type { DatabaseSync } from 'node:sqlite';
import type { StepRunner } from '../storage/sqlite/write-operations.ts';
import { countInFlight, type InFlightCalls } from './in-flight.ts';
import { openAllowanceReads } from './sqlite/allowances.ts';
import { openBalanceReads } from './sqlite/balances.ts';
import { openChargeReads } from './sqlite/charges.ts';
import { openDryRun } from './sqlite/holds.ts';
import { openPriceReads } from './sqlite/price-versions.ts';
import { reconcileApart } from './sqlite/reconcile-apart.ts';
import { openSubscriptionReads } from './sqlite/subscriptions.ts';
import type { LedgerStore } from './store.ts';
import { openRecentSubscriptions } from './subscription-cache.ts';
import type { LedgerSteps } from './write-steps.ts';

export interface SqliteLedgerOptions {
  /** For reads: it sees committed data and waits for no writer. */
  readonly connection: DatabaseSync;
  readonly steps: Pick<StepRunner<LedgerSteps>, 'run'>;
  /** Counts this process's requests that hold money. */
  readonly inFlight?: InFlightCalls;
}

export function openSqliteLedger({ connection, steps, inFlight = { count: 0 } }: SqliteLedgerOptions): LedgerStore {
  const { balance } = openBalanceReads(connection);
  const { allowance } = openAllowanceReads(connection);
  const { findCharge, listAttempts, listCharges } = openChargeReads(connection);
  const { activeSubscription, listSubscriptions } = openSubscriptionReads(connection);
  const recent = openRecentSubscriptions(activeSubscription);
  const { findPrice, latestPrices, latestConfigPrices } = openPriceReads(connection);
  const moves: Pick<LedgerStore, 'reserve' | 'post' | 'void'> = {
    reserve: (order) => steps.run('reserve', order),
    post: (posting) => steps.run('post', posting),
    void: (requestId, at, outcome, attempts) => steps.run('void', { requestId, at, outcome, attempts }),
  };
  return {
    ...countInFlight(inFlight, moves),
    // Few ask, and each of them a person.
    dryRunHold: async (order) => openDryRun(connection)(order),
    // All processes on one file are on one machine, with one clock.
    async heartbeat(node, at = Date.now(), report) {
      await steps.run('heartbeat', { node, at, report });
      return at;
    },
    async *sweep(node, at, deadBefore) {
      yield await steps.run('sweep', { node, at, deadBefore });
    },
    async *leave(node, at) {
      yield await steps.run('leave', { node, at });
    },
    adjust: (adjustment, audit) => steps.run('adjust', { ...adjustment, audit }),
    addSubscription: (record, audit) => steps.run('addSubscription', { ...record, audit }).finally(recent.forget),
    cancelSubscription: (id, at, audit) => steps.run('cancelSubscription', { id, at, audit }).finally(recent.forget),
    addPrice: (price, audit) => steps.run('addPrice', { ...price, audit }),
    addPrices: (prices) => steps.run('addPrices', prices),
    balance: async (accountId) => balance(accountId),
    findCharge: async (requestId) => findCharge(requestId),
    listAttempts: async (requestId) => listAttempts(requestId),
    listCharges: async (query) => listCharges(query),
    activeSubscription: recent.find,
    listSubscriptions: async (accountId) => listSubscriptions(accountId),
    allowance: async (owner, period, at) => allowance(owner, period, at),
    findPrice: async (version) => findPrice(version),
    latestPrices: async () => latestPrices(),
    latestConfigPrices: async () => latestConfigPrices(),
    reconcile: () => reconcileApart(connection),
  };
}
