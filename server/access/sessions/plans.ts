/** The database methods for sessions. A browser that is signed in to one process is signed in to all of them. */

import { adminRoleNames } from '../../../contract/admin/roles.ts';
import { writeAudit } from '../../store/audit.ts';
import { defineStore, sql } from '../../store/plan.ts';
import { type Row, readNumber, readText, readTextOrNull } from '../../store/rows.ts';
import type { Person, SessionRecord, SessionStore } from './store.ts';

const COLUMNS = 'id, kind, key_id, created_at, seen_at, expires_at, issuer, subject, name, role, address, browser';

export const sessionStoreDefinition = defineStore<SessionStore>(
  'sessions',
  { reads: ['find', 'list'], noTransaction: ['touch', 'consume', 'sweep'] },
  () => ({
    add: function* ({ id, kind, keyId, createdAt, seenAt, expiresAt, person, address, browser, hash }, audit) {
      const values = [id, kind, keyId, createdAt, seenAt, expiresAt, ...toPersonColumns(person), address, browser, hash];
      yield sql(`INSERT INTO sessions (${COLUMNS}, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)`, ...values);
      yield* writeAudit(audit);
    },
    find: function* (hash) {
      return (yield sql(`SELECT ${COLUMNS} FROM sessions WHERE hash = ?1`, hash)).map(toSession)[0];
    },
    list: function* (kind) {
      return (yield sql(`SELECT ${COLUMNS} FROM sessions WHERE kind = ?1 ORDER BY created_at, id`, kind)).map(toSession);
    },
    touch: function* (id, at) {
      yield sql('UPDATE sessions SET seen_at = ?1 WHERE id = ?2', at, id);
    },
    consume: function* (kind, hash) {
      return (yield sql(`DELETE FROM sessions WHERE kind = ?1 AND hash = ?2 RETURNING ${COLUMNS}`, kind, hash)).map(toSession)[0];
    },
    end: function* (kind, id, audit) {
      if ((yield sql('DELETE FROM sessions WHERE kind = ?1 AND id = ?2 RETURNING id', kind, id)).length === 0) return false;
      yield* writeAudit(audit);
      return true;
    },
    sweep: function* ({ expired, idle }) {
      yield sql('DELETE FROM sessions WHERE expires_at <= ?1 OR seen_at <= ?2', expired, idle);
    },
  }),
);

const toSession = (row: Row): SessionRecord => ({
  id: readText(row.id),
  // `as`: the table allows only these kinds.
  kind: readText(row.kind) as SessionRecord['kind'],
  keyId: readTextOrNull(row.key_id),
  createdAt: readNumber(row.created_at),
  seenAt: readNumber(row.seen_at),
  expiresAt: readNumber(row.expires_at),
  person: toPerson(row),
  address: readTextOrNull(row.address),
  browser: readTextOrNull(row.browser),
});

type PersonRow = Readonly<Record<string, unknown>>;

/** In column order: issuer, subject, name, role. */
const toPersonColumns = (person: Person | null): readonly [string | null, string | null, string | null, string | null] =>
  person === null ? [null, null, null, null] : [person.issuer, person.subject, person.name, person.role];

function toPerson({ issuer, subject, name, role }: PersonRow): Person | null {
  if (issuer === null || subject === null) return null;
  // Treats roles of later versions as read-only.
  const knownRole = adminRoleNames.find((one) => one === role) ?? 'viewer';
  return { issuer: String(issuer), subject: String(subject), name: String(name), role: knownRole };
}
