/** Idempotency keys on PostgreSQL: of many processes, exactly one claims a key (F40). */

import { MAX_SWEPT } from '../storage/audit.ts';
import { type Row, text } from '../storage/postgres/connections.ts';
import type { Postgres } from '../storage/postgres/pool.ts';
import type { Claim, Claimed, IdempotencyStore } from './store.ts';

/** The clock of the server: a wrong clock of one machine would delete the answers of all. */
const time = (given: string): string => `coalesce(${given}::BIGINT, (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT)`;

/** Also claims a key whose process died: its hold has expired. Not when that request was charged before its process died, or late (node ''). */
const claimSql = {
  name: 'claim_key',
  text: `
    INSERT INTO idempotency AS i (account_id, idempotency_key, fingerprint, request_id, node, created_at) VALUES ($1, $2, $3, $4, $5, ${time('$6')})
    ON CONFLICT (account_id, idempotency_key) DO UPDATE
      SET request_id = excluded.request_id, node = excluded.node, created_at = excluded.created_at
      WHERE i.fingerprint = excluded.fingerprint AND i.answer IS NULL AND i.node <> excluded.node AND i.node <> '' AND i.node NOT IN (SELECT id FROM nodes)
        AND NOT EXISTS (SELECT 1 FROM charges AS c WHERE c.request_id = i.request_id AND c.state = 'posted')
    RETURNING request_id`,
};
const find = {
  text: 'SELECT fingerprint, request_id, content_type, answer FROM idempotency WHERE account_id = $1 AND idempotency_key = $2',
};
const keep = {
  text: 'UPDATE idempotency SET content_type = $1, answer = $2 WHERE account_id = $3 AND idempotency_key = $4 AND request_id = $5',
};
const release = {
  text: 'DELETE FROM idempotency WHERE account_id = $1 AND idempotency_key = $2 AND request_id = $3 AND answer IS NULL',
};
const sweep = {
  text: `
    DELETE FROM idempotency WHERE (account_id, idempotency_key) IN (
      SELECT account_id, idempotency_key FROM idempotency WHERE created_at < ${time('$2')} - $1::BIGINT
      ORDER BY created_at LIMIT ${MAX_SWEPT} FOR UPDATE SKIP LOCKED
    ) RETURNING 1`,
};

export function openPostgresIdempotency(postgres: Postgres): IdempotencyStore {
  return {
    async claim(claim) {
      const { accountId, key, fingerprint, requestId, node, at } = claim;
      for (;;) {
        const claimed = await postgres.query(claimSql, [accountId, key, fingerprint, requestId, node, at ?? null]);
        if (claimed.length > 0) return { kind: 'claimed' };
        const [row] = await postgres.query(find, [accountId, key]);
        // It was released in between, so it is free again.
        if (row) return asClaimed(row, claim);
      }
    },
    async keep({ accountId, key, requestId }, { contentType, bytes }) {
      await postgres.work(keep, [contentType, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), accountId, key, requestId]);
    },
    async release({ accountId, key, requestId }) {
      await postgres.query(release, [accountId, key, requestId]);
    },
    sweep: async (olderThanMs, at) => (await postgres.work(sweep, [olderThanMs, at ?? null])).length,
  };
}

function asClaimed({ fingerprint, request_id: requestId, content_type: contentType, answer }: Row, claim: Claim): Claimed {
  if (fingerprint !== claim.fingerprint) return { kind: 'other_request' };
  if (!(answer instanceof Uint8Array)) return { kind: 'running' };
  return { kind: 'answered', requestId: text(requestId), answer: { contentType: text(contentType), bytes: answer } };
}
