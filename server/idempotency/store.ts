/** Idempotency keys: who has one, and the answer that it got; each method is one atomic step, on whatever database (F40). */

export interface Claim {
  readonly accountId: string;
  readonly key: string;
  /** Of operation and body: the same key with another request is a mistake. */
  readonly fingerprint: string;
  readonly requestId: string;
  /** The process that works on it. */
  readonly node: string;
  /** Milliseconds since 1970; left out, the clock of the store says it. */
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
  /** On disk when it resolves. Nothing happens where the claim is not (or no longer) of this request. */
  keep(claim: Pick<Claim, 'accountId' | 'key' | 'requestId'>, answer: KeptAnswer): Promise<void>;
  /** The request came to nothing: the key is free again. */
  release(claim: Pick<Claim, 'accountId' | 'key' | 'requestId'>): Promise<void>;
  /** Forgets what was claimed longer ago than this, by the clock of the store or, rather, at this time; the claim of a dead process is taken over by whoever asks next. */
  sweep(olderThanMs: number, at?: number): Promise<number>;
}
