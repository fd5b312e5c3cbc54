/** The model of the ledger, in the simplest form: it stores the steps, and computes every answer from all of them. */
import { isDeepStrictEqual } from 'node:util';
import { MAX_AMOUNT } from '../../../server/money/dollars.ts';
import type { Period } from '../../../server/money/period.ts';
import type {
  AddSubscriptionResult,
  Adjustment,
  AdjustResult,
  ChargeState,
  HoldOrder,
  HoldResult,
  Orphan,
  Posting,
  SettleResult,
  SubscriptionRecord,
} from '../../../server/money/store.ts';
import { dayMs } from '../../unit/money/open.ts';

export interface ModelCharge {
  readonly order: HoldOrder;
  /** The granted part of the requested amount. */
  readonly held: bigint;
  readonly source: string;
  /** Where it counts besides the balance: owner and start, joined. */
  readonly allowances: readonly string[];
  state: ChargeState;
  charged: bigint;
  overrun: bigint;
}

export class Model {
  readonly accounts: readonly string[];
  readonly charges = new Map<string, ModelCharge>();
  readonly subscriptions: SubscriptionRecord[] = [];
  readonly adjustments = new Map<string, Adjustment>();
  readonly nodes = new Map<string, number>();
  readonly #barsUnknown: boolean;
  readonly #barred = new Map<string, number>();

  /** `barsUnknown`: an id that is voided before it was ever held cannot be held on the same day. */
  constructor(accounts: readonly string[], barsUnknown: boolean) {
    this.accounts = accounts;
    this.#barsUnknown = barsUnknown;
  }

  balance(accountId: string): { balance: bigint; held: bigint } {
    let [balance, held] = [0n, 0n];
    for (const { accountId: owner, amount } of this.adjustments.values()) if (owner === accountId) balance += amount;
    for (const { order, held: one, source, state, charged } of this.charges.values()) {
      if (source !== 'balance' || order.accountId !== accountId) continue;
      balance -= charged;
      if (state === 'held') held += one;
    }
    return { balance, held };
  }

  allowances(): Map<string, { used: bigint; held: bigint }> {
    const counted = new Map<string, { used: bigint; held: bigint }>();
    for (const { allowances, held: one, state, charged } of this.charges.values()) {
      for (const name of allowances) {
        const { used, held } = counted.get(name) ?? { used: 0n, held: 0n };
        counted.set(name, { used: used + charged, held: state === 'held' ? held + one : held });
      }
    }
    return counted;
  }

  reserve(order: HoldOrder): HoldResult {
    const { requestId, accountId, caps, at, amount: asked, least = asked } = order;
    if (this.charges.has(requestId) || this.#barred.has(requestId)) return rejected('duplicate', 0n);
    const ofCaps = caps.map((cap) => {
      const name = `${cap.owner}@${startOf(cap.period, at)}`;
      return { cap, name, left: cap.micros - this.#taken(name) };
    });
    let tightest = ofCaps[0];
    for (const one of ofCaps) if (tightest && one.left < tightest.left) tightest = one;
    if (tightest && tightest.left < least) return { kind: 'rejected', by: 'cap', cap: tightest.cap, available: remainder(tightest.left) };
    let amount = asked;
    for (const { name, left } of ofCaps) amount = partOf(left, this.#held(name), { amount, least });
    const { balance, held } = this.balance(accountId);
    const free = balance - held;
    if (amount < 0n || amount > MAX_AMOUNT) return rejected('balance', free);
    const plan = this.#rulingPlan(accountId, at);
    const planName = plan ? `sub:${plan.id}@${startOf(plan.period, at)}` : null;
    const isRunning = plan !== undefined && at < endOf(plan);
    const left = isRunning && planName !== null ? plan.included - this.#taken(planName) : 0n;
    const isStopping = plan?.onExhaustion === 'stop';
    const ofPlan = isRunning && left >= least ? partOf(left, this.#held(planName), { amount, least }) : -1n;
    if (isStopping && ofPlan < 0n) return rejected('subscription', left);
    const ofBalance = free >= least ? partOf(free, held, { amount, least }) : -1n;
    const isWhole = isRunning && !isStopping && left >= amount;
    const isOfPlan = ofPlan >= 0n && (isStopping || isWhole || ofPlan >= ofBalance);
    if (!isOfPlan && ofBalance < 0n) return rejected('balance', free);
    const granted = isWhole ? amount : isOfPlan ? ofPlan : ofBalance;
    const allowances = [...(isOfPlan && planName !== null ? [planName] : []), ...new Set(ofCaps.map(({ name }) => name))];
    const source = isOfPlan ? `sub:${plan?.id}` : 'balance';
    this.charges.set(requestId, { order, held: granted, source, allowances, state: 'held', charged: 0n, overrun: 0n });
    return { kind: 'held', source: isOfPlan ? 'subscription' : 'balance', ...(granted < asked && { granted }) };
  }

  settle(requestId: string, state: Exclude<ChargeState, 'held'>, cost: bigint): SettleResult {
    const charge = this.charges.get(requestId);
    if (!charge) return { kind: 'unknown' };
    if (charge.state === 'expired' && state === 'posted') return this.#postLate(charge, cost);
    if (charge.state !== 'held') return { kind: 'earlier', state: charge.state };
    const bounded = boundedBy(cost);
    const most = charge.held;
    charge.state = state;
    charge.charged = bounded < most ? bounded : most;
    charge.overrun = bounded - charge.charged;
    return { kind: 'settled', charged: charge.charged, overrun: charge.overrun };
  }

  /** Its hold went back long ago: what is left where it was held is all that can be taken. */
  #postLate(charge: ModelCharge, cost: bigint): SettleResult {
    const { balance, held } = this.balance(charge.order.accountId);
    const plan = this.subscriptions.find(({ id }) => charge.source === `sub:${id}`);
    const left = plan ? plan.included - this.#taken(charge.allowances[0] ?? '') : balance - held;
    const bounded = boundedBy(cost);
    charge.state = 'posted';
    charge.charged = [charge.held, left > 0n ? left : 0n].reduce((least, most) => (most < least ? most : least), bounded);
    charge.overrun = bounded - charge.charged;
    return { kind: 'settled', charged: charge.charged, overrun: charge.overrun, isLate: true };
  }

  post({ requestId, cost }: Posting): SettleResult {
    return this.settle(requestId, 'posted', cost);
  }

  void(requestId: string, at: number): SettleResult {
    const result = this.settle(requestId, 'voided', 0n);
    if (result.kind === 'unknown' && this.#barsUnknown && !this.#barred.has(requestId)) this.#barred.set(requestId, at);
    return result;
  }

  heartbeat(node: string, at: number, deadBefore: number): readonly Orphan[] {
    this.nodes.set(node, at);
    for (const [id, barredAt] of this.#barred) if (barredAt < at - dayMs) this.#barred.delete(id);
    for (const { order, state } of this.charges.values())
      if (state === 'held' && !this.nodes.has(order.node)) this.nodes.set(order.node, at);
    const dead = new Set([...this.nodes].filter(([id, seenAt]) => id !== node && seenAt < deadBefore).map(([id]) => id));
    for (const id of dead) this.nodes.delete(id);
    return this.#expire(({ order }) => dead.has(order.node));
  }

  leave(node: string): readonly Orphan[] {
    this.nodes.delete(node);
    return this.#expire(({ order }) => order.node === node);
  }

  adjust(adjustment: Adjustment): AdjustResult {
    const { accountId, transfer, amount } = adjustment;
    if (!this.accounts.includes(accountId)) return { kind: 'unknown_account' };
    const { balance, held } = this.balance(accountId);
    const earlier = this.adjustments.get(transfer);
    if (earlier)
      return isDeepStrictEqual(moveOf(earlier), moveOf(adjustment))
        ? { kind: 'repeated', balance, held }
        : { kind: 'mismatch', earlier: moveOf(earlier) };
    const after = balance + amount;
    if (after < held || after > MAX_AMOUNT) return { kind: 'rejected', available: balance - held };
    this.adjustments.set(transfer, adjustment);
    return { kind: 'adjusted', balance: after, held };
  }

  addSubscription(record: SubscriptionRecord): AddSubscriptionResult {
    if (record.included < 0n || record.included > MAX_AMOUNT) return { kind: 'too_much' };
    if (!this.accounts.includes(record.accountId)) return { kind: 'unknown_account' };
    const other = this.#plansOf(record.accountId).find((plan) => plan.startsAt < endOf(record) && record.startsAt < endOf(plan));
    if (other) return { kind: 'overlaps', id: other.id };
    this.subscriptions.push(record);
    return { kind: 'added' };
  }

  cancelSubscription(id: string, at: number): boolean {
    const index = this.subscriptions.findIndex((plan) => plan.id === id);
    const plan = this.subscriptions[index];
    if (!plan || plan.cancelledAt !== null || at >= endOf(plan)) return false;
    this.subscriptions[index] = { ...plan, cancelledAt: at };
    return true;
  }

  #held(name: string | null): bigint {
    return this.allowances().get(name ?? '')?.held ?? 0n;
  }

  #taken(name: string): bigint {
    const { used, held } = this.allowances().get(name) ?? { used: 0n, held: 0n };
    return used + held;
  }

  /** Those that ran or will run, in order. */
  #plansOf(accountId: string): SubscriptionRecord[] {
    const own = this.subscriptions.filter((plan) => plan.accountId === accountId && endOf(plan) > plan.startsAt);
    return own.sort((one, other) => one.startsAt - other.startsAt);
  }

  #rulingPlan(accountId: string, at: number): SubscriptionRecord | undefined {
    return this.#plansOf(accountId).findLast((plan) => plan.startsAt <= at);
  }

  #expire(isOrphan: (charge: ModelCharge) => boolean): readonly Orphan[] {
    const found = [...this.charges.values()].filter((charge) => charge.state === 'held' && isOrphan(charge));
    return found
      .map(({ order: { requestId, accountId, node }, held }) => {
        this.settle(requestId, 'expired', 0n);
        return { requestId, accountId, node, held };
      })
      .sort((one, other) => (one.requestId < other.requestId ? -1 : 1));
  }
}

/** The least, and of what is left beyond it the half where nothing else is held, else a sixteenth; never more than was asked for. */
function partOf(left: bigint, held: bigint, { amount, least }: { readonly amount: bigint; readonly least: bigint }): bigint {
  const part = least + (left - least) / (held > 0n ? 16n : 2n);
  return part < amount ? part : amount;
}

const boundedBy = (cost: bigint): bigint => (cost < 0n ? 0n : cost > MAX_AMOUNT ? MAX_AMOUNT : cost);

const moveOf = ({ accountId, kind, amount }: Adjustment) => ({ accountId, kind, amount });

const remainder = (left: bigint): bigint => (left < 0n ? 0n : left);

function rejected(by: 'subscription' | 'balance' | 'duplicate', left: bigint): HoldResult {
  return { kind: 'rejected', by, available: remainder(left) };
}

function endOf({ endsAt, cancelledAt }: SubscriptionRecord): number {
  return Math.min(endsAt ?? Number.POSITIVE_INFINITY, cancelledAt ?? Number.POSITIVE_INFINITY);
}

/** Follows the calendar, one day at a time. */
function startOf(period: Period, at: number): number {
  if (period === 'never') return 0;
  let day = new Date(at).setUTCHours(0, 0, 0, 0);
  const isStart = (): boolean => {
    const date = new Date(day);
    return period === 'day' || (period === 'week' ? date.getUTCDay() === 1 : date.getUTCDate() === 1);
  };
  while (!isStart()) day -= dayMs;
  return day;
}
