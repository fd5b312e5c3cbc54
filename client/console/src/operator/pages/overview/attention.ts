/** What needs somebody: accounts that run dry, keys that expire, calls that fail, books that do not agree. Worst first. */
import type { AdminContract } from '../../../../../../contract/admin.ts';
import type { Success } from '../../../data/contract-types.ts';
import { formatDollars, perMille, readDollars, writeDollars } from '../../../data/money.ts';
import type { Tone } from '../../../kit/values.tsx';
import { overview as words } from '../../../texts/overview.ts';
import type { Activity } from '../../reads/buckets.ts';
import { requestsPath } from '../../reads/links.ts';

export interface Attention {
  readonly id: string;
  readonly tone: Tone;
  readonly text: string;
  /** Where it can be seen or mended. */
  readonly href: string;
  /** When it happens, ISO 8601; null: now. */
  readonly at: string | null;
}
type Accounts = Success<AdminContract['listAccounts']>['data'];
type Keys = Success<AdminContract['listKeys']>['data'];

const LOW = 1_000_000n;
const SOON_MS = 7 * 86_400_000;
/** Of a thousand calls; below so many calls a share says nothing. */
const MANY_ERRORS = 20;
const FEWEST_CALLS = 20;

export function accountsIn(accounts: Accounts): readonly Attention[] {
  return accounts.flatMap(({ id, name, balance, suspended }): Attention[] => {
    const left = balance === null ? null : readDollars(balance.available);
    if (left === null || left >= LOW || suspended) return [];
    const text = left === 0n ? words.kinds.account_empty(name) : words.kinds.account_low(name, formatDollars(left));
    return [{ id, tone: left === 0n ? 'bad' : 'warn', text, href: `/accounts?open=${id}`, at: null }];
  });
}

export function keysIn(keys: Keys, now: Date): readonly Attention[] {
  return keys.flatMap(({ id, name, state, expires_at }): Attention[] => {
    if (state !== 'active' || expires_at === null || Date.parse(expires_at) - now.getTime() > SOON_MS) return [];
    return [{ id, tone: 'warn', text: words.kinds.key_expires(name), href: `/keys?open=${id}`, at: expires_at }];
  });
}

export function callsIn({ total, reconciled }: Activity, range: string): readonly Attention[] {
  const share = perMille(BigInt(total.errors), BigInt(total.requests));
  const difference = readDollars(reconciled?.difference ?? '0') ?? 0n;
  const text = words.kinds.errors(`${(share / 10).toLocaleString()} %`);
  return [
    ...(difference === 0n
      ? []
      : [{ id: 'ledger', tone: 'bad', text: words.kinds.ledger(`$${writeDollars(difference)}`), href: '/activity', at: null } as const]),
    ...(share < MANY_ERRORS || total.requests < FEWEST_CALLS
      ? []
      : [{ id: 'errors', tone: 'bad', text, href: requestsPath({ range, outcome: 'failed' }), at: null } as const]),
  ];
}

const ranks: Readonly<Record<Tone, number>> = { bad: 0, warn: 1, neutral: 2, good: 3 };
export const worstFirst = (all: readonly Attention[]): readonly Attention[] => all.toSorted((a, b) => ranks[a.tone] - ranks[b.tone]);
