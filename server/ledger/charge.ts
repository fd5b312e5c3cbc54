/** Computes the cost of a request and its maximum in exact integers, divided once and rounded up to the next micro-dollar. */

import type { Prices as PriceSetting } from '../config/schema-models.ts';
import type { ChargeRecord, KeptAttempt, Metered } from './store.ts';

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
      const sum =
        tokenClasses.reduce((total, { name, tokensIn }) => total + count(tokensIn(metered)) * prices[name], 0n) +
        toolCost(prices, metered.tools ?? {}) * MILLION;
      return divideUp(sum * BigInt(multiplier), MILLION * MILLION);
    }
  }
}

/**
 * What the input that wasn't read from a cache cost beyond the price of reading it, in micro-dollars, rounded as a charge is. Null if reading costs no
 * less than other input: then nothing is missed.
 */
export function missedOf(prices: Prices, metered: Metered, multiplier: number): bigint | null {
  if (prices.kind !== 'tokens' || prices.cachedInput >= prices.input) return null;
  const sum = inputClasses.reduce(
    (total, { name, tokensIn }) => total + count(tokensIn(metered)) * (prices[name] - prices.cachedInput),
    0n,
  );
  return nearestAmount(divideUp(sum * BigInt(multiplier), MILLION * MILLION));
}

type PriceClass = 'input' | 'cachedInput' | 'cacheWrite' | 'cacheWrite1h' | 'cacheWrite12h' | 'output';

/** The classes of tokens, in the order of a receipt. They don't overlap. */
const tokenClasses: readonly { readonly name: PriceClass; readonly line: string; tokensIn(metered: Metered): number }[] = [
  { name: 'input', line: 'input', tokensIn: ({ input }) => input },
  { name: 'cachedInput', line: 'cached_input', tokensIn: ({ cachedInput }) => cachedInput },
  {
    name: 'cacheWrite',
    line: 'cache_write',
    tokensIn: ({ cacheWrite, cacheWrite1h = 0, cacheWrite12h = 0 }) => cacheWrite - cacheWrite1h - cacheWrite12h,
  },
  { name: 'cacheWrite1h', line: 'cache_write_1h', tokensIn: ({ cacheWrite1h = 0 }) => cacheWrite1h },
  { name: 'cacheWrite12h', line: 'cache_write_12h', tokensIn: ({ cacheWrite12h = 0 }) => cacheWrite12h },
  { name: 'output', line: 'output', tokensIn: ({ output }) => output },
];
const inputClasses = tokenClasses.filter(({ name }) => name !== 'output');

/** Cost of tool calls in micro-dollars. A call has one price, not one per million. */
const toolCost = (prices: TokenPrices, calls: Readonly<Record<string, number>>): bigint =>
  Object.entries(calls).reduce((sum, [type, n]) => sum + count(n) * toolPrice(prices, type), 0n);

/** The most that a request can use. */
export interface Bounds {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** When the caller sets no output limit, the call may get a lower one: how many responses share the tokens, and the highest limit of each. */
  readonly open?: { readonly answers: number; readonly longest: number };
  /** Calls of tools that the upstream runs; absent: none. */
  readonly toolCalls?: number;
  /** Requested extras that the provider bills in addition to tokens. Absent if there are none. */
  readonly extras?: readonly Extra[];
  /** Images asked for, and their `size/quality`. */
  readonly images: number;
  readonly imageKind: string;
}

/** Token prices don't cover images, and image prices don't cover tokens: a hold by the wrong ones would be 0, and the call free. */
export function canPrice(prices: Prices, { images }: Bounds): boolean {
  return prices.kind === 'free' || (prices.kind === 'images') === images > 0;
}

/** A shorter answer is of no use to a caller who didn't ask for it. */
const USEFUL_OUTPUT = 1_024;

/** The hold that a call asks the store for. */
interface Range {
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

/** How long each response may be so that all of them are paid for by this amount, which holds the least of them. */
export function outputFor(prices: Prices, bounds: Bounds, { amount, multiplier }: { amount: bigint; multiplier: number }): number {
  const { answers, longest } = bounds.open ?? { answers: 1, longest: bounds.outputTokens };
  if (prices.kind !== 'tokens' || multiplier === 0) return longest;
  const beside = tokensSum(prices, { ...bounds, outputTokens: 0 });
  const tokens = ((amount * MILLION * MILLION) / BigInt(multiplier) - beside) / prices.output;
  return Math.min(Number(tokens / BigInt(answers)), longest);
}

/** Items with a separate price: calls of a provider's tool, by the type of their output items, or a processing tier. */
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
  const input = dearest(inputPrices(prices));
  const tools = count(toolCalls) * dearest(Object.values(prices.tools)) * MILLION;
  return count(inputTokens) * input + count(outputTokens) * prices.output + tools;
}

const inputPrices = (prices: TokenPrices): readonly bigint[] => inputClasses.map(({ name }) => prices[name]);

/** Whether some call at these prices is free. */
export function canBeFree(prices: Prices): boolean {
  switch (prices.kind) {
    case 'free':
      return true;
    case 'images':
      return Object.values(prices.byKind).some((price) => price === 0n);
    case 'tokens':
      // Each call has input and may have output.
      return dearest([...inputPrices(prices), prices.output]) === 0n;
  }
}

/** Micro-dollars per million tokens, by class. */
export interface TokenPrices extends Readonly<Record<PriceClass, bigint>> {
  readonly kind: 'tokens';
  /** Micro-dollars per call of a tool that the upstream runs, by the type of its output item. */
  readonly tools: Readonly<Record<string, bigint>>;
}
/** Micro-dollars per image. */
interface ImagePrices {
  readonly kind: 'images';
  readonly byKind: Readonly<Record<string, bigint>>;
}
export type Prices = { readonly kind: 'free' } | TokenPrices | ImagePrices;

export function readPrices(setting: PriceSetting): Prices {
  if (setting === 'free') return { kind: 'free' };
  if ('images' in setting) {
    const entries = Object.entries(setting.images).map(([kind, dollars]) => [kind, parseDollars(dollars)] as const);
    return { kind: 'images', byKind: Object.fromEntries(entries) };
  }
  const input = parseDollars(setting.input);
  const other = (dollars: string | undefined, otherwise = input) => (dollars === undefined ? otherwise : parseDollars(dollars));
  const cacheWrite = other(setting.cacheWrite);
  return {
    kind: 'tokens',
    input,
    cachedInput: other(setting.cachedInput),
    cacheWrite,
    cacheWrite1h: other(setting.cacheWrite1h, cacheWrite),
    cacheWrite12h: other(setting.cacheWrite12h, cacheWrite),
    output: parseDollars(setting.output),
    tools: Object.fromEntries(Object.entries(setting.tools ?? {}).map(([type, dollars]) => [type, parseDollars(dollars)])),
  };
}

/** Each price with the multiplier of a group, rounded up, as a charge is. */
export function timesMultiplier(prices: Prices, multiplier: string): Prices {
  const factor = BigInt(parseMultiplier(multiplier));
  const times = (amount: bigint): bigint => divideUp(amount * factor, MILLION);
  const timesEach = <Name extends string>(amounts: Readonly<Record<Name, bigint>>) =>
    // `as`: the names stay.
    Object.fromEntries(Object.entries<bigint>(amounts).map(([name, amount]) => [name, times(amount)])) as Record<Name, bigint>;
  if (prices.kind === 'free') return prices;
  if (prices.kind === 'images') return { ...prices, byKind: timesEach(prices.byKind) };
  const { kind, tools, ...rates } = prices;
  return { kind, ...timesEach(rates), tools: timesEach(tools) };
}

/** The price of one call of a tool; 0 when none is set. */
export const toolPrice = ({ tools }: TokenPrices, type: string): bigint => (Object.hasOwn(tools, type) ? tools[type] : undefined) ?? 0n;

const ANY = '*';

/** The price of one image: the most specific entry, that is size and quality, then either alone, then the default. */
export function imagePrice({ byKind }: ImagePrices, kind: string): bigint {
  const [size = ANY, quality = ANY] = kind.split('/');
  for (const name of [kind, `${size}/${ANY}`, `${ANY}/${quality}`, 'default']) {
    const price = Object.hasOwn(byKind, name) ? byKind[name] : undefined;
    if (price !== undefined) return price;
  }
  return dearest(Object.values(byKind));
}

/** The most that an image of this kind can cost; `auto` may become any size or quality. */
export function dearestImagePrice(prices: ImagePrices, kind: string): bigint {
  const isOpen = kind.split('/').some((part) => part === 'auto' || part === ANY);
  return isOpen ? dearest(Object.values(prices.byKind)) : imagePrice(prices, kind);
}

export const dearest = (amounts: readonly bigint[]): bigint => amounts.reduce((most, amount) => (amount > most ? amount : most), 0n);

const PLACES = 6;
/** The largest amount that is stored: nine billion dollars, a thousand times it still fits a 64-bit integer, so no column ever overflows. */
export const MAX_AMOUNT = 9_000_000_000_000_000n;

/** `'1.25'` → `1_250_000n`. Throws RangeError for anything but digits, a point and at most six digits after it. */
export function parseDollars(text: string): bigint {
  const found = /^(-?)(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text);
  if (!found) throw new RangeError(`must be a dollar amount with at most ${PLACES} decimal places`);
  const [, sign, whole = '', fraction = ''] = found;
  const micros = BigInt(whole + fraction.padEnd(PLACES, '0'));
  if (micros > MAX_AMOUNT) throw new RangeError(`must be at most $${formatDollars(MAX_AMOUNT)}`);
  return sign === '-' ? -micros : micros;
}

/** `1_250_000n` → `'1.250000'`: always six decimals, so that columns line up and nothing is rounded. */
export function formatDollars(micros: bigint): string {
  const [sign, size] = micros < 0n ? ['-', -micros] : ['', micros];
  const digits = size.toString().padStart(PLACES + 1, '0');
  return `${sign}${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`;
}

/** For sentences: without trailing zeros, but with cents. `'5.000000'` → `'5.00'`. */
export const shortDollars = (dollars: string): string => dollars.replace(/(\.\d\d\d*?)0+$/, '$1');

/** `'0.8'` → `800_000`: millionths, small enough for a number. */
export const parseMultiplier = (text: string): number => Number(parseDollars(text));

/** Whether it can be owned, held or included. */
export function isAmount(micros: bigint): boolean {
  return micros >= 0n && micros <= MAX_AMOUNT;
}

/** The nearest amount there is. */
export function nearestAmount(micros: bigint): bigint {
  if (micros < 0n) return 0n;
  return micros > MAX_AMOUNT ? MAX_AMOUNT : micros;
}

interface ReceiptLine {
  readonly class: string;
  readonly quantity: number;
  readonly price: string;
  readonly per: 'million_tokens' | 'image' | 'call';
  readonly amount: string;
}

interface Itemised {
  readonly lines: ReceiptLine[];
  readonly subtotal: string;
  readonly multiplier: string;
  readonly rounding: string;
  readonly cost: string;
}

type Item = Pick<ReceiptLine, 'class' | 'quantity' | 'per'> & { readonly micros: bigint };
/** Tokens times micro-dollars per million tokens are millionths of a micro-dollar. */
const LINE_PLACES = 12;
/** The multiplier has six digits more. */
const PRODUCT_PLACES = 18;

/** Without the prices of the charge, or before the charge, the list is empty. */
export function itemise({ metered, multiplier }: Pick<ChargeRecord, 'metered' | 'multiplier'>, prices: Prices | null): Itemised {
  const items = metered && prices ? itemsOf(prices, metered).filter(({ quantity }) => Number.isSafeInteger(quantity) && quantity > 0) : [];
  const cost = metered && prices ? costOf(prices, metered, multiplier) : 0n;
  const subtotal = items.reduce((sum, item) => sum + amountOf(item), 0n);
  return {
    lines: items.map(writeLine),
    subtotal: decimal(subtotal, LINE_PLACES),
    multiplier: formatDollars(BigInt(multiplier)),
    rounding: decimal(cost * MILLION * MILLION - subtotal * BigInt(multiplier), PRODUCT_PLACES),
    cost: formatDollars(cost),
  };
}

function itemsOf(prices: Prices, metered: Metered): Item[] {
  if (prices.kind === 'images') {
    return Object.entries(metered.images).map(([kind, n]) => ({
      class: kind,
      quantity: n,
      per: 'image',
      micros: imagePrice(prices, kind),
    }));
  }
  const tokens = tokenClasses.map(({ name, line, tokensIn }): Item => {
    const micros = prices.kind === 'free' ? 0n : prices[name];
    return { class: line, quantity: tokensIn(metered), micros, per: 'million_tokens' };
  });
  const calls = Object.entries(metered.tools ?? {}).map(
    ([type, n]): Item => ({ class: type, quantity: n, per: 'call', micros: prices.kind === 'free' ? 0n : toolPrice(prices, type) }),
  );
  return [...tokens, ...calls];
}

const amountOf = ({ quantity, per, micros }: Item): bigint => BigInt(quantity) * micros * (per === 'million_tokens' ? 1n : MILLION);

const writeLine = (item: Item): ReceiptLine => ({
  class: item.class,
  quantity: item.quantity,
  price: formatDollars(item.micros),
  per: item.per,
  amount: decimal(amountOf(item), LINE_PLACES),
});

/** The clock has tenths of a millisecond, which mean nothing to a reader. */
export const writeAttempts = (attempts: readonly KeptAttempt[]): Required<KeptAttempt>[] =>
  attempts.map(({ upstream, status, code, ms, protocol = null }) => ({ upstream, status, code, ms: Math.round(ms), protocol }));

/** Formats a non-negative amount with decimal places. */
function decimal(amount: bigint, places: number): string {
  const digits = amount.toString().padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

const ONE = 1_000_000;

/** In micro-dollars. Null if unknown, because no prices are configured or they don't cover an image or a tool of this call. */
export function providerCostOf(setting: PriceSetting | undefined, metered: Metered): bigint | null {
  if (setting === undefined) return null;
  const prices = readPrices(setting);
  const tools = Object.keys(metered.tools ?? {});
  const { input, cachedInput, cacheWrite, output } = metered;
  if (prices.kind === 'tokens' && (hasAny(metered.images) || tools.some((type) => !Object.hasOwn(prices.tools, type)))) return null;
  if (prices.kind === 'images' && !hasAny(metered.images) && input + cachedInput + cacheWrite + output > 0) return null;
  return costOf(prices, metered, ONE);
}

const hasAny = (counts: Readonly<Record<string, number>>): boolean => Object.values(counts).some((count) => count > 0);
