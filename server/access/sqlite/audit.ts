/** Who changed what, on the embedded database: written in the step that made the change, and never changed itself. */
import type { DatabaseSync } from 'node:sqlite';
import { type AuditRecord, asAudit, detailsText } from '../rows.ts';
import type { AuditEntry } from '../store.ts';
import { prepare } from './rows.ts';

export function openAudit(connection: DatabaseSync): (entry: AuditEntry) => void {
  const insert = prepare(connection, 'INSERT INTO audit (actor, action, target, details, created_at) VALUES (?, ?, ?, ?, ?)');
  return ({ actor, action, target, details, at }) => {
    insert.run(actor, action, target, detailsText(details), at);
  };
}

export function openAuditReads(connection: DatabaseSync) {
  const page = prepare(connection, 'SELECT * FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?');
  return {
    listAudit: ({ limit, before = Number.MAX_SAFE_INTEGER }: { readonly limit: number; readonly before?: number }): AuditRecord[] =>
      page.all(before, limit).map(asAudit),
  };
}
