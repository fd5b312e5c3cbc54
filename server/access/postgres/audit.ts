/** Who changed what, on PostgreSQL: written in the transaction that made the change, and never changed itself. */
import type { Postgres, Queries } from '../../storage/postgres/pool.ts';
import { asAudit, detailsText } from '../rows.ts';
import type { AccessStore, AuditEntry } from '../store.ts';

const insert = { text: 'INSERT INTO audit (actor, action, target, details, created_at) VALUES ($1, $2, $3, $4, $5)' };
const page = { text: 'SELECT id, actor, action, target, details, created_at FROM audit WHERE id < $1 ORDER BY id DESC LIMIT $2' };

export async function writeAudit(queries: Queries, { actor, action, target, details, at }: AuditEntry): Promise<void> {
  await queries.query(insert, [actor, action, target, detailsText(details), at]);
}

export function openAudit(postgres: Postgres): Pick<AccessStore, 'note' | 'listAudit'> {
  return {
    note: (audit) => postgres.transaction('write', (queries) => writeAudit(queries, audit)),
    listAudit: async ({ limit, before = Number.MAX_SAFE_INTEGER }) => (await postgres.work(page, [before, limit])).map(asAudit),
  };
}
