/** Accounts and keys: what is kept of them, and the steps on them, each atomic. */

/** A key as it is kept; times in milliseconds since 1970. */
export interface KeyRecord {
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly name: string;
  readonly lastFour: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

export interface NewKeyRecord {
  readonly id: string;
  /** By name; the account is made with this id where there is none of that name. */
  readonly account: { readonly id: string; readonly name: string };
  readonly name: string;
  readonly hash: Buffer;
  readonly lastFour: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export type Revocation = 'revoked' | 'already_revoked' | 'unknown';

/** Every method is one atomic step, on whatever database; a rejection means that the store failed, never that a key is unknown. */
export interface AccessStore {
  /** The hot one: by HMAC of the key. */
  findKey(hash: Buffer): Promise<KeyRecord | undefined>;
  /** Whether any key was ever made. */
  hasKeys(): Promise<boolean>;
  listKeys(): Promise<readonly KeyRecord[]>;
  addKey(key: NewKeyRecord): Promise<{ readonly isNewAccount: boolean }>;
  /** Adds the key only where there is none at all, not even a revoked one; says whether it did. */
  addFirstKey(key: NewKeyRecord): Promise<boolean>;
  revokeKey(id: string, at: number): Promise<Revocation>;
}
