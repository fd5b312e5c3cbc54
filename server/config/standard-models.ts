/** The models of a gateway whose configuration file has none. */
import type { FileSettings } from './schema.ts';

type Entry = NonNullable<FileSettings['models']>[number];

const toRates = (input: string, output: string) => ({ input, cachedInput: divideByTen(input), output });

const toTextModel = (id: string, input: string, output: string, longContextRates?: ReturnType<typeof toRates>): Entry => ({
  id,
  kind: 'text',
  prices: {
    ...toRates(input, output),
    ...(longContextRates && { longContext: { 272000: longContextRates } }),
    tools: { web_search_call: '0.01' },
  },
  maxOutputTokens: 128_000,
  limits: {},
});

/** Divides a price by ten without rounding. */
const divideByTen = (dollars: string): string => {
  const [whole = '0', fraction = ''] = dollars.split('.');
  const digits = whole.padStart(2, '0');
  return `${digits.slice(0, -1)}.${digits.slice(-1)}${fraction}`;
};

/** Has the list prices of docs/generated/public-models.json. A test compares them. */
export const standardModels: readonly Entry[] = [
  toTextModel('gpt-5.5', '5', '30', toRates('10', '45')),
  // This model isn't in the public list. It has the prices of its default model, gpt-5.4.
  toTextModel('codex-auto-review', '2.5', '15', toRates('5', '22.5')),
  toTextModel('gpt-5.2', '1.75', '14'),
  toTextModel('gpt-5.3-codex', '1.75', '14'),
  toTextModel('gpt-5.4', '2.5', '15', toRates('5', '22.5')),
  toTextModel('gpt-5.4-mini', '0.75', '4.5'),
  {
    id: 'gpt-image-2',
    kind: 'image',
    prices: { images: { '*/low': '0.016', '*/medium': '0.063', '*/high': '0.25', default: '0.25' } },
    limits: {},
  },
];
