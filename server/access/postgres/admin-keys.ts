/** The keys of operators on PostgreSQL. */
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Postgres } from '../../storage/postgres/pool.ts';
import { number, numberOrNull, type Row, text } from '../../storage/postgres/rows.ts';
import { readRole } from '../roles.ts';
import type { AccessStore, AdminKeyRecord } from '../store.ts';
import { insert } from './changes.ts';
import { revoke } from './revoke.ts';

const SELECT_ADMIN_KEYS = 'SELECT id, name, role, created_at, revoked_at FROM admin_keys';
const byHash = { text: `${SELECT_ADMIN_KEYS} WHERE hash = $1` };
const byId = { text: `${SELECT_ADMIN_KEYS} WHERE id = $1` };
const all = { text: `${SELECT_ADMIN_KEYS} ORDER BY created_at, id` };

export function openAdminKeys(
  postgres: Postgres,
): Pick<AccessStore, 'findAdminKey' | 'findAdminKeyById' | 'listAdminKeys' | 'addAdminKey' | 'revokeAdminKey'> {
  return {
    findAdminKey: async (hash) => (await postgres.query(byHash, [hash])).map(asAdminKey)[0],
    findAdminKeyById: async (id) => (await postgres.query(byId, [id])).map(asAdminKey)[0],
    listAdminKeys: async () => (await postgres.work(all)).map(asAdminKey),
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
