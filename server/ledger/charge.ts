/** What a request costs, and the most it can cost: exact integers, divided once, rounded up to the next micro-dollar. */
import { dearest, dearestImagePrice, imagePrice, type Prices, type TokenPrices, toolPrice } from './prices.ts';
import type { Metered } from './store.ts';

const MILLION = 1_000_000n;

/** The one rounding rule. */
const divideUp = (amount: bigint, by: bigint): bigint => (amount + by - 1n) / by;

/** Counts come from upstreams: what is no count is nothing. */
const count = (value: number): bigint => (Number.isSafeInteger(value) && value > 0 ? BigInt(value) : 0n);

/** `multiplier` in millionths. Never negative, never smaller for more of any class. */
export function costOf(prices: Prices, metered: Metered, multiplier: number): bigint {
  switch (prices.kind) {
    case 'free':
      return 0n;
    case 'images': {
      const sum = Object.entries(metered.images).reduce((total, [kind, n]) => total + count(n) * imagePrice(prices, kind), 0n);
      return divideUp(sum * BigInt(multiplier), MILLION);
    }
    case 'tokens': {
      const { input, cachedInput, cacheWrite, output } = metered;
      const sum =
        count(input) * prices.input +
        count(cachedInput) * prices.cachedInput +
        count(cacheWrite) * prices.cacheWrite +
        count(output) * prices.output +
        toolCost(prices, metered.tools ?? {}) * MILLION;
      return divideUp(sum * BigInt(multiplier), MILLION * MILLION);
    }
  }
}

/** In micro-dollars: a call has one price, not one per million. */
const toolCost = (prices: TokenPrices, calls: Readonly<Record<string, number>>): bigint =>
  Object.entries(calls).reduce((sum, [type, n]) => sum + count(n) * toolPrice(prices, type), 0n);

/** The most that a request can use. */
export interface Bounds {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Calls of tools that the upstream runs; none where left out. */
  readonly toolCalls?: number;
  /** Pictures asked for, and their `size/quality`. */
  readonly images: number;
  readonly imageKind: string;
}

/** Prices by tokens say nothing of pictures, nor those of pictures of tokens: a hold by the others would be nothing, and the call a gift. */
export function canPrice(prices: Prices, { images }: Bounds): boolean {
  return prices.kind === 'free' || (prices.kind === 'images') === images > 0;
}

/** The amount that is held for a request: every input token in the dearest class, all output that is allowed. */
export function holdFor(prices: Prices, bounds: Bounds, multiplier: number): bigint {
  switch (prices.kind) {
    case 'free':
      return 0n;
    case 'images':
      return divideUp(count(bounds.images) * dearestImagePrice(prices, bounds.imageKind) * BigInt(multiplier), MILLION);
    case 'tokens': {
      const input = dearest([prices.input, prices.cachedInput, prices.cacheWrite]);
      const tools = count(bounds.toolCalls ?? 0) * dearest(Object.values(prices.tools)) * MILLION;
      const sum = count(bounds.inputTokens) * input + count(bounds.outputTokens) * prices.output + tools;
      return divideUp(sum * BigInt(multiplier), MILLION * MILLION);
    }
  }
}
