/** The keys of operators on the embedded database. */
import type { DatabaseSync } from 'node:sqlite';
import { type AuditEntry, openAudit } from '../../storage/audit.ts';
import { readRole } from '../roles.ts';
import { number, numberOrNull, type Row, text } from '../rows.ts';
import type { AdminKeyRecord, Revocation } from '../store.ts';
import { prepare } from './rows.ts';

const SELECT_ADMIN_KEYS = 'SELECT id, name, role, created_at, revoked_at FROM admin_keys';

export function openAdminKeyReads(connection: DatabaseSync) {
  const byHash = prepare(connection, `${SELECT_ADMIN_KEYS} WHERE hash = ?`);
  const byId = prepare(connection, `${SELECT_ADMIN_KEYS} WHERE id = ?`);
  const all = prepare(connection, `${SELECT_ADMIN_KEYS} ORDER BY created_at, id`);
  return {
    findAdminKey: (hash: Buffer): AdminKeyRecord | undefined => byHash.all(hash).map(asAdminKey)[0],
    findAdminKeyById: (id: string): AdminKeyRecord | undefined => byId.all(id).map(asAdminKey)[0],
    listAdminKeys: (): readonly AdminKeyRecord[] => all.all().map(asAdminKey),
  };
}

export interface NewAdminKey {
  readonly key: AdminKeyRecord & { readonly hash: Buffer };
  readonly audit: AuditEntry;
}

export function openAdminKeySteps(connection: DatabaseSync) {
  const insert = prepare(connection, 'INSERT INTO admin_keys (id, name, role, hash, created_at, revoked_at) VALUES (?, ?, ?, ?, ?, ?)');
  const stateOf = prepare(connection, 'SELECT revoked_at FROM admin_keys WHERE id = ?');
  const revoke = prepare(connection, 'UPDATE admin_keys SET revoked_at = ? WHERE id = ?');
  const write = openAudit(connection);
  return {
    addAdminKey({ key: { id, name, role, hash, createdAt, revokedAt }, audit }: NewAdminKey): void {
      insert.run(id, name, role, hash, createdAt, revokedAt);
      write(audit);
    },
    revokeAdminKey({ id, audit }: { readonly id: string; readonly audit: AuditEntry }): Revocation {
      const state = stateOf.get(id);
      if (state === undefined) return 'unknown';
      if (state.revoked_at !== null) return 'already_revoked';
      revoke.run(audit.at, id);
      write(audit);
      return 'revoked';
    },
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
