/**
 * The one rule of money, for both databases. A step reads facts under lock, decides here, and writes the changes in the same transaction (promises G2
 * to G4). Nothing here waits or reads.
 */
import { isAmount, nearestAmount } from './charge.ts';
import {
  type ChargeState,
  type HoldOrder,
  type HoldResult,
  LATE,
  type Orphan,
  type Posting,
  periodStart,
  type SettleResult,
  type SubscriptionRecord,
} from './store.ts';

/** Source of money: an allowance in a period (a subscription, or a key's cap), or an account's balance, which has no period. */
export interface Fund {
  readonly owner: string;
  readonly start: number | null;
}

/** Amount left, and the amount that other calls hold. */
export interface Funds {
  readonly left: bigint;
  readonly held: bigint;
}

/** The order takes at most `amount` and at least `least`. */
interface WantedHold {
  readonly amount: bigint;
  readonly least: bigint;
}

/** A call that runs alone gets half; any other call gets a sixteenth, so that sixty concurrent calls all get a share. */
const PART_ALONE = 2n;
const PART_BESIDE_OTHERS = 16n;

/** Null if less than `least` is left. */
export function partialHold({ left, held }: Funds, { amount, least }: WantedHold): bigint | null {
  if (left < least) return null;
  const most = least + (left - least) / (held === 0n ? PART_ALONE : PART_BESIDE_OTHERS);
  return amount < most ? amount : most;
}

/** Facts that decide a hold. */
export interface HoldFacts {
  readonly isKnown: boolean;
  readonly balance: Funds;
  /** The subscription that began last. */
  readonly plan: (Funds & Pick<SubscriptionRecord, 'onExhaustion'> & { readonly isOver: boolean }) | null;
  /** Null without a cap. */
  readonly cap: Funds | null;
}

type Refusal = Extract<HoldResult, { kind: 'rejected' }>;
type Decision = Refusal | { readonly kind: 'held'; readonly source: 'plan' | 'balance'; readonly amount: bigint };

/** The subscription first, in full; when it isn't enough and the account has a balance, the source that gives more. */
export function decide({ isKnown, balance, plan, cap }: HoldFacts, order: Pick<HoldOrder, 'amount' | 'least'>): Decision {
  if (isKnown) return reject('duplicate', 0n);
  const least = order.least ?? order.amount;
  const amount = cap ? partialHold(cap, { amount: order.amount, least }) : order.amount;
  if (amount === null) return reject('cap', cap?.left ?? 0n);
  // No such amount can be owned, and a column could not add it up.
  if (!isAmount(amount)) return reject('balance', balance.left);
  const wanted = { amount, least: order.least ?? amount };
  const isStopping = plan?.onExhaustion === 'stop';
  const ofPlan = plan && !plan.isOver ? partialHold(plan, wanted) : null;
  if (plan && ofPlan !== null && (isStopping || amount <= plan.left))
    return { kind: 'held', source: 'plan', amount: isStopping ? ofPlan : amount };
  if (plan && isStopping) return reject('subscription', plan.isOver ? 0n : plan.left);
  const ofBalance = partialHold(balance, wanted);
  if (ofPlan !== null && (ofBalance === null || ofPlan >= ofBalance)) return { kind: 'held', source: 'plan', amount: ofPlan };
  return ofBalance === null ? reject('balance', balance.left) : { kind: 'held', source: 'balance', amount: ofBalance };
}

/** A cap that was lowered since may be used more than whole. */
const reject = (by: Refusal['by'], left: bigint): Refusal => ({ kind: 'rejected', by, available: left > 0n ? left : 0n });

/** A charge as it is stored. */
export interface Charge extends Orphan {
  readonly state: ChargeState;
  /** `balance`, or `sub:` and the ID of a subscription. */
  readonly source: Fund;
  readonly cap: Fund | null;
  /** Amount included in the subscription. 0 for the balance. */
  readonly included: bigint;
  /** For one that has expired: no other request has its idempotency key now. */
  readonly hasKey: boolean;
}

export const toOrphan = ({ requestId, accountId, node, held }: Charge): Orphan => ({ requestId, accountId, node, held });

/** The end of a charge. */
export interface Closing extends Pick<Posting, 'requestId' | 'accountId' | 'isEstimated' | 'outcome' | 'at' | 'attempts' | 'key' | 'keep'> {
  readonly state: Exclude<ChargeState, 'held'>;
  readonly cost: bigint;
  /** JSON text. */
  readonly usage: string | null;
}

/** A settlement is never rejected, so a cost beyond all bounds is as much as the bound. */
export const postingOf = ({ cost, metered, ...posting }: Posting): Closing => ({
  ...posting,
  state: 'posted',
  cost: nearestAmount(cost),
  usage: JSON.stringify(metered),
});

const NOTHING = { cost: 0n, usage: null, isEstimated: false } as const;

export const voiding = (requestId: string, at: number, outcome: string, attempts?: Posting['attempts']): Closing => ({
  ...NOTHING,
  requestId,
  state: 'voided',
  at,
  outcome,
  attempts,
});

export const expiring = (requestId: string, at: number): Closing => ({ ...NOTHING, requestId, state: 'expired', outcome: 'orphaned', at });

/** Amounts of a settlement. `left` is the amount left in the source of the hold. */
export function settle(charge: Charge | undefined, closing: Closing, left: bigint): SettleResult {
  if (!charge) return { kind: 'unknown' };
  const { held, state } = charge;
  if (state === 'held') {
    const charged = lesser(closing.cost, held);
    return { kind: 'settled', charged, overrun: closing.cost - charged };
  }
  // Its process was silent for so long that the hold has expired, and is back: it takes what is left, and the operator bears the rest.
  const isLate = state === 'expired' && closing.state === 'posted' && (closing.key === undefined || charge.hasKey);
  if (!isLate) return { kind: 'earlier', state };
  const charged = lesser(lesser(closing.cost, held), left > 0n ? left : 0n);
  return { kind: 'settled', charged, overrun: closing.cost - charged, isLate: true };
}

const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** A new row of charges. */
export interface Hold {
  readonly order: HoldOrder;
  readonly source: Fund;
  readonly cap: Fund | null;
  readonly amount: bigint;
}

export interface Ended extends Closing {
  readonly charged: bigint;
  readonly overrun: bigint;
}

/** Two entries: `amount` goes from one book to the revenue. */
export interface Transfer {
  readonly transfer: string;
  readonly kind: 'charge' | 'overrun';
  readonly from: string;
  readonly amount: bigint;
  readonly note: string | null;
  readonly at: number;
}

/** Added to a row; the balance goes down by what is spent, `used` of an allowance goes up. */
export interface Move extends Fund {
  spent: bigint;
  held: bigint;
}

export const BALANCE = 'balance';
const OVERRUN_BOOK = 'overrun';
const keyOf = ({ owner, start }: Fund): string => `${start} ${owner}`;

/** Facts of an order other than money. */
interface OrderFacts {
  readonly isKnown: boolean;
  /** Whether another request has its idempotency key. */
  readonly isTaken?: boolean;
  /** The subscription that began last. */
  readonly plan: SubscriptionRecord | null;
}

/** The facts of one step, changed by each decision: of two orders together, the second sees what the first was granted. */
export class Sheet {
  readonly holds: Hold[] = [];
  readonly ended: Ended[] = [];
  readonly transfers: Transfer[] = [];
  readonly #known = new Set<string>();
  readonly #claimed = new Set<string>();
  readonly #funds = new Map<string, { free: bigint; held: bigint }>();
  readonly #moves = new Map<string, Move>();

  /** `free`: what is left of a balance; of an allowance what is taken, below 0. One that isn't set has nothing. */
  set(fund: Fund, free: bigint, held: bigint): void {
    this.#funds.set(keyOf(fund), { free, held });
  }

  /** Amounts that all decisions add to each row. */
  get moves(): readonly Move[] {
    return [...this.#moves.values()];
  }

  reserve(order: HoldOrder, { isKnown, isTaken = false, plan }: OrderFacts): HoldResult {
    const { accountId, at, requestId, claim } = order;
    const claimed = claim && `${accountId} ${claim.key}`;
    if (isTaken || (claimed && this.#claimed.has(claimed))) return reject('key', 0n);
    const balance: Fund = { owner: accountId, start: null };
    const cap = capOf(order);
    const planFund = plan && planOf(plan, at);
    const decided = decide(
      {
        isKnown: isKnown || this.#known.has(requestId),
        balance: this.#left(balance, 0n),
        plan: plan && planFund && { ...this.#left(planFund, plan.included), onExhaustion: plan.onExhaustion, isOver: hasEnded(plan, at) },
        cap: cap && order.cap && this.#left(cap, order.cap.micros),
      },
      order,
    );
    if (decided.kind === 'rejected') return decided;
    const { amount } = decided;
    const source = decided.source === 'plan' && planFund ? planFund : balance;
    this.#known.add(requestId);
    if (claimed) this.#claimed.add(claimed);
    this.holds.push({ order, source, cap, amount });
    for (const fund of cap ? [source, cap] : [source]) this.#move(fund, 0n, amount);
    const name = decided.source === 'plan' ? 'subscription' : 'balance';
    return amount < order.amount ? { kind: 'held', source: name, granted: amount } : { kind: 'held', source: name };
  }

  /** A step closes each charge once. */
  close(charge: Charge | undefined, closing: Closing): SettleResult {
    const result = settle(charge, closing, charge ? this.#left(charge.source, charge.included).left : 0n);
    if (!charge || result.kind !== 'settled') return result;
    const { charged, overrun, isLate } = result;
    this.ended.push({ ...closing, charged, overrun });
    // Against the period of the hold, though another may have begun since. The hold of a late one was given back before.
    for (const fund of charge.cap ? [charge.source, charge.cap] : [charge.source]) this.#move(fund, charged, isLate ? 0n : -charge.held);
    const common = { transfer: closing.requestId, note: isLate ? LATE : null, at: closing.at };
    const { owner, start } = charge.source;
    const from = start === null ? `account:${charge.accountId}` : `subscription:${owner.slice('sub:'.length)}`;
    if (charged > 0n) this.transfers.push({ ...common, kind: 'charge', from, amount: charged });
    if (overrun > 0n) this.transfers.push({ ...common, kind: 'overrun', from: OVERRUN_BOOK, amount: overrun });
    return result;
  }

  #left(fund: Fund, included: bigint): Funds {
    const { free, held } = this.#funds.get(keyOf(fund)) ?? { free: 0n, held: 0n };
    return { left: included + free, held };
  }

  #move(fund: Fund, spent: bigint, held: bigint): void {
    const key = keyOf(fund);
    const move = this.#moves.get(key) ?? { ...fund, spent: 0n, held: 0n };
    move.spent += spent;
    move.held += held;
    this.#moves.set(key, move);
    const now = this.#funds.get(key) ?? { free: 0n, held: 0n };
    this.#funds.set(key, { free: now.free - spent - held, held: now.held + held });
  }
}

export const capOf = ({ cap, at }: Pick<HoldOrder, 'cap' | 'at'>): Fund | null =>
  cap && { owner: `key:${cap.owner}`, start: periodStart(cap.period, at) };

export const planOf = ({ id, period }: SubscriptionRecord, at: number): Fund & { readonly start: number } => ({
  owner: `sub:${id}`,
  start: periodStart(period, at),
});

export const hasEnded = ({ endsAt, cancelledAt }: SubscriptionRecord, at: number): boolean =>
  (endsAt !== null && endsAt <= at) || (cancelledAt !== null && cancelledAt <= at);
