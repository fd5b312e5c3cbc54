/** Which limits apply to a call: those of its key and account, or the defaults; those of its group and of its model. */
import type { Limit, LimitMode, Quantity, Scope } from './limiter.ts';

/** A limit as it is configured: a plain number is enforced. */
export type Written = number | { readonly limit: number; readonly mode: LimitMode };
export type WrittenLimits = Readonly<Partial<Record<keyof typeof quantities, Written | null | undefined>>>;

const quantities = { requestsPerMinute: 'requests', tokensPerMinute: 'tokens', concurrency: 'concurrency' } as const satisfies Record<
  string,
  Quantity
>;
const names = Object.keys(quantities) as (keyof typeof quantities)[];

export interface Subject {
  readonly scope: Scope;
  readonly id: string;
  /** The settings of this key, account, group or model; for an absent quantity, `otherwise` applies. */
  readonly own: WrittenLimits;
  readonly otherwise?: WrittenLimits;
}

export function limitsOf(subjects: readonly Subject[]): Limit[] {
  return subjects.flatMap((subject) => names.flatMap((name) => limitOn(subject, name)));
}

/** An account owes alone what it used of a shared limit beyond what all of them owe: it has a bucket of its own with the whole limit. */
export function withParts(limits: readonly Limit[], accountId: string): Limit[] {
  const owing = limits.filter(({ quantity, mode }) => quantity === 'tokens' && mode === 'enforce');
  return [...limits, ...owing.map((limit) => ({ ...limit, subject: `${limit.subject} ${accountId}`, isPart: true }))];
}

function limitOn({ scope, id, own, otherwise }: Subject, name: (typeof names)[number]): Limit[] {
  const written = own[name] ?? otherwise?.[name] ?? null;
  if (written === null) return [];
  const { limit, mode } = typeof written === 'number' ? { limit: written, mode: 'enforce' as const } : written;
  return mode === 'off' ? [] : [{ scope, subject: id, quantity: quantities[name], most: limit, mode }];
}
