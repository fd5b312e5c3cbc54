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
  const { key, model, price, funds } = order;
  const prices = readPrices(settingOf(price.prices));
  const bounds = boundsOfShortCall(model);
  if (!canPrice(prices, bounds)) return null;
  const multiplier = parseMultiplier(order.multiplier);
  const { amount, least, isOpen } = rangeFor(prices, bounds, multiplier);
  const result = await ledger.weigh(orderOf(order, { key, amount, least, multiplier }));
  const granted = result.kind === 'held' ? (result.granted ?? amount) : null;
  const limitFor = (sum: bigint): number => outputFor(prices, bounds, { amount: sum, multiplier });
  return {
    result,
    least,
    outputLimit: isOpen && granted !== null ? limitFor(granted) : null,
    highestLimit: isOpen ? highestFor({ prices, bounds, multiplier }, funds) : null,
  };
}

interface Sum extends Pick<HoldOrder, 'amount' | 'multiplier'> {
  readonly key: KeyRecord;
  readonly least: bigint;
}

function orderOf({ model, at }: DryRunOrder, { key, amount, least, multiplier }: Sum): HoldOrder {
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

/** The most that a call may hold which sets its output limit: all that is left of the source that would pay, in micro-dollars. */
function leftFor({ capLeft, ruling, balance }: Funds, least: bigint): bigint {
  const free = balance.balance - balance.held;
  const ofPlan = ruling && !ruling.isOver ? ruling.left : 0n;
  const isPlan = ruling?.record.onExhaustion === 'stop' || (ofPlan >= least && ofPlan >= free);
  const left = isPlan ? ofPlan : free;
  return capLeft !== null && capLeft < left ? capLeft : left;
}

interface Asked {
  readonly prices: Prices;
  readonly bounds: Bounds;
  readonly multiplier: number;
}

function highestFor({ prices, bounds, multiplier }: Asked, funds: Funds): number | null {
  const ofOneToken = holdFor(prices, { ...bounds, outputTokens: 1 }, multiplier);
  const left = leftFor(funds, ofOneToken);
  if (left < ofOneToken) return null;
  const longest = { ...bounds, open: { answers: 1, longest: bounds.outputTokens } };
  return outputFor(prices, longest, { amount: left, multiplier });
}
