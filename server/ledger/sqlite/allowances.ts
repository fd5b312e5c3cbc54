/** Takes from an allowance: the included amount of a subscription, or the spending cap of a key. */
import type { DatabaseSync } from 'node:sqlite';
import { periodStart } from '../periods.ts';
import type { AllowanceRecord, Period } from '../store.ts';
import { integer, prepare } from './rows.ts';

export function openAllowanceReads(connection: DatabaseSync) {
  const one = prepare(connection, 'SELECT used, held FROM allowances WHERE owner = ? AND period_start = ?');
  return {
    /** 0 while there is no row. */
    allowance: (owner: string, period: Period, at: number): AllowanceRecord => {
      const row = one.get(owner, periodStart(period, at));
      return row ? { used: integer(row.used), held: integer(row.held) } : { used: 0n, held: 0n };
    },
  };
}
