/** The ledger on PostgreSQL: many processes share it, and each promise is kept inside the database (promises G1 to G4). */
import type { Postgres } from '../storage/postgres/pool.ts';
import { openAllowances } from './postgres/allowances.ts';
import { openBalances } from './postgres/balances.ts';
import { openCharges } from './postgres/charges.ts';
import { openReserve } from './postgres/holds.ts';
import { openNodes } from './postgres/nodes.ts';
import { openPriceVersions } from './postgres/price-versions.ts';
import { reconcile } from './postgres/reconcile.ts';
import { openSettles } from './postgres/settles.ts';
import { openSubscriptions } from './postgres/subscriptions.ts';
import type { LedgerStore } from './store.ts';

export function openPostgresLedger(postgres: Postgres): LedgerStore {
  return {
    reserve: openReserve(postgres),
    ...openSettles(postgres),
    ...openNodes(postgres),
    ...openBalances(postgres),
    ...openCharges(postgres),
    ...openSubscriptions(postgres),
    ...openAllowances(postgres),
    ...openPriceVersions(postgres),
    reconcile: () => reconcile(postgres),
  };
}
