/** Who changed what, on the embedded database: written in the step that made the change, and never changed itself. */
import type { DatabaseSync } from 'node:sqlite';
import { number, type Row, text } from '../rows.ts';
import type { AuditEntry } from '../store.ts';
import { prepare } from './rows.ts';

export type AuditRecord = AuditEntry & { readonly id: number };

export function openAudit(connection: DatabaseSync): (entry: AuditEntry) => void {
  const insert = prepare(connection, 'INSERT INTO audit (actor, action, target, details, created_at) VALUES (?, ?, ?, ?, ?)');
  return ({ actor, action, target, details, at }) => {
    insert.run(actor, action, target, JSON.stringify(details, inJson), at);
  };
}

export function openAuditReads(connection: DatabaseSync) {
  const page = prepare(connection, 'SELECT * FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?');
  return {
    listAudit: ({ limit, before = Number.MAX_SAFE_INTEGER }: { readonly limit: number; readonly before?: number }): AuditRecord[] =>
      page.all(before, limit).map(asAudit),
  };
}

/** Money is told as its digits: a number of JSON loses some. */
function inJson(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

function asAudit(row: Row): AuditRecord {
  return {
    id: number(row.id),
    actor: text(row.actor),
    action: text(row.action),
    target: text(row.target),
    details: JSON.parse(text(row.details)),
    at: number(row.created_at),
  };
}
