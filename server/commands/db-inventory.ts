/** The inventory of a backup, counted in the copy itself, and whether its books are sound. */
import type { DatabaseSync } from 'node:sqlite';
import { isOther } from '../access/fingerprint.ts';
import { type Environment, hasPepper, openPepper } from '../access/pepper.ts';
import { reconcile } from '../ledger/sqlite/reconcile.ts';
import { findSchema, knownSchema } from '../storage/sqlite/schema.ts';
import { describe } from './administration.ts';
import { isSound } from './db-report.ts';

export interface Inventory {
  readonly schema: number;
  readonly accounts: number;
  readonly keys: number;
  readonly charges: number;
  readonly responses: number;
  /** Null for tables of another version, which only that version can reconcile. */
  readonly sound: boolean | null;
}

export function takeInventory(copy: DatabaseSync): Inventory {
  const { version: schema } = findSchema(copy);
  const count = (table: string): number =>
    hasTable(copy, table) ? Number(copy.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n) : 0;
  return {
    schema,
    accounts: count('accounts'),
    keys: count('keys'),
    charges: count('charges'),
    responses: count('responses'),
    sound: schema === knownSchema ? isSound(reconcile(copy)) : null,
  };
}

const hasTable = (copy: DatabaseSync, name: string): boolean =>
  copy.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;

const books = {
  true: 'sound, reconciled now',
  false: 'NOT sound',
  null: 'of another version; run modelgate ledger reconcile of that version',
};

export function describeInventory({ accounts, keys, charges, responses, sound }: Inventory, settlements: number): string {
  return describe([
    ['Accounts', String(accounts)],
    ['Keys', String(keys)],
    ['Charges', String(charges)],
    ['Responses', String(responses)],
    ['Waiting charges', String(settlements)],
    ['Books', books[`${sound}`]],
  ]);
}

/** Whether its keys were made with a different pepper than a gateway on this folder would use. */
export function isPepperOther(copy: DatabaseSync, folder: string, env: Environment): boolean {
  // Opening a missing file would create it.
  if (!hasTable(copy, 'pepper_fingerprint') || !hasPepper(folder, env)) return false;
  const kept = copy.prepare('SELECT fingerprint FROM pepper_fingerprint').get()?.fingerprint;
  return kept instanceof Uint8Array && isOther(kept, openPepper(folder, env));
}
