/** Idempotency keys in the database: of many processes, exactly one claims a key (F40). */
import { MAX_SWEPT } from '../storage/audit.ts';
import { type Dialect, hot, openRoom, sql } from '../storage/plan.ts';
import { flag, type Row, text } from '../storage/rows.ts';
import type { Claim, Found, IdempotencyStore } from './store.ts';

/**
 * Whether the key `i` may be claimed again for the same request: what had it came to nothing. Whether it did, its charge says; without one, whether its
 * process is dead.
 */
export const isFree = (i: string): string => `
  ${i}.answer IS NULL AND coalesce((SELECT c.state IN ('voided', 'expired') FROM charges AS c WHERE c.request_id = ${i}.request_id),
    ${i}.node NOT IN (SELECT id FROM nodes))`;
/** For calls that hold no money; with the others, the hold claims it. */
const claimSql = ({ now }: Dialect): string => `
  INSERT INTO idempotency AS i (account_id, idempotency_key, fingerprint, request_id, node, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ${now('?6')})
  ON CONFLICT (account_id, idempotency_key) DO UPDATE
    SET request_id = excluded.request_id, node = excluded.node, created_at = excluded.created_at
    WHERE i.fingerprint = excluded.fingerprint AND i.node <> excluded.node AND ${isFree('i')}
  RETURNING request_id`;
const FIND = `
  SELECT fingerprint, request_id, content_type, answer, ${isFree('i')} AS is_free FROM idempotency AS i
  WHERE account_id = ?1 AND idempotency_key = ?2`;
const KEEP = 'UPDATE idempotency SET content_type = ?1, answer = ?2 WHERE account_id = ?3 AND idempotency_key = ?4 AND request_id = ?5';
const RELEASE = 'DELETE FROM idempotency WHERE account_id = ?1 AND idempotency_key = ?2 AND request_id = ?3 AND answer IS NULL';
const sweepSql = ({ now, lockFree }: Dialect): string => `
  DELETE FROM idempotency WHERE (account_id, idempotency_key) IN (
    SELECT account_id, idempotency_key FROM idempotency WHERE created_at < ${now('?2')} - CAST(?1 AS BIGINT)
    ORDER BY created_at LIMIT ${MAX_SWEPT} ${lockFree}
  ) RETURNING 1`;

export const idempotencyRoom = openRoom<IdempotencyStore>(
  'idempotency',
  { reads: ['find'], noTransaction: ['claim', 'keep', 'release', 'sweep'] },
  (db) => ({
    find: function* (claim) {
      const [row] = yield hot('claimed_key', FIND, claim.accountId, claim.key);
      return row ? toFound(row, claim) : { kind: 'free' };
    },
    claim: function* ({ accountId, key, fingerprint, requestId, node, at = null }) {
      return (yield hot('claim_key', claimSql(db), accountId, key, fingerprint, requestId, node, at)).length > 0;
    },
    keep: function* ({ accountId, key, requestId }, { contentType, bytes }) {
      yield sql(KEEP, contentType, bytes, accountId, key, requestId);
    },
    release: function* ({ accountId, key, requestId }) {
      yield hot('release_key', RELEASE, accountId, key, requestId);
    },
    sweep: function* (olderThanMs, at) {
      return (yield sql(sweepSql(db), olderThanMs, at ?? null)).length;
    },
  }),
);

function toFound(row: Row, claim: Claim): Found {
  const { fingerprint, request_id: requestId, content_type: contentType, answer } = row;
  if (fingerprint !== claim.fingerprint) return { kind: 'other_request' };
  if (flag(row.is_free)) return { kind: 'free' };
  if (!(answer instanceof Uint8Array)) return { kind: 'running' };
  return { kind: 'answered', requestId: text(requestId), answer: { contentType: text(contentType), bytes: answer } };
}
