/** The store of accounts and keys on the embedded database. */
import type { SQLOutputValue } from 'node:sqlite';
import type { Database } from '../storage/database.ts';
import type { AccessStore, KeyRecord, NewKeyRecord, Revocation } from './store.ts';

const selectKeys = `
  SELECT keys.id, keys.name, account_id, accounts.name AS account_name, last_four, keys.created_at, expires_at, revoked_at
  FROM keys JOIN accounts ON accounts.id = keys.account_id`;

export function openSqliteStore({ connection, transaction }: Database): AccessStore {
  const byHash = connection.prepare(`${selectKeys} WHERE hash = ?`);
  const all = connection.prepare(`${selectKeys} ORDER BY keys.created_at, keys.rowid`);
  const one = connection.prepare('SELECT 1 FROM keys LIMIT 1');
  const accountByName = connection.prepare('SELECT id FROM accounts WHERE name = ?');
  const insertAccount = connection.prepare('INSERT INTO accounts (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING');
  const insertKey = connection.prepare(
    'INSERT INTO keys (id, account_id, name, hash, last_four, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const revocationOf = connection.prepare('SELECT revoked_at FROM keys WHERE id = ?');
  const revoke = connection.prepare('UPDATE keys SET revoked_at = ? WHERE id = ?');

  const add = (key: NewKeyRecord): { isNewAccount: boolean } => {
    const { changes } = insertAccount.run(key.account.id, key.account.name, key.createdAt);
    const accountId = text(accountByName.get(key.account.name)?.id);
    insertKey.run(key.id, accountId, key.name, key.hash, key.lastFour, key.createdAt, key.expiresAt);
    return { isNewAccount: Number(changes) === 1 };
  };
  const addIfNone = (key: NewKeyRecord): boolean => {
    if (one.get() !== undefined) return false;
    add(key);
    return true;
  };
  const revokeOnce = (id: string, at: number): Revocation => {
    const row = revocationOf.get(id);
    if (row === undefined) return 'unknown';
    if (row.revoked_at !== null) return 'already_revoked';
    revoke.run(at, id);
    return 'revoked';
  };
  return {
    findKey: async (hash) => asRecord(byHash.get(hash)),
    hasKeys: async () => one.get() !== undefined,
    listKeys: async () => all.all().flatMap((row) => asRecord(row) ?? []),
    addKey: async (key) => transaction(() => add(key)),
    addFirstKey: async (key) => transaction(() => addIfNone(key)),
    revokeKey: async (id, at) => transaction(() => revokeOnce(id, at)),
  };
}

function asRecord(row: Record<string, SQLOutputValue> | undefined): KeyRecord | undefined {
  if (row === undefined) return undefined;
  return {
    id: text(row.id),
    accountId: text(row.account_id),
    accountName: text(row.account_name),
    name: text(row.name),
    lastFour: text(row.last_four),
    createdAt: Number(row.created_at),
    expiresAt: time(row.expires_at),
    revokedAt: time(row.revoked_at),
  };
}

/** The tables are STRICT, so a column has its type or the row was never written. */
function text(value: SQLOutputValue | undefined): string {
  if (typeof value !== 'string') throw new TypeError('a text column holds no text');
  return value;
}

function time(value: SQLOutputValue | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
