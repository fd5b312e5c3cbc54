/** Sessions in the database: a browser that is signed in to one process is signed in to all of them. */
import { writeAudit } from '../storage/audit.ts';
import { openRoom, sql } from '../storage/plan.ts';
import { number, type Row, text, textOrNull } from '../storage/rows.ts';
import { asPerson, personColumns, type SessionRecord, type SessionStore } from './sessions.ts';

const COLUMNS = 'id, kind, key_id, created_at, seen_at, expires_at, issuer, subject, name, role';

export const sessionRoom = openRoom<SessionStore>(
  'sessions',
  { reads: ['find', 'list'], noTransaction: ['touch', 'take', 'sweep'] },
  () => ({
    add: function* ({ id, kind, keyId, createdAt, seenAt, expiresAt, person, hash }, audit) {
      const values = [id, kind, keyId, createdAt, seenAt, expiresAt, ...personColumns(person), hash];
      yield sql(`INSERT INTO sessions (${COLUMNS}, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)`, ...values);
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
    take: function* (kind, hash) {
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
  id: text(row.id),
  // `as`: the table allows only these kinds.
  kind: text(row.kind) as SessionRecord['kind'],
  keyId: textOrNull(row.key_id),
  createdAt: number(row.created_at),
  seenAt: number(row.seen_at),
  expiresAt: number(row.expires_at),
  person: asPerson(row),
});
