/** Lines of the tables of limits: those of the configuration, and those that operators set. */
import type { Account } from '../../../../../../contract/admin/accounts.ts';
import type { Limits } from '../../../../../../contract/admin/fields.ts';
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Key } from '../../../../../../contract/admin/keys.ts';
import type { Success } from '../../../data/contract-types.ts';
import { limits as words } from '../../../texts/limits.ts';
import { quantities } from '../../parts/limits.ts';
import { accountPath } from '../../reads/links.ts';

export interface LimitRow {
  readonly id: string;
  readonly scope: keyof typeof words.scopes;
  readonly subject: string;
  readonly path: string;
  readonly limits: Limits;
}

export function listConfiguredRows({ per_key, per_account, groups, models }: Success<AdminContract['getLimits']>): LimitRow[] {
  return [
    { id: 'per_key', scope: 'per_key', subject: words.defaultSubject, path: '/keys', limits: per_key },
    { id: 'per_account', scope: 'per_account', subject: words.defaultSubject, path: '/accounts', limits: per_account },
    ...groups.map(({ name, limits }): LimitRow => {
      return { id: `group:${name}`, scope: 'group', subject: name, path: `/accounts?group=${encodeURIComponent(name)}`, limits };
    }),
    ...models.map(({ id, limits }): LimitRow => {
      return { id: `model:${id}`, scope: 'model', subject: id, path: `/prices?q=${encodeURIComponent(id)}`, limits };
    }),
  ];
}

const isSet = ({ limits }: { readonly limits: Limits }): boolean => quantities.some((name) => limits[name] !== null);

export function listOwnRows(accounts: readonly Account[], keys: readonly Key[]): LimitRow[] {
  return [
    ...accounts.filter(isSet).map(({ id, name, limits }): LimitRow => {
      return { id, scope: 'account', subject: name, path: accountPath(id), limits };
    }),
    ...keys
      .filter((key) => key.state !== 'revoked' && isSet(key))
      .map(({ id, name, account, limits }): LimitRow => {
        return { id, scope: 'key', subject: `${name} (${account.name})`, path: `/keys?open=${encodeURIComponent(id)}`, limits };
      }),
  ];
}
