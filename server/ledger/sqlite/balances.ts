/** Balances of accounts, and the transfers by which an operator changes them: each once, by its name, and never into what is held (promise G3). */
import type { DatabaseSync } from 'node:sqlite';
import { type Audited, openAudit } from '../../storage/audit.ts';
import { compareTransfer } from '../idempotent-transfers.ts';
import { isAmount } from '../money.ts';
import type { Adjustment, AdjustResult, BalanceRecord } from '../store.ts';
import { books, openEntries } from './entries.ts';
import { integer, prepare, type Row, text } from './rows.ts';

/** The account decides whether there is a balance; without a row it is zero. */
const BALANCE_SQL = `
  SELECT coalesce(balance, 0) AS balance, coalesce(held, 0) AS held
  FROM accounts LEFT JOIN balances ON balances.account_id = accounts.id WHERE accounts.id = ?`;

export function openBalanceReads(connection: DatabaseSync) {
  const one = prepare(connection, BALANCE_SQL);
  return {
    balance: (accountId: string): BalanceRecord | undefined => asBalance(one.get(accountId)),
  };
}

export function openBalanceSteps(connection: DatabaseSync) {
  const { balance: balanceOf } = openBalanceReads(connection);
  const named = prepare(
    connection,
    `SELECT kind, book, amount FROM entries WHERE transfer = ? AND kind IN ('top_up', 'refund', 'correction') AND book <> '${books.funding}'`,
  );
  const add = prepare(
    connection,
    'INSERT INTO balances (account_id, balance) VALUES (?, ?) ON CONFLICT (account_id) DO UPDATE SET balance = excluded.balance',
  );
  const write = openEntries(connection);
  const tell = openAudit(connection);
  return {
    adjust: (adjustment: Adjustment & Audited): AdjustResult => {
      const { accountId, transfer, kind, amount, note, at, audit } = adjustment;
      const before = balanceOf(accountId);
      if (!before) return { kind: 'unknown_account' };
      const booked = named.get(transfer);
      if (booked) return compareTransfer(adjustment, asEntry(booked), before);
      const { held } = before;
      const balance = before.balance + amount;
      // Neither below the held amount nor above what can be added without overflow.
      if (balance < held || !isAmount(balance)) return { kind: 'refused', available: before.balance - held };
      add.run(accountId, balance);
      write({ transfer, kind, from: books.funding, to: books.account(accountId), amount, note, at });
      if (audit) tell(audit);
      return { kind: 'adjusted', balance, held };
    },
  };
}

const asEntry = (row: Row) => ({ kind: text(row.kind), book: text(row.book), amount: integer(row.amount) });

function asBalance(row: Row | undefined): BalanceRecord | undefined {
  return row && { balance: integer(row.balance), held: integer(row.held) };
}
