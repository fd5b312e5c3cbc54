/** What the form of a price holds, and what it sends. */
import type { Prices } from '../../../../../../contract/admin/rules.ts';

export const kinds = ['tokens', 'images', 'free'] as const;
export type PriceKind = (typeof kinds)[number];

export interface PriceForm {
  readonly kind: PriceKind;
  readonly input: string;
  readonly cached_input: string;
  readonly cache_write: string;
  readonly cache_write_1h: string;
  readonly cache_write_12h: string;
  readonly output: string;
  /** A name and dollars in each line. */
  readonly tools: string;
  readonly images: string;
}
/** Prices that a form can leave empty. */
export const cachePrices = ['cached_input', 'cache_write', 'cache_write_1h', 'cache_write_12h'] as const;
const noCache = { cached_input: '', cache_write: '', cache_write_1h: '', cache_write_12h: '' };
const empty: PriceForm = { kind: 'tokens', input: '', ...noCache, output: '', tools: '', images: '' };

const linesOf = (rates: Readonly<Record<string, string>> = {}): string =>
  Object.entries(rates)
    .map(([name, dollars]) => `${name} ${dollars}`)
    .join('\n');

export function formOf(prices: Prices): PriceForm {
  if (prices === 'free') return { ...empty, kind: 'free' };
  if ('images' in prices) return { ...empty, kind: 'images', images: linesOf(prices.images) };
  const { tools, ...tokens } = prices;
  return { ...empty, ...tokens, tools: linesOf(tools) };
}

/** A line that is no name with dollars. */
export function badLineOf({ kind, tools, images }: PriceForm): string | undefined {
  if (kind === 'free') return undefined;
  return filled(kind === 'images' ? images : tools).find((line) => !/^\S+\s+\d+(?:\.\d+)?$/.test(line));
}
const filled = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
const ratesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    filled(text)
      .map((line) => line.split(/\s+/))
      .map(([name = '', dollars = '']) => [name, dollars]),
  );

/** All prices: what is absent is not copied from the version before. */
export function pricesOf({ kind, tools, images, ...form }: PriceForm): Prices {
  if (kind === 'free') return 'free';
  if (kind === 'images') return { images: ratesOf(images) };
  return {
    input: form.input.trim(),
    ...Object.fromEntries(cachePrices.flatMap((name) => (form[name].trim() === '' ? [] : [[name, form[name].trim()]]))),
    output: form.output.trim(),
    ...(filled(tools).length > 0 && { tools: ratesOf(tools) }),
  };
}
