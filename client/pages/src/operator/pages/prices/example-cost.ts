/** Computes the exact cost of an example call: with integers, rounded up once to a micro-dollar, like a charge. */
import type { Prices } from '../../../../../../contract/admin/rules.ts';
import { readDollars } from '../../../data/money.ts';

const CACHED_INPUT = 4_000n;
const OTHER_INPUT = 6_000n;
const OUTPUT = 2_000n;
const MILLION = 1_000_000n;

/** Micro-dollars. Null if a price isn't an amount. `multiplier` has six decimals, like in the API. */
export function computeExampleCost(prices: Prices, multiplier: string): bigint | null {
  const factor = readDollars(multiplier);
  if (factor === null) return null;
  if (prices === 'free') return 0n;
  if ('images' in prices) return computeImageCost(prices.images.default, factor);
  return computeTokenCost(prices, factor);
}

function computeImageCost(price: string | undefined, factor: bigint): bigint | null {
  const micros = readDollars(price ?? '');
  return micros === null ? null : divideUp(micros * factor, MILLION);
}

function computeTokenCost(
  { input, cached_input = input, output }: Exclude<Prices, 'free' | { images: unknown }>,
  factor: bigint,
): bigint | null {
  const [plain, cached, out] = [input, cached_input, output].map(readDollars);
  if (plain == null || cached == null || out == null) return null;
  const perMillion = OTHER_INPUT * plain + CACHED_INPUT * cached + OUTPUT * out;
  return divideUp(perMillion * factor, MILLION * MILLION);
}

const divideUp = (value: bigint, by: bigint): bigint => (value + by - 1n) / by;
