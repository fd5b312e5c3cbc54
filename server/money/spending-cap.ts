/** A spending cap: the maximum that can be charged in a period, for the calls that count toward it. */
import { formatDollars, formatShortDollars } from './dollars.ts';
import type { Period } from './period.ts';

export interface SpendingCap {
  readonly micros: bigint;
  readonly period: Period;
}

/** A cap that calls with a key count toward. */
export interface OwnedCap extends SpendingCap {
  /** The key (`key:` and its ID) or the account (`account:` and its ID) whose calls are counted. */
  readonly owner: string;
  /** Where the cap is set: on the key, on a key that it was created with, or on its account. */
  readonly scope: 'key' | 'creator' | 'account';
}

export const CAP_PERIODS = ['day', 'week', 'month', 'never'] as const satisfies readonly Period[];

export const toKeyOwner = (keyId: string): string => `key:${keyId}`;
export const toAccountOwner = (accountId: string): string => `account:${accountId}`;

const PERIOD_WORDS = { day: ' per day', week: ' per week', month: ' per month', never: '' };

/** Such as `$20 per month`. */
export const formatCap = ({ micros, period }: SpendingCap): string =>
  `$${formatShortDollars(formatDollars(micros))}${PERIOD_WORDS[period]}`;

const SCOPE_WORDS = { key: "The key's", creator: "The creating key's", account: "The account's" };

/** Such as `The account's spending cap of $20 per month`. */
export const describeCap = (cap: OwnedCap): string => `${SCOPE_WORDS[cap.scope]} spending cap of ${formatCap(cap)}`;
