/** What a model costs one key: the price of its list, times the multiplier of its group. */
import type { Explanation } from '../../contract/admin/explanations.ts';
import type { PriceVersion } from '../../contract/admin/rules.ts';
import { formatDollars, parseDollars } from '../ledger/money.ts';
import { STANDARD } from '../ledger/price-book.ts';
import type { Funds } from './funds.ts';
import { writeMultiplier } from './rules.ts';

const MILLION = 1_000_000n;
/** Rounded up, as a charge is. */
const times = (dollars: string, multiplier: bigint): string => formatDollars((parseDollars(dollars) * multiplier + MILLION - 1n) / MILLION);

export function explainPrice({ version, price_list: list, prices }: PriceVersion, multiplier: string): Explanation['price'] {
  const rates = prices === 'free' ? {} : 'images' in prices ? prices.images : withDefaults(prices);
  const factor = parseDollars(multiplier);
  const effective = Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, times(rate, factor)]));
  return { version, price_list: list, prices, multiplier: writeMultiplier(multiplier), effective };
}

function withDefaults({ input, cached_input: cached = input, cache_write: written = input, output, tools }: TokenRates) {
  return { input, cached_input: cached, cache_write: written, output, ...tools };
}
type TokenRates = Extract<PriceVersion['prices'], { input: string }>;

/** The price list that an account is charged by. */
export const listOf = (funds: Funds | null): string => (funds?.ruling && !funds.ruling.isOver ? funds.ruling.record.priceList : STANDARD);
