/** Columns of the account list, and details of its panel. */
import type { Account } from '../../../../../../contract/admin/accounts.ts';
import { readDollars } from '../../../data/money.ts';
import type { Tone } from '../../../kit/values.tsx';

export type AccountRow = Account;

export const accountStates = ['active', 'empty', 'suspended'] as const;
export type AccountState = (typeof accountStates)[number];
export const accountTones = { active: 'good', empty: 'warn', suspended: 'bad' } as const satisfies Record<AccountState, Tone>;

export function getState({ suspended, balance }: AccountRow): AccountState {
  if (suspended) return 'suspended';
  const isEmpty = balance !== null && (readDollars(balance.available) ?? 0n) <= 0n;
  return isEmpty ? 'empty' : 'active';
}

/** The threshold of accounts that don't set one. */
const LOW = 1_000_000n;

/** Whether the available balance is below the alert threshold. */
export function isLow({ balance, alert_below: alertBelow }: AccountRow): boolean {
  const threshold = (alertBelow === null ? null : readDollars(alertBelow)) ?? LOW;
  return balance !== null && (readDollars(balance.available) ?? threshold) < threshold;
}

export interface AccountFilter {
  readonly q: string;
  readonly group: string;
  readonly state: '' | AccountState;
}

/** The server's filter: an account with no balance left counts as active there. */
export const toQuery = ({ group, state }: AccountFilter, q: string) => ({
  ...(q !== '' && { q }),
  ...(group !== '' && { group }),
  ...(state !== '' && { state: state === 'suspended' ? ('suspended' as const) : ('active' as const) }),
});

/** Filters the response, because only the response shows whether an account has a balance left. */
export const matchesFilter = (row: AccountRow, { state }: AccountFilter): boolean => state === '' || getState(row) === state;
