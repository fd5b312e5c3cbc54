/** The audit log on PostgreSQL: reads it, and adds entries for changes outside of the database. */
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Postgres } from '../../storage/postgres/pool.ts';
import { asAudit } from '../rows.ts';
import type { AccessStore } from '../store.ts';

const page = { text: 'SELECT id, actor, action, target, details, created_at FROM audit WHERE id < $1 ORDER BY id DESC LIMIT $2' };

export function openAudit(postgres: Postgres): Pick<AccessStore, 'note' | 'listAudit'> {
  return {
    note: (audit) => postgres.transaction('write', (queries) => writeAudit(queries, audit)),
    listAudit: async ({ limit, before = Number.MAX_SAFE_INTEGER }) => (await postgres.work(page, [before, limit])).map(asAudit),
  };
}
