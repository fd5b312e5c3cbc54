/** Turns the configured limits of keys, accounts, groups, and models into the limits of a request. */
import type { Limit, LimitMode, Quantity, Scope } from './limiter.ts';

/** A limit as configured. A plain number is enforced. */
export type LimitValue = number | { readonly limit: number; readonly mode: LimitMode };

export type LimitValues = Readonly<Partial<Record<keyof typeof quantities, LimitValue | null | undefined>>>;

const quantities = { requestsPerMinute: 'requests', tokensPerMinute: 'tokens', concurrency: 'concurrency' } as const satisfies Record<
  string,
  Quantity
>;

const limitNames = Object.keys(quantities) as (keyof typeof quantities)[];

interface LimitSubject {
  readonly scope: Scope;
  readonly id: string;
  /** The settings of this key, account, group or model. `otherwise` applies to missing quantities. */
  readonly own: LimitValues;
  readonly otherwise?: LimitValues;
}

export function toLimits(subjects: readonly LimitSubject[]): Limit[] {
  return subjects.flatMap((subject) => limitNames.flatMap((name) => resolveLimit(subject, name)));
}

/** Adds a separate bucket with the full limit per account, because an account alone owes its usage beyond what a shared limit can owe. */
export function addAccountLimits(limits: readonly Limit[], accountId: string): Limit[] {
  const tokenLimits = limits.filter(({ quantity, mode }) => quantity === 'tokens' && mode === 'enforce');
  return [...limits, ...tokenLimits.map((limit) => ({ ...limit, subject: `${limit.subject} ${accountId}`, isPart: true }))];
}

function resolveLimit({ scope, id, own: ownValues, otherwise: defaultValues }: LimitSubject, name: (typeof limitNames)[number]): Limit[] {
  const value = ownValues[name] ?? defaultValues?.[name] ?? null;
  if (value === null) return [];
  const { limit, mode } = typeof value === 'number' ? { limit: value, mode: 'enforce' as const } : value;
  return mode === 'off' ? [] : [{ scope, subject: id, quantity: quantities[name], most: limit, mode }];
}
