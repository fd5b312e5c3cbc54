/** Would the ledger grant the hold of a short call with this key now? The store applies its own rule and keeps nothing. */

import type { ExplainedLimit, Explanation } from '../../contract/admin/explanations.ts';
import type { PriceVersion } from '../../contract/admin/rules.ts';
import type { KeyRecord } from '../access/store.ts';
import { boundsOfShortCall } from '../billing/cost-ceiling.ts';
import type { Model } from '../config/config.ts';
import {
  type Bounds,
  canPrice,
  formatDollars,
  holdFor,
  outputFor,
  type Prices,
  parseDollars,
  parseMultiplier,
  rangeFor,
  readPrices,
} from '../ledger/charge.ts';
import { STANDARD } from '../ledger/price-book.ts';
import {
  type BalanceRecord,
  type HoldOrder,
  type HoldResult,
  type LedgerStore,
  type Period,
  periodStart,
  type SubscriptionRecord,
} from '../ledger/store.ts';
import { type Limit, limitsOf, withParts } from '../limits/limiter.ts';
import { readPrices as settingOf, writeMultiplier } from './configuration.ts';
import { writeTime, writeTimeOrNull } from './csv.ts';
import type { Operations } from './operations.ts';

export interface DryRun {
  readonly result: HoldResult;
  /** The least that the hold must be, in micro-dollars. */
  readonly least: bigint;
  /** The output limit that a call gets which sets none, in tokens; null when it gets none, or the call would be rejected. */
  readonly outputLimit: number | null;
  /** The highest output limit that a call may set, in tokens; null when output has no price, or the money pays for no token. */
  readonly highestLimit: number | null;
}

interface DryRunOrder {
  readonly key: KeyRecord;
  readonly model: Model;
  readonly price: PriceVersion;
  readonly multiplier: string;
  readonly funds: Funds;
  readonly at: number;
}

/** Null when the price does not cover such a call. */
export async function dryRunHold(ledger: LedgerStore, order: DryRunOrder): Promise<DryRun | null> {
  const { model, price } = order;
  const prices = readPrices(settingOf(price.prices));
  const bounds = boundsOfShortCall(model);
  if (!canPrice(prices, bounds)) return null;
  const multiplier = parseMultiplier(order.multiplier);
  const { amount, least, isOpen } = rangeFor(prices, bounds, multiplier);
  const result = await ledger.dryRunHold(orderOf(order, { amount, least, multiplier }));
  const granted = result.kind === 'held' ? (result.granted ?? amount) : null;
  const limitFor = (sum: bigint): number => outputFor(prices, bounds, { amount: sum, multiplier });
  return {
    result,
    least,
    outputLimit: isOpen && granted !== null ? limitFor(granted) : null,
    highestLimit: isOpen ? await highestFor(ledger, order, { prices, bounds, multiplier }) : null,
  };
}

/** The most and the least that a short call holds; null when the price does not cover it. */
export function rangeOfShortCall({ model, price, multiplier }: Pick<DryRunOrder, 'model' | 'price' | 'multiplier'>) {
  const prices = readPrices(settingOf(price.prices));
  const bounds = boundsOfShortCall(model);
  return canPrice(prices, bounds) ? rangeFor(prices, bounds, parseMultiplier(multiplier)) : null;
}

/** Only whether the hold is granted, in one question to the store. */
export async function estimateShortCall(ledger: LedgerStore, order: DryRunOrder): Promise<DryRun | null> {
  const range = rangeOfShortCall(order);
  if (range === null) return null;
  const { amount, least } = range;
  const result = await ledger.dryRunHold(orderOf(order, { amount, least, multiplier: parseMultiplier(order.multiplier) }));
  return { result, least, outputLimit: null, highestLimit: null };
}

interface Sum extends Pick<HoldOrder, 'amount' | 'multiplier'> {
  readonly least: bigint;
}

function orderOf({ key, model, at }: DryRunOrder, { amount, least, multiplier }: Sum): HoldOrder {
  const { id: keyId, account, cap, capOwner } = key;
  return {
    // No request has an empty id, so the store finds no hold of an earlier attempt.
    requestId: '',
    accountId: account.id,
    keyId,
    model: model.id,
    operation: 'explain',
    priceVersion: 0,
    node: '',
    cap: cap && { ...cap, owner: capOwner },
    multiplier,
    amount,
    least,
    at,
  };
}

interface Asked {
  readonly prices: Prices;
  readonly bounds: Bounds;
  readonly multiplier: number;
}

/** A call that sets its output limit holds all of its cost or nothing. Tries what is left of cap, plan and balance, the largest first. */
async function highestFor(ledger: LedgerStore, order: DryRunOrder, { prices, bounds, multiplier }: Asked): Promise<number | null> {
  const { capLeft, subscription, balance } = order.funds;
  const most = holdFor(prices, bounds, multiplier);
  const ofOneToken = holdFor(prices, { ...bounds, outputTokens: 1 }, multiplier);
  const longest = { ...bounds, open: { answers: 1, longest: bounds.outputTokens } };
  const sums = [capLeft ?? most, subscription?.left ?? most, balance.balance - balance.held].map((left) => (left < most ? left : most));
  for (const amount of sums.filter((sum) => sum >= ofOneToken).toSorted((one, other) => (one < other ? 1 : -1))) {
    const { kind } = await ledger.dryRunHold(orderOf(order, { amount, least: amount, multiplier }));
    if (kind === 'held') return outputFor(prices, longest, { amount, multiplier });
  }
  return null;
}

/** The subscription that began last decides, even when it has ended. */
interface ActiveSubscription {
  readonly record: SubscriptionRecord;
  readonly isOver: boolean;
  readonly left: bigint;
}

export interface Funds {
  /** Null: the key has no cap. */
  readonly capLeft: bigint | null;
  readonly subscription: ActiveSubscription | null;
  readonly balance: BalanceRecord;
}

export async function readFunds(ledger: LedgerStore, key: KeyRecord, now: number): Promise<Funds> {
  const accountId = key.account.id;
  const balance = (await ledger.balance(accountId)) ?? { balance: 0n, held: 0n };
  return { balance, capLeft: await capLeft(ledger, key, now), subscription: await activeSubscription(ledger, accountId, now) };
}

async function capLeft(ledger: LedgerStore, { cap, capOwner }: KeyRecord, now: number): Promise<bigint | null> {
  if (!cap) return null;
  const { used, held } = await ledger.allowance(`key:${capOwner}`, cap.period, now);
  return cap.micros - used - held;
}

async function activeSubscription(ledger: LedgerStore, accountId: string, now: number): Promise<ActiveSubscription | null> {
  const begun = (await ledger.listSubscriptions(accountId)).filter((one) => one.startsAt <= now && endOf(one) > one.startsAt);
  const record = begun.toSorted((one, other) => other.startsAt - one.startsAt)[0];
  if (!record) return null;
  const { used, held } = await ledger.allowance(`sub:${record.id}`, record.period, now);
  const isOver = endOf(record) <= now;
  return { record, isOver, left: isOver ? 0n : record.included - used - held };
}

function endOf({ endsAt, cancelledAt }: SubscriptionRecord): number {
  return Math.min(endsAt ?? Number.POSITIVE_INFINITY, cancelledAt ?? Number.POSITIVE_INFINITY);
}

const DAY_MS = 86_400_000;

/** Null for a period that never resets. */
function nextStart(period: Period, at: number): number | null {
  const start = periodStart(period, at);
  switch (period) {
    case 'never':
      return null;
    case 'day':
      return start + DAY_MS;
    case 'week':
      return start + 7 * DAY_MS;
    case 'month':
      return periodStart('month', start + 31 * DAY_MS);
  }
}

const writeLeft = (micros: bigint): string => formatDollars(micros > 0n ? micros : 0n);

export function writeCap({ cap }: KeyRecord, left: bigint | null, now: number): Explanation['spending_cap'] {
  if (!cap || left === null) return null;
  const written = { amount: formatDollars(cap.micros), period: cap.period };
  return { cap: written, left: writeLeft(left), resets_at: writeTimeOrNull(nextStart(cap.period, now)) };
}

export function writeSubscription(subscription: ActiveSubscription | null, now: number): Explanation['subscription'] {
  if (!subscription || subscription.isOver) return null;
  const { id, plan, included, period, onExhaustion, endsAt } = subscription.record;
  return {
    id,
    plan,
    included: formatDollars(included),
    left: writeLeft(subscription.left),
    on_exhaustion: onExhaustion,
    resets_at: writeTime(nextStart(period, now) ?? now),
    ends_at: writeTimeOrNull(endsAt),
  };
}

/** Where the calls of a key are counted, and its limits. */
type Counting = Pick<Operations, 'config' | 'limits'>;

/** The limits of the key, its account and its group, each with what remains of it. */
export function explainKeyLimits(operations: Counting, key: KeyRecord): Promise<ExplainedLimit[]> {
  const { config } = operations;
  const { account } = key;
  const met = limitsOf([
    { scope: 'key', id: key.id, own: key.limits, otherwise: config.limits.perKey },
    { scope: 'account', id: account.id, own: account.limits, otherwise: config.limits.perAccount },
    { scope: 'group', id: account.group, own: config.groups[account.group]?.limits ?? {} },
  ]);
  return Promise.all(met.map((limit) => explainLimit(operations, limit, account.id)));
}

/** The limits of a model, each with what remains of it for an account. */
export function explainModelLimits(operations: Counting, { id, limits }: Model, accountId: string): Promise<ExplainedLimit[]> {
  const met = limitsOf([{ scope: 'model', id, own: limits }]);
  return Promise.all(met.map((limit) => explainLimit(operations, limit, accountId)));
}

async function explainLimit({ limits }: Pick<Counting, 'limits'>, limit: Limit, accountId: string): Promise<ExplainedLimit> {
  const { scope, subject, quantity, most, mode } = limit;
  // Only enforced limits report their windows; an observed one is counted too, so ask for it as enforced.
  const counted: Limit = { ...limit, mode: 'enforce' };
  const isOfMany = scope === 'group' || scope === 'model';
  const windows = await limits?.look(isOfMany ? withParts([counted], accountId) : [counted]);
  const window = quantity === 'concurrency' ? null : (windows?.[quantity] ?? null);
  return { scope, subject, quantity, limit: most, mode, remaining: window?.remaining ?? null, reset_ms: window?.resetMs ?? null };
}

const MILLION = 1_000_000n;
/** Rounded up, as a charge is. */
const times = (dollars: string, multiplier: bigint): string => formatDollars((parseDollars(dollars) * multiplier + MILLION - 1n) / MILLION);

export function explainPrice({ version, price_list: list, prices }: PriceVersion, multiplier: string): Explanation['price'] {
  const rates = prices === 'free' ? {} : 'images' in prices ? prices.images : withDefaults(prices);
  const factor = parseDollars(multiplier);
  const effective = Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, times(rate, factor)]));
  return { version, price_list: list, prices, multiplier: writeMultiplier(multiplier), effective };
}

function withDefaults({ input, cached_input: cached = input, cache_write: written = input, ...rates }: TokenRates) {
  const { cache_write_1h: hour = written, cache_write_12h: halfDay = written, output, tools } = rates;
  return { input, cached_input: cached, cache_write: written, cache_write_1h: hour, cache_write_12h: halfDay, output, ...tools };
}
type TokenRates = Extract<PriceVersion['prices'], { input: string }>;

/** The price list that an account is charged by. */
export const listOf = (funds: Funds | null): string =>
  funds?.subscription && !funds.subscription.isOver ? funds.subscription.record.priceList : STANDARD;
