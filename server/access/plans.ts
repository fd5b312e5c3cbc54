/** The database methods for accounts and keys. A change and its audit entry are one transaction, and every process sees it at its next read. */

import type { AdminRole } from '../../contract/admin/roles.ts';
import { adjust, countTowardsCaps } from '../money/plans.ts';
import { CAP_PERIODS, type SpendingCap, toAccountOwner, toKeyOwner } from '../money/spending-cap.ts';
import { type AuditEntry, writeAudit } from '../store/audit.ts';
import { formatPlaceholders } from '../store/format-placeholders.ts';
import { type Dialect, defineStore, type Plan, preparedSql, type Query, type StorePlans, sql } from '../store/plan.ts';
import { createBatcher } from '../store/postgres/batcher.ts';
import { isUniqueViolation } from '../store/postgres/errors.ts';
import type { Postgres } from '../store/postgres/postgres.ts';
import { type Row, readNumber, readNumberOrNull, readText, readTextOrNull } from '../store/rows.ts';
import {
  ACCOUNT_COLUMNS,
  type AccessStore,
  type AdminKeyRecord,
  type ChildKeyRecord,
  type Columns,
  formatInheritedCaps,
  type InheritedCaps,
  KEY_COLUMNS,
  type KeyRecord,
  type NewKeyRecord,
  parseInheritedCaps,
  type Revocation,
  toAccount,
  toAccountColumns,
  toAuditRecord,
  toBytes,
  toKeyCaps,
  toKeyColumns,
  toKeyRecord,
} from './store.ts';

const SELECT_KEYS = `SELECT ${KEY_COLUMNS}, ${ACCOUNT_COLUMNS} FROM keys JOIN accounts ON accounts.id = keys.account_id`;
const SELECT_ACCOUNTS = `SELECT ${ACCOUNT_COLUMNS} FROM accounts`;
const SELECT_ADMIN_KEYS = 'SELECT id, name, role, created_at, revoked_at FROM admin_keys';
const SELECT_ANY_KEY = 'SELECT 1 FROM keys LIMIT 1';
/** Each change writes an audit entry, so the newest ID changes. The count detects an entry that is committed after a later one. */
const SELECT_CHANGES = `
  SELECT newest, (SELECT count(*) FROM audit WHERE id > newest - 1000) AS recent FROM (SELECT coalesce(max(id), 0) AS newest FROM audit) AS top`;
/** Counts active keys that were created by other keys. */
const COUNT_CHILD_KEYS = `
  SELECT count(*) AS count FROM keys WHERE account_id = ?1 AND made_by IS NOT NULL AND revoked_at IS NULL AND replaced_by IS NULL
    AND (expires_at IS NULL OR expires_at > ?2)`;
const CAP_COLUMNS = ['cap_micros', 'cap_period', ...CAP_PERIODS.map((period) => `cap_${period}`), 'inherited_caps'].join(', ');
const COPIED_COLUMNS = `account_id, name, permissions, ip_ranges, limits, ${CAP_COLUMNS}, made_by`;
const COPY_KEY = `
  INSERT INTO keys (id, hash, last_four, created_at, expires_at, cap_owner, ${COPIED_COLUMNS})
  SELECT CAST(?2 AS TEXT), ?3, CAST(?4 AS TEXT), CAST(?5 AS BIGINT), CAST(?6 AS BIGINT), coalesce(cap_owner, id), ${COPIED_COLUMNS} FROM keys WHERE id = ?1`;
/** Keeps an earlier expiry. */
const REPLACE_KEY = 'UPDATE keys SET replaced_by = ?2, expires_at = CASE WHEN expires_at < ?3 THEN expires_at ELSE ?3 END WHERE id = ?1';
const INSERT_FINGERPRINT = 'INSERT INTO pepper_fingerprint (id, fingerprint) VALUES (1, ?1) ON CONFLICT DO NOTHING';

type Table = 'keys' | 'accounts' | 'admin_keys';

/** Column names come only from our code, so they're safe to interpolate. */
function buildInsert(table: Table, columns: Columns, suffix = ''): Query {
  const names = Object.keys(columns);
  const placeholders = formatPlaceholders(1, names);
  return sql(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${placeholders}) ${suffix}`, ...Object.values(columns));
}

/** Returns whether there was anything to write. */
function* updateRow(table: Table, id: string, columns: Columns): Plan<boolean> {
  const assignments = Object.keys(columns).map((name, index) => `${name} = ?${index + 2}`);
  if (assignments.length > 0) yield sql(`UPDATE ${table} SET ${assignments.join(', ')} WHERE id = ?1`, id, ...Object.values(columns));
  return assignments.length > 0;
}

/** Locks the row against other changes until the end of the transaction. */
function* selectForUpdate({ lock }: Dialect, table: Table, id: string): Plan<Row | undefined> {
  return (yield sql(`SELECT * FROM ${table} WHERE id = ?1 ${lock}`, id))[0];
}

function* addKey(
  key: NewKeyRecord & Partial<ChildKeyRecord>,
  inheritedCaps: readonly InheritedCaps[] = [],
): Plan<{ readonly accountId: string; readonly isNewAccount: boolean }> {
  const { id, account, hash, lastFour, createdAt, madeBy = null } = key;
  const columns = { id: account.id, name: account.name, group_name: account.group, created_at: createdAt };
  const insertedRows = yield buildInsert('accounts', columns, 'ON CONFLICT (name) DO NOTHING RETURNING id');
  const [accountRow] = insertedRows.length > 0 ? insertedRows : yield sql('SELECT id FROM accounts WHERE name = ?1', account.name);
  const accountId = readText(accountRow?.id);
  const fixedColumns = {
    id,
    account_id: accountId,
    hash,
    last_four: lastFour,
    created_at: createdAt,
    made_by: madeBy,
    inherited_caps: formatInheritedCaps(inheritedCaps),
  };
  yield buildInsert('keys', { ...fixedColumns, ...toKeyColumns(key) });
  return { accountId, isNewAccount: insertedRows.length > 0 };
}

function* editKey(db: Dialect, ...[id, changes, audit]: Parameters<AccessStore['editKey']>): Plan<boolean> {
  const key = yield* selectForUpdate(db, 'keys', id);
  if (!key) return false;
  if (yield* updateRow('keys', id, toKeyColumns(changes))) yield* writeAudit(audit);
  if (changes.caps) yield* applyKeyCaps(db, key, changes.caps, audit.at);
  return true;
}

/** Also updates the caps of the keys that were created with this one. */
function* applyKeyCaps(db: Dialect, { id, account_id, cap_owner }: Row, caps: readonly SpendingCap[], at: number): Plan<void> {
  const accountId = readText(account_id);
  const owner = readTextOrNull(cap_owner) ?? readText(id);
  const rows = yield sql('SELECT id, coalesce(cap_owner, id) AS owner, inherited_caps FROM keys WHERE account_id = ?1', accountId);
  const inheritingKeys = rows.flatMap((row) => {
    const inheritedCaps = parseInheritedCaps(row.inherited_caps);
    return inheritedCaps.some((one) => one.owner === owner) ? [{ id: readText(row.id), inheritedCaps }] : [];
  });
  for (const key of inheritingKeys) {
    const inheritedCaps = key.inheritedCaps.map((one) => (one.owner === owner ? { owner, caps } : one));
    yield* updateRow('keys', key.id, { inherited_caps: formatInheritedCaps(inheritedCaps) });
  }
  const ownIds = rows.flatMap((row) => (row.owner === owner ? [readText(row.id)] : []));
  const keyIds = [...ownIds, ...inheritingKeys.map((key) => key.id)];
  yield* countTowardsCaps(db, { accountId, owner: toKeyOwner(owner), keyIds, caps, at });
}

function* revokeRow(db: Dialect, table: 'keys' | 'admin_keys', id: string, audit: AuditEntry): Plan<Revocation> {
  const row = yield* selectForUpdate(db, table, id);
  if (!row) return 'unknown';
  if (row.revoked_at !== null) return 'already_revoked';
  yield* updateRow(table, id, { revoked_at: audit.at });
  yield* writeAudit(audit);
  return 'revoked';
}

function* findFingerprint(): Plan<Uint8Array | undefined> {
  return toBytes((yield sql('SELECT fingerprint FROM pepper_fingerprint'))[0]?.fingerprint);
}

function toAdminKey(row: Row): AdminKeyRecord {
  return {
    id: readText(row.id),
    name: readText(row.name),
    role: readRole(readText(row.role)),
    createdAt: readNumber(row.created_at),
    revokedAt: readNumberOrNull(row.revoked_at),
  };
}

type AccountMethods = 'addAccount' | 'findAccount' | 'listAccounts' | 'editAccount';
const createAccountPlans = (db: Dialect): StorePlans<Pick<AccessStore, AccountMethods>> => ({
  addAccount: function* (account, audit, opening) {
    const columns = { id: account.id, created_at: account.createdAt, ...toAccountColumns(account) };
    if ((yield buildInsert('accounts', columns, 'ON CONFLICT (name) DO NOTHING RETURNING id')).length === 0) return false;
    // An account must not exist without its opening balance, so the error rolls back both.
    if (opening && (yield* adjust(db, opening)).kind !== 'adjusted') throw new RangeError("the opening balance can't be posted");
    yield* writeAudit(audit);
    return true;
  },
  findAccount: function* (idOrName) {
    // An account with this ID takes precedence over an account with this name.
    const statement = `${SELECT_ACCOUNTS} WHERE id = ?1 OR name = ?1 ORDER BY CASE WHEN id = ?1 THEN 0 ELSE 1 END LIMIT 1`;
    return (yield preparedSql('account', statement, idOrName)).map(toAccount)[0];
  },
  listAccounts: function* () {
    return (yield sql(`${SELECT_ACCOUNTS} ORDER BY created_at, ${db.place}`)).map(toAccount);
  },
  editAccount: function* (id, changes, audit) {
    if (!(yield* selectForUpdate(db, 'accounts', id))) return 'unknown';
    const isNameTaken =
      changes.name !== undefined && (yield sql('SELECT 1 FROM accounts WHERE name = ?1 AND id <> ?2', changes.name, id)).length > 0;
    if (isNameTaken) return 'name_taken';
    if (yield* updateRow('accounts', id, toAccountColumns(changes))) yield* writeAudit(audit);
    if (changes.caps) {
      const keyIds = (yield sql('SELECT id FROM keys WHERE account_id = ?1', id)).map((row) => readText(row.id));
      yield* countTowardsCaps(db, { accountId: id, owner: toAccountOwner(id), keyIds, caps: changes.caps, at: audit.at });
    }
    return 'edited';
  },
});

type AdminKeyMethods = 'findAdminKey' | 'findAdminKeyById' | 'listAdminKeys' | 'addAdminKey' | 'revokeAdminKey';
const createAdminKeyPlans = (db: Dialect): StorePlans<Pick<AccessStore, AdminKeyMethods>> => ({
  findAdminKey: function* (hash) {
    return (yield preparedSql('admin_key', `${SELECT_ADMIN_KEYS} WHERE hash = ?1`, hash)).map(toAdminKey)[0];
  },
  findAdminKeyById: function* (id) {
    return (yield preparedSql('admin_key_by_id', `${SELECT_ADMIN_KEYS} WHERE id = ?1`, id)).map(toAdminKey)[0];
  },
  listAdminKeys: function* () {
    return (yield sql(`${SELECT_ADMIN_KEYS} ORDER BY created_at, id`)).map(toAdminKey);
  },
  addAdminKey: function* ({ id, name, role, hash, createdAt, revokedAt }, audit) {
    yield buildInsert('admin_keys', { id, name, role, hash, created_at: createdAt, revoked_at: revokedAt });
    yield* writeAudit(audit);
  },
  revokeAdminKey: (id, audit) => revokeRow(db, 'admin_keys', id, audit),
});

const storeDefinition = defineStore<AccessStore>(
  'access',
  {
    reads: [
      ...(['findFingerprint', 'getChanges', 'findKey', 'findKeyById', 'hasKeys', 'listKeys', 'findAccount', 'listAccounts'] as const),
      ...(['findAdminKey', 'findAdminKeyById', 'listAdminKeys', 'listAudit'] as const),
    ],
    noTransaction: ['saveFingerprint', 'addAuditEntry'],
  },
  (db) => ({
    findFingerprint,
    saveFingerprint: function* (fingerprint) {
      yield sql(INSERT_FINGERPRINT, fingerprint);
      return yield* findFingerprint();
    },
    getChanges: function* () {
      const [row] = yield preparedSql('latest_changes', SELECT_CHANGES);
      return `${row?.newest}/${row?.recent}`;
    },
    findKey: function* (hash) {
      return (yield preparedSql('key', `${SELECT_KEYS} WHERE hash = ?1`, hash)).map(toKeyRecord)[0];
    },
    findKeyById: function* (id) {
      return (yield preparedSql('key_by_id', `${SELECT_KEYS} WHERE keys.id = ?1`, id)).map(toKeyRecord)[0];
    },
    hasKeys: function* () {
      return (yield preparedSql('any_key', SELECT_ANY_KEY)).length > 0;
    },
    listKeys: function* (accountId) {
      const oldestFirst = `ORDER BY keys.created_at, keys.${db.place}`;
      const statement =
        accountId === undefined
          ? sql(`${SELECT_KEYS} ${oldestFirst}`)
          : sql(`${SELECT_KEYS} WHERE keys.account_id = ?1 ${oldestFirst}`, accountId);
      return (yield statement).map(toKeyRecord);
    },
    addKey: function* (key, audit) {
      const result = yield* addKey(key);
      yield* writeAudit(audit);
      return result;
    },
    makeKey: function* (key, maxKeys, audit) {
      // Locks the account, so that the second of two concurrent creations counts the first.
      yield* selectForUpdate(db, 'accounts', key.account.id);
      const maker = yield* selectForUpdate(db, 'keys', key.madeBy);
      if (!maker || maker.revoked_at !== null || maker.replaced_by !== null) return 'maker_gone';
      const [countRow] = yield sql(COUNT_CHILD_KEYS, key.account.id, key.createdAt);
      if (readNumber(countRow?.count) >= maxKeys) return 'too_many';
      // Read under the lock of the creating key, whose caps may have changed since the request was checked.
      const own = { owner: readTextOrNull(maker.cap_owner) ?? key.madeBy, caps: toKeyCaps(maker) };
      yield* addKey(key, [...parseInheritedCaps(maker.inherited_caps), own]);
      yield* writeAudit(audit);
      return 'made';
    },
    addFirstKey: function* (key, audit) {
      // Blocks other key inserts until the end of the transaction.
      if (db.isShared) yield sql('LOCK TABLE keys IN SHARE ROW EXCLUSIVE MODE');
      if ((yield sql(SELECT_ANY_KEY)).length > 0) return false;
      yield* addKey(key);
      yield* writeAudit(audit);
      return true;
    },
    editKey: (...args) => editKey(db, ...args),
    rotateKey: function* ({ id, until, successor }, audit) {
      const state = yield* selectForUpdate(db, 'keys', id);
      if (!state) return 'unknown';
      if (state.revoked_at !== null) return 'revoked';
      if (state.replaced_by !== null) return 'replaced';
      const { id: newId, hash, lastFour, createdAt, expiresAt } = successor;
      yield sql(COPY_KEY, id, newId, hash, lastFour, createdAt, expiresAt);
      yield sql(REPLACE_KEY, id, newId, until);
      yield* writeAudit(audit);
      return 'rotated';
    },
    revokeKey: (id, audit) => revokeRow(db, 'keys', id, audit),
    ...createAccountPlans(db),
    ...createAdminKeyPlans(db),
    addAuditEntry: (audit) => writeAudit(audit),
    listAudit: function* ({ limit, before = Number.MAX_SAFE_INTEGER }) {
      const statement = 'SELECT id, actor, action, target, details, created_at FROM audit WHERE id < ?1 ORDER BY id DESC LIMIT ?2';
      return (yield sql(statement, before, limit)).map(toAuditRecord);
    },
  }),
);

export const accessStoreDefinition = {
  ...storeDefinition,
  onPostgres(postgres: Postgres): AccessStore {
    const store = storeDefinition.onPostgres(postgres);
    return {
      ...store,
      // Batches lookups, so that refreshing all keys in use takes few round trips.
      findKey: createBatcher(postgres, { send: (hashes: readonly Buffer[]) => findKeysByHash(postgres, hashes) }),
      // Another process may have taken the name since the check.
      editAccount: (...args) =>
        store.editAccount(...args).catch((error: unknown) => {
          if (isUniqueViolation(error)) return 'name_taken';
          throw error;
        }),
    };
  },
};

const FIND_BY_HASHES = { name: 'keys', text: `${SELECT_KEYS} WHERE hash = ANY ($1::BYTEA[])` };

async function findKeysByHash(postgres: Postgres, hashes: readonly Buffer[]): Promise<readonly (KeyRecord | undefined)[]> {
  const rows = await postgres.query(FIND_BY_HASHES, [hashes]);
  // `as`: the column has the type BYTEA.
  const keysByHash = new Map(rows.map((row) => [(row.hash as Buffer).toString('hex'), toKeyRecord(row)]));
  return hashes.map((hash) => keysByHash.get(hash.toString('hex')));
}

const rolesByName: ReadonlyMap<string, AdminRole> = new Map(
  Object.entries({ viewer: 'viewer', billing: 'billing', admin: 'admin' } satisfies Record<AdminRole, AdminRole>),
);

/** Treats roles of later versions as read-only. */
const readRole = (name: string): AdminRole => rolesByName.get(name) ?? 'viewer';
