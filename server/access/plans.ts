/** Accounts and keys in the database: a change and its audit entry are one transaction, and every process sees it at its next read. */
import { adjust } from '../ledger/plans.ts';
import { type AuditEntry, writeAudit } from '../storage/audit.ts';
import { type Dialect, hot, openRoom, type Plan, type PlansOf, type Query, sql } from '../storage/plan.ts';
import { isTaken } from '../storage/postgres/outage.ts';
import type { Postgres } from '../storage/postgres/pool.ts';
import { batched } from '../storage/postgres/statements.ts';
import { number, numberOrNull, type Row, text } from '../storage/rows.ts';
import { readRole } from './permissions.ts';
import {
  ACCOUNT_COLUMNS,
  type AccessStore,
  type AdminKeyRecord,
  accountSettings,
  asAccount,
  asAudit,
  asKey,
  bytesOrNone,
  type Columns,
  KEY_COLUMNS,
  type KeyRecord,
  keySettings,
  type MadeKeyRecord,
  type NewKeyRecord,
  type Revocation,
} from './store.ts';

const KEYS = `SELECT ${KEY_COLUMNS}, ${ACCOUNT_COLUMNS} FROM keys JOIN accounts ON accounts.id = keys.account_id`;
const ACCOUNTS = `SELECT ${ACCOUNT_COLUMNS} FROM accounts`;
const ADMIN_KEYS = 'SELECT id, name, role, created_at, revoked_at FROM admin_keys';
const ANY_KEY = 'SELECT 1 FROM keys LIMIT 1';
/** Each change writes its entry. One that is committed after a later one changes the count. */
const CHANGES = `
  SELECT newest, (SELECT count(*) FROM audit WHERE id > newest - 1000) AS recent FROM (SELECT coalesce(max(id), 0) AS newest FROM audit) AS top`;
/** Those that were made by keys and work. */
const MADE = `
  SELECT count(*) AS count FROM keys WHERE account_id = ?1 AND made_by IS NOT NULL AND revoked_at IS NULL AND replaced_by IS NULL
    AND (expires_at IS NULL OR expires_at > ?2)`;
const COPIED = 'account_id, name, permissions, ip_ranges, limits, cap_micros, cap_period, made_by';
const COPY = `
  INSERT INTO keys (id, hash, last_four, created_at, expires_at, cap_owner, ${COPIED})
  SELECT CAST(?2 AS TEXT), ?3, CAST(?4 AS TEXT), CAST(?5 AS BIGINT), CAST(?6 AS BIGINT), coalesce(cap_owner, id), ${COPIED} FROM keys WHERE id = ?1`;
/** An earlier expiry stays. */
const REPLACE = 'UPDATE keys SET replaced_by = ?2, expires_at = CASE WHEN expires_at < ?3 THEN expires_at ELSE ?3 END WHERE id = ?1';
const KEEP_FINGERPRINT = 'INSERT INTO pepper_fingerprint (id, fingerprint) VALUES (1, ?1) ON CONFLICT DO NOTHING';

type Table = 'keys' | 'accounts' | 'admin_keys';

/** Column names come only from our code. */
function insert(table: Table, columns: Columns, more = ''): Query {
  const names = Object.keys(columns);
  const places = names.map((_, index) => `?${index + 1}`).join(', ');
  return sql(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places}) ${more}`, ...Object.values(columns));
}

/** Returns whether there was anything to write. */
function* update(table: Table, id: string, columns: Columns): Plan<boolean> {
  const assignments = Object.keys(columns).map((name, index) => `${name} = ?${index + 2}`);
  if (assignments.length > 0) yield sql(`UPDATE ${table} SET ${assignments.join(', ')} WHERE id = ?1`, id, ...Object.values(columns));
  return assignments.length > 0;
}

/** Keeps other changes away from the row until the end of the transaction. */
function* locked({ lock }: Dialect, table: Table, id: string): Plan<Row | undefined> {
  return (yield sql(`SELECT * FROM ${table} WHERE id = ?1 ${lock}`, id))[0];
}

function* addKey(key: NewKeyRecord & Partial<MadeKeyRecord>): Plan<{ readonly accountId: string; readonly isNewAccount: boolean }> {
  const { id, account, hash, lastFour, createdAt, madeBy = null, capOwner = null } = key;
  const columns = { id: account.id, name: account.name, group_name: account.group, created_at: createdAt };
  const made = yield insert('accounts', columns, 'ON CONFLICT (name) DO NOTHING RETURNING id');
  const [found] = made.length > 0 ? made : yield sql('SELECT id FROM accounts WHERE name = ?1', account.name);
  const accountId = text(found?.id);
  const own = { id, account_id: accountId, hash, last_four: lastFour, created_at: createdAt, made_by: madeBy, cap_owner: capOwner };
  yield insert('keys', { ...own, ...keySettings(key) });
  return { accountId, isNewAccount: made.length > 0 };
}

function* revoke(db: Dialect, table: 'keys' | 'admin_keys', id: string, audit: AuditEntry): Plan<Revocation> {
  const state = yield* locked(db, table, id);
  if (!state) return 'unknown';
  if (state.revoked_at !== null) return 'already_revoked';
  yield* update(table, id, { revoked_at: audit.at });
  yield* writeAudit(audit);
  return 'revoked';
}

function* findFingerprint(): Plan<Uint8Array | undefined> {
  return bytesOrNone((yield sql('SELECT fingerprint FROM pepper_fingerprint'))[0]?.fingerprint);
}

function toAdminKey(row: Row): AdminKeyRecord {
  return {
    id: text(row.id),
    name: text(row.name),
    role: readRole(text(row.role)),
    createdAt: number(row.created_at),
    revokedAt: numberOrNull(row.revoked_at),
  };
}

type Accounts = 'addAccount' | 'findAccount' | 'listAccounts' | 'editAccount';
const accountPlans = (db: Dialect): PlansOf<Pick<AccessStore, Accounts>> => ({
  addAccount: function* (account, audit, opening) {
    const columns = { id: account.id, created_at: account.createdAt, ...accountSettings(account) };
    if ((yield insert('accounts', columns, 'ON CONFLICT (name) DO NOTHING RETURNING id')).length === 0) return false;
    // An account without its opening balance must not exist: the error undoes both.
    if (opening && (yield* adjust(db, opening)).kind !== 'adjusted') throw new RangeError("the opening balance can't be posted");
    yield* writeAudit(audit);
    return true;
  },
  findAccount: function* (idOrName) {
    // An account with this ID wins over an account with this name.
    const one = `${ACCOUNTS} WHERE id = ?1 OR name = ?1 ORDER BY CASE WHEN id = ?1 THEN 0 ELSE 1 END LIMIT 1`;
    return (yield hot('account', one, idOrName)).map(asAccount)[0];
  },
  listAccounts: function* () {
    return (yield sql(`${ACCOUNTS} ORDER BY created_at, ${db.place}`)).map(asAccount);
  },
  editAccount: function* (id, changes, audit) {
    if (!(yield* locked(db, 'accounts', id))) return 'unknown';
    const isUsed =
      changes.name !== undefined && (yield sql('SELECT 1 FROM accounts WHERE name = ?1 AND id <> ?2', changes.name, id)).length > 0;
    if (isUsed) return 'name_taken';
    if (yield* update('accounts', id, accountSettings(changes))) yield* writeAudit(audit);
    return 'edited';
  },
});

type AdminKeys = 'findAdminKey' | 'findAdminKeyById' | 'listAdminKeys' | 'addAdminKey' | 'revokeAdminKey';
const adminKeyPlans = (db: Dialect): PlansOf<Pick<AccessStore, AdminKeys>> => ({
  findAdminKey: function* (hash) {
    return (yield hot('admin_key', `${ADMIN_KEYS} WHERE hash = ?1`, hash)).map(toAdminKey)[0];
  },
  findAdminKeyById: function* (id) {
    return (yield hot('admin_key_by_id', `${ADMIN_KEYS} WHERE id = ?1`, id)).map(toAdminKey)[0];
  },
  listAdminKeys: function* () {
    return (yield sql(`${ADMIN_KEYS} ORDER BY created_at, id`)).map(toAdminKey);
  },
  addAdminKey: function* ({ id, name, role, hash, createdAt, revokedAt }, audit) {
    yield insert('admin_keys', { id, name, role, hash, created_at: createdAt, revoked_at: revokedAt });
    yield* writeAudit(audit);
  },
  revokeAdminKey: (id, audit) => revoke(db, 'admin_keys', id, audit),
});

const room = openRoom<AccessStore>(
  'access',
  {
    reads: [
      ...(['findFingerprint', 'changes', 'findKey', 'findKeyById', 'hasKeys', 'listKeys', 'findAccount', 'listAccounts'] as const),
      ...(['findAdminKey', 'findAdminKeyById', 'listAdminKeys', 'listAudit'] as const),
    ],
    noTransaction: ['keepFingerprint', 'note'],
  },
  (db) => ({
    findFingerprint,
    keepFingerprint: function* (fingerprint) {
      yield sql(KEEP_FINGERPRINT, fingerprint);
      return yield* findFingerprint();
    },
    changes: function* () {
      const [row] = yield hot('latest_changes', CHANGES);
      return `${row?.newest}/${row?.recent}`;
    },
    findKey: function* (hash) {
      return (yield hot('key', `${KEYS} WHERE hash = ?1`, hash)).map(asKey)[0];
    },
    findKeyById: function* (id) {
      return (yield hot('key_by_id', `${KEYS} WHERE keys.id = ?1`, id)).map(asKey)[0];
    },
    hasKeys: function* () {
      return (yield hot('any_key', ANY_KEY)).length > 0;
    },
    listKeys: function* (accountId) {
      const oldestFirst = `ORDER BY keys.created_at, keys.${db.place}`;
      const all =
        accountId === undefined ? sql(`${KEYS} ${oldestFirst}`) : sql(`${KEYS} WHERE keys.account_id = ?1 ${oldestFirst}`, accountId);
      return (yield all).map(asKey);
    },
    addKey: function* (key, audit) {
      const added = yield* addKey(key);
      yield* writeAudit(audit);
      return added;
    },
    makeKey: function* (key, most, audit) {
      // Of two concurrent ones, the second counts the first.
      yield* locked(db, 'accounts', key.account.id);
      const maker = yield* locked(db, 'keys', key.madeBy);
      if (!maker || maker.revoked_at !== null || maker.replaced_by !== null) return 'maker_gone';
      const [counted] = yield sql(MADE, key.account.id, key.createdAt);
      if (number(counted?.count) >= most) return 'too_many';
      yield* addKey(key);
      yield* writeAudit(audit);
      return 'made';
    },
    addFirstKey: function* (key, audit) {
      // Prevents other inserts of keys until the end of the transaction.
      if (db.isShared) yield sql('LOCK TABLE keys IN SHARE ROW EXCLUSIVE MODE');
      if ((yield sql(ANY_KEY)).length > 0) return false;
      yield* addKey(key);
      yield* writeAudit(audit);
      return true;
    },
    editKey: function* (id, changes, audit) {
      if (!(yield* locked(db, 'keys', id))) return false;
      if (yield* update('keys', id, keySettings(changes))) yield* writeAudit(audit);
      return true;
    },
    rotateKey: function* ({ id, until, successor }, audit) {
      const state = yield* locked(db, 'keys', id);
      if (!state) return 'unknown';
      if (state.revoked_at !== null) return 'revoked';
      if (state.replaced_by !== null) return 'replaced';
      const { id: newId, hash, lastFour, createdAt, expiresAt } = successor;
      yield sql(COPY, id, newId, hash, lastFour, createdAt, expiresAt);
      yield sql(REPLACE, id, newId, until);
      yield* writeAudit(audit);
      return 'rotated';
    },
    revokeKey: (id, audit) => revoke(db, 'keys', id, audit),
    ...accountPlans(db),
    ...adminKeyPlans(db),
    note: (audit) => writeAudit(audit),
    listAudit: function* ({ limit, before = Number.MAX_SAFE_INTEGER }) {
      const page = 'SELECT id, actor, action, target, details, created_at FROM audit WHERE id < ?1 ORDER BY id DESC LIMIT ?2';
      return (yield sql(page, before, limit)).map(asAudit);
    },
  }),
);

export const accessRoom = {
  ...room,
  onPostgres(postgres: Postgres): AccessStore {
    const store = room.onPostgres(postgres);
    return {
      ...store,
      // Refreshing all keys in use takes few round trips.
      findKey: batched(postgres, { send: (hashes: readonly Buffer[]) => findAll(postgres, hashes) }),
      // Another process may have taken the name in between.
      editAccount: (...args) =>
        store.editAccount(...args).catch((error: unknown) => {
          if (isTaken(error)) return 'name_taken';
          throw error;
        }),
    };
  },
};

const BY_HASHES = { name: 'keys', text: `${KEYS} WHERE hash = ANY ($1::BYTEA[])` };

async function findAll(postgres: Postgres, hashes: readonly Buffer[]): Promise<readonly (KeyRecord | undefined)[]> {
  const rows = await postgres.query(BY_HASHES, [hashes]);
  // `as`: the column has the type BYTEA.
  const found = new Map(rows.map((row) => [(row.hash as Buffer).toString('hex'), asKey(row)]));
  return hashes.map((hash) => found.get(hash.toString('hex')));
}
