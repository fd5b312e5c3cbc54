/** What the form of a new key holds, and what it sends. */
import type { AdminContract } from '../../../../../../contract/admin.ts';
import type { Input } from '../../../data/contract-types.ts';

type NewKey = Input<AdminContract['createKey']>['body'];
export type Period = NonNullable<NewKey['spending_cap']>['period'];
export const periods = ['day', 'week', 'month', 'never'] as const satisfies readonly Period[];

/** As it is typed. */
export interface KeyForm {
  readonly account: string;
  readonly name: string;
  readonly models: string;
  readonly cap: string;
  readonly period: Period;
  readonly expires: string;
}

const modelsOf = (form: KeyForm): string[] => form.models.split(/[\s,]+/).filter((model) => model !== '');
/** The end of that day. */
const expiryOf = ({ expires }: KeyForm): string => `${expires}T23:59:59Z`;

/** What is empty is not sent: the gateway says what its absence means. */
export function bodyOf(form: KeyForm): NewKey {
  const models = modelsOf(form);
  return {
    account: form.account.trim(),
    name: form.name.trim(),
    ...(models.length > 0 && { permissions: { models } }),
    ...(form.cap.trim() !== '' && { spending_cap: { amount: form.cap.trim(), period: form.period } }),
    ...(form.expires !== '' && { expires_at: expiryOf(form) }),
  };
}

/** The same as words of the command line. */
export function commandOf(form: KeyForm): string[] {
  const models = modelsOf(form);
  return [
    ...['key', 'create', '--account', form.account.trim(), '--name', form.name.trim()],
    ...(models.length > 0 ? ['--models', models.join(',')] : []),
    ...(form.cap.trim() === '' ? [] : ['--cap', form.period === 'never' ? form.cap.trim() : `${form.cap.trim()}/${form.period}`]),
    ...(form.expires === '' ? [] : ['--expires', expiryOf(form)]),
  ];
}
