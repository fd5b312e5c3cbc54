/** Limits as typed, sent, and read. */
import type { Limits, LimitsInput } from '../../../../../contract/admin/fields.ts';
import { limits as words } from '../../texts/limits.ts';

export const quantities = ['requests_per_minute', 'tokens_per_minute', 'concurrency'] as const satisfies readonly (keyof Limits)[];
export type Quantity = (typeof quantities)[number];
export const modes = ['enforce', 'observe', 'off'] as const;
type Mode = (typeof modes)[number];

/** An empty `limit` means none. */
export interface TypedLimit {
  readonly limit: string;
  readonly mode: Mode;
}
export type TypedLimits = Readonly<Record<Quantity, TypedLimit>>;

const none: TypedLimit = { limit: '', mode: 'enforce' };
export const noLimits: TypedLimits = { requests_per_minute: none, tokens_per_minute: none, concurrency: none };

const typed = (limit: Limits[Quantity]): TypedLimit => (limit === null ? none : { limit: String(limit.limit), mode: limit.mode });
export const typedLimits = (limits: Limits): TypedLimits => ({
  requests_per_minute: typed(limits.requests_per_minute),
  tokens_per_minute: typed(limits.tokens_per_minute),
  concurrency: typed(limits.concurrency),
});

/** The typed limits as a request body, which replaces all limits. */
export function toLimitsInput(form: TypedLimits): LimitsInput {
  const given = quantities.filter((name) => form[name].limit.trim() !== '');
  return Object.fromEntries(given.map((name) => [name, { limit: Number(form[name].limit), mode: form[name].mode }]));
}

export const isSameLimits = (one: TypedLimits, other: TypedLimits): boolean =>
  quantities.every((name) => one[name].limit === other[name].limit && one[name].mode === other[name].mode);

/** The limits as command-line options. */
export function limitOptions(form: TypedLimits): string[] {
  return quantities.flatMap((name) => {
    const { limit, mode } = form[name];
    if (limit.trim() === '') return [];
    return [`--${name.replaceAll('_', '-')}`, mode === 'off' ? 'off' : mode === 'observe' ? `observe:${limit}` : limit];
  });
}

/** `60 requests/min, 4 (observe) concurrent`. Null if none is set. */
export function formatLimits(limits: Limits): string | null {
  const set = quantities.flatMap((name) => formatLimit(limits, name) ?? []);
  return set.length === 0
    ? null
    : set.map((text, index) => `${text} ${words.short[listSetLimits(limits)[index] ?? 'concurrency']}`).join(', ');
}
const listSetLimits = (limits: Limits): Quantity[] => quantities.filter((name) => limits[name] !== null);

/** `60`, `60 (observe)`. Null if it isn't set. */
export function formatLimit(limits: Limits, name: Quantity): string | null {
  const limit = limits[name];
  if (limit === null) return null;
  return limit.mode === 'enforce'
    ? limit.limit.toLocaleString()
    : `${limit.limit.toLocaleString()} (${words.modes[limit.mode].toLowerCase()})`;
}
