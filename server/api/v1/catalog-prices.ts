/** Writes prices in the form of the public catalog: a price for every token class, with six decimal places. */
import type { CatalogPrices } from '../../../contract/catalog.ts';

import { formatDollars } from '../../money/dollars.ts';
import type { Prices, Rates, TokenPrices } from '../../money/prices.ts';

export function writeCatalogPrices(prices: Prices): CatalogPrices {
  switch (prices.kind) {
    case 'free':
      return 'free';
    case 'images':
      return { images: writeAmounts(prices.byKind) };
    case 'tokens':
      return writeTokenPrices(prices);
  }
}

export const writeTokenPrices = (prices: TokenPrices) => ({
  ...writeRates(prices),
  ...(prices.longContext.length > 0 && {
    long_context: Object.fromEntries(prices.longContext.map(({ above, rates }) => [above, writeRates(rates)])),
  }),
  service_tiers: writeAmounts(prices.serviceTiers),
  tools: writeAmounts(prices.tools),
});

const writeRates = (rates: Rates) => ({
  input: formatDollars(rates.input),
  cached_input: formatDollars(rates.cachedInput),
  cache_write: formatDollars(rates.cacheWrite),
  cache_write_1h: formatDollars(rates.cacheWrite1h),
  cache_write_12h: formatDollars(rates.cacheWrite12h),
  image_input: formatDollars(rates.imageInput),
  audio_input: formatDollars(rates.audioInput),
  output: formatDollars(rates.output),
  image_output: formatDollars(rates.imageOutput),
  audio_output: formatDollars(rates.audioOutput),
});

const writeAmounts = (amounts: Readonly<Record<string, bigint>>): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, formatDollars(amount)]));
