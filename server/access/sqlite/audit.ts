/** Reads the audit log on the embedded database. */
import type { DatabaseSync } from 'node:sqlite';
import { type AuditRecord, asAudit } from '../rows.ts';
import { prepare } from './rows.ts';

export function openAuditReads(connection: DatabaseSync) {
  const page = prepare(connection, 'SELECT * FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?');
  return {
    listAudit: ({ limit, before = Number.MAX_SAFE_INTEGER }: { readonly limit: number; readonly before?: number }): AuditRecord[] =>
      page.all(before, limit).map(asAudit),
  };
}
