/** The ledger on each engine, as its tests open it: known accounts, nothing else, and a way to look at and change what is kept behind its back. */
import { onTestFinished } from 'vitest';
import { openPostgresLedger } from '../../../server/money/postgres.ts';
import type { LedgerStore } from '../../../server/money/store.ts';
import { postgresName, type TestPostgres, usePostgres } from '../../harness/postgres.ts';
import { postgresMissing } from '../../harness/servers.ts';
import { openMemory } from '../../unit/money/open.ts';

export type EngineName = 'sqlite' | 'postgres';

export interface EngineLedger {
  readonly ledger: LedgerStore;
  /** The values of the rows that a statement finds, integers as bigints. */
  rows(sql: string): Promise<readonly (readonly unknown[])[]>;
  exec(sql: string): Promise<void>;
}

export interface Engine {
  readonly name: EngineName;
  /** For `describe`: why it is left out, where it is. */
  readonly title: string;
  readonly isMissing: boolean;
  /** Within a group of tests, once; then for each test the accounts that it knows. */
  readonly use: () => (...accounts: readonly string[]) => Promise<EngineLedger>;
}

export const engines: readonly Engine[] = [
  { name: 'sqlite', title: 'sqlite', isMissing: false, use: () => openSqlite },
  { name: 'postgres', title: postgresName, isMissing: postgresMissing !== null, use: usePostgresLedger },
];

async function openSqlite(...accounts: readonly string[]): Promise<EngineLedger> {
  const { connection, ledger } = openMemory(...accounts);
  onTestFinished(() => connection.close());
  return {
    ledger,
    async rows(sql) {
      const statement = connection.prepare(sql);
      statement.setReadBigInts(true);
      return statement.all().map((row) => Object.values(row));
    },
    exec: async (sql) => connection.exec(sql),
  };
}

function usePostgresLedger() {
  const server = usePostgres();
  return (...accounts: readonly string[]) => openPostgresEngine(server, accounts);
}

export async function openPostgresEngine(
  server: TestPostgres,
  accounts: readonly string[],
): Promise<EngineLedger & { readonly url: string }> {
  const { postgres, url } = await server.fresh();
  await postgres.query({ text: 'INSERT INTO accounts (id, name, created_at) SELECT a, a, 0 FROM unnest($1::TEXT[]) AS a' }, [accounts]);
  return {
    url,
    ledger: openPostgresLedger(postgres),
    rows: async (sql) => (await postgres.query({ text: sql })).map((row) => Object.values(row)),
    exec: async (sql) => void (await postgres.query({ text: sql })),
  };
}
