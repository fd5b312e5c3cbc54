/** PostgreSQL plans a step once for each connection, often while there is next to nothing in its tables: what it does must not grow with them. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openPostgresLedger } from '../../../server/ledger/postgres.ts';
import type { LedgerStore } from '../../../server/ledger/store.ts';
import { openPostgres } from '../../../server/storage/postgres/pool.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';
import { openPostgresEngine } from './engines.ts';
import { order, posting, topUp } from './open.ts';

const batches = 60;
const together = 20;
const stayOpen = 400;

/** Many at once go in few statements. */
async function hold(ledger: LedgerStore, ids: readonly string[]): Promise<void> {
  const held = await Promise.all(ids.map((requestId) => ledger.reserve(order({ requestId, amount: 10n }))));
  expect(held.map(({ kind }) => kind)).toEqual(ids.map(() => 'held'));
}

describe.skipIf(postgresMissing !== null)(postgresName, () => {
  const server = usePostgres();

  test('the work of a settlement grows neither with the charges that there were, nor with the holds that are open', async () => {
    const { url, rows, exec } = await openPostgresEngine(server, ['ada']);
    const postgres = openPostgres({ url });
    const ledger = openPostgresLedger(postgres);
    // Nobody tells the planner later on that the tables have grown.
    await exec('ALTER TABLE charges SET (autovacuum_enabled = off)');
    await topUp(ledger, 'ada', 1_000_000n);
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
    // What a connection did is told when it ends, or some seconds later.
    await postgres.close();
    const read = await told(async () => (await rows(readByScans))[0] ?? []);
    const [wholeTable, openHolds] = read.map(Number);
    // Each charge was looked up a few times, and none was met on the way to another.
    expect(wholeTable).toBeLessThan(batches);
    expect(openHolds).toBeLessThan(batches);
  });
});

const ended = batches * together;
/** All has been told when as many were changed as were. */
const readByScans = `
  SELECT t.seq_tup_read, i.idx_tup_read, t.n_tup_upd FROM pg_stat_user_tables AS t JOIN pg_stat_user_indexes AS i USING (relid)
  WHERE t.relname = 'charges' AND i.indexrelname = 'charges_open'`;

async function told(look: () => Promise<readonly unknown[]>): Promise<readonly unknown[]> {
  for (;;) {
    const found = await look();
    if (Number(found[2]) >= ended) return found.slice(0, 2);
    await pause(50);
  }
}
