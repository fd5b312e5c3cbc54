/** Idempotency keys and the responses kept for them: of many processes, exactly one claims a key (F40). Each method is atomic, on either database. */

import { setTimeout as wait } from 'node:timers/promises';
import { StorageError } from '../store/errors.ts';
import { type Dialect, defineStore, preparedSql, sql } from '../store/plan.ts';
import { type Row, readFlag, readText } from '../store/rows.ts';

export interface IdempotencyClaim {
  readonly accountId: string;
  readonly key: string;
  /** Hash of operation and body. The same key with a different request is an error. */
  readonly fingerprint: string;
  readonly requestId: string;
  /** The process that handles the request. */
  readonly node: string;
  /** Milliseconds since 1970. Defaults to the clock of the store. */
  readonly at?: number;
}

export interface StoredResult {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export type ClaimState =
  /** The key is unused, or its request was voided. The request can run. */
  | { readonly kind: 'free' }
  | { readonly kind: 'running' }
  /** The key belongs to a different request. */
  | { readonly kind: 'other_request' }
  | { readonly kind: 'answered'; readonly requestId: string; readonly answer: StoredResult };

type ClaimOwner = Pick<IdempotencyClaim, 'accountId' | 'key' | 'requestId'>;

/**
 * A call that holds money claims its key with the hold, and its response is kept with the charge. A rejection means that the store
 * failed.
 */
export interface IdempotencyStore {
  /** Looks up the key without claiming it. */
  find(claim: IdempotencyClaim): Promise<ClaimState>;
  /** For a call that holds no money. Returns false if another request has the key. */
  claim(claim: IdempotencyClaim): Promise<boolean>;
  /** Resolves once the response is on disk. Does nothing if this request doesn't own the claim. */
  saveResult(claim: ClaimOwner, result: StoredResult): Promise<void>;
  /** Releases a key without a response. */
  release(claim: ClaimOwner): Promise<void>;
  /**
   * Deletes one batch of claims older than this, by the store's clock or at the given time. Returns the number deleted, 0 if none are
   * left.
   */
  sweep(olderThanMs: number, at?: number): Promise<number>;
}

const RETRY_MS = 1_000;
const MAX_RETRIES = 3_600;
/** The limit for all pending responses. A response beyond it isn't kept, and its key returns 409 for a day. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;
let pendingBytes = 0;

/**
 * Writes now and resolves after the first try. If the write fails, retries for an hour, in memory only. Rejects if too many bytes are
 * waiting.
 */
export async function persist(write: () => Promise<void>, bytes = 0): Promise<void> {
  const isWritten = await write().then(
    () => true,
    () => false,
  );
  if (isWritten) return;
  if (pendingBytes + bytes > MAX_PENDING_BYTES) throw new StorageError('too many responses waiting for the store');
  pendingBytes += bytes;
  void retry(write).finally(() => {
    pendingBytes -= bytes;
  });
}

async function retry(write: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < MAX_RETRIES; tries++) {
    await wait(RETRY_MS, undefined, { ref: false });
    try {
      return await write();
    } catch {
      // The store is still down.
    }
  }
}

/**
 * Whether the key `i` can be claimed again for the same request, because its earlier request had no result.
 * Its charge decides. Without a charge, the key is free if its process is dead.
 */
export const buildIsFreeSql = (alias: string): string => `
  ${alias}.answer IS NULL AND coalesce((SELECT c.state IN ('voided', 'expired') FROM charges AS c WHERE c.request_id = ${alias}.request_id),
    ${alias}.node NOT IN (SELECT id FROM nodes))`;
/**
 * Whether the key can also be claimed for a different request: nothing was charged, and nothing will be. An expired request may still be
 * charged late.
 */
const buildIsReleasedSql = (alias: string): string =>
  `${alias}.answer IS NULL AND EXISTS (SELECT 1 FROM charges AS c WHERE c.request_id = ${alias}.request_id AND c.state = 'voided')`;
/** Whether a request with this fingerprint can claim the key. */
export const buildCanClaimSql = (alias: string, fingerprint: string): string =>
  `(${alias}.fingerprint = ${fingerprint} AND ${buildIsFreeSql(alias)} OR ${buildIsReleasedSql(alias)})`;
/** For calls that hold no money. For other calls, the hold claims the key. */
const buildClaimSql = ({ now }: Dialect): string => `
  INSERT INTO idempotency AS i (account_id, idempotency_key, fingerprint, request_id, node, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ${now('?6')})
  ON CONFLICT (account_id, idempotency_key) DO UPDATE
    SET request_id = excluded.request_id, node = excluded.node, created_at = excluded.created_at
    WHERE i.fingerprint = excluded.fingerprint AND i.node <> excluded.node AND ${buildIsFreeSql('i')}
  RETURNING request_id`;
const FIND_CLAIM = `
  SELECT fingerprint, request_id, content_type, answer, ${buildCanClaimSql('i', '?3')} AS is_free FROM idempotency AS i
  WHERE account_id = ?1 AND idempotency_key = ?2`;
const SAVE_RESULT =
  'UPDATE idempotency SET content_type = ?1, answer = ?2 WHERE account_id = ?3 AND idempotency_key = ?4 AND request_id = ?5';
const RELEASE_CLAIM = 'DELETE FROM idempotency WHERE account_id = ?1 AND idempotency_key = ?2 AND request_id = ?3 AND answer IS NULL';
const buildSweepSql = ({ now, lockFree, maxSweptRows }: Dialect): string => `
  DELETE FROM idempotency WHERE (account_id, idempotency_key) IN (
    SELECT account_id, idempotency_key FROM idempotency WHERE created_at < ${now('?2')} - CAST(?1 AS BIGINT)
    ORDER BY created_at LIMIT ${maxSweptRows} ${lockFree}
  ) RETURNING 1`;

export const idempotencyStoreDefinition = defineStore<IdempotencyStore>(
  'idempotency',
  { reads: ['find'], noTransaction: ['claim', 'saveResult', 'release', 'sweep'] },
  (db) => ({
    find: function* (claim) {
      const [row] = yield preparedSql('claimed_key', FIND_CLAIM, claim.accountId, claim.key, claim.fingerprint);
      return row ? toClaimState(row, claim) : { kind: 'free' };
    },
    claim: function* ({ accountId, key, fingerprint, requestId, node, at = null }) {
      return (yield preparedSql('claim_key', buildClaimSql(db), accountId, key, fingerprint, requestId, node, at)).length > 0;
    },
    saveResult: function* ({ accountId, key, requestId }, { contentType, bytes }) {
      yield sql(SAVE_RESULT, contentType, bytes, accountId, key, requestId);
    },
    release: function* ({ accountId, key, requestId }) {
      yield preparedSql('release_key', RELEASE_CLAIM, accountId, key, requestId);
    },
    sweep: function* (olderThanMs, at) {
      return (yield sql(buildSweepSql(db), olderThanMs, at ?? null)).length;
    },
  }),
);

function toClaimState(row: Row, claim: IdempotencyClaim): ClaimState {
  const { fingerprint, request_id: requestId, content_type: contentType, answer } = row;
  if (readFlag(row.is_free)) return { kind: 'free' };
  if (fingerprint !== claim.fingerprint) return { kind: 'other_request' };
  if (!(answer instanceof Uint8Array)) return { kind: 'running' };
  return { kind: 'answered', requestId: readText(requestId), answer: { contentType: readText(contentType), bytes: answer } };
}
