/** Whether the money of a key lets a short call through now: the rule of the store that holds for calls, of which nothing is kept. */
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

export interface Weighed {
  readonly result: HoldResult;
  /** What a call has to have so that it is let in. */
  readonly least: bigint;
  /** The limit that a call gets which names none; null where there is none, or none would be let in. */
  readonly outputLimit: number | null;
  /** The highest that a call may name; null where output has no price, or not even one token of it is paid for. */
  readonly highestLimit: number | null;
}

export interface Weighing {
  readonly key: KeyRecord;
  readonly model: Model;
  readonly price: PriceVersion;
  readonly multiplier: string;
  readonly funds: Funds;
  readonly at: number;
}

/** Null where the price says nothing of such a call. */
export async function weighCall(ledger: LedgerStore, weighing: Weighing): Promise<Weighed | null> {
  const { model, price } = weighing;
  const prices = readPrices(settingOf(price.prices));
  const bounds = boundsOfShortCall(model);
  if (!canPrice(prices, bounds)) return null;
  const multiplier = parseMultiplier(weighing.multiplier);
  const { amount, least, isOpen } = rangeFor(prices, bounds, multiplier);
  const result = await ledger.weigh(orderOf(weighing, { amount, least, multiplier }));
  const granted = result.kind === 'held' ? (result.granted ?? amount) : null;
  const limitFor = (sum: bigint): number => outputFor(prices, bounds, { amount: sum, multiplier });
  return {
    result,
    least,
    outputLimit: isOpen && granted !== null ? limitFor(granted) : null,
    highestLimit: isOpen ? await highestFor(ledger, weighing, { prices, bounds, multiplier }) : null,
  };
}

interface Sum extends Pick<HoldOrder, 'amount' | 'multiplier'> {
  readonly least: bigint;
}

function orderOf({ key, model, at }: Weighing, { amount, least, multiplier }: Sum): HoldOrder {
  const { id: keyId, account, cap, capOwner } = key;
  return {
    // No request has such an id.
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

/** A call that names its limit holds all of its cost or nothing: of what is left anywhere, the most that the store would hold. */
async function highestFor(ledger: LedgerStore, weighing: Weighing, { prices, bounds, multiplier }: Asked): Promise<number | null> {
  const { capLeft, ruling, balance } = weighing.funds;
  const most = holdFor(prices, bounds, multiplier);
  const ofOneToken = holdFor(prices, { ...bounds, outputTokens: 1 }, multiplier);
  const longest = { ...bounds, open: { answers: 1, longest: bounds.outputTokens } };
  const sums = [capLeft ?? most, ruling?.left ?? most, balance.balance - balance.held].map((left) => (left < most ? left : most));
  for (const amount of sums.filter((sum) => sum >= ofOneToken).toSorted((one, other) => (one < other ? 1 : -1))) {
    const { kind } = await ledger.weigh(orderOf(weighing, { amount, least: amount, multiplier }));
    if (kind === 'held') return outputFor(prices, longest, { amount, multiplier });
  }
  return null;
}
