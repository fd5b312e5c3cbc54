/** Sessions on PostgreSQL: whoever signs in at one process is known at all of them. */

import { canBeKept, number, type Row, text, textOrNull } from '../storage/postgres/connections.ts';
import type { Postgres } from '../storage/postgres/pool.ts';
import { writeAudit } from '../storage/postgres/statements.ts';
import { asPerson, personColumns, type SessionRecord, type SessionStore } from './sessions.ts';

const COLUMNS = 'id, kind, key_id, created_at, seen_at, expires_at, issuer, subject, name, role';

const insert = { text: `INSERT INTO sessions (${COLUMNS}, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)` };
const byHash = { text: `SELECT ${COLUMNS} FROM sessions WHERE hash = $1` };
const ofKind = { text: `SELECT ${COLUMNS} FROM sessions WHERE kind = $1 ORDER BY created_at, id` };
const touch = { text: 'UPDATE sessions SET seen_at = $1 WHERE id = $2' };
const take = { text: `DELETE FROM sessions WHERE kind = $1 AND hash = $2 RETURNING ${COLUMNS}` };
const end = { text: 'DELETE FROM sessions WHERE kind = $1 AND id = $2 RETURNING id' };
const sweep = { text: 'DELETE FROM sessions WHERE expires_at <= $1 OR seen_at <= $2' };

export function openPostgresSessions(postgres: Postgres): SessionStore {
  return {
    add: ({ id, kind, keyId, createdAt, seenAt, expiresAt, person, hash }, audit) =>
      postgres.transaction('write', async (queries) => {
        await queries.query(insert, [id, kind, keyId, createdAt, seenAt, expiresAt, ...personColumns(person), hash]);
        await writeAudit(queries, audit);
      }),
    find: async (hash) => (await postgres.query(byHash, [hash])).map(asSession)[0],
    list: async (kind) => (await postgres.work(ofKind, [kind])).map(asSession),
    async touch(id, at) {
      await postgres.query(touch, [at, id]);
    },
    take: (kind, hash) => postgres.transaction('write', async (queries) => (await queries.query(take, [kind, hash])).map(asSession)[0]),
    end: (kind, id, audit) =>
      postgres.transaction('write', async (queries) => {
        if (!canBeKept(id) || (await queries.query(end, [kind, id])).length === 0) return false;
        await writeAudit(queries, audit);
        return true;
      }),
    async sweep({ expired, idle }) {
      await postgres.work(sweep, [expired, idle]);
    },
  };
}

const asSession = (row: Row): SessionRecord => ({
  id: text(row.id),
  // `as`: the table allows only these kinds.
  kind: text(row.kind) as SessionRecord['kind'],
  keyId: textOrNull(row.key_id),
  createdAt: number(row.created_at),
  seenAt: number(row.seen_at),
  expiresAt: number(row.expires_at),
  person: asPerson(row),
});
