/** What the list and the panel say of an account. */
import type { Account } from '../../../../../../contract/admin/accounts.ts';
import { readDollars } from '../../../data/money.ts';
import type { Tone } from '../../../kit/values.tsx';

export type AccountRow = Account;

export const accountStates = ['active', 'empty', 'suspended'] as const;
export type AccountState = (typeof accountStates)[number];
export const toneOf = { active: 'good', empty: 'warn', suspended: 'bad' } as const satisfies Record<AccountState, Tone>;

export function stateOf({ suspended, balance }: AccountRow): AccountState {
  if (suspended) return 'suspended';
  const isEmpty = balance !== null && (readDollars(balance.available) ?? 0n) <= 0n;
  return isEmpty ? 'empty' : 'active';
}

export interface AccountFilter {
  readonly q: string;
  readonly group: string;
  readonly state: '' | AccountState;
}
export function fits(row: AccountRow, { q, group, state }: AccountFilter): boolean {
  const word = q.trim().toLowerCase();
  return (
    (word === '' || row.name.toLowerCase().includes(word) || row.id.toLowerCase().includes(word)) &&
    (group === '' || row.group === group) &&
    (state === '' || stateOf(row) === state)
  );
}
