/** Asks the ledger whether it would grant the hold of a short call with a key. The store applies its own rule and keeps nothing. */

import type { PriceVersion } from '../../../contract/admin/rules.ts';
import { type KeyRecord, listCaps } from '../../access/store.ts';
import type { Model } from '../../config/config.ts';
import { parseMultiplier } from '../../money/dollars.ts';
import { canPrice, computeHold, computeHoldRange, computeOutputLimit, type UsageBounds } from '../../money/hold-range.ts';
import { type Prices, readPrices } from '../../money/prices.ts';
import type { HoldOrder, HoldResult, LedgerStore } from '../../money/store.ts';
import { computeShortCallBounds } from '../../money/usage-ceiling.ts';
import type { Funds } from './funds.ts';
import { readPrices as settingOf } from './prices.ts';

export interface DryRun {
  readonly result: HoldResult;
  /** The minimum hold, in micro-dollars. */
  readonly least: bigint;
  /** The output limit of a call that sets none, in tokens. Null if the call gets no limit or would be rejected. */
  readonly outputLimit: number | null;
  /** The highest output limit that a call can set, in tokens. Null if output has no price, or the money pays for no token. */
  readonly highestLimit: number | null;
}

interface DryRunParams {
  readonly key: KeyRecord;
  readonly model: Model;
  readonly price: PriceVersion;
  readonly multiplier: string;
  readonly funds: Funds;
  readonly at: number;
}

/** Null if the price doesn't cover such a call. */
export async function dryRunHold(ledger: LedgerStore, order: DryRunParams): Promise<DryRun | null> {
  const { model, price } = order;
  const prices = readPrices(settingOf(price.prices));
  const bounds = computeShortCallBounds(model);
  if (!canPrice(prices, bounds)) return null;
  const multiplier = parseMultiplier(order.multiplier);
  const { amount, least, isOpen } = computeHoldRange(prices, bounds, multiplier);
  const result = await ledger.dryRunHold(toHoldOrder(order, { amount, least, multiplier }));
  const granted = result.kind === 'held' ? result.granted : undefined;
  const toOutputLimit = (holdAmount: bigint): number => computeOutputLimit(prices, bounds, { amount: holdAmount, multiplier });
  return {
    result,
    least,
    // A call that gets the full amount is sent without a limit.
    outputLimit: isOpen && granted !== undefined ? toOutputLimit(granted) : null,
    highestLimit: isOpen ? await findHighestLimit(ledger, order, { prices, bounds, multiplier }) : null,
  };
}

/** Returns the maximum and minimum hold of a short call, or null if the price doesn't cover it. */
export function estimateShortCallRange({ model, price, multiplier }: Pick<DryRunParams, 'model' | 'price' | 'multiplier'>) {
  const prices = readPrices(settingOf(price.prices));
  const bounds = computeShortCallBounds(model);
  return canPrice(prices, bounds) ? computeHoldRange(prices, bounds, parseMultiplier(multiplier)) : null;
}

/** Checks only whether the hold is granted, with one store query. */
export async function estimateShortCall(ledger: LedgerStore, order: DryRunParams): Promise<DryRun | null> {
  const range = estimateShortCallRange(order);
  if (range === null) return null;
  const { amount, least } = range;
  const result = await ledger.dryRunHold(toHoldOrder(order, { amount, least, multiplier: parseMultiplier(order.multiplier) }));
  return { result, least, outputLimit: null, highestLimit: null };
}

function toHoldOrder(
  { key, model, at }: DryRunParams,
  { amount, least, multiplier }: Pick<HoldOrder, 'amount' | 'multiplier'> & { least: bigint },
): HoldOrder {
  const { id: keyId, account } = key;
  return {
    // No request has an empty ID, so the store finds no hold of an earlier attempt.
    requestId: '',
    accountId: account.id,
    keyId,
    model: model.id,
    operation: 'explain',
    priceVersion: 0,
    node: '',
    caps: listCaps(key),
    multiplier,
    amount,
    least,
    at,
  };
}

/**
 * A call with an output limit holds its complete cost or nothing. So this function tries the remaining amounts of the caps, the plan, and the
 * balance, the largest first.
 */
async function findHighestLimit(
  ledger: LedgerStore,
  order: DryRunParams,
  { prices, bounds, multiplier }: { prices: Prices; bounds: UsageBounds; multiplier: number },
): Promise<number | null> {
  const { caps, subscription, balance } = order.funds;
  const maxHold = computeHold(prices, bounds, multiplier);
  const oneTokenHold = computeHold(prices, { ...bounds, outputTokens: 1 }, multiplier);
  const openBounds = { ...bounds, unlimitedOutput: { choiceCount: 1, maxTokensPerChoice: bounds.outputTokens } };
  const remainingAmounts = [...caps.map(({ left }) => left), subscription?.left ?? maxHold, balance.balance - balance.held, maxHold];
  const holdAmounts = remainingAmounts.map((left) => (left < maxHold ? left : maxHold));
  for (const amount of holdAmounts.filter((sum) => sum >= oneTokenHold).toSorted((one, other) => (one < other ? 1 : -1))) {
    const { kind } = await ledger.dryRunHold(toHoldOrder(order, { amount, least: amount, multiplier }));
    if (kind === 'held') return computeOutputLimit(prices, openBounds, { amount, multiplier });
  }
  return null;
}
