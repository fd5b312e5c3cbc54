/** The interface of the ledger and its types. Each step is atomic on both databases (promises G1 to G4). Amounts are integers in micro-dollars. */

import type { AuditEntry } from '../store/audit.ts';
import type { IdempotencyClaim, StoredResult } from './idempotency.ts';
import type { Period } from './period.ts';
import type { OwnedCap } from './spending-cap.ts';

/** Tokens and images of one request, by price class. Classes don't overlap. */
export interface MeteredUsage {
  /** Input tokens that were neither read from a cache nor written to one. */
  readonly input: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  /** Parts of `cacheWrite`: tokens cached for 1 hour and for 12 hours. Default to none. */
  readonly cacheWrite1h?: number;
  readonly cacheWrite12h?: number;
  /** Parts of `input`. Default to none. */
  readonly imageInput?: number;
  readonly audioInput?: number;
  /** Includes reasoning. */
  readonly output: number;
  readonly reasoning: number;
  /** Parts of `output`. Default to none. */
  readonly imageOutput?: number;
  readonly audioOutput?: number;
  /** The service tier that processed the request. Defaults to the standard tier. */
  readonly serviceTier?: string;
  /** Generated images, by `size/quality`. */
  readonly images: Readonly<Record<string, number>>;
  /** Partial images of a stream. Defaults to none. */
  readonly partialImages?: number;
  /** Hosted tool calls, by output item type. Defaults to none. */
  readonly tools?: Readonly<Record<string, number>>;
  /** The output limit that the gateway set to fit the available money. Omitted if it set none. */
  readonly outputLimit?: number;
}

/** One attempt at an upstream for a request. */
export interface StoredAttempt {
  /** The upstream's name. */
  readonly upstream: string;
  /** The status of the upstream's response. Null if there was no response. */
  readonly status: number | null;
  /** The error code. Null if the attempt succeeded. */
  readonly code: string | null;
  readonly ms: number;
  /** The protocol, if it differs from the caller's. */
  readonly protocol?: string | null;
}

export interface HoldOrder {
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  /** The spending caps that the call counts toward. */
  readonly caps: readonly OwnedCap[];
  readonly model: string;
  readonly operation: string;
  readonly priceVersion: number;
  /** In millionths. 1_000_000 is the unmodified price. */
  readonly multiplier: number;
  /** The maximum cost. */
  readonly amount: bigint;
  /** The minimum hold. The store grants between this and the amount, as far as a fair share of the money allows. Defaults to the amount. */
  readonly least?: bigint | undefined;
  /** The process that owns the hold. */
  readonly node: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The idempotency key claimed with the hold, and the hash of its request. */
  readonly claim?: Pick<IdempotencyClaim, 'key' | 'fingerprint'> | undefined;
}

export type HoldResult =
  | {
      readonly kind: 'held';
      readonly source: 'balance' | 'subscription';
      /** Set only if less than the requested amount was granted. */
      readonly granted?: bigint;
    }
  | {
      readonly kind: 'rejected';
      /**
       * The rule that rejected the hold: an exhausted or ended `subscription`, the `balance`, a `duplicate` request ID, or an idempotency
       * `key` that another request has.
       */
      readonly by: 'subscription' | 'balance' | 'duplicate' | 'key';
      /** The remaining amount in that source. */
      readonly available: bigint;
    }
  | { readonly kind: 'rejected'; readonly by: 'cap'; readonly cap: OwnedCap; readonly available: bigint };

export interface Posting {
  readonly requestId: string;
  /** The call's account, if known. Settlements of one account can be batched. */
  readonly accountId?: string;
  /** The cost before it's limited to the hold. */
  readonly cost: bigint;
  readonly metered: MeteredUsage;
  /** Whether the gateway counted the usage because the upstream didn't report it. */
  readonly isEstimated: boolean;
  /** How the request ended: `completed`, `failed`, `client_disconnected`, … */
  readonly outcome: string;
  readonly at: number;
  /** The idempotency key. If another request claims it after the hold expires, that request pays, and this one isn't charged late. */
  readonly key?: string | undefined;
  /** The response to keep under the idempotency key if it's charged. */
  readonly keep?: StoredResult | undefined;
  /** Omitted if the first attempt succeeded. */
  readonly attempts?: readonly StoredAttempt[] | undefined;
}

/**
 * `charged` never exceeds the hold. The cost above the hold is the operator's `overrun`.
 * `isLate`: the hold had expired because its process was silent. The cost is charged as far as money remains, and the rest is overrun.
 * `earlier`: the charge had already ended, and nothing was changed.
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
  readonly metered: MeteredUsage | null;
  readonly isEstimated: boolean;
  readonly outcome: string | null;
  readonly createdAt: number;
  readonly settledAt: number | null;
}

interface ChargeQuery {
  readonly accountId: string;
  readonly keyId?: string;
  /** Milliseconds since 1970. `from` is inclusive, `to` is exclusive. */
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
  /** A request ID. The page starts after it, newest first. */
  readonly after?: string;
}

export interface BalanceRecord {
  readonly balance: bigint;
  readonly held: bigint;
}

/** A balance change by an operator. Negative amounts debit at most the amount that isn't held. */
export interface Adjustment {
  readonly accountId: string;
  /** The name of the transfer. A second transfer with the same name changes nothing. */
  readonly transfer: string;
  readonly kind: 'top_up' | 'refund' | 'correction';
  readonly amount: bigint;
  readonly note: string | null;
  readonly at: number;
}
export type AdjustResult =
  | { readonly kind: 'adjusted'; readonly balance: bigint; readonly held: bigint }
  | { readonly kind: 'repeated'; readonly balance: bigint; readonly held: bigint }
  /** A different transfer has this name. Nothing was changed. */
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

/** An account can have only one subscription at a time, so adding an overlapping one fails. */
export type AddSubscriptionResult =
  | { readonly kind: 'added' }
  /** The subscription already exists. Nothing was changed. */
  | { readonly kind: 'repeated' }
  /** A different subscription has this ID. Nothing was changed. */
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'unknown_account' }
  /** The ID of the overlapping subscription. */
  | { readonly kind: 'overlaps'; readonly id: string }
  /** The included amount exceeds the maximum. */
  | { readonly kind: 'too_much' };

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
  /** The number of entries read. */
  readonly entries: number;
  /** Ledger accounts whose entries don't add up to the stored total. */
  readonly differences: readonly { readonly book: string; readonly kept: bigint; readonly counted: bigint }[];
  /** Transfers whose two sides aren't opposite. */
  readonly unbalanced: readonly string[];
  /** Requests with a contradictory state, hold, or entries. */
  readonly contradictions: readonly string[];
  /** The amount that the operator pays because upstreams reported more usage than was held. */
  readonly overrun: bigint;
}

/**
 * A rejection means that the store failed and nothing was done. A change writes its audit entry in the same step, if it changed anything.
 */
export interface LedgerStore {
  reserve(order: HoldOrder): Promise<HoldResult>;
  /** Runs `reserve` as a dry run that holds nothing. */
  dryRunHold(order: HoldOrder): Promise<HoldResult>;
  post(posting: Posting): Promise<SettleResult>;
  void(requestId: string, at: number, outcome: string, attempts?: Posting['attempts']): Promise<SettleResult>;
  /**
   * Records a heartbeat of this process. Returns the time by the store's clock, which all processes share. `at`: overrides the time.
   * `report`: the state that the process reports to operators. If omitted, the previous report stays.
   */
  heartbeat(node: string, at?: number, report?: string): Promise<number>;
  /**
   * Expires the holds of processes without a heartbeat since `deadBefore`, by the clock of `heartbeat`. Works in batches, and yields each
   * one when it's done.
   */
  sweep(node: string, at: number, deadBefore: number): AsyncIterable<readonly Orphan[]>;
  /** Deletes the row of an ending process, and orphans its open holds immediately. */
  removeNode(node: string, at: number): AsyncIterable<readonly Orphan[]>;
  getBalance(accountId: string): Promise<BalanceRecord | undefined>;
  adjust(adjustment: Adjustment, audit?: AuditEntry): Promise<AdjustResult>;
  findCharge(requestId: string): Promise<ChargeRecord | undefined>;
  /** Empty if the first attempt succeeded, or if no upstream was called. */
  listAttempts(requestId: string): Promise<readonly StoredAttempt[]>;
  listCharges(query: ChargeQuery): Promise<readonly ChargeRecord[]>;
  /** Finds the subscription that is active now, if any. */
  findActiveSubscription(accountId: string, at: number): Promise<SubscriptionRecord | undefined>;
  listSubscriptions(accountId: string): Promise<readonly SubscriptionRecord[]>;
  addSubscription(record: SubscriptionRecord, audit?: AuditEntry): Promise<AddSubscriptionResult>;
  cancelSubscription(id: string, at: number, audit?: AuditEntry): Promise<boolean>;
  /**
   * Returns the allowance of a subscription (`sub:` and its ID) or of a spending cap (its owner), in the period that includes `at`.
   */
  getAllowance(owner: string, period: Period, at: number): Promise<{ used: bigint; held: bigint }>;
  /** Lists the newest version per model and price list. */
  listLatestPrices(): Promise<readonly PriceVersion[]>;
  /** Lists the newest configured version per model and price list. */
  listLatestConfigPrices(): Promise<readonly PriceVersion[]>;
  findPrice(version: number): Promise<PriceVersion | undefined>;
  /** Adds a price version, and records its number in `audit` if given. */
  addPrice(price: NewPrice, audit?: AuditEntry): Promise<PriceVersion>;
  /** Adds all prices or none. */
  addPrices(prices: readonly NewPrice[]): Promise<readonly PriceVersion[]>;
  /** By default, reconciles only entries that `checkEntries` hasn't checked. With `isFull`, reconciles everything. */
  reconcile(options?: { readonly isFull?: boolean }): Promise<Reconciliation>;
  /** Checks some unchecked entries. Returns how many, 0 if none are left or the next one is wrong. */
  checkEntries(): Promise<number>;
}

const ACCOUNT_BOOK = 'account:';

/** Ignores the note. */
export function compareTransfer(
  { accountId, kind, amount }: Adjustment,
  postedEntry: { kind: string; book: string; amount: bigint },
  balance: BalanceRecord,
): Extract<AdjustResult, { kind: 'repeated' | 'mismatch' }> {
  if (postedEntry.kind === kind && postedEntry.book === ACCOUNT_BOOK + accountId && postedEntry.amount === amount)
    return { kind: 'repeated', ...balance };
  // `as`: only operators name transfers, and these are their kinds.
  const earlier = {
    accountId: postedEntry.book.slice(ACCOUNT_BOOK.length),
    kind: postedEntry.kind as Adjustment['kind'],
    amount: postedEntry.amount,
  };
  return { kind: 'mismatch', earlier };
}

/** Ignores `cancelledAt`, because the subscription may have been canceled since. */
export function compareSubscription(
  record: SubscriptionRecord,
  existingRecord: SubscriptionRecord,
): { readonly kind: 'repeated' | 'mismatch' } {
  const { id, accountId, plan, included, period, onExhaustion, priceList, startsAt, endsAt } = record;
  const terms = { id, accountId, plan, included, period, onExhaustion, priceList, startsAt, endsAt };
  const isSame = Object.entries(terms).every(([name, value]) => existingRecord[name as keyof typeof terms] === value);
  return { kind: isSame ? 'repeated' : 'mismatch' };
}

export const LATE_NOTE = 'late';
