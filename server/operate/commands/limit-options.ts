/** The options for the limits of keys and accounts, and limits as text. */

import { InvalidArgumentError } from 'commander';
import type { Limits } from '../../../contract/admin/fields.ts';
import type { OptionValue } from './option-values.ts';

type ConfiguredLimit = NonNullable<Limits[keyof Limits]>;

/** Parses `60`, `observe:60`, `off`, or `default` for the configured limit. */
function parseLimit(text: string): OptionValue<ConfiguredLimit> {
  if (text === 'default') return { value: null };
  if (text === 'off') return { value: { limit: 1, mode: 'off' } };
  const [, observePrefix, digits = ''] = /^(observe:)?(\d{1,10})$/.exec(text) ?? [];
  const limit = Number(digits);
  if (limit >= 1) return { value: { limit, mode: observePrefix ? 'observe' : 'enforce' } };
  throw new InvalidArgumentError('Enter a number of at least 1, observe: and a number, off, or default.');
}

export const limitOptions = {
  'limits.requests_per_minute': [
    '--requests-per-minute <limit>',
    'request limit, such as 60 or observe:60; off; or default for the configured limit',
    parseLimit,
  ],
  'limits.tokens_per_minute': ['--tokens-per-minute <limit>', 'token limit; same values as --requests-per-minute', parseLimit],
  'limits.concurrency': ['--concurrency <limit>', 'limit on concurrent requests; same values as --requests-per-minute', parseLimit],
} as const;

export function formatLimit(limit: ConfiguredLimit | null): string {
  if (limit === null) return 'as configured';
  if (limit.mode === 'off') return 'off';
  return limit.mode === 'observe' ? `${limit.limit}, observed only` : String(limit.limit);
}

/** Returns three rows for `describe`. */
export const toLimitRows = (limits: Limits): [string, string][] => [
  ['Requests per minute', formatLimit(limits.requests_per_minute)],
  ['Tokens per minute', formatLimit(limits.tokens_per_minute)],
  ['Concurrent requests', formatLimit(limits.concurrency)],
];
