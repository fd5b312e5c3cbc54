/** Sessions on the embedded database. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { type AuditEntry, openAudit } from '../storage/audit.ts';
import type { StepRunner } from '../storage/sqlite/database.ts';
import {
  asPerson,
  type NewSession,
  personColumns,
  type SessionKind,
  type SessionRecord,
  type SessionStore,
  type SetupKind,
} from './sessions.ts';

const COLUMNS = 'id, kind, key_id, created_at, seen_at, expires_at, issuer, subject, name, role';

/** The writes, on one connection; none of them begins or ends a transaction. */
export type SessionSteps = ReturnType<typeof openSessionSteps>;

export function openSessionSteps(connection: DatabaseSync) {
  const insert = connection.prepare(`INSERT INTO sessions (${COLUMNS}, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const touch = connection.prepare('UPDATE sessions SET seen_at = ? WHERE id = ?');
  const take = connection.prepare(`DELETE FROM sessions WHERE kind = ? AND hash = ? RETURNING ${COLUMNS}`);
  const end = connection.prepare('DELETE FROM sessions WHERE kind = ? AND id = ?');
  const sweep = connection.prepare('DELETE FROM sessions WHERE expires_at <= ? OR seen_at <= ?');
  const write = openAudit(connection);
  return {
    addSession({ session, audit }: { readonly session: NewSession; readonly audit: AuditEntry }): void {
      const { id, kind, keyId, createdAt, seenAt, expiresAt, person, hash } = session;
      insert.run(id, kind, keyId, createdAt, seenAt, expiresAt, ...personColumns(person), hash);
      write(audit);
    },
    touchSession({ id, at }: { readonly id: string; readonly at: number }): void {
      touch.run(at, id);
    },
    takeSetup: ({ kind, hash }: { readonly kind: SetupKind; readonly hash: Buffer }): SessionRecord | undefined =>
      asSession(take.get(kind, hash)),
    endSession({ kind, id, audit }: { readonly kind: SessionKind; readonly id: string; readonly audit: AuditEntry }): boolean {
      if (Number(end.run(kind, id).changes) === 0) return false;
      write(audit);
      return true;
    },
    sweepSessions({ expired, idle }: { readonly expired: number; readonly idle: number }): void {
      sweep.run(expired, idle);
    },
  };
}

export interface SessionPlace {
  /** For reads. */
  readonly connection: DatabaseSync;
  readonly steps: Pick<StepRunner<SessionSteps>, 'run'>;
}

export function openSqliteSessions({ connection, steps }: SessionPlace): SessionStore {
  const byHash = connection.prepare(`SELECT ${COLUMNS} FROM sessions WHERE hash = ?`);
  const ofKind = connection.prepare(`SELECT ${COLUMNS} FROM sessions WHERE kind = ? ORDER BY created_at, id`);
  return {
    add: (session, audit) => steps.run('addSession', { session, audit }),
    find: async (hash) => asSession(byHash.get(hash)),
    list: async (kind) => ofKind.all(kind).flatMap((row) => asSession(row) ?? []),
    touch: (id, at) => steps.run('touchSession', { id, at }),
    take: (kind, hash) => steps.run('takeSetup', { kind, hash }),
    end: (kind, id, audit) => steps.run('endSession', { kind, id, audit }),
    sweep: (times) => steps.run('sweepSessions', times),
  };
}

function asSession(row: Record<string, SQLOutputValue> | undefined): SessionRecord | undefined {
  return (
    row && {
      id: String(row.id),
      // `as`: the table allows only these kinds.
      kind: row.kind as SessionRecord['kind'],
      keyId: row.key_id === null ? null : String(row.key_id),
      createdAt: Number(row.created_at),
      seenAt: Number(row.seen_at),
      expiresAt: Number(row.expires_at),
      person: asPerson(row),
    }
  );
}
