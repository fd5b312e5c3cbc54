/** The keys of callers on the embedded database: found by HMAC, made, changed, replaced and revoked. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { openBalanceSteps } from '../../ledger/sqlite.ts';
import type { Adjustment } from '../../ledger/store.ts';
import { type AuditEntry, openAudit } from '../../storage/audit.ts';
import { readRole } from '../permissions.ts';
import {
  ACCOUNT_COLUMNS,
  type AccessRow,
  type AccountChanges,
  type AccountRecord,
  type AdminKeyRecord,
  type AuditRecord,
  accountSettings,
  asAccount,
  asAudit,
  asKey,
  bytesOrNone,
  type Columns,
  KEY_COLUMNS,
  type KeyRecord,
  type KeySettings,
  keySettings,
  type MadeKeyRecord,
  type MakeResult,
  type NewKeyRecord,
  number,
  numberOrNull,
  type Revocation,
  type Rotation,
  type RotationResult,
  text,
} from '../store.ts';

const selectKeys = `SELECT ${KEY_COLUMNS}, ${ACCOUNT_COLUMNS} FROM keys JOIN accounts ON accounts.id = keys.account_id`;
const OLDEST_FIRST = 'ORDER BY keys.created_at, keys.rowid';
const ANY_KEY = 'SELECT 1 FROM keys LIMIT 1';
/** Each change writes its entry, and one is committed after the other. */
const NEWEST_CHANGE = 'SELECT coalesce(max(id), 0) AS id FROM audit';

export function openKeyReads(connection: DatabaseSync) {
  const byHash = prepare(connection, `${selectKeys} WHERE hash = ?`);
  const byId = prepare(connection, `${selectKeys} WHERE keys.id = ?`);
  const all = prepare(connection, `${selectKeys} ${OLDEST_FIRST}`);
  const ofAccount = prepare(connection, `${selectKeys} WHERE keys.account_id = ? ${OLDEST_FIRST}`);
  const any = prepare(connection, ANY_KEY);
  const newest = prepare(connection, NEWEST_CHANGE);
  return {
    changes: (): string => String(newest.get()?.id),
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

interface AddedKey {
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

const selectAccounts = `SELECT ${ACCOUNT_COLUMNS} FROM accounts`;

export function openAccountReads(connection: DatabaseSync) {
  // An account with this id wins over an account with this name.
  const one = prepare(connection, `${selectAccounts} WHERE id = :key OR name = :key ORDER BY id = :key DESC LIMIT 1`);
  const all = prepare(connection, `${selectAccounts} ORDER BY created_at, rowid`);
  return {
    findAccount: (idOrName: string): AccountRecord | undefined => one.all({ key: idOrName }).map(asAccount)[0],
    listAccounts: (): readonly AccountRecord[] => all.all().map(asAccount),
  };
}

interface NewAccount {
  readonly account: AccountRecord;
  readonly audit: AuditEntry;
  readonly opening?: Adjustment | undefined;
}

interface AccountEdit {
  readonly id: string;
  readonly changes: AccountChanges;
  readonly audit: AuditEntry;
}

export function openAccountSteps(connection: DatabaseSync) {
  const insert = prepare(
    connection,
    `INSERT INTO accounts (id, created_at, name, group_name, limits, suspended_at, self_service)
    VALUES (:id, :created_at, :name, :group_name, :limits, :suspended_at, :self_service) ON CONFLICT (name) DO NOTHING`,
  );
  const known = prepare(connection, 'SELECT 1 FROM accounts WHERE id = ?');
  const namesake = prepare(connection, 'SELECT 1 FROM accounts WHERE name = ? AND id <> ?');
  const write = openAudit(connection);
  const { adjust } = openBalanceSteps(connection);
  return {
    addAccount({ account, audit, opening }: NewAccount): boolean {
      const { changes } = insert.run({ id: account.id, created_at: account.createdAt, self_service: null, ...accountSettings(account) });
      if (Number(changes) === 0) return false;
      // An account without its opening balance must not exist: the error undoes both.
      if (opening && adjust(opening).kind !== 'adjusted') throw new RangeError('the opening balance cannot be booked');
      write(audit);
      return true;
    },
    editAccount({ id, changes, audit }: AccountEdit): 'edited' | 'name_taken' | 'unknown' {
      if (known.get(id) === undefined) return 'unknown';
      if (changes.name !== undefined && namesake.get(changes.name, id) !== undefined) return 'name_taken';
      if (update(connection, 'accounts', id, accountSettings(changes))) write(audit);
      return 'edited';
    },
  };
}

const SELECT_ADMIN_KEYS = 'SELECT id, name, role, created_at, revoked_at FROM admin_keys';

export function openAdminKeyReads(connection: DatabaseSync) {
  const byHash = prepare(connection, `${SELECT_ADMIN_KEYS} WHERE hash = ?`);
  const byId = prepare(connection, `${SELECT_ADMIN_KEYS} WHERE id = ?`);
  const all = prepare(connection, `${SELECT_ADMIN_KEYS} ORDER BY created_at, id`);
  return {
    findAdminKey: (hash: Buffer): AdminKeyRecord | undefined => byHash.all(hash).map(asAdminKey)[0],
    findAdminKeyById: (id: string): AdminKeyRecord | undefined => byId.all(id).map(asAdminKey)[0],
    listAdminKeys: (): readonly AdminKeyRecord[] => all.all().map(asAdminKey),
  };
}

interface NewAdminKey {
  readonly key: AdminKeyRecord & { readonly hash: Buffer };
  readonly audit: AuditEntry;
}

export function openAdminKeySteps(connection: DatabaseSync) {
  const insert = prepare(connection, 'INSERT INTO admin_keys (id, name, role, hash, created_at, revoked_at) VALUES (?, ?, ?, ?, ?, ?)');
  const stateOf = prepare(connection, 'SELECT revoked_at FROM admin_keys WHERE id = ?');
  const revoke = prepare(connection, 'UPDATE admin_keys SET revoked_at = ? WHERE id = ?');
  const write = openAudit(connection);
  return {
    addAdminKey({ key: { id, name, role, hash, createdAt, revokedAt }, audit }: NewAdminKey): void {
      insert.run(id, name, role, hash, createdAt, revokedAt);
      write(audit);
    },
    revokeAdminKey({ id, audit }: { readonly id: string; readonly audit: AuditEntry }): Revocation {
      const state = stateOf.get(id);
      if (state === undefined) return 'unknown';
      if (state.revoked_at !== null) return 'already_revoked';
      revoke.run(audit.at, id);
      write(audit);
      return 'revoked';
    },
  };
}

function asAdminKey(row: AccessRow): AdminKeyRecord {
  return {
    id: text(row.id),
    name: text(row.name),
    role: readRole(text(row.role)),
    createdAt: number(row.created_at),
    revokedAt: numberOrNull(row.revoked_at),
  };
}

const ONE = 'SELECT fingerprint FROM pepper_fingerprint';

export function openFingerprintReads(connection: DatabaseSync) {
  const find = prepare(connection, ONE);
  return { findFingerprint: (): Uint8Array | undefined => bytesOrNone(find.get()?.fingerprint) };
}

export function openFingerprintSteps(connection: DatabaseSync) {
  const insert = prepare(connection, 'INSERT INTO pepper_fingerprint (id, fingerprint) VALUES (1, ?) ON CONFLICT DO NOTHING');
  const find = prepare(connection, ONE);
  return {
    /** The stored fingerprint, which may come from another process. */
    keepFingerprint({ fingerprint }: { readonly fingerprint: Uint8Array }): Uint8Array | undefined {
      insert.run(fingerprint);
      return bytesOrNone(find.get()?.fingerprint);
    },
  };
}

/** Integers come as bigints. */
function prepare(connection: DatabaseSync, sql: string): StatementSync {
  const statement = connection.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}

/** Updates these columns of the row; returns whether there was anything to write. Column names come only from our code. */
function update(connection: DatabaseSync, table: 'keys' | 'accounts', id: string, columns: Columns): boolean {
  const names = Object.keys(columns);
  if (names.length === 0) return false;
  const assignments = names.map((name) => `${name} = :${name}`).join(', ');
  connection.prepare(`UPDATE ${table} SET ${assignments} WHERE id = :row_id`).run({ ...columns, row_id: id });
  return true;
}

export function openAuditReads(connection: DatabaseSync) {
  const page = prepare(connection, 'SELECT * FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?');
  return {
    listAudit: ({ limit, before = Number.MAX_SAFE_INTEGER }: { readonly limit: number; readonly before?: number }): AuditRecord[] =>
      page.all(before, limit).map(asAudit),
  };
}
