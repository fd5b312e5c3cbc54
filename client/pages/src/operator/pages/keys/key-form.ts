/** What the form of a key holds, and what it sends: whole for a new key, only what was changed for an existing one. */

import type { GrantedOperation } from '../../../../../../contract/admin/fields.ts';
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Input } from '../../../data/contract-types.ts';
import { keys as words } from '../../../texts/keys.ts';
import { limitOptions, limitsInput, noLimits, sameLimits, type TypedLimits, typedLimits } from '../../parts/limits.ts';
import type { KeyRow } from './key-details.tsx';

type NewKey = Input<AdminContract['createKey']>['body'];
type KeyChanges = Input<AdminContract['editKey']>['body'];
export type Period = NonNullable<NewKey['spending_cap']>['period'];
export const periods = ['day', 'week', 'month', 'never'] as const satisfies readonly Period[];

/** A text for each operation: an operation that is added to the contract needs one here. */
const operationNames: Readonly<Record<GrantedOperation, string>> = words.operationNames;
// `as`: the keys are exactly those of the type above.
export const operations = Object.keys(operationNames) as GrantedOperation[];

/** As it is typed. */
export interface KeyForm {
  readonly account: string;
  readonly name: string;
  readonly models: string;
  /** Empty: all of them. */
  readonly operations: readonly GrantedOperation[];
  readonly mayStore: boolean;
  readonly manageKeys: boolean;
  readonly cap: string;
  readonly period: Period;
  /** A day, or empty for never. */
  readonly expires: string;
  readonly addresses: string;
  readonly limits: TypedLimits;
}

export const emptyForm: KeyForm = {
  account: '',
  name: '',
  models: '',
  operations: [],
  mayStore: true,
  manageKeys: false,
  cap: '',
  period: 'month',
  expires: '',
  addresses: '',
  limits: noLimits,
};

export function formOf({ account, name, permissions, spending_cap: cap, expires_at, ip_ranges, limits }: KeyRow): KeyForm {
  return {
    account: account.name,
    name,
    models: permissions.models?.join(', ') ?? '',
    operations: permissions.operations ?? [],
    mayStore: permissions.may_store,
    manageKeys: permissions.manage_keys,
    cap: cap?.amount.replace(/\.?0+$/, '') ?? '',
    period: cap?.period ?? 'month',
    expires: expires_at?.slice(0, 10) ?? '',
    addresses: ip_ranges?.join(', ') ?? '',
    limits: typedLimits(limits),
  };
}

const wordsIn = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');
/** The end of that day. */
export const endOf = (day: string): string => `${day}T23:59:59Z`;

function permissionsOf({ models, operations: chosen, mayStore, manageKeys }: KeyForm): NonNullable<NewKey['permissions']> {
  const named = wordsIn(models);
  return {
    ...(named.length > 0 && { models: named }),
    ...(chosen.length > 0 && { operations: [...chosen] }),
    ...(!mayStore && { may_store: false }),
    ...(manageKeys && { manage_keys: true }),
  };
}
const capOf = ({ cap, period }: KeyForm) => (cap.trim() === '' ? null : { amount: cap.trim(), period });
const addressesOf = ({ addresses }: KeyForm) => (wordsIn(addresses).length === 0 ? null : wordsIn(addresses));

/** What is empty is not sent: the gateway says what its absence means. */
export function bodyOf(form: KeyForm): NewKey {
  const permissions = permissionsOf(form);
  const cap = capOf(form);
  const addresses = addressesOf(form);
  return {
    account: form.account.trim(),
    name: form.name.trim(),
    ...(Object.keys(permissions).length > 0 && { permissions }),
    ...(addresses && { ip_ranges: addresses }),
    ...(!sameLimits(form.limits, noLimits) && { limits: limitsInput(form.limits) }),
    ...(cap && { spending_cap: cap }),
    ...(form.expires !== '' && { expires_at: endOf(form.expires) }),
  };
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Only what was changed. */
export function changesOf(form: KeyForm, before: KeyForm): KeyChanges {
  return {
    ...(form.name.trim() !== before.name && { name: form.name.trim() }),
    ...(!same(permissionsOf(form), permissionsOf(before)) && { permissions: permissionsOf(form) }),
    ...(!same(addressesOf(form), addressesOf(before)) && { ip_ranges: addressesOf(form) }),
    ...(!sameLimits(form.limits, before.limits) && { limits: limitsInput(form.limits) }),
    ...(!same(capOf(form), capOf(before)) && { spending_cap: capOf(form) }),
    ...(form.expires !== before.expires && { expires_at: form.expires === '' ? null : endOf(form.expires) }),
  };
}

/** The same as words of the command line. */
export function commandOf(form: KeyForm): string[] {
  const models = wordsIn(form.models);
  const addresses = wordsIn(form.addresses);
  return [
    ...['key', 'create', '--account', form.account.trim(), '--name', form.name.trim()],
    ...(models.length > 0 ? ['--models', models.join(',')] : []),
    ...(form.operations.length > 0 ? ['--operations', form.operations.join(',')] : []),
    ...(form.mayStore ? [] : ['--may-store', 'no']),
    ...(form.manageKeys ? ['--manage-keys', 'yes'] : []),
    ...(addresses.length > 0 ? ['--from', addresses.join(',')] : []),
    ...limitOptions(form.limits),
    ...(form.cap.trim() === '' ? [] : ['--cap', form.period === 'never' ? form.cap.trim() : `${form.cap.trim()}/${form.period}`]),
    ...(form.expires === '' ? [] : ['--expires', endOf(form.expires)]),
  ];
}
