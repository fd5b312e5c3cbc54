/** The store of idempotency keys and their answers; each method is atomic, on every database (F40). */

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
