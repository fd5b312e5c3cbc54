/** The keys of callers on the embedded database: found by HMAC, made, changed, replaced and revoked. */
import type { DatabaseSync } from 'node:sqlite';
import { type AuditEntry, openAudit } from '../../storage/audit.ts';
import { ACCOUNT_COLUMNS, asKey, KEY_COLUMNS, keySettings, number, text } from '../rows.ts';
import type { KeyRecord, KeySettings, MadeKeyRecord, MakeResult, NewKeyRecord, Revocation, Rotation, RotationResult } from '../store.ts';
import { prepare, update } from './rows.ts';

const selectKeys = `SELECT ${KEY_COLUMNS}, ${ACCOUNT_COLUMNS} FROM keys JOIN accounts ON accounts.id = keys.account_id`;
const OLDEST_FIRST = 'ORDER BY keys.created_at, keys.rowid';
const ANY_KEY = 'SELECT 1 FROM keys LIMIT 1';

export function openKeyReads(connection: DatabaseSync) {
  const byHash = prepare(connection, `${selectKeys} WHERE hash = ?`);
  const byId = prepare(connection, `${selectKeys} WHERE keys.id = ?`);
  const all = prepare(connection, `${selectKeys} ${OLDEST_FIRST}`);
  const ofAccount = prepare(connection, `${selectKeys} WHERE keys.account_id = ? ${OLDEST_FIRST}`);
  const any = prepare(connection, ANY_KEY);
  return {
    findKey: (hash: Buffer): KeyRecord | undefined => byHash.all(hash).map(asKey)[0],
    findKeyById: (id: string): KeyRecord | undefined => byId.all(id).map(asKey)[0],
    hasKeys: (): boolean => any.get() !== undefined,
    listKeys: (accountId?: string): readonly KeyRecord[] => (accountId === undefined ? all.all() : ofAccount.all(accountId)).map(asKey),
  };
}

export function openKeySteps(connection: DatabaseSync) {
  const any = prepare(connection, ANY_KEY);
  const maker = prepare(connection, 'SELECT 1 FROM keys WHERE id = ? AND revoked_at IS NULL AND replaced_by IS NULL');
  const made = prepare(
    connection,
    `SELECT count(*) AS count FROM keys WHERE account_id = ? AND made_by IS NOT NULL AND revoked_at IS NULL AND replaced_by IS NULL
      AND (expires_at IS NULL OR expires_at > ?)`,
  );
  const stateOf = prepare(connection, 'SELECT revoked_at, replaced_by FROM keys WHERE id = ?');
  const revoke = prepare(connection, 'UPDATE keys SET revoked_at = ? WHERE id = ?');
  const write = openAudit(connection);
  const add = openAdding(connection);
  const replace = openReplacing(connection);
  return {
    addKey({ key, audit }: { readonly key: NewKeyRecord; readonly audit: AuditEntry }): AddedKey {
      const added = add(key);
      write(audit);
      return added;
    },
    makeKey({ key, most, audit }: { readonly key: MadeKeyRecord; readonly most: number; readonly audit: AuditEntry }): MakeResult {
      if (maker.get(key.madeBy) === undefined) return 'maker_gone';
      if (number(made.get(key.account.id, key.createdAt)?.count) >= most) return 'too_many';
      add(key);
      write(audit);
      return 'made';
    },
    addFirstKey({ key, audit }: { readonly key: NewKeyRecord; readonly audit: AuditEntry }): boolean {
      if (any.get() !== undefined) return false;
      add(key);
      write(audit);
      return true;
    },
    editKey({ id, changes, audit }: { readonly id: string; readonly changes: Partial<KeySettings>; readonly audit: AuditEntry }): boolean {
      if (stateOf.get(id) === undefined) return false;
      if (update(connection, 'keys', id, keySettings(changes))) write(audit);
      return true;
    },
    rotateKey({ rotation, audit }: { readonly rotation: Rotation; readonly audit: AuditEntry }): RotationResult {
      const state = stateOf.get(rotation.id);
      if (state === undefined) return 'unknown';
      if (state.revoked_at !== null) return 'revoked';
      if (state.replaced_by !== null) return 'replaced';
      replace(rotation);
      write(audit);
      return 'rotated';
    },
    revokeKey({ id, audit }: { readonly id: string; readonly audit: AuditEntry }): Revocation {
      const state = stateOf.get(id);
      if (state === undefined) return 'unknown';
      if (state.revoked_at !== null) return 'already_revoked';
      revoke.run(audit.at, id);
      write(audit);
      return 'revoked';
    },
  };
}

export interface AddedKey {
  readonly accountId: string;
  readonly isNewAccount: boolean;
}

function openAdding(connection: DatabaseSync): (key: NewKeyRecord & Partial<MadeKeyRecord>) => AddedKey {
  const accountByName = prepare(connection, 'SELECT id FROM accounts WHERE name = ?');
  const insertAccount = prepare(
    connection,
    'INSERT INTO accounts (id, name, group_name, created_at) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO NOTHING',
  );
  const insertKey = prepare(
    connection,
    `INSERT INTO keys (id, account_id, hash, last_four, created_at, name, permissions, ip_ranges, limits, cap_micros, cap_period, expires_at, made_by, cap_owner)
    VALUES (:id, :account_id, :hash, :last_four, :created_at, :name, :permissions, :ip_ranges, :limits, :cap_micros, :cap_period, :expires_at, :made_by, :cap_owner)`,
  );
  return (key) => {
    const { id, account, hash, lastFour, createdAt, madeBy = null, capOwner = null } = key;
    const { changes } = insertAccount.run(account.id, account.name, account.group, createdAt);
    const accountId = text(accountByName.get(account.name)?.id);
    const made = { made_by: madeBy, cap_owner: capOwner };
    insertKey.run({ id, account_id: accountId, hash, last_four: lastFour, created_at: createdAt, ...made, ...keySettings(key) });
    return { accountId, isNewAccount: Number(changes) === 1 };
  };
}

function openReplacing(connection: DatabaseSync): (rotation: Rotation) => void {
  const copied = 'account_id, name, permissions, ip_ranges, limits, cap_micros, cap_period, made_by';
  const copy = prepare(
    connection,
    `INSERT INTO keys (id, hash, last_four, created_at, expires_at, cap_owner, ${copied})
    SELECT :new_id, :hash, :last_four, :created_at, :expires_at, coalesce(cap_owner, id), ${copied} FROM keys WHERE id = :id`,
  );
  const end = prepare(
    connection,
    'UPDATE keys SET replaced_by = :new_id, expires_at = min(coalesce(expires_at, :until), :until) WHERE id = :id',
  );
  return ({ id, until, successor }) => {
    const { id: newId, hash, lastFour, createdAt, expiresAt } = successor;
    copy.run({ id, new_id: newId, hash, last_four: lastFour, created_at: createdAt, expires_at: expiresAt });
    end.run({ id, new_id: newId, until });
  };
}
