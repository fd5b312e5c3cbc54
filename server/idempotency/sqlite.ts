/** Idempotency keys on the embedded database. */
import type { DatabaseSync } from 'node:sqlite';
import { MAX_SWEPT } from '../storage/audit.ts';
import type { StepRunner } from '../storage/sqlite/database.ts';
import type { Claim, Claimed, IdempotencyStore, KeptAnswer } from './store.ts';

type Owner = Pick<Claim, 'accountId' | 'key' | 'requestId'>;

/** The operations on one connection; none of them begins or ends a transaction. */
export type IdempotencySteps = ReturnType<typeof openIdempotencySteps>;

export function openIdempotencySteps(connection: DatabaseSync) {
  const find = connection.prepare(
    'SELECT fingerprint, request_id, content_type, answer FROM idempotency WHERE account_id = ? AND idempotency_key = ?',
  );
  const insert = connection.prepare(
    'INSERT INTO idempotency (account_id, idempotency_key, fingerprint, request_id, node, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const answer = connection.prepare(
    'UPDATE idempotency SET content_type = ?, answer = ? WHERE account_id = ? AND idempotency_key = ? AND request_id = ?',
  );
  const remove = connection.prepare(
    'DELETE FROM idempotency WHERE account_id = ? AND idempotency_key = ? AND request_id = ? AND answer IS NULL',
  );
  const takeOver = connection.prepare(`
    UPDATE idempotency SET request_id = ?, node = ?, created_at = ?
    WHERE account_id = ? AND idempotency_key = ? AND node <> ? AND node NOT IN (SELECT id FROM nodes)
      AND NOT EXISTS (SELECT 1 FROM charges WHERE request_id = idempotency.request_id AND state = 'posted')`);
  const sweep = connection.prepare(`
    DELETE FROM idempotency WHERE (account_id, idempotency_key) IN (
      SELECT account_id, idempotency_key FROM idempotency WHERE created_at < ? ORDER BY created_at LIMIT ${MAX_SWEPT}
    )`);
  return {
    claimKey({ accountId, key, fingerprint, requestId, node, at = Date.now() }: Claim): Claimed {
      const row = find.get(accountId, key);
      if (row === undefined) {
        insert.run(accountId, key, fingerprint, requestId, node, at);
        return { kind: 'claimed' };
      }
      if (row.fingerprint !== fingerprint) return { kind: 'other_request' };
      if (!(row.answer instanceof Uint8Array)) {
        // The process with the claim is dead: its hold has expired, so this request may run. Not when that one was charged before its process died.
        const isOrphan = Number(takeOver.run(requestId, node, at, accountId, key, node).changes) === 1;
        return { kind: isOrphan ? 'claimed' : 'running' };
      }
      return { kind: 'answered', requestId: String(row.request_id), answer: { contentType: String(row.content_type), bytes: row.answer } };
    },
    keepAnswer({ accountId, key, requestId, contentType, bytes }: Owner & KeptAnswer): void {
      answer.run(contentType, bytes, accountId, key, requestId);
    },
    releaseKey({ accountId, key, requestId }: Owner): void {
      remove.run(accountId, key, requestId);
    },
    sweepKeys: ({ before }: { readonly before: number }): number => Number(sweep.run(before).changes),
  };
}

export function openSqliteIdempotency(steps: Pick<StepRunner<IdempotencySteps>, 'run'>): IdempotencyStore {
  return {
    claim: (claim) => steps.run('claimKey', claim),
    keep: ({ accountId, key, requestId }, kept) => steps.run('keepAnswer', { accountId, key, requestId, ...kept }),
    release: ({ accountId, key, requestId }) => steps.run('releaseKey', { accountId, key, requestId }),
    sweep: (olderThanMs, at = Date.now()) => steps.run('sweepKeys', { before: at - olderThanMs }),
  };
}
