/** Options for the settings of keys and accounts, parsed into fields of the operators' API. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Limits, LimitsInput } from '../../contract/admin/fields.ts';
import { parseExpiry } from './expiry.ts';
import { CommandError } from './failure.ts';

const MAX_NAME_LENGTH = 100;

export function parseName(text: string): string {
  const name = text.trim();
  // A line break or an escape sequence in a name would garble printed lists.
  if (name === '' || name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name)) {
    throw new InvalidArgumentError(`Write a name of 1 to ${MAX_NAME_LENGTH} characters, without control characters.`);
  }
  return name;
}

/** Refuses a command without any change. */
export function refuseNothing(changes: object, command: string): void {
  if (Object.values(changes).some((value) => value !== undefined)) return;
  throw new CommandError(`Say what to change: see modelgate ${command} --help`);
}

/** Wraps null, because commander reads a plain null as an empty string. */
export interface Said<T> {
  readonly value: T | null;
}

/** An ISO time. */
export const parseTime = (text: string): string => new Date(parseExpiry(text, Date.now())).toISOString();
export const parseTimeOrNever = (text: string): Said<string> => ({ value: text === 'never' ? null : parseTime(text) });

/** A time, also in the past: `2027-01-31` or a full ISO time. */
export function parseMoment(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError('Write a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z.');
  return new Date(time).toISOString();
}

export function parseDollars(text: string): string {
  if (/^-?\d{1,9}(\.\d{1,6})?$/.test(text)) return text;
  throw new InvalidArgumentError('Write dollars such as 10 or 12.50, with at most six decimal places.');
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (/^\d{1,15}$/.test(text) && count >= 1) return count;
  throw new InvalidArgumentError('Write a whole number from 1.');
}

/** `a,b`, or the word that means all. */
export const parseListOr =
  (all: string) =>
  (text: string): Said<string[]> => {
    if (text === all) return { value: null };
    const entries = text.split(',').map((entry) => entry.trim());
    if (entries.some((entry) => entry === '')) throw new InvalidArgumentError(`Separate them by commas, or write ${all}.`);
    return { value: entries };
  };

export function parseYesNo(text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes';
  throw new InvalidArgumentError('Write yes or no.');
}

export interface Cap {
  readonly amount: string;
  readonly period: 'day' | 'week' | 'month' | 'never';
}
const isPeriod = (text: string): text is Cap['period'] => ['day', 'week', 'month', 'never'].includes(text);

/** `20/month`, `5` (never resets), `none`. */
export function parseCap(text: string): Said<Cap> {
  if (text === 'none') return { value: null };
  const [amount = '', period = 'never', ...more] = text.split('/');
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(amount) || !isPeriod(period) || more.length > 0) {
    throw new InvalidArgumentError('Write dollars and a period such as 20/month (day, week, month), or none.');
  }
  return { value: { amount, period } };
}

type LimitSet = NonNullable<Limits[keyof Limits]>;

/** `60`, `observe:60`, `off`, or `default` for what the configuration says. */
function parseLimit(text: string): Said<LimitSet> {
  if (text === 'default') return { value: null };
  if (text === 'off') return { value: { limit: 1, mode: 'off' } };
  const [, observed, digits = ''] = /^(observe:)?(\d{1,10})$/.exec(text) ?? [];
  const limit = Number(digits);
  if (limit >= 1) return { value: { limit, mode: observed ? 'observe' : 'enforce' } };
  throw new InvalidArgumentError('Write a number from 1, observe: and a number, off, or default.');
}

export interface LimitOptions {
  readonly requestsPerMinute?: Said<LimitSet>;
  readonly tokensPerMinute?: Said<LimitSet>;
  readonly concurrency?: Said<LimitSet>;
}

export function withLimitOptions(command: Command): Command {
  return command
    .option('--requests-per-minute <limit>', '60, observe:60, off, or default', parseLimit)
    .option('--tokens-per-minute <limit>', 'the same for tokens', parseLimit)
    .option('--concurrency <limit>', 'the same for requests at once', parseLimit);
}

/** Undefined when no option was given; limits that are not given stay. */
export function limitsFrom(options: LimitOptions, before?: Limits): LimitsInput | undefined {
  const { requestsPerMinute, tokensPerMinute, concurrency } = options;
  if ([requestsPerMinute, tokensPerMinute, concurrency].every((limit) => limit === undefined)) return undefined;
  return {
    requests_per_minute: requestsPerMinute === undefined ? before?.requests_per_minute : requestsPerMinute.value,
    tokens_per_minute: tokensPerMinute === undefined ? before?.tokens_per_minute : tokensPerMinute.value,
    concurrency: concurrency === undefined ? before?.concurrency : concurrency.value,
  };
}

export function limitText(limit: LimitSet | null): string {
  if (limit === null) return 'as configured';
  if (limit.mode === 'off') return 'off';
  return limit.mode === 'observe' ? `${limit.limit}, observed only` : String(limit.limit);
}

/** Three rows for `describe`. */
export const limitRows = (limits: Limits): [string, string][] => [
  ['Requests a minute', limitText(limits.requests_per_minute)],
  ['Tokens a minute', limitText(limits.tokens_per_minute)],
  ['At once', limitText(limits.concurrency)],
];
