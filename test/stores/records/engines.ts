/** The request log on each engine, opened twice, as by two processes on one database. */

import { openPostgresLedger } from '../../../server/money/postgres.ts';
import { openLedgerSteps, openSqliteLedger } from '../../../server/money/sqlite.ts';
import type { LedgerStore } from '../../../server/money/store.ts';
import { activityStoreDefinition } from '../../../server/records/plans.ts';
import type { ActivityStore, RecordsQuery } from '../../../server/records/store.ts';
import { openDatabase, runInline } from '../../../server/store/sqlite/database.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';
import { addAccounts } from '../../unit/money/open.ts';

export interface Stage {
  readonly ledger: LedgerStore;
  /** An account without money. */
  readonly accountId: string;
  readonly here: ActivityStore;
  readonly there: ActivityStore;
  /** The query plan of the engine, one line for each step. */
  readonly plan: (sql: string, values: Parameters<RecordsQuery>[1]) => Promise<string>;
  /** Matches a plan that scans a whole table; `sums` is what two searches have found. */
  readonly scan: RegExp;
}

export const engines = [
  { title: 'sqlite', isMissing: false, use: () => openEmbedded },
  { title: postgresName, isMissing: postgresMissing !== null, use: useServer },
];

const ACCOUNT = 'acct_1';

async function openEmbedded(): Promise<Stage> {
  const folder = temporaryFolder();
  const { connection: own } = openDatabase({ folder, durability: 'relaxed' });
  addAccounts(own, [ACCOUNT]);
  const ledger = openSqliteLedger({ connection: own, steps: runInline(own, openLedgerSteps) });
  const open = () => {
    const { connection } = openDatabase({ folder, durability: 'relaxed' });
    return activityStoreDefinition.onSqlite({ connection, steps: runInline(connection, activityStoreDefinition.steps) });
  };
  const here = open();
  const plan: Stage['plan'] = async (sql, values) =>
    (await here.ask(`EXPLAIN QUERY PLAN ${sql}`, values)).map(({ detail }) => String(detail)).join('\n');
  return { here, there: open(), plan, scan: /SCAN (?!sums$)/m, ledger, accountId: ACCOUNT };
}

function useServer(): () => Promise<Stage> {
  const server = usePostgres();
  return async () => {
    const { postgres } = await server.fresh();
    await postgres.query({ text: 'INSERT INTO accounts (id, name, created_at) VALUES ($1, $1, 0)' }, [ACCOUNT]);
    const ledger = openPostgresLedger(postgres);
    // PostgreSQL prefers to scan small tables; with scans disabled it scans only where no index helps.
    const plan: Stage['plan'] = (sql, values) =>
      postgres.transaction('read', async (queries) => {
        await queries.query({ text: 'SET LOCAL enable_seqscan = off' });
        const rows = await queries.query({ text: `EXPLAIN ${sql.replaceAll(/\?(\d+)/g, '$$$1')}` }, values);
        return rows.map((row) => String(row['QUERY PLAN'])).join('\n');
      });
    return {
      here: activityStoreDefinition.onPostgres(postgres),
      there: activityStoreDefinition.onPostgres(postgres),
      plan,
      scan: /Seq Scan/,
      ledger,
      accountId: ACCOUNT,
    };
  };
}
