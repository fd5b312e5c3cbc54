/** The keys of callers on PostgreSQL: found by HMAC, made, changed and revoked. */
import { writeAudit } from '../../storage/postgres/audit.ts';
import { batched } from '../../storage/postgres/batcher.ts';
import type { Postgres, Queries } from '../../storage/postgres/pool.ts';
import { canBeKept, number, text } from '../../storage/postgres/rows.ts';
import { ACCOUNT_COLUMNS, asKey, KEY_COLUMNS, keySettings, type Row } from '../rows.ts';
import type { AccessStore, KeyRecord, MadeKeyRecord, NewKeyRecord } from '../store.ts';
import { insert, locked, update } from './changes.ts';
import { revoke } from './revoke.ts';

const selectKeys = `SELECT ${KEY_COLUMNS}, ${ACCOUNT_COLUMNS} FROM keys JOIN accounts ON accounts.id = keys.account_id`;
const OLDEST_FIRST = 'ORDER BY keys.created_at, keys.place';
const byHashes = { name: 'keys', text: `${selectKeys} WHERE hash = ANY ($1::BYTEA[])` };
const byId = { text: `${selectKeys} WHERE keys.id = $1` };
const all = { text: `${selectKeys} ${OLDEST_FIRST}` };
const ofAccount = { text: `${selectKeys} WHERE keys.account_id = $1 ${OLDEST_FIRST}` };
const any = { text: 'SELECT 1 FROM keys LIMIT 1' };
const made = {
  text: `SELECT count(*) AS count FROM keys WHERE account_id = $1 AND made_by IS NOT NULL AND revoked_at IS NULL AND replaced_by IS NULL
    AND (expires_at IS NULL OR expires_at > $2)`,
};
/** Prevents other inserts of keys until the end of the transaction. */
const queue = { text: 'LOCK TABLE keys IN SHARE ROW EXCLUSIVE MODE' };
const accountByName = { text: 'SELECT id FROM accounts WHERE name = $1' };

type Keys = 'findKey' | 'findKeyById' | 'hasKeys' | 'listKeys' | 'addKey' | 'makeKey' | 'addFirstKey' | 'editKey' | 'revokeKey';

export function openKeys(postgres: Postgres): Pick<AccessStore, Keys> {
  return {
    findKey: batched(postgres, { send: (hashes: readonly Buffer[]) => findAll(postgres, hashes) }),
    findKeyById: async (id) => (canBeKept(id) ? asKeys(await postgres.query(byId, [id]))[0] : undefined),
    hasKeys: async () => (await postgres.query(any)).length > 0,
    listKeys: async (accountId) => asKeys(await (accountId === undefined ? postgres.work(all) : postgres.work(ofAccount, [accountId]))),
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

const asKeys = (rows: readonly Row[]): readonly KeyRecord[] => rows.map(asKey);

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
