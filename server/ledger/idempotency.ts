/** Idempotency keys and the responses kept for them: of many processes, exactly one claims a key (F40). Each method is atomic, on either database. */

import { setTimeout as wait } from 'node:timers/promises';
import { MAX_SWEPT } from '../storage/audit.ts';
import { StorageError } from '../storage/errors.ts';
import { type Dialect, hot, openRoom, sql } from '../storage/plan.ts';
import { flag, type Row, text } from '../storage/rows.ts';

export interface Claim {
  readonly accountId: string;
  readonly key: string;
  /** Hash of operation and body: the same key with a different request is an error. */
  readonly fingerprint: string;
  readonly requestId: string;
  /** The process that works on it. */
  readonly node: string;
  /** Milliseconds since 1970; by default the clock of the store. */
  readonly at?: number;
}

export interface KeptAnswer {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export type Found =
  /** The key is unused, or the request that used it was voided: the request may run. */
  | { readonly kind: 'free' }
  | { readonly kind: 'running' }
  /** The key belongs to another request. */
  | { readonly kind: 'other_request' }
  | { readonly kind: 'answered'; readonly requestId: string; readonly answer: KeptAnswer };

type Owner = Pick<Claim, 'accountId' | 'key' | 'requestId'>;

/** A call that holds money claims its key with the hold, and its response is kept with the charge. A rejection means that the store failed. */
export interface IdempotencyStore {
  /** Claims nothing. */
  find(claim: Claim): Promise<Found>;
  /** For a call that holds no money. False: another request has it. */
  claim(claim: Claim): Promise<boolean>;
  /** On disk when it resolves. Does nothing when the claim doesn't (or no longer) belong to this request. */
  keep(claim: Owner, answer: KeptAnswer): Promise<void>;
  /** Releases a key without a response. */
  release(claim: Owner): Promise<void>;
  /** Deletes some claims older than this, by the clock of the store or at the given time, and returns how many; 0 if none are left. */
  sweep(olderThanMs: number, at?: number): Promise<number>;
}

const RETRY_MS = 1_000;
const MAX_TRIES = 3_600;
/** The bound for all together: a response beyond it isn't kept, and its key gets 409 for a day. */
const MAX_OWED_BYTES = 64 * 1024 * 1024;
let owedBytes = 0;

/** Writes now, or else again and again, for an hour and in memory alone; resolves after the first try. Rejects if too many writes are waiting. */
export async function persist(write: () => Promise<void>, bytes = 0): Promise<void> {
  const isWritten = await write().then(
    () => true,
    () => false,
  );
  if (isWritten) return;
  if (owedBytes + bytes > MAX_OWED_BYTES) throw new StorageError('too many responses waiting for the store');
  owedBytes += bytes;
  void retry(write).finally(() => {
    owedBytes -= bytes;
  });
}

async function retry(write: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    await wait(RETRY_MS, undefined, { ref: false });
    try {
      return await write();
    } catch {
      // The store is still down.
    }
  }
}

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
