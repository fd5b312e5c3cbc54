/** The store of idempotency keys and their answers; each method is atomic, on every database (F40). */

import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type CallCode, GatewayError } from '../errors.ts';
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

export type Claimed =
  /** Nobody had it: the request may run. */
  | { readonly kind: 'claimed' }
  | { readonly kind: 'running' }
  /** The key belongs to another request. */
  | { readonly kind: 'other_request' }
  | { readonly kind: 'answered'; readonly requestId: string; readonly answer: KeptAnswer };

/** A rejection means that the store failed. */
export interface IdempotencyStore {
  claim(claim: Claim): Promise<Claimed>;
  /** On disk when it resolves. Does nothing when the claim does not (or no longer) belong to this request. */
  keep(claim: Pick<Claim, 'accountId' | 'key' | 'requestId'>, answer: KeptAnswer): Promise<void>;
  /** Releases the key after a request that failed without a charge. */
  release(claim: Pick<Claim, 'accountId' | 'key' | 'requestId'>): Promise<void>;
  /** Deletes some claims older than this, by the clock of the store or at the given time, and returns how many; 0 when there are no more. The claim of a dead process goes to the next request with the key. */
  sweep(olderThanMs: number, at?: number): Promise<number>;
}

type Owner = Pick<Claim, 'accountId' | 'key' | 'requestId'>;

interface Owed {
  readonly settle: () => Promise<void>;
  readonly bytes: number;
  /** How often it must succeed. */
  left: number;
  /** How often a working store refused it. */
  refusals?: number;
}

const RETRY_MS = 1_000;
/** The caller already gets the error that the store is down, so it does not wait for this write. */
const RELEASE_MS = 50;
/** The bound for all together; an answer beyond it is not stored, and its key gets 409 until this process ends. */
const MAX_OWED_BYTES = 64 * 1024 * 1024;
/** A write that the store refuses is dropped after this many attempts; one that finds the store down is never dropped. */
const MAX_REFUSALS = 10;
/** A single failure may be specific to one write; after two in a row the store counts as down and is tried again later. */
const MAX_FAILED = 2;
/** The size of claims and releases, which have no answer. */
const MAX_OWED = 10_000;

/**
 * In memory alone: the claims of a process that died are taken over by others. A claim that failed may take place late, when the server reads
 * what lay before it; so it is taken back twice, the second time when that is over.
 */
export function deferWrites(store: IdempotencyStore, retryMs = RETRY_MS): IdempotencyStore {
  const owed = openOwed(retryMs);
  const take = (owner: Owner) => () => store.release(owner);
  return {
    sweep: (...order) => store.sweep(...order),
    async claim(claim) {
      try {
        return await store.claim(claim);
      } catch (error) {
        owed.add({ settle: take(claim), bytes: 0, left: 2 });
        throw error;
      }
    },
    async release(owner) {
      const released = store.release(owner).catch(() => owed.add({ settle: take(owner), bytes: 0, left: 1 }));
      await Promise.race([released, wait(RELEASE_MS, undefined, { ref: false })]);
    },
    async keep(owner: Owner, answer: KeptAnswer) {
      try {
        await store.keep(owner, answer);
      } catch (error) {
        if (!owed.add({ settle: () => store.keep(owner, answer), bytes: answer.bytes.length, left: 1 })) throw error;
      }
    },
  };
}

function openOwed(retryMs: number) {
  let owed: Owed[] = [];
  let isWaiting = false;
  const settle = async (): Promise<void> => {
    let failed = 0;
    for (const one of [...owed]) {
      try {
        await one.settle();
        one.left--;
        failed = 0;
      } catch (error) {
        if (!(error instanceof StorageError)) one.refusals = (one.refusals ?? 0) + 1;
        // Nobody waits behind it the next time.
        owed = [...owed.filter((other) => other !== one), one];
        if (++failed === MAX_FAILED) break;
      }
    }
    owed = owed.filter(({ left, refusals = 0 }) => left > 0 && refusals < MAX_REFUSALS);
    isWaiting = false;
    if (owed.length > 0) later();
  };
  const later = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => void settle(), retryMs).unref();
  };
  return {
    add(one: Owed): boolean {
      if (owed.length >= MAX_OWED || owed.reduce((sum, { bytes }) => sum + bytes, one.bytes) > MAX_OWED_BYTES) return false;
      owed.push(one);
      later();
      return true;
    },
  };
}

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
