/** The stored rows of each engine, read without the ledger, to compare them with the model. */
import type { DatabaseSync } from 'node:sqlite';
import { openPostgresLedger } from '../../../server/money/postgres.ts';
import type { LedgerStore } from '../../../server/money/store.ts';
import type { Postgres } from '../../../server/store/postgres/postgres.ts';
import { type Row, readInteger, readText } from '../../../server/store/rows.ts';
import { openMemory } from '../../unit/money/open.ts';

export interface KeptCharge {
  readonly source: string;
  readonly state: string;
  readonly charged: bigint;
  readonly overrun: bigint;
}

export interface Kept {
  /** By account. */
  readonly balances: ReadonlyMap<string, { readonly balance: bigint; readonly held: bigint }>;
  /** By owner and start of the period. */
  readonly allowances: ReadonlyMap<string, { readonly used: bigint; readonly held: bigint }>;
  readonly charges: ReadonlyMap<string, KeptCharge>;
}

export interface RealLedger {
  readonly ledger: LedgerStore;
  /** Whether an id that is voided before it was ever held can be held on the same day. */
  readonly barsUnknown: boolean;
  /** Of the charges that of this request, or all. */
  look(requestId: string | null): Promise<Kept>;
  close(): void;
}

const lookSql = (one: string): string => `
  SELECT 'balance' AS kind, account_id AS name, balance AS first, held AS second, '' AS source, '' AS state FROM balances
  UNION ALL SELECT 'allowance', owner || '@' || period_start, used, held, '', '' FROM allowances
  UNION ALL SELECT 'charge', request_id, charged, overrun, source, state FROM charges WHERE ${one}`;

export function openEmbedded(accounts: readonly string[]): RealLedger {
  const { connection, ledger } = openMemory(...accounts);
  const one = prepare(connection, lookSql('request_id = ?'));
  const all = prepare(connection, lookSql('TRUE'));
  return {
    ledger,
    barsUnknown: false,
    look: async (requestId) => asKept(requestId === null ? all.all() : one.all(requestId)),
    close: () => connection.close(),
  };
}

const emptySql = `
  ALTER TABLE entries DISABLE TRIGGER USER;
  TRUNCATE entries, charges, charge_caps, balances, allowances, subscriptions, nodes, barred_requests, accounts CASCADE;
  ALTER TABLE entries ENABLE TRIGGER USER`;

/** On a database that was used before. */
export async function openEmptied(postgres: Postgres, accounts: readonly string[]): Promise<RealLedger> {
  await postgres.transaction('write', async ({ query }) => {
    await query({ text: emptySql });
    await query({ text: 'INSERT INTO accounts (id, name, created_at) SELECT a, a, 0 FROM unnest($1::TEXT[]) AS a' }, [accounts]);
  });
  const [one, all] = [{ name: 'look', text: lookSql('request_id = $1') }, { text: lookSql('TRUE') }];
  return {
    ledger: openPostgresLedger(postgres),
    barsUnknown: true,
    look: async (requestId) => asKept(await (requestId === null ? postgres.query(all) : postgres.query(one, [requestId]))),
    close: () => undefined,
  };
}

function prepare(connection: DatabaseSync, sql: string) {
  const statement = connection.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}

function asKept(rows: readonly Row[]): Kept {
  const [balances, allowances, charges] = [new Map(), new Map(), new Map()];
  for (const row of rows) {
    const [name, first, second] = [readText(row.name), readInteger(row.first), readInteger(row.second)];
    if (row.kind === 'balance') balances.set(name, { balance: first, held: second });
    else if (row.kind === 'allowance') allowances.set(name, { used: first, held: second });
    else charges.set(name, { source: readText(row.source), state: readText(row.state), charged: first, overrun: second });
  }
  return { balances, allowances, charges };
}
