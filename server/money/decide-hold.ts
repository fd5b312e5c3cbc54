/** Decides whether a hold is granted, from which source, and how large it is. Pure: the database reads the facts under lock. */

import { isAmount } from './dollars.ts';
import type { OwnedCap } from './spending-cap.ts';
import type { HoldOrder, HoldResult, SubscriptionRecord } from './store.ts';

/** A source of money: an allowance in a period (a subscription, or a spending cap), or an account's balance, which has no period. */
export interface Fund {
  readonly owner: string;
  readonly start: number | null;
}

/** The remaining amount, and the amount held by other calls. */
export interface FundBalance {
  readonly left: bigint;
  readonly held: bigint;
}

/** A call without concurrent calls can hold up to half. Any other call gets a sixteenth, so that 60 concurrent calls all get a share. */
const DIVISOR_WITHOUT_HOLDS = 2n;

const DIVISOR_WITH_HOLDS = 16n;

/** Null if less than `least` remains. */
export function computePartialHold(
  { left, held }: FundBalance,
  { amount, least: minAmount }: { amount: bigint; least: bigint },
): bigint | null {
  if (left < minAmount) return null;
  const maxAmount = minAmount + (left - minAmount) / (held === 0n ? DIVISOR_WITHOUT_HOLDS : DIVISOR_WITH_HOLDS);
  return amount < maxAmount ? amount : maxAmount;
}

interface CapBalance extends FundBalance {
  readonly cap: OwnedCap;
}

/** Facts that decide a hold. */
interface HoldFacts {
  readonly isKnown: boolean;
  readonly balance: FundBalance;
  /** The subscription that started last. */
  readonly plan: (FundBalance & Pick<SubscriptionRecord, 'onExhaustion'> & { readonly isOver: boolean }) | null;
  readonly caps: readonly CapBalance[];
}

type HoldRejection = Extract<HoldResult, { kind: 'rejected' }>;

type HoldDecision = HoldRejection | { readonly kind: 'held'; readonly source: 'plan' | 'balance'; readonly amount: bigint };

/**
 * Uses the subscription first, if it covers the full amount. Otherwise uses the source that gives more, if the account can also use its
 * balance.
 */
export function decideHold({ isKnown, balance, plan, caps }: HoldFacts, order: Pick<HoldOrder, 'amount' | 'least'>): HoldDecision {
  if (isKnown) return createRejection('duplicate', 0n);
  const minAmount = order.least ?? order.amount;
  const [exhaustedCap] = caps.filter(({ left }) => left < minAmount).toSorted((one, other) => Number(one.left - other.left));
  if (exhaustedCap) return { kind: 'rejected', by: 'cap', cap: exhaustedCap.cap, available: toAvailable(exhaustedCap.left) };
  const amount = caps.reduce((most, cap) => computePartialHold(cap, { amount: most, least: minAmount }) ?? minAmount, order.amount);
  // Larger amounts can't be owned, and a column might overflow when adding them.
  if (!isAmount(amount)) return createRejection('balance', balance.left);
  const amountRange = { amount, least: order.least ?? amount };
  const isPlanOnly = plan?.onExhaustion === 'stop';
  const planAmount = plan && !plan.isOver ? computePartialHold(plan, amountRange) : null;
  if (plan && planAmount !== null && (isPlanOnly || amount <= plan.left))
    return { kind: 'held', source: 'plan', amount: isPlanOnly ? planAmount : amount };
  if (plan && isPlanOnly) return createRejection('subscription', plan.isOver ? 0n : plan.left);
  const balanceAmount = computePartialHold(balance, amountRange);
  if (planAmount !== null && (balanceAmount === null || planAmount >= balanceAmount))
    return { kind: 'held', source: 'plan', amount: planAmount };
  return balanceAmount === null ? createRejection('balance', balance.left) : { kind: 'held', source: 'balance', amount: balanceAmount };
}

export const createRejection = (by: Exclude<HoldRejection['by'], 'cap'>, remaining: bigint): HoldRejection => ({
  kind: 'rejected',
  by,
  available: toAvailable(remaining),
});

/** Usage can exceed a cap that was lowered later, so the available amount is at least 0. */
const toAvailable = (remaining: bigint): bigint => (remaining > 0n ? remaining : 0n);
