/** Would the ledger grant the hold of a short call with this key now? The store applies its own rule and keeps nothing. */
import type { PriceVersion } from '../../contract/admin/rules.ts';
import type { KeyRecord } from '../access/store.ts';
import { boundsOfShortCall } from '../billing/cost-ceiling.ts';
import type { Model } from '../config/catalog.ts';
import { type Bounds, canPrice, holdFor, outputFor, rangeFor } from '../ledger/charge.ts';
import { parseMultiplier } from '../ledger/money.ts';
import { type Prices, readPrices } from '../ledger/prices.ts';
import type { HoldOrder, HoldResult, LedgerStore } from '../ledger/store.ts';
import type { Funds } from './funds.ts';
import { readPrices as settingOf } from './prices.ts';

export interface DryRun {
  readonly result: HoldResult;
  /** The least that the hold must be, in micro-dollars. */
  readonly least: bigint;
  /** The output limit that a call gets which sets none, in tokens; null when it gets none, or the call would be refused. */
  readonly outputLimit: number | null;
  /** The highest output limit that a call may set, in tokens; null when output has no price, or the money pays for no token. */
  readonly highestLimit: number | null;
}

export interface DryRunOrder {
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
export async function weighShortCall(ledger: LedgerStore, order: DryRunOrder): Promise<DryRun | null> {
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
  const { capLeft, ruling, balance } = order.funds;
  const most = holdFor(prices, bounds, multiplier);
  const ofOneToken = holdFor(prices, { ...bounds, outputTokens: 1 }, multiplier);
  const longest = { ...bounds, open: { answers: 1, longest: bounds.outputTokens } };
  const sums = [capLeft ?? most, ruling?.left ?? most, balance.balance - balance.held].map((left) => (left < most ? left : most));
  for (const amount of sums.filter((sum) => sum >= ofOneToken).toSorted((one, other) => (one < other ? 1 : -1))) {
    const { kind } = await ledger.dryRunHold(orderOf(order, { amount, least: amount, multiplier }));
    if (kind === 'held') return outputFor(prices, longest, { amount, multiplier });
  }
  return null;
}
