/** What a vendor bills for a call, by the prices that the configuration has for the candidate that answered it. It never decides what a caller pays. */
import type { Prices as PriceSetting } from '../config/prices.ts';
import { costOf } from './charge.ts';
import { readPrices } from './prices.ts';
import type { Metered } from './store.ts';

const ONE = 1_000_000;

/** In micro-dollars. Null: it is not known, because nobody wrote the prices, or they have none for a picture or a tool of this call. */
export function vendorCostOf(setting: PriceSetting | undefined, metered: Metered): bigint | null {
  if (setting === undefined) return null;
  const prices = readPrices(setting);
  const tools = Object.keys(metered.tools ?? {});
  const { input, cachedInput, cacheWrite, output } = metered;
  if (prices.kind === 'tokens' && (hasAny(metered.images) || tools.some((type) => !Object.hasOwn(prices.tools, type)))) return null;
  if (prices.kind === 'images' && !hasAny(metered.images) && input + cachedInput + cacheWrite + output > 0) return null;
  return costOf(prices, metered, ONE);
}

const hasAny = (counts: Readonly<Record<string, number>>): boolean => Object.values(counts).some((count) => count > 0);
