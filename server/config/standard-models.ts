/** The default catalog: the standard ids, with prices for a demo. */
import type { FileSettings } from './schema.ts';

type Entry = NonNullable<FileSettings['models']>[number];

const text = (id: string, input: string, output: string): Entry => ({
  id,
  kind: 'text',
  prices: { input, cachedInput: tenth(input), output, tools: { web_search_call: '0.01' } },
  maxOutputTokens: 128_000,
  limits: {},
});

/** A tenth of a price of at least a cent. */
const tenth = (dollars: string): string => {
  const [whole = '0', fraction = ''] = dollars.split('.');
  const digits = whole.padStart(2, '0');
  return `${digits.slice(0, -1)}.${digits.slice(-1)}${fraction}`;
};

export const standardModels: readonly Entry[] = [
  text('gpt-5.5', '2.5', '20'),
  text('codex-auto-review', '1.25', '10'),
  text('gpt-5.2', '1.75', '14'),
  text('gpt-5.3-codex', '1.75', '14'),
  text('gpt-5.4', '1.25', '10'),
  text('gpt-5.4-mini', '0.25', '2'),
  {
    id: 'gpt-image-2',
    kind: 'image',
    prices: { images: { '*/low': '0.016', '*/medium': '0.063', '*/high': '0.25', default: '0.25' } },
    limits: {},
  },
];
