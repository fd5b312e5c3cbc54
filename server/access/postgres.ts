/** Accounts and keys on PostgreSQL: a change and its audit entry are one transaction, and every process sees it at its next read. */

import { adjust } from '../ledger/postgres/accounts.ts';
import type { AuditEntry } from '../storage/audit.ts';
import { canBeKept, number, numberOrNull, type Row, text, type Value } from '../storage/postgres/connections.ts';
import { isTaken } from '../storage/postgres/outage.ts';
import type { Postgres, Queries } from '../storage/postgres/pool.ts';
import { batched, writeAudit } from '../storage/postgres/statements.ts';
import { readRole } from './permissions.ts';
import {
  ACCOUNT_COLUMNS,
  type AccessRow,
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
  type Rotation,
} from './store.ts';

export function openPostgresStore(postgres: Postgres): AccessStore {
  return {
    ...openKeys(postgres),
    ...openRotation(postgres),
    ...openAccounts(postgres),
    ...openAdminKeys(postgres),
    ...openAudit(postgres),
    ...openFingerprint(postgres),
  };
}

const selectKeys = `SELECT ${KEY_COLUMNS}, ${ACCOUNT_COLUMNS} FROM keys JOIN accounts ON accounts.id = keys.account_id`;
const OLDEST_FIRST = 'ORDER BY keys.created_at, keys.place';
const byHashes = { name: 'keys', text: `${selectKeys} WHERE hash = ANY ($1::BYTEA[])` };
const keyById = { text: `${selectKeys} WHERE keys.id = $1` };
const allKeys = { text: `${selectKeys} ${OLDEST_FIRST}` };
const ofAccount = { text: `${selectKeys} WHERE keys.account_id = $1 ${OLDEST_FIRST}` };
const any = { text: 'SELECT 1 FROM keys LIMIT 1' };
/** Each change writes its entry. One that is committed after a later one changes the count. */
const latestChanges = {
  name: 'latest_changes',
  text: `SELECT newest, (SELECT count(*) FROM audit WHERE id > newest - 1000) AS recent FROM (SELECT coalesce(max(id), 0) AS newest FROM audit) AS top`,
};
const made = {
  text: `SELECT count(*) AS count FROM keys WHERE account_id = $1 AND made_by IS NOT NULL AND revoked_at IS NULL AND replaced_by IS NULL
    AND (expires_at IS NULL OR expires_at > $2)`,
};
/** Prevents other inserts of keys until the end of the transaction. */
const queue = { text: 'LOCK TABLE keys IN SHARE ROW EXCLUSIVE MODE' };
const accountByName = { text: 'SELECT id FROM accounts WHERE name = $1' };

type Keys = 'changes' | 'findKey' | 'findKeyById' | 'hasKeys' | 'listKeys' | 'addKey' | 'makeKey' | 'addFirstKey' | 'editKey' | 'revokeKey';

export function openKeys(postgres: Postgres): Pick<AccessStore, Keys> {
  return {
    async changes() {
      const [row] = await postgres.query(latestChanges);
      return `${row?.newest}/${row?.recent}`;
    },
    findKey: batched(postgres, { send: (hashes: readonly Buffer[]) => findAll(postgres, hashes) }),
    findKeyById: async (id) => (canBeKept(id) ? asKeys(await postgres.query(keyById, [id]))[0] : undefined),
    hasKeys: async () => (await postgres.query(any)).length > 0,
    listKeys: async (accountId) => asKeys(await (accountId === undefined ? postgres.work(allKeys) : postgres.work(ofAccount, [accountId]))),
    addKey: (key, audit) =>
      postgres.transaction('write', async (queries) => {
        const added = await add(queries, key);
        await writeAudit(queries, audit);
        return added;
      }),
    makeKey: (key, most, audit) =>
      postgres.transaction('write', async (queries) => {
        // Of two at once, the second counts the first.
        await locked(queries, 'accounts', key.account.id);
        const maker = await locked(queries, 'keys', key.madeBy);
        if (!maker || maker.revoked_at !== null || maker.replaced_by !== null) return 'maker_gone';
        const [counted] = await queries.query(made, [key.account.id, key.createdAt]);
        if (number(counted?.count) >= most) return 'too_many';
        await add(queries, key);
        await writeAudit(queries, audit);
        return 'made';
      }),
    addFirstKey: (key, audit) =>
      postgres.transaction('write', async (queries) => {
        await queries.query(queue);
        if ((await queries.query(any)).length > 0) return false;
        await add(queries, key);
        await writeAudit(queries, audit);
        return true;
      }),
    editKey: (id, changes, audit) =>
      postgres.transaction('write', async (queries) => {
        if (!(await locked(queries, 'keys', id))) return false;
        if (await update(queries, 'keys', id, keySettings(changes))) await writeAudit(queries, audit);
        return true;
      }),
    revokeKey: (id, audit) => revoke(postgres, 'keys', { id, audit }),
  };
}

/** Refreshing all keys in use takes few round trips. */
async function findAll(postgres: Postgres, hashes: readonly Buffer[]): Promise<readonly (KeyRecord | undefined)[]> {
  const rows = await postgres.query(byHashes, [hashes]);
  // `as`: the column has the type BYTEA.
  const found = new Map(rows.map((row) => [(row.hash as Buffer).toString('hex'), asKey(row)]));
  return hashes.map((hash) => found.get(hash.toString('hex')));
}

const asKeys = (rows: readonly AccessRow[]): readonly KeyRecord[] => rows.map(asKey);

async function add(queries: Queries, key: NewKeyRecord & Partial<MadeKeyRecord>) {
  const { id, account, hash, lastFour, createdAt, madeBy = null, capOwner = null } = key;
  const columns = { id: account.id, name: account.name, group_name: account.group, created_at: createdAt };
  const made = await insert(queries, 'accounts', columns, 'ON CONFLICT (name) DO NOTHING RETURNING id');
  const [found] = made.length > 0 ? made : await queries.query(accountByName, [account.name]);
  const accountId = text(found?.id);
  const own = { id, account_id: accountId, hash, last_four: lastFour, created_at: createdAt, made_by: madeBy, cap_owner: capOwner };
  await insert(queries, 'keys', { ...own, ...keySettings(key) });
  return { accountId, isNewAccount: made.length > 0 };
}

const selectAccounts = `SELECT ${ACCOUNT_COLUMNS} FROM accounts`;
// An account with this id wins over an account with this name.
const oneAccount = { text: `${selectAccounts} WHERE id = $1 OR name = $1 ORDER BY (id = $1) DESC LIMIT 1` };
const allAccounts = { text: `${selectAccounts} ORDER BY created_at, place` };

export function openAccounts(postgres: Postgres): Pick<AccessStore, 'addAccount' | 'findAccount' | 'listAccounts' | 'editAccount'> {
  return {
    addAccount: (account, audit, opening) =>
      postgres.transaction('write', async (queries) => {
        const columns = { id: account.id, created_at: account.createdAt, ...accountSettings(account) };
        const added = await insert(queries, 'accounts', columns, 'ON CONFLICT (name) DO NOTHING RETURNING id');
        if (added.length === 0) return false;
        // An account without its opening balance must not exist: the error undoes both.
        if (opening && (await adjust(queries, opening)).kind !== 'adjusted') throw new RangeError('the opening balance cannot be booked');
        await writeAudit(queries, audit);
        return true;
      }),
    async findAccount(idOrName) {
      if (!canBeKept(idOrName)) return undefined;
      return (await postgres.query(oneAccount, [idOrName])).map(asAccount)[0];
    },
    listAccounts: async () => (await postgres.work(allAccounts)).map(asAccount),
    async editAccount(id, changes, audit) {
      try {
        return await postgres.transaction('write', async (queries) => {
          if (!(await locked(queries, 'accounts', id))) return 'unknown';
          if (await update(queries, 'accounts', id, accountSettings(changes))) await writeAudit(queries, audit);
          return 'edited';
        });
      } catch (error) {
        if (isTaken(error)) return 'name_taken';
        throw error;
      }
    },
  };
}

const SELECT_ADMIN_KEYS = 'SELECT id, name, role, created_at, revoked_at FROM admin_keys';
const byHash = { text: `${SELECT_ADMIN_KEYS} WHERE hash = $1` };
const adminKeyById = { text: `${SELECT_ADMIN_KEYS} WHERE id = $1` };
const allAdminKeys = { text: `${SELECT_ADMIN_KEYS} ORDER BY created_at, id` };

export function openAdminKeys(
  postgres: Postgres,
): Pick<AccessStore, 'findAdminKey' | 'findAdminKeyById' | 'listAdminKeys' | 'addAdminKey' | 'revokeAdminKey'> {
  return {
    findAdminKey: async (hash) => (await postgres.query(byHash, [hash])).map(asAdminKey)[0],
    findAdminKeyById: async (id) => (await postgres.query(adminKeyById, [id])).map(asAdminKey)[0],
    listAdminKeys: async () => (await postgres.work(allAdminKeys)).map(asAdminKey),
    addAdminKey: ({ id, name, role, hash, createdAt, revokedAt }, audit) =>
      postgres.transaction('write', async (queries) => {
        await insert(queries, 'admin_keys', { id, name, role, hash, created_at: createdAt, revoked_at: revokedAt });
        await writeAudit(queries, audit);
      }),
    revokeAdminKey: (id, audit) => revoke(postgres, 'admin_keys', { id, audit }),
  };
}

function asAdminKey(row: Row): AdminKeyRecord {
  return {
    id: text(row.id),
    name: text(row.name),
    role: readRole(text(row.role)),
    createdAt: number(row.created_at),
    revokedAt: numberOrNull(row.revoked_at),
  };
}

const COPIED = 'account_id, name, permissions, ip_ranges, limits, cap_micros, cap_period, made_by';
const copy = {
  text: `
    INSERT INTO keys (id, hash, last_four, created_at, expires_at, cap_owner, ${COPIED})
    SELECT $2, $3, $4, $5, $6, coalesce(cap_owner, id), ${COPIED} FROM keys WHERE id = $1`,
};
/** An earlier expiry stays. */
const end = { text: 'UPDATE keys SET replaced_by = $2, expires_at = least(expires_at, $3) WHERE id = $1' };

export function openRotation(postgres: Postgres): Pick<AccessStore, 'rotateKey'> {
  return {
    rotateKey: (rotation, audit) =>
      postgres.transaction('write', async (queries) => {
        const state = await locked(queries, 'keys', rotation.id);
        if (!state) return 'unknown';
        if (state.revoked_at !== null) return 'revoked';
        if (state.replaced_by !== null) return 'replaced';
        await replace(queries, rotation);
        await writeAudit(queries, audit);
        return 'rotated';
      }),
  };
}

async function replace(queries: Queries, { id, until, successor }: Rotation): Promise<void> {
  const { id: newId, hash, lastFour, createdAt, expiresAt } = successor;
  await queries.query(copy, [id, newId, hash, lastFour, createdAt, expiresAt]);
  await queries.query(end, [id, newId, until]);
}

type Table = 'keys' | 'accounts' | 'admin_keys';

/** Locks the row until the end of the transaction. */
export async function locked(queries: Queries, table: Table, id: string): Promise<Row | undefined> {
  if (!canBeKept(id)) return undefined;
  const [row] = await queries.query({ text: `SELECT * FROM ${table} WHERE id = $1 FOR NO KEY UPDATE` }, [id]);
  return row;
}

/** Returns whether there was anything to write. Column names come only from our code. */
export async function update(queries: Queries, table: Table, id: string, columns: Columns): Promise<boolean> {
  const names = Object.keys(columns);
  if (names.length === 0) return false;
  const assignments = names.map((name, index) => `${name} = $${index + 2}`).join(', ');
  await queries.query({ text: `UPDATE ${table} SET ${assignments} WHERE id = $1` }, [id, ...valuesOf(columns)]);
  return true;
}

export async function insert(queries: Queries, table: Table, columns: Columns, more = ''): Promise<readonly Row[]> {
  const names = Object.keys(columns);
  const places = names.map((_, index) => `$${index + 1}`).join(', ');
  return queries.query({ text: `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places}) ${more}` }, valuesOf(columns));
}

/** Texts, integers and hashes are the same on both engines. */
const valuesOf = (columns: Columns): Value[] => Object.values(columns) as Value[];

interface Order {
  readonly id: string;
  readonly audit: AuditEntry;
}

export function revoke(postgres: Postgres, table: 'keys' | 'admin_keys', { id, audit }: Order): Promise<Revocation> {
  return postgres.transaction('write', async (queries) => {
    const state = await locked(queries, table, id);
    if (!state) return 'unknown';
    if (state.revoked_at !== null) return 'already_revoked';
    await update(queries, table, id, { revoked_at: audit.at });
    await writeAudit(queries, audit);
    return 'revoked';
  });
}

const fingerprintSql = { text: 'SELECT fingerprint FROM pepper_fingerprint' };
const insertFingerprint = { text: 'INSERT INTO pepper_fingerprint (id, fingerprint) VALUES (1, $1) ON CONFLICT DO NOTHING' };

export function openFingerprint(postgres: Postgres): Pick<AccessStore, 'findFingerprint' | 'keepFingerprint'> {
  const findFingerprint = async () => bytesOrNone((await postgres.query(fingerprintSql))[0]?.fingerprint);
  return {
    findFingerprint,
    async keepFingerprint(fingerprint) {
      await postgres.query(insertFingerprint, [fingerprint]);
      return await findFingerprint();
    },
  };
}

const page = { text: 'SELECT id, actor, action, target, details, created_at FROM audit WHERE id < $1 ORDER BY id DESC LIMIT $2' };

export function openAudit(postgres: Postgres): Pick<AccessStore, 'note' | 'listAudit'> {
  return {
    note: (audit) => postgres.transaction('write', (queries) => writeAudit(queries, audit)),
    listAudit: async ({ limit, before = Number.MAX_SAFE_INTEGER }) => (await postgres.work(page, [before, limit])).map(asAudit),
  };
}
