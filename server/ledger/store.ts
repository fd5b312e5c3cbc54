/** Types and steps of the ledger. Each step is atomic on both databases (promises G1 to G4). Amounts are integer micro-dollars. */

import type { AuditEntry, Read } from '../storage/audit.ts';
import { number, text } from '../storage/rows.ts';
import type { Claim, KeptAnswer } from './idempotency.ts';

/** Tokens and images of one request, by price class; classes don't overlap. */
export interface Metered {
  /** Input tokens that were neither read from a cache nor written to one. */
  readonly input: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  /** Parts of `cacheWrite`: what is kept for an hour, and for twelve; absent: none. */
  readonly cacheWrite1h?: number;
  readonly cacheWrite12h?: number;
  /** Reasoning lies within. */
  readonly output: number;
  readonly reasoning: number;
  /** Images made, by `size/quality`. */
  readonly images: Readonly<Record<string, number>>;
  /** Calls of tools that the upstream ran, by the type of their output items; absent: none. */
  readonly tools?: Readonly<Record<string, number>>;
  /** The output limit that the gateway set because the money allowed no more; absent: none was set. */
  readonly outputLimit?: number;
}

/** One attempt at an upstream on the way to a response. */
export interface KeptAttempt {
  /** The name of the upstream. */
  readonly upstream: string;
  /** The status of the upstream's response; null: no response came. */
  readonly status: number | null;
  /** The error code; null for a good answer. */
  readonly code: string | null;
  readonly ms: number;
  /** The protocol, where the caller's was passed over. */
  readonly protocol?: string | null;
}

/** How often an allowance starts again, by UTC days, weeks from Monday, and months. */
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
  /** Defaults to the whole amount or nothing. Otherwise at least this much and at most the amount, as far as a fair share of the money allows. */
  readonly least?: bigint | undefined;
  /** The process that holds it. */
  readonly node: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The idempotency key that is claimed with the hold, and the hash of what is asked under it. */
  readonly claim?: Pick<Claim, 'key' | 'fingerprint'> | undefined;
}

export type HoldResult =
  | {
      readonly kind: 'held';
      readonly source: 'balance' | 'subscription';
      /** Set only when it is less than the requested amount. */
      readonly granted?: bigint;
    }
  | {
      readonly kind: 'rejected';
      /** Which rule said no: `cap` of the key, `subscription` that stops when it is used up or over, `balance`, a `duplicate` request ID, or the `key` that another request has. */
      readonly by: 'cap' | 'subscription' | 'balance' | 'duplicate' | 'key';
      /** Amount left in that source. */
      readonly available: bigint;
    };

export interface Posting {
  readonly requestId: string;
  /** The account of the call, when it is known: settlements of one account may be batched. */
  readonly accountId?: string;
  /** The cost, before it is limited to the hold. */
  readonly cost: bigint;
  readonly metered: Metered;
  /** Whether the usage is counted here and not the upstream's word. */
  readonly isEstimated: boolean;
  /** How the request ended: `completed`, `failed`, `client_disconnected`, … */
  readonly outcome: string;
  readonly at: number;
  /** Its idempotency key: when another request has claimed the key after the hold had expired, that request pays, and this one isn't charged late. */
  readonly key?: string | undefined;
  /** The response, which is kept under its idempotency key if it is charged. */
  readonly keep?: KeptAnswer | undefined;
  /** Absent when the first attempt succeeded. */
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
  /** A request ID: the page starts after it, newest first. */
  readonly after?: string;
}

export interface BalanceRecord {
  readonly balance: bigint;
  readonly held: bigint;
}

/** A change of a balance by an operator; negative amounts take away, never more than is free of holds. */
export interface Adjustment {
  readonly accountId: string;
  /** The name of the transfer; a second transfer with the same name changes nothing. */
  readonly transfer: string;
  readonly kind: 'top_up' | 'refund' | 'correction';
  readonly amount: bigint;
  readonly note: string | null;
  readonly at: number;
}
export type AdjustResult =
  | { readonly kind: 'adjusted'; readonly balance: bigint; readonly held: bigint }
  | { readonly kind: 'repeated'; readonly balance: bigint; readonly held: bigint }
  /** Another transfer has this name; nothing was changed. */
  | { readonly kind: 'mismatch'; readonly earlier: Pick<Adjustment, 'accountId' | 'kind' | 'amount'> }
  | { readonly kind: 'rejected'; readonly available: bigint }
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

/** One account has one subscription at a time: whatever would run alongside another isn't added. */
export type AddSubscriptionResult =
  | { readonly kind: 'added' }
  /** It exists already; nothing was changed. */
  | { readonly kind: 'repeated' }
  /** Another one has this ID; nothing was changed. */
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'unknown_account' }
  /** The other one, by its ID. */
  | { readonly kind: 'overlaps'; readonly id: string }
  /** No such amount can be included. */
  | { readonly kind: 'too_much' };

/** Amount used of an allowance in the period that contains a given time. */
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

/** The result of a reconciliation. The ledger is consistent if every list is empty. */
export interface Reconciliation {
  readonly accounts: number;
  /** How many entries were read. */
  readonly entries: number;
  /** Ledger accounts whose entries don't add up to the stored total. */
  readonly differences: readonly { readonly book: string; readonly kept: bigint; readonly counted: bigint }[];
  /** Transfers whose two sides aren't opposite. */
  readonly unbalanced: readonly string[];
  /** Requests whose state, hold and entries contradict each other. */
  readonly contradictions: readonly string[];
  /** Amount that the operator pays because upstreams reported more usage than was held. */
  readonly overrun: bigint;
}

/** A rejection means that the store failed and nothing was done. A change takes the audit entry that is written in the same step if it changed anything. */
export interface LedgerStore {
  reserve(order: HoldOrder): Promise<HoldResult>;
  /** A dry run of `reserve`: nothing is held. */
  dryRunHold(order: HoldOrder): Promise<HoldResult>;
  post(posting: Posting): Promise<SettleResult>;
  void(requestId: string, at: number, outcome: string, attempts?: Posting['attempts']): Promise<SettleResult>;
  /** Says that this process lives; the response is the time by the clock of the store, which is one for all processes. `at`: rather this time.
   * `report`: what the process tells operators of itself; absent: what it told last stays. */
  heartbeat(node: string, at?: number, report?: string): Promise<number>;
  /** Expires the holds of processes without a heartbeat since `deadBefore`, by the clock of `heartbeat`; in batches, each reported when it is done. */
  sweep(node: string, at: number, deadBefore: number): AsyncIterable<readonly Orphan[]>;
  /** The process ends: its row is deleted, and its open holds are orphaned immediately. */
  leave(node: string, at: number): AsyncIterable<readonly Orphan[]>;
  balance(accountId: string): Promise<BalanceRecord | undefined>;
  adjust(adjustment: Adjustment, audit?: AuditEntry): Promise<AdjustResult>;
  findCharge(requestId: string): Promise<ChargeRecord | undefined>;
  /** Empty if the first attempt succeeded, or no upstream was asked. */
  listAttempts(requestId: string): Promise<readonly KeptAttempt[]>;
  listCharges(query: ChargeQuery): Promise<readonly ChargeRecord[]>;
  /** The subscription that is running now, if any. */
  activeSubscription(accountId: string, at: number): Promise<SubscriptionRecord | undefined>;
  listSubscriptions(accountId: string): Promise<readonly SubscriptionRecord[]>;
  addSubscription(record: SubscriptionRecord, audit?: AuditEntry): Promise<AddSubscriptionResult>;
  cancelSubscription(id: string, at: number, audit?: AuditEntry): Promise<boolean>;
  /** Of a subscription (`sub:` and its ID) or the cap of a key (`key:` and the ID of its owner), in the period that `at` lies in. */
  allowance(owner: string, period: Period, at: number): Promise<AllowanceRecord>;
  /** The newest version of each model in each list. */
  latestPrices(): Promise<readonly PriceVersion[]>;
  /** The same, of those that came from a configuration. */
  latestConfigPrices(): Promise<readonly PriceVersion[]>;
  findPrice(version: number): Promise<PriceVersion | undefined>;
  /** The audit entry gets the version, too. */
  addPrice(price: NewPrice, audit?: AuditEntry): Promise<PriceVersion>;
  /** All of them or none. */
  addPrices(prices: readonly NewPrice[]): Promise<readonly PriceVersion[]>;
  /** By default only what came after the entries that `checkEntries` has checked; in full, all of it. */
  reconcile(extent?: { readonly isFull?: boolean }): Promise<Reconciliation>;
  /** Checks some entries that weren't checked before, and returns how many; 0 if none are left or the next one is wrong. */
  checkEntries(): Promise<number>;
}

interface LowBalance {
  readonly accountId: string;
  readonly name: string;
  /** In micro-dollars, as `spent`. */
  readonly available: bigint;
  readonly spent: bigint;
}

/** A dollar, in micro-dollars. */
const ONE_DOLLAR_MICROS = 1_000_000;

/** The lowest first, without those that a subscription pays for. `since`: begin of a UTC day, in milliseconds since 1970. */
export async function listLowBalances(read: Read, { since, now, limit }: Record<'since' | 'now' | 'limit', number>): Promise<LowBalance[]> {
  const rows = await read(
    `SELECT accounts.id AS id, accounts.name AS name, balance - held AS available, spent
     FROM (SELECT account_id, CAST(sum(charged) AS BIGINT) AS spent, sum(rejected) AS rejected FROM account_days WHERE day >= ?1 GROUP BY account_id) AS spending
       JOIN balances ON balances.account_id = spending.account_id JOIN accounts ON accounts.id = spending.account_id
     WHERE suspended_at IS NULL AND (balance - held < spent OR rejected > 0 AND balance - held < ${ONE_DOLLAR_MICROS}) AND NOT EXISTS (
       SELECT 1 FROM subscriptions WHERE subscriptions.account_id = accounts.id AND starts_at <= ?2
         AND (ends_at IS NULL OR ends_at > ?2) AND cancelled_at IS NULL)
     ORDER BY available, id LIMIT ?3`,
    [since, now, limit],
  );
  return rows.map((row) => ({
    accountId: text(row.id),
    name: text(row.name),
    available: BigInt(number(row.available)),
    spent: BigInt(number(row.spent)),
  }));
}

/** The side of a transfer that isn't the operator's own. */
interface BookedEntry {
  readonly kind: string;
  readonly book: string;
  readonly amount: bigint;
}

const ACCOUNT_BOOK = 'account:';

/** The note isn't part of the comparison. */
export function compareTransfer(
  { accountId, kind, amount }: Adjustment,
  posted: BookedEntry,
  balance: BalanceRecord,
): Extract<AdjustResult, { kind: 'repeated' | 'mismatch' }> {
  if (posted.kind === kind && posted.book === ACCOUNT_BOOK + accountId && posted.amount === amount) return { kind: 'repeated', ...balance };
  // No other kinds have names that operators give.
  const earlier = { accountId: posted.book.slice(ACCOUNT_BOOK.length), kind: posted.kind as Adjustment['kind'], amount: posted.amount };
  return { kind: 'mismatch', earlier };
}

/** It may have been cancelled since. */
export function compareSubscription(record: SubscriptionRecord, added: SubscriptionRecord): { readonly kind: 'repeated' | 'mismatch' } {
  const { id, accountId, plan, included, period, onExhaustion, priceList, startsAt, endsAt } = record;
  const terms = { id, accountId, plan, included, period, onExhaustion, priceList, startsAt, endsAt };
  const isSame = Object.entries(terms).every(([name, value]) => added[name as keyof typeof terms] === value);
  return { kind: isSame ? 'repeated' : 'mismatch' };
}

const DAY_MS = 86_400_000;
/** 1 January 1970 was a Thursday, three days after its Monday. */
const DAYS_AFTER_MONDAY = 3;

/** Milliseconds since 1970, in and out; a period that never starts again began at 0. */
export function periodStart(period: Period, at: number): number {
  const day = Math.floor(at / DAY_MS);
  switch (period) {
    case 'never':
      return 0;
    case 'day':
      return day * DAY_MS;
    case 'week':
      return (Math.floor((day + DAYS_AFTER_MONDAY) / 7) * 7 - DAYS_AFTER_MONDAY) * DAY_MS;
    case 'month': {
      const date = new Date(at);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    }
  }
}

/** The allowance of a key's cap in its present period; `?1`, `?2`, `?3` are `capStarts`. */
export const CAP_ALLOWANCE = `allowances.owner = 'key:' || coalesce(keys.cap_owner, keys.id)
  AND period_start = CASE cap_period WHEN 'day' THEN CAST(?1 AS BIGINT) WHEN 'week' THEN CAST(?2 AS BIGINT) WHEN 'month' THEN CAST(?3 AS BIGINT) ELSE 0 END`;
export const capStarts = (at: number): number[] => [periodStart('day', at), periodStart('week', at), periodStart('month', at)];

export const LATE = 'late';
