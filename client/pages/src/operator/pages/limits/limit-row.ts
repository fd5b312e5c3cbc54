/** Rows of the tables of limits, configured or set by operators. */
import type { Account } from '../../../../../../contract/admin/accounts.ts';
import type { Limits } from '../../../../../../contract/admin/fields.ts';
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Key } from '../../../../../../contract/admin/keys.ts';
import type { LimitInUse } from '../../../../../../contract/admin/limits.ts';
import type { Success } from '../../../data/contract-types.ts';
import type { limits as words } from '../../../texts/limits.ts';
import { type Quantity, quantities } from '../../parts/limits.ts';
import { accountPath, keyPath } from '../../reads/links.ts';
import { formatKeyName } from '../../reads/names.ts';

export interface LimitRow {
  readonly id: string;
  readonly scope: keyof typeof words.scopes;
  /** Empty for the default, which applies to all. */
  readonly subject: string;
  readonly path: string;
  readonly quantity: Quantity;
  readonly limit: NonNullable<Limits[Quantity]>;
  /** Current usage of the limit. If many keys or accounts share a default, the usage of the busiest one. Undefined if no recent call counted toward it. */
  readonly use: LimitInUse | undefined;
}

interface Subject extends Pick<LimitRow, 'scope' | 'subject' | 'path'> {
  readonly limits: Limits;
  readonly isUse: (use: LimitInUse) => boolean;
}

const unitNames = { requests_per_minute: 'requests', tokens_per_minute: 'tokens', concurrency: 'concurrency' } as const;

/** One row per limit. `inUse`: highest usage first. */
function toRows({ scope, subject, path, limits, isUse }: Subject, inUse: readonly LimitInUse[]): LimitRow[] {
  return quantities.flatMap((quantity) => {
    const limit = limits[quantity];
    if (limit === null) return [];
    // A key with another limit has its own counter instead of the default.
    const use = inUse.find((one) => one.quantity === unitNames[quantity] && one.limit === limit.limit && isUse(one));
    return { id: `${scope} ${path} ${subject} ${quantity}`, scope, subject, path, quantity, limit, use };
  });
}

const matchesUse =
  (scope: LimitInUse['scope'], subject: string) =>
  (use: LimitInUse): boolean =>
    use.scope === scope && use.subject === subject;

type Configured = Success<AdminContract['getLimits']>;
export function listConfiguredRows({ per_key, per_account, groups, models }: Configured, inUse: readonly LimitInUse[]): LimitRow[] {
  const subjects: readonly Subject[] = [
    { scope: 'per_key', subject: '', path: '/keys', limits: per_key, isUse: ({ scope }) => scope === 'key' },
    {
      scope: 'per_account',
      subject: '',
      path: '/accounts',
      limits: per_account,
      isUse: ({ scope }) => scope === 'account',
    },
    ...groups.map(({ name, limits }): Subject => {
      return {
        scope: 'group',
        subject: name,
        path: `/accounts?group=${encodeURIComponent(name)}`,
        limits,
        isUse: matchesUse('group', name),
      };
    }),
    ...models.map(({ id, limits }): Subject => {
      return { scope: 'model', subject: id, path: `/prices?q=${encodeURIComponent(id)}`, limits, isUse: matchesUse('model', id) };
    }),
  ];
  return subjects.flatMap((subject) => toRows(subject, inUse));
}

export function listOwnRows(accounts: readonly Account[], keys: readonly Key[], inUse: readonly LimitInUse[]): LimitRow[] {
  const subjects: readonly Subject[] = [
    ...accounts.map(({ id, name, limits }): Subject => {
      return { scope: 'account', subject: name, path: accountPath(id), limits, isUse: matchesUse('account', id) };
    }),
    ...keys
      .filter(({ state }) => state !== 'revoked')
      .map((key): Subject => {
        return { scope: 'key', subject: formatKeyName(key), path: keyPath(key.id), limits: key.limits, isUse: matchesUse('key', key.id) };
      }),
  ];
  return subjects.flatMap((subject) => toRows(subject, inUse));
}
