/** Decides how a charge ends: the amount charged, the amount above the hold, and the result of a second settlement. Pure. */

import type { Fund } from './decide-hold.ts';
import { clampAmount } from './dollars.ts';
import type { ChargeState, Orphan, Posting, SettleResult } from './store.ts';

/** A stored charge. */
export interface Charge extends Orphan {
  readonly state: ChargeState;
  /** The account's balance, or a period of a subscription (`sub:` and its ID). */
  readonly source: Fund;
  /** The funds of the spending caps that the charge counts toward. */
  readonly caps: readonly Fund[];
  /** The amount included in the subscription. 0 for the balance. */
  readonly included: bigint;
  /** Whether an expired charge's idempotency key isn't claimed by another request. */
  readonly hasKey: boolean;
}

export const toOrphan = ({ requestId, accountId, node, held }: Charge): Orphan => ({ requestId, accountId, node, held });

/** How a charge ends. */
export interface Closing extends Pick<Posting, 'requestId' | 'accountId' | 'isEstimated' | 'outcome' | 'at' | 'attempts' | 'key' | 'keep'> {
  readonly state: Exclude<ChargeState, 'held'>;
  readonly cost: bigint;
  /** JSON text. */
  readonly usage: string | null;
}

/** A settlement is never rejected, so the cost is clamped to the valid range. */
export const toClosing = ({ cost, metered, ...posting }: Posting): Closing => ({
  ...posting,
  state: 'posted',
  cost: clampAmount(cost),
  usage: JSON.stringify(metered),
});

const NO_CHARGE = { cost: 0n, usage: null, isEstimated: false } as const;

export const toVoidClosing = (requestId: string, at: number, outcome: string, attempts?: Posting['attempts']): Closing => ({
  ...NO_CHARGE,
  requestId,
  state: 'voided',
  at,
  outcome,
  attempts,
});

export const toExpiredClosing = (requestId: string, at: number): Closing => ({
  ...NO_CHARGE,
  requestId,
  state: 'expired',
  outcome: 'orphaned',
  at,
});

/** Computes the amounts of a settlement. `available` is the remaining amount in the source of the hold. */
export function settleCharge(charge: Charge | undefined, closing: Closing, available: bigint): SettleResult {
  if (!charge) return { kind: 'unknown' };
  const { held, state } = charge;
  if (state === 'held') {
    const charged = getMinimum(closing.cost, held);
    return { kind: 'settled', charged, overrun: closing.cost - charged };
  }
  // The process was silent until its hold expired, and has now returned. The charge uses the remaining amount, and the operator pays the
  // rest.
  const isLate = state === 'expired' && closing.state === 'posted' && (closing.key === undefined || charge.hasKey);
  if (!isLate) return { kind: 'earlier', state };
  const charged = getMinimum(getMinimum(closing.cost, held), available > 0n ? available : 0n);
  return { kind: 'settled', charged, overrun: closing.cost - charged, isLate: true };
}

const getMinimum = (one: bigint, other: bigint): bigint => (one < other ? one : other);
