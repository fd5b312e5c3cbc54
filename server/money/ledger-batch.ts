/**
 * Applies many holds and settlements to balances and allowances that were read under lock, and lists the changes for the same transaction (promises G2 to
 * G4).
 */

import { createRejection, decideHold, type Fund, type FundBalance } from './decide-hold.ts';
import { getPeriodStart } from './period.ts';
import { type Charge, type Closing, settleCharge } from './settle-charge.ts';
import type { OwnedCap } from './spending-cap.ts';
import { type HoldOrder, type HoldResult, LATE_NOTE, type SettleResult, type SubscriptionRecord } from './store.ts';

/** A new row of `charges`. */
export interface NewCharge {
  readonly order: HoldOrder;
  readonly source: Fund;
  /** Each fund once. */
  readonly caps: readonly Fund[];
  readonly amount: bigint;
}

export interface SettledClosing extends Closing {
  readonly charged: bigint;
  readonly overrun: bigint;
}

/** Two entries: `amount` moves from one ledger account to revenue. */
export interface Transfer {
  readonly transfer: string;
  readonly kind: 'charge' | 'overrun';
  readonly from: string;
  readonly amount: bigint;
  readonly note: string | null;
  readonly at: number;
}

/** A change added to a row. Spending decreases a balance, and increases `used` of an allowance. */
export interface FundChange extends Fund {
  spent: bigint;
  held: bigint;
}

export const BALANCE_SOURCE = 'balance';
const OVERRUN_BOOK = 'overrun';
const toFundKey = ({ owner, start }: Fund): string => `${start} ${owner}`;

/** The facts of an order that aren't amounts. */
interface OrderFacts {
  readonly isKnown: boolean;
  /** Whether another request has claimed the order's idempotency key. */
  readonly isTaken?: boolean;
  /** The subscription that started last. */
  readonly plan: SubscriptionRecord | null;
}

/** The facts of one step, updated by each decision: the second of two orders in a batch sees the grant of the first. */
export class LedgerBatch {
  readonly holds: NewCharge[] = [];
  readonly ended: SettledClosing[] = [];
  readonly transfers: Transfer[] = [];
  readonly #requestIds = new Set<string>();
  readonly #claimedKeys = new Set<string>();
  readonly #funds = new Map<string, { free: bigint; held: bigint }>();
  readonly #fundChanges = new Map<string, FundChange>();

  /** `free`: the remaining amount of a balance. For an allowance, the negated amount used and held. A fund that isn't set has nothing. */
  set(fund: Fund, free: bigint, held: bigint): void {
    this.#funds.set(toFundKey(fund), { free, held });
  }

  /** The total changes of all decisions, per row. */
  get fundChanges(): readonly FundChange[] {
    return [...this.#fundChanges.values()];
  }

  reserve(order: HoldOrder, { isKnown, isTaken = false, plan }: OrderFacts): HoldResult {
    const { accountId, at, requestId, claim } = order;
    const claimKey = claim && `${accountId} ${claim.key}`;
    if (isTaken || (claimKey && this.#claimedKeys.has(claimKey))) return createRejection('key', 0n);
    const balanceFund: Fund = { owner: accountId, start: null };
    const planFund = plan && toPlanFund(plan, at);
    const decision = decideHold(
      {
        isKnown: isKnown || this.#requestIds.has(requestId),
        balance: this.#getFunds(balanceFund, 0n),
        plan: plan &&
          planFund && { ...this.#getFunds(planFund, plan.included), onExhaustion: plan.onExhaustion, isOver: hasEnded(plan, at) },
        caps: order.caps.map((cap) => ({ cap, ...this.#getFunds(toCapFund(cap, at), cap.micros) })),
      },
      order,
    );
    if (decision.kind === 'rejected') return decision;
    const { amount } = decision;
    const source = decision.source === 'plan' && planFund ? planFund : balanceFund;
    this.#requestIds.add(requestId);
    if (claimKey) this.#claimedKeys.add(claimKey);
    const caps = listCapFunds(order);
    this.holds.push({ order, source, caps, amount });
    for (const fund of [source, ...caps]) this.#addChange(fund, 0n, amount);
    const sourceName = decision.source === 'plan' ? 'subscription' : 'balance';
    return amount < order.amount ? { kind: 'held', source: sourceName, granted: amount } : { kind: 'held', source: sourceName };
  }

  /** A step closes each charge only once. */
  close(charge: Charge | undefined, closing: Closing): SettleResult {
    const result = settleCharge(charge, closing, charge ? this.#getFunds(charge.source, charge.included).left : 0n);
    if (!charge || result.kind !== 'settled') return result;
    const { charged, overrun, isLate } = result;
    this.ended.push({ ...closing, charged, overrun });
    // Charges the period of the hold, even if a new period has started since. The hold of a late charge was already released.
    for (const fund of [charge.source, ...charge.caps]) this.#addChange(fund, charged, isLate ? 0n : -charge.held);
    const transferFields = { transfer: closing.requestId, note: isLate ? LATE_NOTE : null, at: closing.at };
    const { owner, start } = charge.source;
    const from = start === null ? `account:${charge.accountId}` : `subscription:${owner.slice('sub:'.length)}`;
    if (charged > 0n) this.transfers.push({ ...transferFields, kind: 'charge', from, amount: charged });
    if (overrun > 0n) this.transfers.push({ ...transferFields, kind: 'overrun', from: OVERRUN_BOOK, amount: overrun });
    return result;
  }

  #getFunds(fund: Fund, included: bigint): FundBalance {
    const { free, held } = this.#funds.get(toFundKey(fund)) ?? { free: 0n, held: 0n };
    return { left: included + free, held };
  }

  #addChange(fund: Fund, spent: bigint, held: bigint): void {
    const key = toFundKey(fund);
    const change = this.#fundChanges.get(key) ?? { ...fund, spent: 0n, held: 0n };
    change.spent += spent;
    change.held += held;
    this.#fundChanges.set(key, change);
    const fundState = this.#funds.get(key) ?? { free: 0n, held: 0n };
    this.#funds.set(key, { free: fundState.free - spent - held, held: fundState.held + held });
  }
}

type CapCounter = Pick<OwnedCap, 'owner' | 'period'>;
type CapFund = Fund & { readonly start: number };

/** Caps of one owner share a fund if their periods start at the same time, because it counts everything since then. */
const toCapFund = ({ owner, period }: CapCounter, at: number): CapFund => ({ owner, start: getPeriodStart(period, at) });

/** Lists the funds of the order's caps, each once: a week that starts with the month has the same fund as the month. */
export const listCapFunds = ({ caps, at }: { readonly caps: readonly CapCounter[]; readonly at: number }): readonly CapFund[] => {
  const funds = caps.map((cap) => toCapFund(cap, at));
  return funds.length < 2 ? funds : [...new Map(funds.map((fund) => [toFundKey(fund), fund])).values()];
};

export const toPlanFund = ({ id, period }: SubscriptionRecord, at: number): Fund & { readonly start: number } => ({
  owner: `sub:${id}`,
  start: getPeriodStart(period, at),
});

export const hasEnded = ({ endsAt, cancelledAt }: SubscriptionRecord, at: number): boolean =>
  (endsAt !== null && endsAt <= at) || (cancelledAt !== null && cancelledAt <= at);
