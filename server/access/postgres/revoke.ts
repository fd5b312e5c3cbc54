/** Revokes a key of a caller or an operator, once, on PostgreSQL. */
import type { AuditEntry } from '../../storage/audit.ts';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Postgres } from '../../storage/postgres/pool.ts';
import type { Revocation } from '../store.ts';
import { locked, update } from './changes.ts';

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
