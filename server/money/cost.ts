/** Computes the cost of a request in exact integers, divided once and rounded up to the next micro-dollar. */

import type { Prices as PriceSetting } from '../config/schema-models.ts';
import { clampAmount, divideUp, MILLION } from './dollars.ts';
import {
  getImagePrice,
  getPartialImagePrice,
  getRates,
  getToolPrice,
  inputClasses,
  type Prices,
  readPrices,
  type TokenPrices,
  tokenClasses,
} from './prices.ts';
import type { MeteredUsage } from './store.ts';

/** Counts come from upstreams, so an invalid count is 0. */
export const toCount = (value: number): bigint => (Number.isSafeInteger(value) ? BigInt(Math.max(value, 0)) : 0n);

/** `multiplier` is in millionths. The cost is never negative and never decreases with more usage of any class. */
export function computeCost(prices: Prices, metered: MeteredUsage, multiplier: number): bigint {
  switch (prices.kind) {
    case 'free':
      return 0n;
    case 'images': {
      const imageCost = Object.entries(metered.images).reduce((total, [kind, n]) => total + toCount(n) * getImagePrice(prices, kind), 0n);
      const sum = imageCost + toCount(metered.partialImages ?? 0) * getPartialImagePrice(prices);
      return divideUp(sum * BigInt(multiplier), MILLION);
    }
    case 'tokens': {
      const rates = getRates(prices, metered);
      const totalCost =
        tokenClasses.reduce((total, { name, tokensIn }) => total + toCount(tokensIn(metered)) * rates[name], 0n) +
        computeToolCost(prices, metered.tools ?? {}) * MILLION;
      return divideUp(totalCost * BigInt(multiplier), MILLION * MILLION);
    }
  }
}

/**
 * Returns the extra cost of input that wasn't read from a cache, in micro-dollars, rounded like a charge.
 * Null if cached input isn't cheaper than other input.
 */
export function computeCacheMissCost(prices: Prices, metered: MeteredUsage, multiplier: number): bigint | null {
  if (prices.kind !== 'tokens' || prices.cachedInput >= prices.input) return null;
  const { cachedInput, ...rates } = getRates(prices, metered);
  const missCost = inputClasses.reduce(
    (total, { name, tokensIn }) =>
      total + toCount(tokensIn(metered)) * ((name === 'cachedInput' ? cachedInput : rates[name]) - cachedInput),
    0n,
  );
  return clampAmount(divideUp(missCost * BigInt(multiplier), MILLION * MILLION));
}

/** Returns the cost of tool calls in micro-dollars. Prices are per call, not per million. */
const computeToolCost = (prices: TokenPrices, calls: Readonly<Record<string, number>>): bigint =>
  Object.entries(calls).reduce((sum, [type, n]) => sum + toCount(n) * getToolPrice(prices, type), 0n);

const UNIT_MULTIPLIER = 1_000_000;

/**
 * Returns the provider's cost in micro-dollars, or null if no prices are configured, or if they don't cover this call's images, tools, or
 * tier.
 */
export function computeProviderCost(setting: PriceSetting | undefined, metered: MeteredUsage): bigint | null {
  if (setting === undefined) return null;
  const prices = readPrices(setting);
  const { input, cachedInput, cacheWrite, output, serviceTier, tools = {} } = metered;
  if (prices.kind === 'tokens') {
    const hasUnpricedTool = Object.keys(tools).some((type) => !Object.hasOwn(prices.tools, type));
    const hasUnpricedTier = serviceTier !== undefined && !Object.hasOwn(prices.serviceTiers, serviceTier);
    if (hasUnpricedTool || hasUnpricedTier || (hasPositiveCount(metered.images) && output === 0)) return null;
  }
  if (prices.kind === 'images' && !hasPositiveCount(metered.images) && input + cachedInput + cacheWrite + output > 0) return null;
  return computeCost(prices, metered, UNIT_MULTIPLIER);
}

const hasPositiveCount = (counts: Readonly<Record<string, number>>): boolean => Object.values(counts).some((count) => count > 0);
