/** Options for the settings of keys and accounts, parsed into fields of the operators' API. */
import { type Command, InvalidArgumentError } from 'commander';
import type { GrantedOperation, Limits, LimitsInput } from '../../contract/admin/fields.ts';
import type { Key } from '../../contract/admin/keys.ts';
import { matchesPattern } from '../access/permissions.ts';
import { nearest } from '../config/explain.ts';
import { type AdminClient, type AdminOptions, callAll } from './administration.ts';
import { CommandError } from './serving.ts';

const MAX_NAME_LENGTH = 100;

export function parseName(text: string): string {
  const name = text.trim();
  // A line break or an escape sequence in a name would garble printed lists.
  if (name === '' || name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name)) {
    throw new InvalidArgumentError(`Enter a name of 1 to ${MAX_NAME_LENGTH} characters, without control characters.`);
  }
  return name;
}

/** Rejects a command without any change. */
export function rejectEmptyChange(changes: object, command: string): void {
  if (Object.values(changes).some((value) => value !== undefined)) return;
  throw new CommandError(`Specify what to change. See modelgate ${command} --help`);
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
  if (Number.isNaN(time)) throw new InvalidArgumentError('Enter a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z.');
  return new Date(time).toISOString();
}

export function parseDollars(text: string): string {
  if (/^-?\d{1,9}(\.\d{1,6})?$/.test(text)) return text;
  throw new InvalidArgumentError('Enter dollars such as 10 or 12.50, with at most six decimal places.');
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (/^\d{1,15}$/.test(text) && count >= 1) return count;
  throw new InvalidArgumentError('Enter a whole number of at least 1.');
}

/** `a,b`, or the word that means all. */
const parseListOr =
  (all: string) =>
  (text: string): Said<string[]> => {
    if (text === all) return { value: null };
    const entries = text.split(',').map((entry) => entry.trim());
    if (entries.some((entry) => entry === '')) throw new InvalidArgumentError(`Separate entries with commas, or enter ${all}.`);
    return { value: entries };
  };

export function parseYesNo(text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes';
  throw new InvalidArgumentError('Enter yes or no.');
}

interface Cap {
  readonly amount: string;
  readonly period: 'day' | 'week' | 'month' | 'never';
}
const isPeriod = (text: string): text is Cap['period'] => ['day', 'week', 'month', 'never'].includes(text);

/** `20/month`, `5` (never resets), `none`. */
function parseCap(text: string): Said<Cap> {
  if (text === 'none') return { value: null };
  const [amount = '', period = 'never', ...more] = text.split('/');
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(amount) || !isPeriod(period) || more.length > 0) {
    throw new InvalidArgumentError('Enter dollars and a period such as 20/month (day, week, month), or none.');
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
  throw new InvalidArgumentError('Enter a number of at least 1, observe: and a number, off, or default.');
}

export interface LimitOptions {
  readonly requestsPerMinute?: Said<LimitSet>;
  readonly tokensPerMinute?: Said<LimitSet>;
  readonly concurrency?: Said<LimitSet>;
}

export function withLimitOptions(command: Command): Command {
  return command
    .option('--requests-per-minute <limit>', '60, observe:60, off, or default', parseLimit)
    .option('--tokens-per-minute <limit>', 'like --requests-per-minute, for tokens', parseLimit)
    .option('--concurrency <limit>', 'like --requests-per-minute, for concurrent requests', parseLimit);
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
  ['Requests per minute', limitText(limits.requests_per_minute)],
  ['Tokens per minute', limitText(limits.tokens_per_minute)],
  ['Concurrent requests', limitText(limits.concurrency)],
];

export interface KeyOptions extends AdminOptions, LimitOptions {
  readonly models?: Said<string[]>;
  readonly operations?: Said<string[]>;
  readonly mayStore?: boolean;
  readonly manageKeys?: boolean;
  readonly from?: Said<string[]>;
  readonly cap?: Said<Cap>;
}

export function withKeyOptions(command: Command): Command {
  return withLimitOptions(command)
    .option('--models <list>', 'model IDs or patterns such as gpt-5*, separated by commas; or all', parseListOr('all'))
    .option('--operations <list>', 'operations such as createResponse,generateImages; or all', parseListOr('all'))
    .option('--may-store <yes|no>', 'whether responses can be stored', parseYesNo)
    .option('--manage-keys <yes|no>', "allow creating keys in the portal, within this key's permissions", parseYesNo)
    .option('--from <list>', 'IP addresses or ranges it can be used from, such as 192.0.2.0/24; or anywhere', parseListOr('anywhere'))
    .option('--cap <cap>', 'spending cap: 20/month (day, week, month), 20 for a total, or none', parseCap);
}

/** The given options as fields of the contract. Where the API replaces a whole object, the other fields are copied from the present one. */
export function grantsFrom(options: KeyOptions, before?: Key) {
  const { models, operations, mayStore, manageKeys, from, cap } = options;
  const limits = limitsFrom(options, before?.limits);
  const permissions = {
    ...before?.permissions,
    ...(models !== undefined && { models: models.value }),
    // The API rejects an unknown operation, and lists the known ones.
    ...(operations !== undefined && { operations: operations.value as GrantedOperation[] | null }),
    ...(mayStore !== undefined && { may_store: mayStore }),
    ...(manageKeys !== undefined && { manage_keys: manageKeys }),
  };
  const isNamed = [models, operations, mayStore, manageKeys].some((one) => one !== undefined);
  return {
    ...(isNamed && { permissions }),
    ...(from !== undefined && { ip_ranges: from.value }),
    ...(cap !== undefined && { spending_cap: cap.value }),
    ...(limits !== undefined && { limits }),
  };
}

/** A pattern may be meant for future models, so this is only a warning. */
export async function warnOfModels(client: AdminClient, { account, permissions }: Key, { models, shell }: KeyOptions): Promise<void> {
  if (!models?.value || !permissions.models) return;
  const { group } = await client.call('getAccount', { params: { account_id: account.id } });
  // When the configuration cannot be read, its models are unknown.
  const groups = await client.call('listGroups', {}).catch(() => undefined);
  const callable = groups?.data.find(({ name }) => name === group)?.models;
  const lost = permissions.models.filter((pattern) => callable?.every((id) => !matchesPattern(pattern, id)));
  if (!callable || lost.length === 0) return;
  const quoted = lost.map((pattern) => `'${pattern}'`).join(', ');
  const fit = lost.length === 1 ? 'fits' : 'fit';
  shell.stderr.write(
    `modelgate: --models: ${quoted} ${fit} no model that accounts of the group ${group} can call: ${callable.join(', ')}.\n`,
  );
}

export async function warnOfNewAccount(client: AdminClient, { id, account: { id: accountId, name } }: Key, options: AdminOptions) {
  const { data } = await callAll(client, 'listAccounts', {});
  const made = data.find((one) => one.id === accountId);
  const others = data.flatMap((one) => (one.id === accountId ? [] : [one.name]));
  const [near, word] = [nearest(name, others), /^[\w.@-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`];
  // Without billing there is no balance.
  const { stderr } = options.shell;
  if (made?.balance) stderr.write(`modelgate: The account ${name} is new and has no balance yet: modelgate account top-up ${word} 10\n`);
  if (near !== undefined) stderr.write(`modelgate: --account: did you mean ${near}? Then revoke this key: modelgate key revoke ${id}\n`);
}

const HOUR_MS = 3_600_000;
const unitMs: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };
/** A later time is surely a typo. */
const FARTHEST_MS = 100 * 366 * 24 * HOUR_MS;

/** `12h`, `30d`, `8w`, `2027-01-31` (midnight UTC) or a full ISO time with its zone → milliseconds since 1970. */
export function parseExpiry(text: string, now: number): number {
  const at = now + lengthOf(text);
  const time = Number.isNaN(at) ? timeOf(text) : at;
  if (Number.isNaN(time)) throw new InvalidArgumentError('Enter a duration such as 12h, 30d, or 8w, or a date such as 2027-01-31.');
  if (time <= now) throw new InvalidArgumentError('Enter a time in the future.');
  if (time > now + FARTHEST_MS) throw new InvalidArgumentError('Enter a time within the next 100 years.');
  return time;
}

/** `12h`, `7d`, or `0`; in seconds. */
export function parseLength(text: string): number {
  const ms = text === '0' ? 0 : lengthOf(text);
  if (Number.isNaN(ms)) throw new InvalidArgumentError('Enter a duration such as 12h or 7d, or 0.');
  return ms / 1_000;
}

function lengthOf(text: string): number {
  const [, count, unit] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  return Number(count) * (unitMs[unit ?? ''] ?? Number.NaN);
}

function timeOf(text: string): number {
  const [, date] = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.exec(text) ?? [];
  return date !== undefined && isInCalendar(date) ? Date.parse(text) : Number.NaN;
}

/** Date.parse reads the 30th of February as the 2nd of March. */
function isInCalendar(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}
