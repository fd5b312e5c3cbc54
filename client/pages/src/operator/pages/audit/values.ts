/** Values of an audit entry as people read them. The API writes some of them; others are as the store has them. */
import type { Limits } from '../../../../../../contract/admin/fields.ts';
import { formatDollars, readDollars } from '../../../data/money.ts';
import { formatDuration } from '../../../data/times.ts';
import { audit as words } from '../../../texts/audit.ts';
import { kit } from '../../../texts/kit.ts';
import { limits as limitWords } from '../../../texts/limits.ts';
import { prices as priceWords } from '../../../texts/prices.ts';
import { limitText, quantities } from '../../parts/limits.ts';

/** A time is ISO 8601, so that the page writes it in its zone. */
export type Value = { readonly text: string } | { readonly time: string };
export interface FieldValue {
  readonly label: string;
  readonly value: Value;
}
type Parts = Readonly<Record<string, unknown>>;

const { fields } = words;
const text = (value: string): Value => ({ text: value });
/** `as`: an object that is no list has names. */
const partsOf = (value: unknown): Parts => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Parts) : {});

function plain(value: unknown): Value {
  if (value === null || value === undefined) return text(words.none);
  if (typeof value === 'boolean') return text(value ? words.yes : words.no);
  if (typeof value === 'number') return text(value.toLocaleString());
  if (Array.isArray(value)) return text(value.length === 0 ? kit.none : value.map(String).join(', '));
  return text(typeof value === 'string' ? value : JSON.stringify(value));
}
const listOr = (fallback: string) => (value: unknown) => (value === null || value === undefined ? text(fallback) : plain(value));

function time(value: unknown): Value {
  const at = new Date(typeof value === 'number' ? value : String(value));
  return Number.isNaN(at.getTime()) ? plain(value) : { time: at.toISOString() };
}
const timeOrNever = (value: unknown): Value => (value === null ? text(words.never) : time(value));

function dollars(value: unknown): string {
  const micros = typeof value === 'string' ? readDollars(value) : null;
  return micros === null ? String(value) : formatDollars(micros);
}
/** The store has whole micro-dollars, as text. */
const ofMicros = (value: unknown): string => (/^-?\d{1,18}$/.test(String(value)) ? formatDollars(BigInt(String(value))) : String(value));

function cap(value: unknown): Value {
  if (value === null) return text(words.none);
  const { amount, micros, period } = partsOf(value);
  const periods: Readonly<Record<string, string>> = words.periods;
  return text(words.cap(micros === undefined ? dollars(amount) : ofMicros(micros), periods[String(period)] ?? String(period)));
}

const storedNames = { requests_per_minute: 'requestsPerMinute', tokens_per_minute: 'tokensPerMinute', concurrency: 'concurrency' } as const;

function limits(value: unknown): readonly FieldValue[] {
  const given = partsOf(value);
  return quantities.map((name) => {
    const one = given[name] ?? given[storedNames[name]] ?? null;
    const set = typeof one === 'number' ? { limit: one, mode: 'enforce' } : one && { mode: 'enforce', ...partsOf(one) };
    // `as`: written by the API, or as it was sent to it.
    const limit = limitText({ [name]: set } as unknown as Limits, name);
    return { label: limitWords.names[name], value: text(limit ?? limitWords.usesDefaults) };
  });
}

function permissions(value: unknown): readonly FieldValue[] {
  const {
    models = null,
    operations = null,
    may_store,
    mayStore = may_store ?? true,
    manage_keys,
    manageKeys = manage_keys ?? false,
  } = partsOf(value);
  return [
    { label: fields.models, value: listOr(words.all)(models) },
    { label: fields.operations, value: listOr(words.all)(operations) },
    { label: fields.canStore, value: plain(mayStore) },
    { label: fields.canManageKeys, value: plain(manageKeys) },
  ];
}

function selfService(value: unknown): readonly FieldValue[] {
  const { max_keys, delegate } = partsOf(value);
  return [
    ...(max_keys === undefined ? [] : [{ label: fields.maxKeys, value: plain(max_keys) }]),
    ...(delegate === undefined ? [] : [{ label: fields.delegate, value: plain(delegate) }]),
  ];
}

function prices(value: unknown): readonly FieldValue[] {
  if (value === 'free') return [{ label: fields.price, value: text(words.free) }];
  const { images, tools, ...rates } = partsOf(value);
  const classes: Readonly<Record<string, string>> = priceWords.classes;
  const each = (prices: unknown, label: (name: string) => string): readonly FieldValue[] =>
    Object.entries(partsOf(prices)).map(([name, price]) => ({ label: label(name), value: text(words.each(dollars(price))) }));
  return [
    ...Object.entries(rates).map(([name, rate]) => ({
      label: capitalized(classes[name] ?? name),
      value: text(words.perMillion(dollars(rate))),
    })),
    ...each(tools, words.tool),
    ...each(images, words.image),
  ];
}

const capitalized = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

type Reader = (value: unknown) => readonly FieldValue[];
const as =
  (label: string, read: (value: unknown) => Value = plain): Reader =>
  (value) => [{ label, value: read(value) }];
const asMoney = (label: string) => as(label, (value) => text(dollars(value)));

/** By the names of the API and of the store; a name that is missing here is shown as it is. */
const readers: Readonly<Record<string, Reader>> = {
  account: as(fields.account),
  added: as(fields.added),
  address: as(fields.address),
  alert_below: as(fields.alertBelow, (value) => text(value === null ? words.configured : dollars(value))),
  amount: asMoney(fields.amount),
  by: as(fields.by),
  calls: as(fields.calls),
  cap: as(fields.spendingCap, cap),
  changed: as(fields.changed),
  charged: as(fields.charged, (value) => text(ofMicros(value))),
  createdAt: as(fields.created, time),
  digest: as(fields.digest),
  ends_at: as(fields.ends, timeOrNever),
  expiresAt: as(fields.expires, timeOrNever),
  expires_at: as(fields.expires, timeOrNever),
  group: as(fields.group),
  ipRanges: as(fields.ipRanges, listOr(words.anywhere)),
  ip_ranges: as(fields.ipRanges, listOr(words.anywhere)),
  issuer: as(fields.issuer),
  kind: as(fields.kind),
  lastFour: as(fields.lastFour),
  limits,
  madeBy: as(fields.madeBy),
  model: as(fields.model),
  name: as(fields.name),
  note: as(fields.note),
  opening_balance: asMoney(fields.openingBalance),
  overrun: as(fields.overrun, (value) => text(ofMicros(value))),
  permissions,
  plan: as(fields.plan),
  price_list: as(fields.list),
  prices,
  problems: as(fields.problems),
  removed: as(fields.removed),
  role: as(fields.role),
  self_service: selfService,
  snooze_seconds: as(fields.snooze, (value) => text(typeof value === 'number' ? formatDuration(value * 1_000) : words.none)),
  sha256: as(fields.sha256),
  spending_cap: as(fields.spendingCap, cap),
  starts_at: as(fields.starts, time),
  successor: as(fields.successor),
  suspended: as(fields.suspended),
  transfer: as(fields.transfer),
  until: as(fields.until, time),
  version: as(fields.version),
  why: as(fields.why),
};

/** What a field of an entry is called as a whole. */
const wholes: Readonly<Record<string, string>> = {
  limits: fields.limits,
  permissions: fields.permissions,
  prices: fields.price,
  self_service: fields.selfService,
};

/** A field in its parts, each with its label. */
export const readField = (name: string, value: unknown): readonly FieldValue[] => (readers[name] ?? as(capitalized(name)))(value);
export const wholeOf = (name: string, value: unknown): string => wholes[name] ?? readField(name, value)[0]?.label ?? name;
