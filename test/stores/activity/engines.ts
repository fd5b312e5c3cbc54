/** The request log on each engine, opened twice, as by two processes on one database. */

import { activityRoom } from '../../../server/activity/plans.ts';
import type { ActivityStore, Ask } from '../../../server/activity/record.ts';
import { openPostgresLedger } from '../../../server/ledger/postgres.ts';
import { openLedgerSteps, openSqliteLedger } from '../../../server/ledger/sqlite.ts';
import type { LedgerStore } from '../../../server/ledger/store.ts';
import { openDatabase, runHere } from '../../../server/storage/sqlite/database.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { postgresName, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';
import { addAccounts } from '../../unit/ledger/open.ts';

export interface Stage {
  readonly ledger: LedgerStore;
  /** An account without money. */
  readonly accountId: string;
  readonly here: ActivityStore;
  readonly there: ActivityStore;
  /** The query plan of the engine, one line for each step. */
  readonly plan: (sql: string, values: Parameters<Ask>[1]) => Promise<string>;
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
  const ledger = openSqliteLedger({ connection: own, steps: runHere(own, openLedgerSteps) });
  const open = () => {
    const { connection } = openDatabase({ folder, durability: 'relaxed' });
    return activityRoom.onSqlite({ connection, steps: runHere(connection, activityRoom.steps) });
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
      here: activityRoom.onPostgres(postgres),
      there: activityRoom.onPostgres(postgres),
      plan,
      scan: /Seq Scan/,
      ledger,
      accountId: ACCOUNT,
    };
  };
}
