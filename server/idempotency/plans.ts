/** Idempotency keys in the database: of many processes, exactly one claims a key (F40). */
import { MAX_SWEPT } from '../storage/audit.ts';
import { type Dialect, hot, openRoom, sql } from '../storage/plan.ts';
import { type Row, text } from '../storage/rows.ts';
import type { Claim, Claimed, IdempotencyStore } from './store.ts';

/** Also claims a key whose process died: its hold has expired. Not when that request was charged before its process died, or late (node ''). */
const claimSql = ({ now }: Dialect): string => `
  INSERT INTO idempotency AS i (account_id, idempotency_key, fingerprint, request_id, node, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ${now('?6')})
  ON CONFLICT (account_id, idempotency_key) DO UPDATE
    SET request_id = excluded.request_id, node = excluded.node, created_at = excluded.created_at
    WHERE i.fingerprint = excluded.fingerprint AND i.answer IS NULL AND i.node <> excluded.node AND i.node <> '' AND i.node NOT IN (SELECT id FROM nodes)
      AND NOT EXISTS (SELECT 1 FROM charges AS c WHERE c.request_id = i.request_id AND c.state = 'posted')
  RETURNING request_id`;
const FIND = 'SELECT fingerprint, request_id, content_type, answer FROM idempotency WHERE account_id = ?1 AND idempotency_key = ?2';
const KEEP = 'UPDATE idempotency SET content_type = ?1, answer = ?2 WHERE account_id = ?3 AND idempotency_key = ?4 AND request_id = ?5';
const RELEASE = 'DELETE FROM idempotency WHERE account_id = ?1 AND idempotency_key = ?2 AND request_id = ?3 AND answer IS NULL';
const sweepSql = ({ now, lockFree }: Dialect): string => `
  DELETE FROM idempotency WHERE (account_id, idempotency_key) IN (
    SELECT account_id, idempotency_key FROM idempotency WHERE created_at < ${now('?2')} - CAST(?1 AS BIGINT)
    ORDER BY created_at LIMIT ${MAX_SWEPT} ${lockFree}
  ) RETURNING 1`;

export const idempotencyRoom = openRoom<IdempotencyStore>(
  'idempotency',
  { reads: [], noTransaction: ['claim', 'keep', 'release', 'sweep'] },
  (db) => ({
    claim: function* (claim) {
      const { accountId, key, fingerprint, requestId, node, at = null } = claim;
      for (;;) {
        if ((yield hot('claim_key', claimSql(db), accountId, key, fingerprint, requestId, node, at)).length > 0) return { kind: 'claimed' };
        const [row] = yield hot('claimed_key', FIND, accountId, key);
        // Without one it was released in between, so it is free again.
        if (row) return toClaimed(row, claim);
      }
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

function toClaimed({ fingerprint, request_id: requestId, content_type: contentType, answer }: Row, claim: Claim): Claimed {
  if (fingerprint !== claim.fingerprint) return { kind: 'other_request' };
  if (!(answer instanceof Uint8Array)) return { kind: 'running' };
  return { kind: 'answered', requestId: text(requestId), answer: { contentType: text(contentType), bytes: answer } };
}
