/** Reads the names of accounts, keys, and operators by their IDs, for tables that have only these. */
import type { Read } from '../store/audit.ts';
import { formatPlaceholders } from '../store/format-placeholders.ts';
import { readText } from '../store/rows.ts';

type Names = ReadonlyMap<string, string>;

type NamedTable = 'accounts' | 'keys' | 'admin_keys';

async function readNames(read: Read, tables: readonly NamedTable[], ids: readonly string[]): Promise<Names> {
  if (ids.length === 0) return new Map();
  const selects = tables.map((table) => `SELECT id, name FROM ${table} WHERE id IN (${formatPlaceholders(1, ids)})`);
  const rows = await read(selects.join(' UNION ALL '), ids);
  return new Map(rows.map((row) => [readText(row.id), readText(row.name)]));
}

export const readAccountNames = (read: Read, ids: readonly string[]): Promise<Names> => readNames(read, ['accounts'], ids);

interface Owner {
  readonly account_id: string | null;
  readonly key_id: string | null;
}

/** Reads the names of the accounts and keys that made these calls, by their IDs. */
export function readOwnerNames(read: Read, calls: readonly Owner[]): Promise<Names> {
  const ids = [...new Set(calls.flatMap(({ account_id: accountId, key_id: keyId }) => [accountId ?? [], keyId ?? []].flat()))];
  return readNames(read, ['accounts', 'keys'], ids);
}

/**
 * Reads the names of accounts, keys, and operators by their IDs. An operator of an identity provider has the name of the latest sign-in.
 */
export async function readAllNames(read: Read, ids: readonly string[]): Promise<Names> {
  const uniqueIds = [...new Set(ids)];
  const people = uniqueIds.filter((id) => id.startsWith('oidc:'));
  return new Map([
    ...(await readNames(read, ['accounts', 'admin_keys'], uniqueIds)),
    ...(await readKeyNames(read, uniqueIds)),
    ...(await readSignedInNames(read, people)),
  ]);
}

async function readSignedInNames(read: Read, actors: readonly string[]): Promise<Names> {
  if (actors.length === 0) return new Map();
  const rows = await read(
    `SELECT actor, details FROM audit WHERE id IN (
       SELECT max(id) FROM audit WHERE action = 'session.create' AND actor IN (${formatPlaceholders(1, actors)}) GROUP BY actor)`,
    actors,
  );
  return new Map(
    rows.flatMap((row) => {
      const { name } = JSON.parse(readText(row.details));
      return typeof name === 'string' ? [[readText(row.actor), name] as const] : [];
    }),
  );
}

/** A key's name has the name of its account before it, because keys of many accounts have the same name. */
export const formatKeyName = (account: string, name: string): string => `${account} / ${name}`;

export async function readKeyNames(read: Read, ids: readonly string[]): Promise<Names> {
  if (ids.length === 0) return new Map();
  const rows = await read(
    `SELECT keys.id AS id, keys.name AS name, accounts.name AS account FROM keys JOIN accounts ON accounts.id = keys.account_id
     WHERE keys.id IN (${formatPlaceholders(1, ids)})`,
    ids,
  );
  return new Map(rows.map((row) => [readText(row.id), formatKeyName(readText(row.account), readText(row.name))]));
}
