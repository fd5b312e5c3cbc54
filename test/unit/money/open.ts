/** Opens a ledger on a SQLite database in memory, with each step in its own transaction. */
import { DatabaseSync } from 'node:sqlite';
import { type LedgerSteps, openLedgerSteps, openSqliteLedger } from '../../../server/money/sqlite.ts';
import type { HoldOrder, LedgerStore, Orphan, Posting, SubscriptionRecord } from '../../../server/money/store.ts';
import { inTransaction, migrate, type StepRunner } from '../../../server/store/sqlite/database.ts';

export interface OpenLedger {
  readonly connection: DatabaseSync;
  readonly steps: LedgerSteps;
  readonly ledger: LedgerStore;
}

export function openMemory(...accounts: readonly string[]): OpenLedger {
  const connection = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true });
  migrate(connection);
  addAccounts(connection, accounts);
  const steps = openLedgerSteps(connection);
  return { connection, steps, ledger: openSqliteLedger({ connection, steps: runHere(connection, steps) }) };
}

export function addAccounts(connection: DatabaseSync, accounts: readonly string[]): void {
  const insert = connection.prepare('INSERT INTO accounts (id, name, created_at) VALUES (?, ?, 0)');
  for (const account of accounts) insert.run(account, account);
}

export function runHere(connection: DatabaseSync, steps: LedgerSteps): Pick<StepRunner<LedgerSteps>, 'run'> {
  return {
    // The name and the argument belong together by the type of `run`; the compiler cannot follow that through a union.
    run: async (name, argument) => inTransaction(connection, () => steps[name]?.(argument as never) as never),
  };
}

/** 5 March 2026, a Thursday, noon. */
export const noon = Date.UTC(2026, 2, 5, 12);
export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

export function order(changes: Partial<HoldOrder> & Pick<HoldOrder, 'requestId' | 'amount'>): HoldOrder {
  return {
    accountId: 'ada',
    keyId: 'key_1',
    caps: [],
    model: 'm',
    operation: 'chat',
    priceVersion: 1,
    multiplier: 1_000_000,
    node: 'node_1',
    at: noon,
    ...changes,
  };
}

export function posting(requestId: string, cost: bigint, at: number = noon): Posting {
  const metered = { input: 3, cachedInput: 0, cacheWrite: 0, output: 2, reasoning: 1, images: { '1024x1024/high': 1 } };
  return { requestId, cost, metered, isEstimated: false, outcome: 'completed', at };
}

export function subscription(changes: Partial<SubscriptionRecord> = {}): SubscriptionRecord {
  return {
    id: 'plan_1',
    accountId: 'ada',
    plan: 'pro',
    included: 100n,
    period: 'month',
    onExhaustion: 'stop',
    priceList: 'standard',
    startsAt: noon - dayMs,
    endsAt: null,
    cancelledAt: null,
    ...changes,
  };
}

/** Writes a heartbeat of this process, and expires the holds of dead ones. */
export async function beat(ledger: LedgerStore, node: string, at: number, deadBefore: number): Promise<readonly Orphan[]> {
  await ledger.heartbeat(node, at);
  return await allOf(ledger.sweep(node, at, deadBefore));
}

export const leave = (ledger: LedgerStore, node: string, at: number): Promise<readonly Orphan[]> => allOf(ledger.removeNode(node, at));

async function allOf(expired: AsyncIterable<readonly Orphan[]>): Promise<readonly Orphan[]> {
  const all: Orphan[] = [];
  for await (const orphans of expired) all.push(...orphans);
  return all;
}

let transfers = 0;
/** Puts money on an account. */
export async function topUp(ledger: LedgerStore, accountId: string, amount: bigint): Promise<void> {
  transfers++;
  const result = await ledger.adjust({ accountId, transfer: `given_${transfers}`, kind: 'top_up', amount, note: null, at: noon });
  if (result.kind !== 'adjusted') throw new Error(`the top-up ended as ${result.kind}`);
}
