/** The store of idempotency keys and their answers; each method is atomic, on every database (F40). */

import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type CallCode, type CallName, type ErrorOf, GatewayError } from '../errors.ts';
import { StorageError } from '../storage/errors.ts';

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
  /** Nobody has it, or what had it came to nothing: the request may run. */
  | { readonly kind: 'free' }
  | { readonly kind: 'running' }
  /** The key belongs to another request. */
  | { readonly kind: 'other_request' }
  | { readonly kind: 'answered'; readonly requestId: string; readonly answer: KeptAnswer };

type Owner = Pick<Claim, 'accountId' | 'key' | 'requestId'>;

/** A call that holds money claims its key with the hold, and its answer is kept with the charge. A rejection means that the store failed. */
export interface IdempotencyStore {
  /** Claims nothing. */
  find(claim: Claim): Promise<Found>;
  /** For a call that holds no money. False: another request has it. */
  claim(claim: Claim): Promise<boolean>;
  /** On disk when it resolves. Does nothing when the claim does not (or no longer) belong to this request. */
  keep(claim: Owner, answer: KeptAnswer): Promise<void>;
  /** Releases a key without an answer. */
  release(claim: Owner): Promise<void>;
  /** Deletes some claims older than this, by the clock of the store or at the given time, and returns how many; 0 when there are no more. */
  sweep(olderThanMs: number, at?: number): Promise<number>;
}

const RETRY_MS = 1_000;
const MAX_TRIES = 3_600;
/** The bound for all together: an answer beyond it is not kept, and its key gets 409 for a day. */
const MAX_OWED_BYTES = 64 * 1024 * 1024;
let owedBytes = 0;

/** Writes now, or else again and again, for an hour and in memory alone; resolves after the first try. Rejects when there is no room for that. */
export async function persist(write: () => Promise<void>, bytes = 0): Promise<void> {
  const isWritten = await write().then(
    () => true,
    () => false,
  );
  if (isWritten) return;
  if (owedBytes + bytes > MAX_OWED_BYTES) throw new StorageError('too many answers wait for the store');
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

/** Another request with this key is running. */
export const stillRunning = (): ErrorOf<CallName, 409> => new GatewayError('idempotency_conflict', { headers: { 'retry-after': '1' } });

const MAX_LENGTH = 255;

/** Throws `invalid_value` unless it has 1 to 255 visible characters. */
export function readKey(header: string | string[]): string {
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw new GatewayError<CallCode>('invalid_value', {
    message: `The header idempotency-key takes one key of 1 to ${MAX_LENGTH} visible characters without blanks.`,
  });
}

/** `parts`: the operation, then everything that was sent, as it was sent. */
export function fingerprintOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}
