/** The ledger on PostgreSQL: many processes share it, and each promise is kept inside the database (promises G1 to G4). */
import type { Postgres } from '../storage/postgres/pool.ts';
import { countInFlight, type InFlightCalls } from './in-flight.ts';
import { openAllowances } from './postgres/allowances.ts';
import { openBalances } from './postgres/balances.ts';
import { openCharges } from './postgres/charges.ts';
import { openDryRun, openReserve } from './postgres/holds.ts';
import { openNodes } from './postgres/nodes.ts';
import { openPriceVersions } from './postgres/price-versions.ts';
import { reconcile } from './postgres/reconcile.ts';
import { openSettles } from './postgres/settles.ts';
import { openSubscriptions } from './postgres/subscriptions.ts';
import type { LedgerStore } from './store.ts';
import { openRecentSubscriptions } from './subscription-cache.ts';

export function openPostgresLedger(postgres: Postgres): LedgerStore {
  const { activeSubscription, addSubscription, cancelSubscription, ...subscriptions } = openSubscriptions(postgres);
  const recent = openRecentSubscriptions(activeSubscription);
  const inFlight: InFlightCalls = { count: 0 };
  const expected = (): number => inFlight.count;
  return {
    ...countInFlight(inFlight, { reserve: openReserve(postgres, expected), ...openSettles(postgres, expected) }),
    dryRunHold: openDryRun(postgres),
    ...openNodes(postgres),
    ...openBalances(postgres),
    ...openCharges(postgres),
    ...subscriptions,
    activeSubscription: recent.find,
    addSubscription: (record, audit) => addSubscription(record, audit).finally(recent.forget),
    cancelSubscription: (id, at, audit) => cancelSubscription(id, at, audit).finally(recent.forget),
    ...openAllowances(postgres),
    ...openPriceVersions(postgres),
    reconcile: () => reconcile(postgres),
  };
}
