/** Takes from an allowance on PostgreSQL: the included amount of a subscription, or the spending cap of a key. */
import type { Postgres } from '../../storage/postgres/pool.ts';
import { integer } from '../../storage/postgres/rows.ts';
import { periodStart } from '../periods.ts';
import type { AllowanceRecord, Period } from '../store.ts';

const one = { name: 'allowance', text: 'SELECT used, held FROM allowances WHERE owner = $1 AND period_start = $2' };

export function openAllowances(postgres: Pick<Postgres, 'query'>) {
  return {
    /** 0 while there is no row. */
    async allowance(owner: string, period: Period, at: number): Promise<AllowanceRecord> {
      const [row] = await postgres.query(one, [owner, periodStart(period, at)]);
      return row ? { used: integer(row.used), held: integer(row.held) } : { used: 0n, held: 0n };
    },
  };
}
