/** Counts the contents of a database file, and checks whether its ledger is consistent. */

import type { DatabaseSync } from 'node:sqlite';
import { reconcile } from '../../money/reconcile.ts';
import type { Reconciliation } from '../../money/store.ts';
import { hasTable, readSchema, supportedSchemaVersion } from '../../store/sqlite/database.ts';
import { formatRows } from './print-result.ts';

export function isConsistent({ differences, unbalanced, contradictions }: Reconciliation): boolean {
  return differences.length + unbalanced.length + contradictions.length === 0;
}

interface Inventory {
  readonly schema: number;
  readonly accounts: number;
  readonly keys: number;
  readonly charges: number;
  readonly responses: number;
  /** Null for tables of another version, because only that version can reconcile them. */
  readonly is_consistent: boolean | null;
}

export function countInventory(copy: DatabaseSync): Inventory {
  const { version: schema } = readSchema(copy);
  const countRows = (table: string): number =>
    hasTable(copy, table) ? Number(copy.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n) : 0;
  return {
    schema,
    accounts: countRows('accounts'),
    keys: countRows('keys'),
    charges: countRows('charges'),
    responses: countRows('responses'),
    is_consistent: schema === supportedSchemaVersion ? isConsistent(reconcile(copy)) : null,
  };
}

const ledgerStates = {
  true: 'consistent, reconciled now',
  false: 'NOT consistent',
  null: 'of another version; run modelgate ledger reconcile from that version',
};

export function describeInventory(
  { accounts, keys, charges, responses, is_consistent: isConsistentNow }: Inventory,
  settlements: number,
): string {
  return formatRows([
    ['Accounts', String(accounts)],
    ['Keys', String(keys)],
    ['Charges', String(charges)],
    ['Responses', String(responses)],
    ['Waiting charges', String(settlements)],
    ['Books', ledgerStates[`${isConsistentNow}`]],
  ]);
}
