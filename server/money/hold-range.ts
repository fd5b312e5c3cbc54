/** Computes how much to hold for a request from the most that it can use, and the output limit that a smaller hold allows. */

import { DEFAULT_SERVICE_TIER } from '../protocols/service-tier.ts';
import { toCount } from './cost.ts';
import { divideUp, MILLION } from './dollars.ts';
import {
  ANY_TIER,
  getMax,
  getMaxImagePrice,
  getPartialImagePrice,
  getTierMultiplier,
  type ImagePrices,
  inputClasses,
  outputClasses,
  type Prices,
  type Rates,
  type TokenPrices,
  type tokenClasses,
} from './prices.ts';

/** The maximum usage of a request. */
export interface UsageBounds {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /**
   * Set if the caller sets no output limit, so that the gateway can set one: the number of choices that share the tokens, and the
   * maximum limit of each.
   */
  readonly unlimitedOutput?: { readonly choiceCount: number; readonly maxTokensPerChoice: number };
  /** Whether the request or the response can have audio. Reads the full body, so it's only called if audio costs more than text. */
  readonly hasAudio?: () => boolean;
  /** The service tiers that the provider can choose: the requested one, or any. Defaults to the standard tier. */
  readonly serviceTier?: string;
  /** The maximum number of hosted tool calls. Defaults to none. */
  readonly toolCalls?: number;
  /** Requested extras that the provider bills in addition to tokens. Omitted if there are none. */
  readonly extras?: readonly PricedOption[];
  /** The number of requested images, and their `size/quality`. */
  readonly images: number;
  readonly imageKind: string;
  /** The number of requested partial images. Defaults to none. */
  readonly partialImages?: number;
}

/** Image prices don't cover text: the hold would be 0 and the call free. Images can also be priced by tokens. */
export function canPrice(prices: Prices, { images }: UsageBounds): boolean {
  return prices.kind !== 'images' || images > 0;
}

/** In tokens. A shorter response is useless to a caller who didn't ask for one. */
const MIN_USEFUL_OUTPUT_TOKENS = 1_024;

/** The hold to request from the store. */
interface HoldRange {
  /** Covers the maximum usage of the call. */
  readonly amount: bigint;
  /** Covers a useful response. Equal to the amount if the caller sets the output limit, or if the limit doesn't affect the cost. */
  readonly least: bigint;
  /** Whether the granted amount sets the output limit. */
  readonly isOpen: boolean;
}

export function computeHoldRange(prices: Prices, bounds: UsageBounds, multiplier: number): HoldRange {
  const { unlimitedOutput, outputTokens } = bounds;
  const amount = computeHold(prices, bounds, multiplier);
  if (unlimitedOutput === undefined || prices.kind !== 'tokens' || getMaxRate(prices, bounds, 'output') === 0n)
    return { amount, least: amount, isOpen: false };
  const minBounds = { ...bounds, outputTokens: Math.min(MIN_USEFUL_OUTPUT_TOKENS * unlimitedOutput.choiceCount, outputTokens) };
  return { amount, least: computeHold(prices, minBounds, multiplier), isOpen: true };
}

/** Returns the maximum length of each response that this amount covers. The amount is at least the range's `least`. */
export function computeOutputLimit(
  prices: Prices,
  bounds: UsageBounds,
  { amount, multiplier }: { amount: bigint; multiplier: number },
): number {
  const { choiceCount, maxTokensPerChoice } = bounds.unlimitedOutput ?? { choiceCount: 1, maxTokensPerChoice: bounds.outputTokens };
  if (prices.kind !== 'tokens' || multiplier === 0) return maxTokensPerChoice;
  const nonOutputAmount = computeTokenAmount(prices, { ...bounds, outputTokens: 0 });
  const outputTokens = ((amount * MILLION * MILLION) / BigInt(multiplier) - nonOutputAmount) / getMaxRate(prices, bounds, 'output');
  return Math.min(Number(outputTokens / BigInt(choiceCount)), maxTokensPerChoice);
}

/** An extra with a separate price: calls of a provider's tool, by output item type, or a service tier. */
export interface PricedOption {
  readonly kind: 'tool' | 'tier';
  readonly name: string;
  /** The path of the request field that asks for the extra. */
  readonly path: string;
}

/** Finds the first extra without a price, whose cost the operator would pay. `0` is a price. */
export const findUnpricedOption = (prices: Prices, options: readonly PricedOption[] = []): PricedOption | undefined =>
  prices.kind === 'tokens'
    ? options.find(({ kind, name }) => !Object.hasOwn(kind === 'tier' ? prices.serviceTiers : prices.tools, name))
    : undefined;

/** Computes the amount to hold: every input token in the most expensive class, and all allowed output. */
export function computeHold(prices: Prices, bounds: UsageBounds, multiplier: number): bigint {
  switch (prices.kind) {
    case 'free':
      return 0n;
    case 'images':
      return divideUp(computeImageAmount(prices, bounds) * BigInt(multiplier), MILLION);
    case 'tokens':
      return divideUp(computeTokenAmount(prices, bounds) * BigInt(multiplier), MILLION * MILLION);
  }
}

const computeImageAmount = (prices: ImagePrices, { images, imageKind, partialImages = 0 }: UsageBounds): bigint =>
  toCount(images) * getMaxImagePrice(prices, imageKind) + toCount(partialImages) * getPartialImagePrice(prices);

/** In millionths of a micro-dollar. */
function computeTokenAmount(prices: TokenPrices, bounds: UsageBounds): bigint {
  const { inputTokens, outputTokens, toolCalls = 0 } = bounds;
  const toolAmount = toolCalls === 0 ? 0n : toCount(toolCalls) * getMax(Object.values(prices.tools)) * MILLION;
  return (
    toCount(inputTokens) * getMaxRate(prices, bounds, 'input') + toCount(outputTokens) * getMaxRate(prices, bounds, 'output') + toolAmount
  );
}

const listTextClasses = (classes: typeof tokenClasses) => classes.map(({ name }) => name).filter((name) => !name.startsWith('audio'));
const classNames = {
  input: { text: listTextClasses(inputClasses), audio: 'audioInput' },
  output: { text: listTextClasses(outputClasses), audio: 'audioOutput' },
} as const;

/** Returns the highest price that can apply to the request's input or output, by its length, service tier, and media. */
function getMaxRate(prices: TokenPrices, { inputTokens, hasAudio, serviceTier }: UsageBounds, direction: 'input' | 'output'): bigint {
  const { text, audio } = classNames[direction];
  const getTextRate = (rates: Rates): bigint => getMax(text.map((name) => rates[name]));
  let [rate, audioRate] = [getTextRate(prices), prices[audio]];
  for (const { above, rates } of prices.longContext)
    if (inputTokens > above) [rate, audioRate] = [getMax([rate, getTextRate(rates)]), getMax([audioRate, rates[audio]])];
  if (audioRate > rate && hasAudio?.()) rate = audioRate;
  const multiplier = getMaxTierMultiplier(prices, serviceTier);
  return multiplier === MILLION ? rate : divideUp(rate * multiplier, MILLION);
}

/** At least the standard tier's multiplier, because the provider can fall back to it. */
function getMaxTierMultiplier(prices: TokenPrices, serviceTier = DEFAULT_SERVICE_TIER): bigint {
  if (serviceTier === DEFAULT_SERVICE_TIER) return MILLION;
  if (serviceTier === ANY_TIER) return getMax([MILLION, ...Object.values(prices.serviceTiers)]);
  return getMax([MILLION, getTierMultiplier(prices, serviceTier) ?? MILLION]);
}
