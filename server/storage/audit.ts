/** The audit log: the entry about a change is written in the transaction that makes the change. */
import type { DatabaseSync } from 'node:sqlite';

/** `details` holds no secret. */
export interface AuditEntry {
  readonly actor: string;
  /** `key.create`, `account.edit`, … */
  readonly action: string;
  /** Id of what was changed. */
  readonly target: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly at: number;
}

/** A change with its audit entry; absent when the gateway itself made the change. */
export interface Audited {
  readonly audit?: AuditEntry | undefined;
}

/** Money is written as a string of digits: a JSON number would lose some. */
export const detailsText = (details: AuditEntry['details']): string =>
  JSON.stringify(details, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

/** For steps on the embedded database, which run inside a transaction. */
export function openAudit(connection: DatabaseSync): (entry: AuditEntry) => void {
  const insert = connection.prepare('INSERT INTO audit (actor, action, target, details, created_at) VALUES (?, ?, ?, ?, ?)');
  return ({ actor, action, target, details, at }) => {
    insert.run(actor, action, target, detailsText(details), at);
  };
}
