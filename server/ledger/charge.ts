/** What a request costs, and the most it can cost: exact integers, divided once, rounded up to the next micro-dollar. */
import { dearest, dearestImagePrice, imagePrice, type Prices, type TokenPrices, toolPrice } from './prices.ts';
import type { Metered } from './store.ts';

const MILLION = 1_000_000n;

/** The one rounding rule. */
const divideUp = (amount: bigint, by: bigint): bigint => (amount + by - 1n) / by;

/** Counts come from upstreams: an invalid count is 0. */
const count = (value: number): bigint => (Number.isSafeInteger(value) ? BigInt(Math.max(value, 0)) : 0n);

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
  /** When the caller sets no output limit, the call may get a lower one: how many answers share the tokens, and the highest limit of each. */
  readonly open?: { readonly answers: number; readonly longest: number };
  /** Calls of tools that the upstream runs; absent: none. */
  readonly toolCalls?: number;
  /** What the vendor bills beside tokens, as the request asks for it; absent: nothing. */
  readonly extras?: readonly Extra[];
  /** Pictures asked for, and their `size/quality`. */
  readonly images: number;
  readonly imageKind: string;
}

/** Token prices do not cover images, and image prices do not cover tokens: a hold by the wrong ones would be 0, and the call free. */
export function canPrice(prices: Prices, { images }: Bounds): boolean {
  return prices.kind === 'free' || (prices.kind === 'images') === images > 0;
}

/** A shorter answer is of no use to a caller who did not ask for it. */
const USEFUL_OUTPUT = 1_024;

/** The hold that a call asks the store for. */
export interface Range {
  /** Enough for the most that the call can use. */
  readonly amount: bigint;
  /** Enough for a useful answer; equal to the amount when the caller sets the output limit, or when the limit makes no difference. */
  readonly least: bigint;
  /** Whether the granted amount sets the output limit. */
  readonly isOpen: boolean;
}

export function rangeFor(prices: Prices, bounds: Bounds, multiplier: number): Range {
  const { open, outputTokens } = bounds;
  const amount = holdFor(prices, bounds, multiplier);
  if (open === undefined || prices.kind !== 'tokens' || prices.output === 0n) return { amount, least: amount, isOpen: false };
  const useful = { ...bounds, outputTokens: Math.min(USEFUL_OUTPUT * open.answers, outputTokens) };
  return { amount, least: holdFor(prices, useful, multiplier), isOpen: true };
}

/** How long each answer may be so that all of them are paid for by this amount, which holds the least of them. */
export function outputFor(prices: Prices, bounds: Bounds, { amount, multiplier }: { amount: bigint; multiplier: number }): number {
  const { answers, longest } = bounds.open ?? { answers: 1, longest: bounds.outputTokens };
  if (prices.kind !== 'tokens' || multiplier === 0) return longest;
  const beside = tokensSum(prices, { ...bounds, outputTokens: 0 });
  const tokens = ((amount * MILLION * MILLION) / BigInt(multiplier) - beside) / prices.output;
  return Math.min(Number(tokens / BigInt(answers)), longest);
}

/** Items with a price of their own: calls of a vendor's tool, by the type of their output items, or a processing tier. */
export interface Extra {
  readonly kind: 'tool' | 'tier';
  readonly name: string;
  /** The path of the request's field that asks for it. */
  readonly path: string;
}

/** The first item without a price, whose cost the operator would pay. `0` is a price; tiers have none. */
export const unpricedOf = (prices: Prices, extras: readonly Extra[] = []): Extra | undefined =>
  prices.kind === 'tokens' ? extras.find(({ kind, name }) => kind === 'tier' || !Object.hasOwn(prices.tools, name)) : undefined;

/** The amount that is held for a request: every input token in the dearest class, all output that is allowed. */
export function holdFor(prices: Prices, bounds: Bounds, multiplier: number): bigint {
  switch (prices.kind) {
    case 'free':
      return 0n;
    case 'images':
      return divideUp(count(bounds.images) * dearestImagePrice(prices, bounds.imageKind) * BigInt(multiplier), MILLION);
    case 'tokens':
      return divideUp(tokensSum(prices, bounds) * BigInt(multiplier), MILLION * MILLION);
  }
}

/** In millionths of a micro-dollar. */
function tokensSum(prices: TokenPrices, { inputTokens, outputTokens, toolCalls = 0 }: Bounds): bigint {
  const input = dearest([prices.input, prices.cachedInput, prices.cacheWrite]);
  const tools = count(toolCalls) * dearest(Object.values(prices.tools)) * MILLION;
  return count(inputTokens) * input + count(outputTokens) * prices.output + tools;
}

/** Whether some call at these prices is free. */
export function canBeFree(prices: Prices): boolean {
  switch (prices.kind) {
    case 'free':
      return true;
    case 'images':
      return Object.values(prices.byKind).some((price) => price === 0n);
    case 'tokens':
      // Each call has input and may have output.
      return dearest([prices.input, prices.cachedInput, prices.cacheWrite, prices.output]) === 0n;
  }
}
