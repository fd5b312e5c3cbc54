/** The content of the key form, and its request: all fields of a new key, only the changed fields of an existing one. */

import type { GrantedOperation } from '../../../../../../contract/admin/fields.ts';
import type { AdminContract } from '../../../../../../contract/admin/index.ts';
import type { Input } from '../../../data/contract-types.ts';
import { isSameCaps, noCaps, type TypedCaps, toCapOption, toCapsInput, toTypedCaps } from '../../../kit/spending-caps.tsx';
import { keys as words } from '../../../texts/keys.ts';
import { isSameLimits, limitOptions, noLimits, type TypedLimits, toLimitsInput, typedLimits } from '../../parts/limits.ts';
import type { KeyRow } from './key-details.tsx';

type NewKey = Input<AdminContract['createKey']>['body'];
type KeyChanges = Input<AdminContract['editKey']>['body'];

/** A label per operation. An operation added to the contract needs one here. */
const operationNames: Readonly<Record<GrantedOperation, string>> = words.operationNames;
// `as`: the keys are exactly those of the type above.
export const operations = Object.keys(operationNames) as GrantedOperation[];

/** The typed text. */
export interface KeyForm {
  readonly account: string;
  readonly name: string;
  readonly models: string;
  /** Empty for all. */
  readonly operations: readonly GrantedOperation[];
  readonly mayStore: boolean;
  readonly manageKeys: boolean;
  readonly caps: TypedCaps;
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
  caps: noCaps,
  expires: '',
  addresses: '',
  limits: noLimits,
};

export function toForm({ account, name, permissions, spending_caps: caps, expires_at, ip_ranges, limits }: KeyRow): KeyForm {
  return {
    account: account.name,
    name,
    models: permissions.models?.join(', ') ?? '',
    operations: permissions.operations ?? [],
    mayStore: permissions.may_store,
    manageKeys: permissions.manage_keys,
    caps: toTypedCaps(caps),
    expires: expires_at?.slice(0, 10) ?? '',
    addresses: ip_ranges?.join(', ') ?? '',
    limits: typedLimits(limits),
  };
}

const splitWords = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');
/** The end of that day. */
export const toEndTime = (day: string): string => `${day}T23:59:59Z`;

function toPermissions({ models, operations: chosen, mayStore, manageKeys }: KeyForm): NonNullable<NewKey['permissions']> {
  const named = splitWords(models);
  return {
    ...(named.length > 0 && { models: named }),
    ...(chosen.length > 0 && { operations: [...chosen] }),
    ...(!mayStore && { may_store: false }),
    ...(manageKeys && { manage_keys: true }),
  };
}
const toAddresses = ({ addresses }: KeyForm) => (splitWords(addresses).length === 0 ? null : splitWords(addresses));

/** Empty fields aren't sent, so that the gateway applies its defaults. */
export function toBody(form: KeyForm): NewKey {
  const permissions = toPermissions(form);
  const caps = toCapsInput(form.caps);
  const addresses = toAddresses(form);
  return {
    account: form.account.trim(),
    name: form.name.trim(),
    ...(Object.keys(permissions).length > 0 && { permissions }),
    ...(addresses && { ip_ranges: addresses }),
    ...(!isSameLimits(form.limits, noLimits) && { limits: toLimitsInput(form.limits) }),
    ...(caps.length > 0 && { spending_caps: caps }),
    ...(form.expires !== '' && { expires_at: toEndTime(form.expires) }),
  };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Only changes. */
export function toChanges(form: KeyForm, before: KeyForm): KeyChanges {
  return {
    ...(form.name.trim() !== before.name && { name: form.name.trim() }),
    ...(!isSame(toPermissions(form), toPermissions(before)) && { permissions: toPermissions(form) }),
    ...(!isSame(toAddresses(form), toAddresses(before)) && { ip_ranges: toAddresses(form) }),
    ...(!isSameLimits(form.limits, before.limits) && { limits: toLimitsInput(form.limits) }),
    ...(!isSameCaps(form.caps, before.caps) && { spending_caps: toCapsInput(form.caps) }),
    ...(form.expires !== before.expires && { expires_at: form.expires === '' ? null : toEndTime(form.expires) }),
  };
}

/** The same as command-line arguments. */
export function toCommand(form: KeyForm): string[] {
  const models = splitWords(form.models);
  const addresses = splitWords(form.addresses);
  return [
    ...['key', 'create', '--account', form.account.trim(), '--name', form.name.trim()],
    ...(models.length > 0 ? ['--models', models.join(',')] : []),
    ...(form.operations.length > 0 ? ['--operations', form.operations.join(',')] : []),
    ...(form.mayStore ? [] : ['--may-store', 'no']),
    ...(form.manageKeys ? ['--manage-keys', 'yes'] : []),
    ...(addresses.length > 0 ? ['--from', addresses.join(',')] : []),
    ...limitOptions(form.limits),
    ...toCapOption(form.caps),
    ...(form.expires === '' ? [] : ['--expires', toEndTime(form.expires)]),
  ];
}
