/** What a ledger keeps and the steps on it; each is one atomic step, on whatever database (promises G1 to G4). Amounts are integer micro-dollars. */

import type { AuditEntry } from '../storage/audit.ts';

/** Tokens and pictures of one request, by price class; classes do not overlap. */
export interface Metered {
  /** Input tokens that were neither read from a cache nor written to one. */
  readonly input: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  /** Reasoning lies within. */
  readonly output: number;
  readonly reasoning: number;
  /** Pictures made, by `size/quality`. */
  readonly images: Readonly<Record<string, number>>;
  /** Calls of tools that the upstream ran, by the type of their output items; absent where there were none. */
  readonly tools?: Readonly<Record<string, number>>;
  /** The limit on its output that was set here, since the money went no further; absent where none was. */
  readonly outputLimit?: number;
}

/** One attempt at an upstream on the way to an answer. */
export interface KeptAttempt {
  /** The name of the upstream. */
  readonly upstream: string;
  /** That of the upstream's answer; null where none came. */
  readonly status: number | null;
  /** What became of it; null where it was a good answer. */
  readonly code: string | null;
  readonly ms: number;
}

/** How often an allowance starts anew, by UTC days, weeks from Monday, and months. */
export type Period = 'day' | 'week' | 'month' | 'never';

export interface HoldOrder {
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  /** The spending cap, over all requests of a period; its owner is the first of the keys that were rotated into this one. */
  readonly cap: { readonly owner: string; readonly micros: bigint; readonly period: Period } | null;
  readonly model: string;
  readonly operation: string;
  readonly priceVersion: number;
  /** Millionths: 1_000_000 is the plain price. */
  readonly multiplier: number;
  /** The highest possible cost. */
  readonly amount: bigint;
  /** Left out: the amount or nothing. Otherwise no less than this, never above the amount: as much as a fair part of the money allows. */
  readonly least?: bigint | undefined;
  /** The process that holds it. */
  readonly node: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export type HoldResult =
  | {
      readonly kind: 'held';
      readonly source: 'balance' | 'subscription';
      /** Only where it is less than the amount that was asked for. */
      readonly granted?: bigint;
    }
  | {
      readonly kind: 'refused';
      /** Which rule said no: `cap` of the key, `subscription` that stops when it is used up or over, `balance`, or a `duplicate` request id. */
      readonly by: 'cap' | 'subscription' | 'balance' | 'duplicate';
      /** What is left there. */
      readonly available: bigint;
    };

export interface Posting {
  readonly requestId: string;
  /** Whose call it was, where that is known: what of one account comes together may go on together. */
  readonly accountId?: string;
  /** What it cost, before the hold bounds it. */
  readonly cost: bigint;
  readonly metered: Metered;
  /** Whether the usage is counted here and not the upstream's word. */
  readonly isEstimated: boolean;
  /** How the request ended: `completed`, `failed`, `client_gone`, … */
  readonly outcome: string;
  readonly at: number;
  /** Whether it had an idempotency key: where that was taken over when its hold had expired, another request pays for it, and this one is not posted late. */
  readonly isKeyed?: boolean;
  /** Left out where the first one went well. */
  readonly attempts?: readonly KeptAttempt[] | undefined;
}

/**
 * `charged` is never above the hold; what is over it is the operator's `overrun`. `isLate`: the hold had expired, since its process was silent, and
 * what it did cost was taken as far as money was left, the rest is overrun. `earlier`: the state was terminal before, nothing was done.
 */
export type SettleResult =
  | { readonly kind: 'settled'; readonly charged: bigint; readonly overrun: bigint; readonly isLate?: true }
  | { readonly kind: 'earlier'; readonly state: 'posted' | 'voided' | 'expired' }
  | { readonly kind: 'unknown' };

export interface Orphan {
  readonly requestId: string;
  readonly accountId: string;
  readonly node: string;
  readonly held: bigint;
}

export type ChargeState = 'held' | 'posted' | 'voided' | 'expired';

/** One paid request, for receipts. */
export interface ChargeRecord {
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly model: string;
  readonly operation: string;
  readonly priceVersion: number;
  readonly multiplier: number;
  readonly state: ChargeState;
  /** `balance` or `sub:…`. */
  readonly source: string;
  readonly held: bigint;
  readonly charged: bigint;
  readonly overrun: bigint;
  readonly metered: Metered | null;
  readonly isEstimated: boolean;
  readonly outcome: string | null;
  readonly createdAt: number;
  readonly settledAt: number | null;
}

export interface ChargeQuery {
  readonly accountId: string;
  readonly keyId?: string;
  /** Milliseconds since 1970; from inclusive, to exclusive. */
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
  /** A request id: what comes after it, newest first. */
  readonly after?: string;
}

export interface BalanceRecord {
  readonly balance: bigint;
  readonly held: bigint;
}

/** A change of a balance by an operator; negative amounts take away, never more than is free of holds. */
export interface Adjustment {
  readonly accountId: string;
  /** Names the transfer; the same one twice changes nothing the second time. */
  readonly transfer: string;
  readonly kind: 'top_up' | 'refund' | 'correction';
  readonly amount: bigint;
  readonly note: string | null;
  readonly at: number;
}
export type AdjustResult =
  | { readonly kind: 'adjusted'; readonly balance: bigint; readonly held: bigint }
  | { readonly kind: 'repeated'; readonly balance: bigint; readonly held: bigint }
  /** Something else was booked under this name; nothing was changed. */
  | { readonly kind: 'mismatch'; readonly earlier: Pick<Adjustment, 'accountId' | 'kind' | 'amount'> }
  | { readonly kind: 'refused'; readonly available: bigint }
  | { readonly kind: 'unknown_account' };

export interface SubscriptionRecord {
  readonly id: string;
  readonly accountId: string;
  readonly plan: string;
  readonly included: bigint;
  readonly period: Exclude<Period, 'never'>;
  readonly onExhaustion: 'stop' | 'balance';
  readonly priceList: string;
  readonly startsAt: number;
  readonly endsAt: number | null;
  readonly cancelledAt: number | null;
}

/** One account has one subscription at a time: whatever would run beside another is not added. */
export type AddSubscriptionResult =
  | { readonly kind: 'added' }
  /** It is there already; nothing was changed. */
  | { readonly kind: 'repeated' }
  /** The id is that of another one; nothing was changed. */
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'unknown_account' }
  /** The other one, by its id. */
  | { readonly kind: 'overlaps'; readonly id: string }
  /** No such amount can be included. */
  | { readonly kind: 'too_much' };

/** What is taken of an allowance in the period of a moment. */
export interface AllowanceRecord {
  readonly used: bigint;
  readonly held: bigint;
}

export interface PriceVersion {
  readonly version: number;
  readonly priceList: string;
  readonly model: string;
  readonly source: 'config' | 'admin';
  /** The prices as JSON text, in the shape of `Prices`. */
  readonly prices: string;
  readonly createdAt: number;
}
export type NewPrice = Omit<PriceVersion, 'version'>;

/** What reconciling found. Sound where every list is empty. */
export interface Reconciliation {
  readonly accounts: number;
  readonly entries: number;
  /** Books whose entries do not add up to what is kept. */
  readonly differences: readonly { readonly book: string; readonly kept: bigint; readonly counted: bigint }[];
  /** Transfers whose two sides are not opposite. */
  readonly unbalanced: readonly string[];
  /** Requests whose state, hold and entries contradict each other. */
  readonly contradictions: readonly string[];
  /** What the operator paid for upstreams that reported more than was held. */
  readonly overrun: bigint;
}

/** A rejection means that the store failed, and that nothing was done. A change takes the audit entry that is written in the same step, where it changed anything. */
export interface LedgerStore {
  reserve(order: HoldOrder): Promise<HoldResult>;
  /** What `reserve` would say now; nothing is held. */
  weigh(order: HoldOrder): Promise<HoldResult>;
  post(posting: Posting): Promise<SettleResult>;
  void(requestId: string, at: number, outcome: string, attempts?: Posting['attempts']): Promise<SettleResult>;
  /** Says that this process lives; the answer is the time by the clock of the store, which is one for all processes. `at`: rather this time. */
  heartbeat(node: string, at?: number): Promise<number>;
  /** Expires the holds of processes that were silent since `deadBefore`, by the clock of `heartbeat`: some at a time, each told as soon as they have ended. */
  sweep(node: string, at: number, deadBefore: number): AsyncIterable<readonly Orphan[]>;
  /** The process ends: its row goes, its open holds are orphans at once. */
  leave(node: string, at: number): AsyncIterable<readonly Orphan[]>;
  balance(accountId: string): Promise<BalanceRecord | undefined>;
  adjust(adjustment: Adjustment, audit?: AuditEntry): Promise<AdjustResult>;
  findCharge(requestId: string): Promise<ChargeRecord | undefined>;
  /** Empty where the first attempt went well, or nobody was asked. */
  listAttempts(requestId: string): Promise<readonly KeptAttempt[]>;
  listCharges(query: ChargeQuery): Promise<readonly ChargeRecord[]>;
  /** The one that is running now, if any. */
  activeSubscription(accountId: string, at: number): Promise<SubscriptionRecord | undefined>;
  listSubscriptions(accountId: string): Promise<readonly SubscriptionRecord[]>;
  addSubscription(record: SubscriptionRecord, audit?: AuditEntry): Promise<AddSubscriptionResult>;
  cancelSubscription(id: string, at: number, audit?: AuditEntry): Promise<boolean>;
  /** Of a subscription (`sub:` and its id) or the cap of a key (`key:` and the id of its owner), in the period that `at` lies in. */
  allowance(owner: string, period: Period, at: number): Promise<AllowanceRecord>;
  /** The newest version of each model in each list. */
  latestPrices(): Promise<readonly PriceVersion[]>;
  /** The same, of those that came from a configuration. */
  latestConfigPrices(): Promise<readonly PriceVersion[]>;
  findPrice(version: number): Promise<PriceVersion | undefined>;
  /** The details of the audit are told the version too. */
  addPrice(price: NewPrice, audit?: AuditEntry): Promise<PriceVersion>;
  /** All of them or none. */
  addPrices(prices: readonly NewPrice[]): Promise<readonly PriceVersion[]>;
  reconcile(): Promise<Reconciliation>;
}
