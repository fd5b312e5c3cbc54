/** Formats the values of an audit entry. Some are in the API's format, others in the store's. */
import type { Limits } from '../../../../../../contract/admin/fields.ts';
import { formatDollars, readDollars } from '../../../data/money.ts';
import { formatDuration } from '../../../data/times.ts';
import { audit as words } from '../../../texts/audit.ts';
import { kit } from '../../../texts/kit.ts';
import { limits as limitWords } from '../../../texts/limits.ts';
import { prices as priceWords } from '../../../texts/prices.ts';
import { formatLimit, quantities } from '../../parts/limits.ts';

/** Times are ISO 8601, so that the page shows them in its time zone. */
export type Value = { readonly text: string } | { readonly time: string };
export interface FieldValue {
  readonly label: string;
  readonly value: Value;
}
type Fields = Readonly<Record<string, unknown>>;

const { fields } = words;
const toTextValue = (value: string): Value => ({ text: value });
/** `as`: an object that isn't a list has string keys. */
const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

function toPlainValue(value: unknown): Value {
  if (value === null || value === undefined) return toTextValue(words.none);
  if (typeof value === 'boolean') return toTextValue(value ? words.yes : words.no);
  if (typeof value === 'number') return toTextValue(value.toLocaleString());
  if (Array.isArray(value)) return toTextValue(value.length === 0 ? kit.none : value.map(String).join(', '));
  return toTextValue(typeof value === 'string' ? value : JSON.stringify(value));
}
const createListReader = (fallback: string) => (value: unknown) =>
  value === null || value === undefined ? toTextValue(fallback) : toPlainValue(value);

function time(value: unknown): Value {
  const at = new Date(typeof value === 'number' ? value : String(value));
  return Number.isNaN(at.getTime()) ? toPlainValue(value) : { time: at.toISOString() };
}
const timeOrNever = (value: unknown): Value => (value === null ? toTextValue(words.never) : time(value));

function dollars(value: unknown): string {
  const micros = typeof value === 'string' ? readDollars(value) : null;
  return micros === null ? String(value) : formatDollars(micros);
}
/** The store has micro-dollars as text. */
const formatMicros = (value: unknown): string =>
  /^-?\d{1,18}$/.test(String(value)) ? formatDollars(BigInt(String(value))) : String(value);

function formatCap(value: unknown): string {
  const { amount, micros, period } = toFields(value);
  const periods: Readonly<Record<string, string>> = words.periods;
  return words.cap(micros === undefined ? dollars(amount) : formatMicros(micros), periods[String(period)] ?? String(period));
}
const caps = (value: unknown): Value =>
  toTextValue(Array.isArray(value) && value.length > 0 ? value.map(formatCap).join('; ') : words.none);

const storedNames = { requests_per_minute: 'requestsPerMinute', tokens_per_minute: 'tokensPerMinute', concurrency: 'concurrency' } as const;

function limits(value: unknown): readonly FieldValue[] {
  const given = toFields(value);
  return quantities.map((name) => {
    const one = given[name] ?? given[storedNames[name]] ?? null;
    const set = typeof one === 'number' ? { limit: one, mode: 'enforce' } : one && { mode: 'enforce', ...toFields(one) };
    // `as`: from the API's response, or from a request to it.
    const limit = formatLimit({ [name]: set } as unknown as Limits, name);
    return { label: limitWords.names[name], value: toTextValue(limit ?? limitWords.usesDefaults) };
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
  } = toFields(value);
  return [
    { label: fields.models, value: createListReader(words.all)(models) },
    { label: fields.operations, value: createListReader(words.all)(operations) },
    { label: fields.canStore, value: toPlainValue(mayStore) },
    { label: fields.canManageKeys, value: toPlainValue(manageKeys) },
  ];
}

function selfService(value: unknown): readonly FieldValue[] {
  const { max_keys, delegate } = toFields(value);
  return [
    ...(max_keys === undefined ? [] : [{ label: fields.maxKeys, value: toPlainValue(max_keys) }]),
    ...(delegate === undefined ? [] : [{ label: fields.delegate, value: toPlainValue(delegate) }]),
  ];
}

function prices(value: unknown): readonly FieldValue[] {
  if (value === 'free') return [{ label: fields.price, value: toTextValue(words.free) }];
  const { images, tools, long_context: long, service_tiers: tiers, ...rates } = toFields(value);
  const classes: Readonly<Record<string, string>> = priceWords.classes;
  const perMillion = (rates: unknown, label: (name: string) => string): readonly FieldValue[] =>
    Object.entries(toFields(rates)).map(([name, rate]) => ({
      label: capitalize(label(classes[name] ?? name)),
      value: toTextValue(words.perMillion(dollars(rate))),
    }));
  const listPrices = (prices: unknown, label: (name: string) => string): readonly FieldValue[] =>
    Object.entries(toFields(prices)).map(([name, price]) => ({ label: label(name), value: toTextValue(words.each(dollars(price))) }));
  return [
    ...perMillion(rates, (name) => name),
    ...Object.entries(toFields(long)).flatMap(([above, others]) => perMillion(others, (name) => priceWords.above(name, Number(above)))),
    ...Object.entries(toFields(tiers)).map(([tier, factor]) => ({
      label: words.serviceTier(tier),
      value: toTextValue(priceWords.factor(String(factor))),
    })),
    ...listPrices(tools, words.tool),
    ...listPrices(images, words.image),
  ];
}

const capitalize = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

type FieldReader = (value: unknown) => readonly FieldValue[];
const createReader =
  (label: string, read: (value: unknown) => Value = toPlainValue): FieldReader =>
  (value) => [{ label, value: read(value) }];
const createMoneyReader = (label: string) => createReader(label, (value) => toTextValue(dollars(value)));

/** By the names of the API and of the store. Other names are shown unchanged. */
const readers: Readonly<Record<string, FieldReader>> = {
  account: createReader(fields.account),
  added: createReader(fields.added),
  address: createReader(fields.address),
  alert_below: createReader(fields.alertBelow, (value) => toTextValue(value === null ? words.configured : dollars(value))),
  amount: createMoneyReader(fields.amount),
  by: createReader(fields.by),
  calls: createReader(fields.calls),
  caps: createReader(fields.spendingCaps, caps),
  changed: createReader(fields.changed),
  charged: createReader(fields.charged, (value) => toTextValue(formatMicros(value))),
  createdAt: createReader(fields.created, time),
  digest: createReader(fields.digest),
  ends_at: createReader(fields.ends, timeOrNever),
  expiresAt: createReader(fields.expires, timeOrNever),
  expires_at: createReader(fields.expires, timeOrNever),
  group: createReader(fields.group),
  ipRanges: createReader(fields.ipRanges, createListReader(words.anywhere)),
  ip_ranges: createReader(fields.ipRanges, createListReader(words.anywhere)),
  issuer: createReader(fields.issuer),
  kind: createReader(fields.kind),
  lastFour: createReader(fields.lastFour),
  limits,
  madeBy: createReader(fields.madeBy),
  model: createReader(fields.model),
  name: createReader(fields.name),
  note: createReader(fields.note),
  opening_balance: createMoneyReader(fields.openingBalance),
  overrun: createReader(fields.overrun, (value) => toTextValue(formatMicros(value))),
  permissions,
  plan: createReader(fields.plan),
  price_list: createReader(fields.list),
  prices,
  problems: createReader(fields.problems),
  removed: createReader(fields.removed),
  role: createReader(fields.role),
  self_service: selfService,
  snooze_seconds: createReader(fields.snooze, (value) =>
    toTextValue(typeof value === 'number' ? formatDuration(value * 1_000) : words.none),
  ),
  sha256: createReader(fields.sha256),
  spending_caps: createReader(fields.spendingCaps, caps),
  starts_at: createReader(fields.starts, time),
  successor: createReader(fields.successor),
  suspended: createReader(fields.suspended),
  transfer: createReader(fields.transfer),
  until: createReader(fields.until, time),
  version: createReader(fields.version),
  why: createReader(fields.why),
};

/** Labels of complete fields. */
const wholes: Readonly<Record<string, string>> = {
  limits: fields.limits,
  permissions: fields.permissions,
  prices: fields.price,
  self_service: fields.selfService,
};

/** Splits a field into parts with labels. */
export const readField = (name: string, value: unknown): readonly FieldValue[] => (readers[name] ?? createReader(capitalize(name)))(value);
export const getFieldLabel = (name: string, value: unknown): string => wholes[name] ?? readField(name, value)[0]?.label ?? name;
