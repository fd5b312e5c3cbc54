/** Alerts on each engine, opened twice, as by two processes on one database. */

import { openPostgresLedger } from '../../../../server/money/postgres.ts';
import { openLedgerSteps, openSqliteLedger } from '../../../../server/money/sqlite.ts';
import type { LedgerStore } from '../../../../server/money/store.ts';
import { alertStoreDefinition } from '../../../../server/records/alerts/plans.ts';
import type { AlertStore } from '../../../../server/records/alerts/store.ts';
import { activityStoreDefinition } from '../../../../server/records/plans.ts';
import type { ActivityStore, RecordsQuery } from '../../../../server/records/store.ts';
import { openDatabase, runInline } from '../../../../server/store/sqlite/database.ts';
import { temporaryFolder } from '../../../harness/folder.ts';
import { postgresName, usePostgres } from '../../../harness/postgres.ts';
import { postgresMissing } from '../../../harness/servers.ts';
import { addAccounts } from '../../../unit/money/open.ts';

export interface Stage {
  readonly ledger: LedgerStore;
  readonly activity: ActivityStore;
  readonly here: AlertStore;
  readonly there: AlertStore;
  /** A statement that both engines understand. */
  readonly run: (sql: string) => Promise<void>;
  /** A key of the first account, with a cap of a day. */
  readonly addCappedKey: (id: string, micros: bigint) => Promise<void>;
  /** The query plan of the engine, one line for each step. */
  readonly plan: (sql: string, values: Parameters<RecordsQuery>[1]) => Promise<string>;
  /** Matches a plan that scans a whole table, and captures the name of the table. */
  readonly scan: RegExp;
}

export const engines = [
  { title: 'sqlite', isMissing: false, use: () => openEmbedded },
  { title: postgresName, isMissing: postgresMissing !== null, use: useServer },
];

export const accounts = ['ada', 'bob', 'cem'];

const KEY_COLUMNS = 'id, account_id, name, hash, last_four, created_at, cap_micros, cap_period, cap_day';
const keyValues = (id: string, hash: string, micros: bigint): string =>
  `'${id}', '${accounts[0]}', 'ci', ${hash}, 'abcd', 0, ${micros}, 'day', ${micros}`;
const hashOf = (id: string): string => Buffer.from(id).toString('hex').padEnd(64, '0');

async function openEmbedded(): Promise<Stage> {
  const folder = temporaryFolder();
  const open = () => openDatabase({ folder, durability: 'relaxed' }).connection;
  const own = open();
  addAccounts(own, accounts);
  const openStore = () => {
    const connection = open();
    return alertStoreDefinition.onSqlite({ connection, steps: runInline(connection, alertStoreDefinition.steps) });
  };
  const activity = activityStoreDefinition.onSqlite({ connection: own, steps: runInline(own, activityStoreDefinition.steps) });
  return {
    ledger: openSqliteLedger({ connection: own, steps: runInline(own, openLedgerSteps) }),
    activity,
    here: openStore(),
    there: openStore(),
    run: async (sql) => own.exec(sql),
    addCappedKey: async (id, micros) => own.exec(`INSERT INTO keys (${KEY_COLUMNS}) VALUES (${keyValues(id, `X'${hashOf(id)}'`, micros)})`),
    plan: async (sql, values) => (await activity.ask(`EXPLAIN QUERY PLAN ${sql}`, values)).map(({ detail }) => String(detail)).join('\n'),
    scan: /SCAN (\w+)/g,
  };
}

function useServer(): () => Promise<Stage> {
  const server = usePostgres();
  return async () => {
    const { postgres } = await server.fresh();
    const run = async (sql: string): Promise<void> => void (await postgres.query({ text: sql }));
    for (const account of accounts) await run(`INSERT INTO accounts (id, name, created_at) VALUES ('${account}', '${account}', 0)`);
    return {
      ledger: openPostgresLedger(postgres),
      activity: activityStoreDefinition.onPostgres(postgres),
      here: alertStoreDefinition.onPostgres(postgres),
      there: alertStoreDefinition.onPostgres(postgres),
      run,
      addCappedKey: (id, micros) =>
        run(`INSERT INTO keys (${KEY_COLUMNS}) VALUES (${keyValues(id, `decode('${hashOf(id)}', 'hex')`, micros)})`),
      // PostgreSQL prefers to scan small tables; with scans disabled it scans only where no index helps.
      plan: (sql, values) =>
        postgres.transaction('read', async (queries) => {
          await queries.query({ text: 'SET LOCAL enable_seqscan = off' });
          const rows = await queries.query({ text: `EXPLAIN ${sql.replaceAll(/\?(\d+)/g, '$$$1')}` }, values);
          return rows.map((row) => String(row['QUERY PLAN'])).join('\n');
        }),
      scan: /Seq Scan on (\w+)/g,
    };
  };
}
