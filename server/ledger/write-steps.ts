/** The ledger's steps that write, on one connection: plain and synchronous, so that a thread can run many of them in one transaction. */
import type { DatabaseSync } from 'node:sqlite';
import type { Audited } from '../storage/audit.ts';
import { openBalanceSteps } from './sqlite/balances.ts';
import { openReserve } from './sqlite/holds.ts';
import { type Heartbeat, type Leaving, openNodeSteps, type Sweep } from './sqlite/nodes.ts';
import { openPriceSteps } from './sqlite/price-versions.ts';
import { openSettleSteps, type Voiding } from './sqlite/settles.ts';
import { type Cancellation, openSubscriptionSteps } from './sqlite/subscriptions.ts';
import type {
  AddSubscriptionResult,
  Adjustment,
  AdjustResult,
  HoldOrder,
  HoldResult,
  NewPrice,
  Orphan,
  Posting,
  PriceVersion,
  SettleResult,
  SubscriptionRecord,
} from './store.ts';

/** A refusal is a return value and changes nothing; an error is an error of the database. No step begins or ends a transaction. */
// A type, since an interface would be no record of steps.
export type LedgerSteps = {
  readonly reserve: (order: HoldOrder) => HoldResult;
  readonly post: (posting: Posting) => SettleResult;
  readonly void: (voiding: Voiding) => SettleResult;
  readonly heartbeat: (heartbeat: Heartbeat) => void;
  readonly sweep: (sweep: Sweep) => readonly Orphan[];
  readonly leave: (leaving: Leaving) => readonly Orphan[];
  readonly adjust: (adjustment: Adjustment & Audited) => AdjustResult;
  readonly addSubscription: (record: SubscriptionRecord & Audited) => AddSubscriptionResult;
  readonly cancelSubscription: (cancellation: Cancellation) => boolean;
  readonly addPrice: (price: NewPrice & Audited) => PriceVersion;
  readonly addPrices: (prices: readonly NewPrice[]) => readonly PriceVersion[];
};

export function openLedgerSteps(connection: DatabaseSync): LedgerSteps {
  const { expire, ...settle } = openSettleSteps(connection);
  return {
    reserve: openReserve(connection),
    ...settle,
    ...openNodeSteps(connection, expire),
    ...openBalanceSteps(connection),
    ...openSubscriptionSteps(connection),
    ...openPriceSteps(connection),
  };
}
