/** PostgreSQL plans a statement once for each connection, often while its tables are almost empty: the work of that plan must not grow with the tables. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openPostgresLedger } from '../../../server/money/postgres.ts';
import type { LedgerStore } from '../../../server/money/store.ts';
import { openPostgres } from '../../../server/store/postgres/postgres.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';
import { order, posting, topUp } from '../../unit/money/open.ts';
import { openPostgresEngine } from './engines.ts';

const batches = 60;
const together = 20;
const stayOpen = 400;

/** Concurrent holds are sent in few statements. */
async function hold(ledger: LedgerStore, ids: readonly string[]): Promise<void> {
  const held = await Promise.all(ids.map((requestId) => ledger.reserve(order({ requestId, amount: 10n }))));
  expect(held.map(({ kind }) => kind)).toEqual(ids.map(() => 'held'));
}

/** The number of charges when the table was last analyzed. */
const analyzed = [
  ['never', null],
  ['when there were none', 0],
  ['when there were a few', 30],
] as const;

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const server = usePostgres();

  test.each(analyzed)(
    'settles in constant work whatever the charges and open holds, with a table that was analyzed %s',
    async (_, early) => {
      const { url, rows, exec, ledger: before } = await openPostgresEngine(server, ['ada']);
      // Without autovacuum the planner does not learn that the tables have grown.
      await exec('ALTER TABLE charges SET (autovacuum_enabled = off)');
      await topUp(before, 'ada', 1_000_000n);
      for (let index = 0; index < (early ?? 0); index++) {
        await hold(before, [`early_${index}`]);
        await before.post(posting(`early_${index}`, 5n));
      }
      if (early !== null) await exec('ANALYZE charges; ANALYZE balances');
      const postgres = openPostgres({ url });
      const ledger = openPostgresLedger(postgres);
      for (let batch = 0; batch < batches; batch++) {
        const ids = Array.from({ length: together }, (_, index) => `r${batch}_${index}`);
        await hold(ledger, ids);
        await Promise.all(ids.map((id) => ledger.post(posting(id, 5n))));
        if (batch === batches / 2)
          await hold(
            ledger,
            [...Array(stayOpen).keys()].map((index) => `open_${index}`),
          );
      }
      // A connection reports its statistics when it ends, or some seconds later.
      await postgres.close();
      const read = await told(batches * together + (early ?? 0), async () => (await rows(readByScans))[0] ?? []);
      const [wholeTable, openHolds, byTheirIds] = read.map(Number);
      // Each charge was looked up a few times, and no scan for one charge read another.
      expect(wholeTable).toBeLessThan(batches);
      expect(openHolds).toBeLessThan(batches);
      expect(byTheirIds).toBeLessThan(10 * batches * together);
    },
  );
});

/** The statistics are complete when they contain all changes. */
const readByScans = `
  SELECT t.seq_tup_read AS whole, o.idx_tup_read AS open, p.idx_tup_read AS ids, t.n_tup_upd AS changed
  FROM pg_stat_user_tables AS t JOIN pg_stat_user_indexes AS o USING (relid) JOIN pg_stat_user_indexes AS p USING (relid)
  WHERE t.relname = 'charges' AND o.indexrelname = 'charges_open' AND p.indexrelname = 'charges_pkey'`;

async function told(changed: number, look: () => Promise<readonly unknown[]>): Promise<readonly unknown[]> {
  for (;;) {
    const found = await look();
    if (Number(found.at(-1)) >= changed) return found.slice(0, -1);
    await pause(50);
  }
}
