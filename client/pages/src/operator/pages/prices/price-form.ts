/** The content of the price form, and its request. */
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
  readonly image_input: string;
  readonly audio_input: string;
  readonly output: string;
  readonly image_output: string;
  readonly audio_output: string;
  /** One number of input tokens with prices per line. */
  readonly long_context: string;
  /** One name and factor per line. */
  readonly service_tiers: string;
  /** One name and amount in dollars per line. */
  readonly tools: string;
  readonly images: string;
}
/** Optional prices. */
export const optionalPrices = [
  'cached_input',
  'cache_write',
  'cache_write_1h',
  'cache_write_12h',
  'image_input',
  'audio_input',
  'image_output',
  'audio_output',
] as const;
const empty: PriceForm = {
  kind: 'tokens',
  input: '',
  cached_input: '',
  cache_write: '',
  cache_write_1h: '',
  cache_write_12h: '',
  image_input: '',
  audio_input: '',
  output: '',
  image_output: '',
  audio_output: '',
  long_context: '',
  service_tiers: '',
  tools: '',
  images: '',
};
type LongContext = Extract<Prices, { input: string }>['long_context'];

const formatRates = (rates: Readonly<Record<string, string>> = {}): string =>
  Object.entries(rates)
    .map(([name, dollars]) => `${name} ${dollars}`)
    .join('\n');

export function toForm(prices: Prices): PriceForm {
  if (prices === 'free') return { ...empty, kind: 'free' };
  if ('images' in prices) return { ...empty, kind: 'images', images: formatRates(prices.images) };
  const { tools, long_context: long, service_tiers: tiers, ...tokens } = prices;
  return { ...empty, ...tokens, long_context: formatLongContext(long), service_tiers: formatRates(tiers), tools: formatRates(tools) };
}

const formatLongContext = (long: LongContext = {}): string =>
  Object.entries(long)
    .map(([above, rates]) => [above, ...Object.entries(rates).map(([name, rate]) => `${name}=${rate}`)].join(' '))
    .join('\n');

/** An invalid line: not a name with dollars, or not a number of tokens with prices. */
export function findBadLine({ kind, tools, images, service_tiers: tiers, long_context: long }: PriceForm): string | undefined {
  if (kind === 'free') return undefined;
  const isNamed = (line: string) => /^\S+\s+\d+(?:\.\d+)?$/.test(line);
  const isLong = (line: string) => /^\d+(?:\s+[a-z_\d]+=\d+(?:\.\d+)?)+$/.test(line);
  if (kind === 'images') return splitLines(images).find((line) => !isNamed(line));
  return [...splitLines(tiers), ...splitLines(tools)].find((line) => !isNamed(line)) ?? splitLines(long).find((line) => !isLong(line));
}
const splitLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
const toPairs = (words: readonly string[], separator: string | RegExp): Record<string, string> =>
  Object.fromEntries(words.map((word) => word.split(separator)).map(([name = '', dollars = '']) => [name, dollars]));
const parseRates = (text: string): Record<string, string> => toPairs(splitLines(text), /\s+/);

function parseLongContext(text: string): LongContext {
  const entries = splitLines(text).map((line) => line.split(/\s+/));
  // `as`: the API checks that each entry has an input and an output price.
  return Object.fromEntries(entries.map(([above = '', ...rates]) => [above, toPairs(rates, '=')])) as LongContext;
}

/** All prices, because missing ones aren't copied from the previous version. */
export function toPrices({ kind, tools, images, service_tiers: tiers, long_context: long, ...form }: PriceForm): Prices {
  if (kind === 'free') return 'free';
  if (kind === 'images') return { images: parseRates(images) };
  return {
    input: form.input.trim(),
    ...Object.fromEntries(optionalPrices.flatMap((name) => (form[name].trim() === '' ? [] : [[name, form[name].trim()]]))),
    output: form.output.trim(),
    ...(splitLines(long).length > 0 && { long_context: parseLongContext(long) }),
    ...(splitLines(tiers).length > 0 && { service_tiers: parseRates(tiers) }),
    ...(splitLines(tools).length > 0 && { tools: parseRates(tools) }),
  };
}
