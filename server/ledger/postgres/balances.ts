/** Balances of accounts on PostgreSQL, and the transfers by which an operator changes them: each once, by its name, and never into what is held (promise G3). */
import type { AuditEntry } from '../../storage/audit.ts';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Postgres, Queries } from '../../storage/postgres/pool.ts';
import { integer, type Row, text } from '../../storage/postgres/rows.ts';
import { compareTransfer } from '../idempotent-transfers.ts';
import { MAX_AMOUNT } from '../money.ts';
import type { Adjustment, AdjustResult, BalanceRecord } from '../store.ts';
import { clampAmount } from './amounts.ts';

/** The account decides whether there is a balance; without a row it is zero. */
const balanceOf = {
  name: 'balance',
  text: `
    SELECT coalesce(balance, 0) AS balance, coalesce(held, 0) AS held
    FROM accounts LEFT JOIN balances ON balances.account_id = accounts.id WHERE accounts.id = $1`,
};
/** Entries are never changed, so it can be looked at after the step that found it. */
const named = {
  text: `SELECT kind, book, amount FROM entries WHERE transfer = $1 AND kind IN ('top_up', 'refund', 'correction') AND book <> 'funding'`,
};
const adjustBalance = { text: 'SELECT came_to, balance, held FROM adjust_balance($1, $2, $3, $4, $5, $6, $7)' };

export function openBalances(postgres: Postgres) {
  return {
    async balance(accountId: string): Promise<BalanceRecord | undefined> {
      const [row] = await postgres.query(balanceOf, [accountId]);
      return row && asBalance(row);
    },
    adjust: (adjustment: Adjustment, audit?: AuditEntry): Promise<AdjustResult> =>
      postgres.transaction('write', async (queries) => {
        const result = await adjust(queries, adjustment);
        if (audit && result.kind === 'adjusted') await writeAudit(queries, audit);
        return result;
      }),
  };
}

/** A part of what a transaction does. */
export async function adjust(queries: Queries, adjustment: Adjustment): Promise<AdjustResult> {
  const { accountId, transfer, kind, amount, note, at } = adjustment;
  const [row = {}] = await queries.query(adjustBalance, [accountId, transfer, kind, clampAmount(amount), note, at, MAX_AMOUNT]);
  // The function knows no other words.
  const cameTo = text(row.came_to) as Exclude<AdjustResult['kind'], 'mismatch'>;
  if (cameTo === 'unknown_account') return { kind: cameTo };
  const balance = asBalance(row);
  if (cameTo === 'refused') return { kind: cameTo, available: balance.balance - balance.held };
  const [booked] = cameTo === 'repeated' ? await queries.query(named, [transfer]) : [];
  return booked ? compareTransfer(adjustment, asEntry(booked), balance) : { kind: cameTo, ...balance };
}

const asEntry = (row: Row) => ({ kind: text(row.kind), book: text(row.book), amount: integer(row.amount) });
const asBalance = (row: Row): BalanceRecord => ({ balance: integer(row.balance), held: integer(row.held) });
