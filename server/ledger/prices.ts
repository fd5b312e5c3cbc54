/** The prices of a model in the form that the ledger uses, read from what an operator wrote. */
import type { Prices as PriceSetting } from '../config/prices.ts';
import { parseDollars } from './money.ts';

/** Micro-dollars per million tokens, by class. */
export interface TokenPrices {
  readonly kind: 'tokens';
  readonly input: bigint;
  readonly cachedInput: bigint;
  readonly cacheWrite: bigint;
  readonly output: bigint;
  /** Micro-dollars per call of a tool that the upstream runs, by the type of its output item. */
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
  if ('images' in setting) {
    const entries = Object.entries(setting.images).map(([kind, dollars]) => [kind, parseDollars(dollars)] as const);
    return { kind: 'images', byKind: Object.fromEntries(entries) };
  }
  const input = parseDollars(setting.input);
  const other = (dollars: string | undefined) => (dollars === undefined ? input : parseDollars(dollars));
  return {
    kind: 'tokens',
    input,
    cachedInput: other(setting.cachedInput),
    cacheWrite: other(setting.cacheWrite),
    output: parseDollars(setting.output),
    tools: Object.fromEntries(Object.entries(setting.tools ?? {}).map(([type, dollars]) => [type, parseDollars(dollars)])),
  };
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
