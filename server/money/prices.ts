/** The prices of a model: reads them from the configuration, applies a multiplier or service tier, and finds the price of an image or tool. */

import type { Prices as PriceSetting, Rates as RateSetting } from '../config/schema-models.ts';
import { divideUp, MILLION, parseDollars, parseMultiplier } from './dollars.ts';
import type { MeteredUsage } from './store.ts';

type PriceClass =
  | 'input'
  | 'imageInput'
  | 'audioInput'
  | 'cachedInput'
  | 'cacheWrite'
  | 'cacheWrite1h'
  | 'cacheWrite12h'
  | 'output'
  | 'imageOutput'
  | 'audioOutput';

/** Token classes, in the order of a receipt. They don't overlap. */
export const tokenClasses: readonly { readonly name: PriceClass; readonly line: string; tokensIn(metered: MeteredUsage): number }[] = [
  { name: 'input', line: 'input', tokensIn: ({ input, imageInput = 0, audioInput = 0 }) => input - imageInput - audioInput },
  { name: 'imageInput', line: 'image_input', tokensIn: ({ imageInput = 0 }) => imageInput },
  { name: 'audioInput', line: 'audio_input', tokensIn: ({ audioInput = 0 }) => audioInput },
  { name: 'cachedInput', line: 'cached_input', tokensIn: ({ cachedInput }) => cachedInput },
  {
    name: 'cacheWrite',
    line: 'cache_write',
    tokensIn: ({ cacheWrite, cacheWrite1h = 0, cacheWrite12h = 0 }) => cacheWrite - cacheWrite1h - cacheWrite12h,
  },
  { name: 'cacheWrite1h', line: 'cache_write_1h', tokensIn: ({ cacheWrite1h = 0 }) => cacheWrite1h },
  { name: 'cacheWrite12h', line: 'cache_write_12h', tokensIn: ({ cacheWrite12h = 0 }) => cacheWrite12h },
  { name: 'output', line: 'output', tokensIn: ({ output, imageOutput = 0, audioOutput = 0 }) => output - imageOutput - audioOutput },
  { name: 'imageOutput', line: 'image_output', tokensIn: ({ imageOutput = 0 }) => imageOutput },
  { name: 'audioOutput', line: 'audio_output', tokensIn: ({ audioOutput = 0 }) => audioOutput },
];

const isOutputClass = ({ name }: { readonly name: PriceClass }): boolean => name.toLowerCase().endsWith('output');

export const [inputClasses, outputClasses] = [tokenClasses.filter((one) => !isOutputClass(one)), tokenClasses.filter(isOutputClass)];

/** Returns the prices for a request's length, multiplied for its service tier. */
export function getRates(prices: TokenPrices, { input, cachedInput, cacheWrite, serviceTier }: MeteredUsage): Rates {
  const tokens = input + cachedInput + cacheWrite;
  const rates = prices.longContext.findLast(({ above }) => tokens > above)?.rates ?? prices;
  return applyTier(rates, serviceTier === undefined ? undefined : getTierMultiplier(prices, serviceTier));
}

export const getTierMultiplier = ({ serviceTiers }: TokenPrices, tier: string): bigint | undefined =>
  Object.hasOwn(serviceTiers, tier) ? serviceTiers[tier] : undefined;

/** `multiplier` in millionths. Each price is rounded up to the next micro-dollar per million tokens. */
function applyTier(rates: Rates, multiplier = MILLION): Rates {
  if (multiplier === MILLION) return rates;
  // `as`: the names stay the same.
  return Object.fromEntries(tokenClasses.map(({ name }) => [name, divideUp(rates[name] * multiplier, MILLION)])) as unknown as Rates;
}

/** Whether a call at these prices can be free. */
export function canBeFree(prices: Prices): boolean {
  switch (prices.kind) {
    case 'free':
      return true;
    case 'images':
      return Object.values(prices.byKind).some((price) => price === 0n);
    case 'tokens':
      // Every call has input and may have output.
      return getMax(tokenClasses.map(({ name }) => prices[name])) === 0n;
  }
}

/** Micro-dollars per million tokens, by class. */
export type Rates = Readonly<Record<PriceClass, bigint>>;

export interface TokenPrices extends Rates {
  readonly kind: 'tokens';
  /** Prices of requests with more input tokens, in ascending order of tokens. */
  readonly longContext: readonly { readonly above: number; readonly rates: Rates }[];
  /** Multipliers of service tiers, in millionths. */
  readonly serviceTiers: Readonly<Record<string, bigint>>;
  /** Micro-dollars per hosted tool call, by output item type. */
  readonly tools: Readonly<Record<string, bigint>>;
}

/** Micro-dollars per image. */
export interface ImagePrices {
  readonly kind: 'images';
  readonly byKind: Readonly<Record<string, bigint>>;
}

export type Prices = { readonly kind: 'free' } | TokenPrices | ImagePrices;

export function readPrices(setting: PriceSetting): Prices {
  if (setting === 'free') return { kind: 'free' };
  return 'images' in setting ? { kind: 'images', byKind: parseAmounts(setting.images) } : readTokenPrices(setting);
}

export function readTokenPrices(setting: Extract<PriceSetting, RateSetting>): TokenPrices {
  const longContext = Object.entries(setting.longContext ?? {}).map(([above, rates]) => ({
    above: Number(above),
    rates: readRates(rates),
  }));
  return {
    kind: 'tokens',
    ...readRates(setting),
    longContext: longContext.toSorted((one, other) => one.above - other.above),
    serviceTiers: parseAmounts(setting.serviceTiers),
    tools: parseAmounts(setting.tools),
  };
}

const parseAmounts = (amounts: Readonly<Record<string, string>> = {}): Readonly<Record<string, bigint>> =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, parseDollars(amount)]));

function readRates(setting: RateSetting): Rates {
  const [input, output] = [parseDollars(setting.input), parseDollars(setting.output)];
  const parseOptional = (dollars: string | undefined, fallback = input) => (dollars === undefined ? fallback : parseDollars(dollars));
  const cacheWrite = parseOptional(setting.cacheWrite);
  return {
    input,
    imageInput: parseOptional(setting.imageInput),
    audioInput: parseOptional(setting.audioInput),
    cachedInput: parseOptional(setting.cachedInput),
    cacheWrite,
    cacheWrite1h: parseOptional(setting.cacheWrite1h, cacheWrite),
    cacheWrite12h: parseOptional(setting.cacheWrite12h, cacheWrite),
    output,
    imageOutput: parseOptional(setting.imageOutput, output),
    audioOutput: parseOptional(setting.audioOutput, output),
  };
}

/** Multiplies each price by a group's multiplier, rounded up like a charge. */
export function applyMultiplier(prices: Prices, multiplier: string): Prices {
  const factor = BigInt(parseMultiplier(multiplier));
  const multiply = (amount: bigint): bigint => divideUp(amount * factor, MILLION);
  const multiplyEach = <Name extends string>(amounts: Readonly<Record<Name, bigint>>) =>
    // `as`: the names stay the same.
    Object.fromEntries(Object.entries<bigint>(amounts).map(([name, amount]) => [name, multiply(amount)])) as Record<Name, bigint>;
  if (prices.kind === 'free') return prices;
  if (prices.kind === 'images') return { ...prices, byKind: multiplyEach(prices.byKind) };
  const { kind, tools, serviceTiers, longContext, ...rates } = prices;
  return {
    kind,
    ...multiplyEach(rates),
    longContext: longContext.map((long) => ({ ...long, rates: multiplyEach(long.rates) })),
    serviceTiers,
    tools: multiplyEach(tools),
  };
}

/** Returns the price of one tool call. 0 if none is set. */
export const getToolPrice = ({ tools }: TokenPrices, type: string): bigint => (Object.hasOwn(tools, type) ? tools[type] : undefined) ?? 0n;

export const WILDCARD = '*';

/** In `Bounds.serviceTier`: the provider chooses the tier. */
export const ANY_TIER = WILDCARD;

/** The entry for partial images of a stream. They're free without it. */
export const PARTIAL_IMAGE = 'partial';

export const getPartialImagePrice = ({ byKind }: ImagePrices): bigint => byKind[PARTIAL_IMAGE] ?? 0n;

/** Returns the price of one image from the most specific entry: size and quality, then either alone, then the default. */
export function getImagePrice({ byKind }: ImagePrices, kind: string): bigint {
  const [size = WILDCARD, quality = WILDCARD] = kind.split('/');
  for (const name of [kind, `${size}/${WILDCARD}`, `${WILDCARD}/${quality}`, 'default']) {
    const price = Object.hasOwn(byKind, name) ? byKind[name] : undefined;
    if (price !== undefined) return price;
  }
  return getMax(Object.values(byKind));
}

/** Returns the maximum price of an image of this kind. `auto` can become any size or quality. */
export function getMaxImagePrice(prices: ImagePrices, kind: string): bigint {
  const hasWildcard = kind.split('/').some((part) => part === 'auto' || part === WILDCARD);
  return hasWildcard ? getMax(Object.values(prices.byKind)) : getImagePrice(prices, kind);
}

export const getMax = (amounts: readonly bigint[]): bigint => amounts.reduce((most, amount) => (amount > most ? amount : most), 0n);
