/** The audit log on PostgreSQL: an entry is written in the transaction that makes the change. */
import { type AuditEntry, detailsText } from '../audit.ts';
import type { Queries } from './pool.ts';

const insert = { text: 'INSERT INTO audit (actor, action, target, details, created_at) VALUES ($1, $2, $3, $4, $5)' };

export async function writeAudit(queries: Queries, { actor, action, target, details, at }: AuditEntry): Promise<void> {
  await queries.query(insert, [actor, action, target, detailsText(details), at]);
}
