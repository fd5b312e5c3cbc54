/** Reads the names of accounts and keys by their IDs, for tables that have only these. */
import type { Read } from '../store/audit.ts';
import { readText } from '../store/rows.ts';
import { formatPlaceholders } from './spend.ts';

type Names = ReadonlyMap<string, string>;

export async function readAccountNames(read: Read, ids: readonly string[]): Promise<Names> {
  if (ids.length === 0) return new Map();
  const rows = await read(`SELECT id, name FROM accounts WHERE id IN (${formatPlaceholders(1, ids)})`, ids);
  return new Map(rows.map((row) => [readText(row.id), readText(row.name)]));
}

interface Owner {
  readonly account_id: string | null;
  readonly key_id: string | null;
}

/** Reads the names of the accounts and keys that made these calls, by their IDs. */
export async function readOwnerNames(read: Read, calls: readonly Owner[]): Promise<Names> {
  const listIds = (name: keyof Owner): readonly string[] => [...new Set(calls.flatMap((call) => call[name] ?? []))];
  const [accountIds, keyIds] = [listIds('account_id'), listIds('key_id')];
  if (accountIds.length === 0) return new Map();
  const rows = await read(
    `SELECT id, name FROM accounts WHERE id IN (${formatPlaceholders(1, accountIds)})
     UNION ALL SELECT id, name FROM keys WHERE id IN (${formatPlaceholders(accountIds.length + 1, keyIds)})`,
    [...accountIds, ...keyIds],
  );
  return new Map(rows.map((row) => [readText(row.id), readText(row.name)]));
}

/** A key's name has the name of its account behind it: `production (acme)`. */
export async function readKeyNames(read: Read, ids: readonly string[]): Promise<Names> {
  if (ids.length === 0) return new Map();
  const rows = await read(
    `SELECT keys.id AS id, keys.name AS name, accounts.name AS account FROM keys JOIN accounts ON accounts.id = keys.account_id
     WHERE keys.id IN (${formatPlaceholders(1, ids)})`,
    ids,
  );
  return new Map(rows.map((row) => [readText(row.id), `${readText(row.name)} (${readText(row.account)})`]));
}
