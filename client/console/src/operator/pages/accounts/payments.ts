/** Payments of an account, as the audit log has them. */
import type { AuditEntry } from '../../../../../../contract/admin/operators.ts';
import { accounts } from '../../../texts/accounts.ts';

export interface Payment {
  readonly id: string;
  readonly at: string;
  readonly what: string;
  /** Dollars, as it was booked. */
  readonly amount: string;
  readonly note: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Entries of other accounts and other changes are left out. */
export function paymentsOf(entries: readonly AuditEntry[], accountId: string): Payment[] {
  return entries.filter(({ target }) => target === accountId).flatMap((entry) => paymentOf(entry) ?? []);
}

function paymentOf({ id, at, action, details }: AuditEntry): Payment | undefined {
  const { kind, amount, note, transfer, opening_balance: opening } = details;
  if (action === 'balance.adjust')
    return {
      id,
      at,
      what: textOf(kind).replace('_', '-'),
      amount: textOf(amount),
      note: [textOf(note), textOf(transfer)].filter(Boolean).join(' · '),
    };
  if (action === 'account.create' && typeof opening === 'string')
    return { id, at, what: accounts.statement.opening, amount: opening, note: '' };
  return undefined;
}
