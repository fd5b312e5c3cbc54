/** Double-entry bookkeeping: each transfer takes from one book what it gives to another, so the sum of all entries is zero. */
import type { DatabaseSync } from 'node:sqlite';
import { prepare } from './rows.ts';

export type EntryKind = 'charge' | 'overrun' | 'top_up' | 'refund' | 'correction';

export interface Transfer {
  /** The request id of a charge, or the name that an operator gave; one of a name and kind. */
  readonly transfer: string;
  readonly kind: EntryKind;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly note: string | null;
  readonly at: number;
}

export const books = {
  account: (accountId: string) => `account:${accountId}`,
  /** Named by the source of a charge: `balance`, or `sub:` and the id of a subscription. */
  source: (source: string, accountId: string) => (source === BALANCE_SOURCE ? books.account(accountId) : `subscription:${source.slice(4)}`),
  revenue: 'revenue',
  funding: 'funding',
  overrun: 'overrun',
} as const;

export const BALANCE_SOURCE = 'balance';

export function openEntries(connection: DatabaseSync): (transfer: Transfer) => void {
  const insert = prepare(
    connection,
    'INSERT INTO entries (transfer, kind, book, amount, note, created_at) VALUES (?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?)',
  );
  return ({ transfer, kind, from, to, amount, note, at }) => {
    insert.run(transfer, kind, from, -amount, note, at, transfer, kind, to, amount, note, at);
  };
}
