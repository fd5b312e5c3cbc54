/** Accounts, keys and the keys of operators: what is kept of them, and the steps on them, each atomic. Times in milliseconds since 1970. */
import type { Adjustment } from '../ledger/store.ts';
import type { AuditEntry } from '../storage/audit.ts';
import type { LimitSettings, Permissions, SpendingCap } from './principal.ts';

export interface AccountRecord {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly limits: LimitSettings;
  readonly createdAt: number;
  /** While it is set, no key of the account is good. */
  readonly suspendedAt: number | null;
}

/** What an operator may set at a key. */
export interface KeySettings {
  readonly name: string;
  readonly permissions: Permissions;
  /** Addresses or CIDR ranges that the key may be used from; null: any. */
  readonly ipRanges: readonly string[] | null;
  readonly limits: LimitSettings;
  readonly cap: SpendingCap | null;
  readonly expiresAt: number | null;
}

/** A key as it is kept, with its account. */
export interface KeyRecord extends KeySettings {
  readonly id: string;
  readonly account: AccountRecord;
  readonly lastFour: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  /** The key that was made to take its place. */
  readonly replacedBy: string | null;
  /** The first key of its chain of rotations, itself where there was none: all of them spend under one cap. */
  readonly capOwner: string;
}

export interface NewKeyRecord extends KeySettings {
  readonly id: string;
  /** By name; the account is made with this id, in this group, where there is none of that name. */
  readonly account: { readonly id: string; readonly name: string; readonly group: string };
  readonly hash: Buffer;
  readonly lastFour: string;
  readonly createdAt: number;
}

export interface Rotation {
  /** The key that is replaced; it ends at `until`, or sooner where it would have. */
  readonly id: string;
  readonly until: number;
  /** What is new; everything else is taken from the old key. */
  readonly successor: Pick<NewKeyRecord, 'id' | 'hash' | 'lastFour' | 'createdAt' | 'expiresAt'>;
}

export interface AdminKeyRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

/** `replaced`: by an earlier rotation; its successor is the one to rotate. */
export type RotationResult = 'rotated' | 'replaced' | 'revoked' | 'unknown';
export type Revocation = 'revoked' | 'already_revoked' | 'unknown';

/**
 * Every method is one atomic step, on whatever database; a rejection means that the store failed, never that something is unknown.
 * A change takes the audit entry that is written in the same step, where it changed anything.
 */
export interface AccessStore {
  /** Of the pepper that the keys were made with; undefined where nobody kept one. */
  findFingerprint(): Promise<Uint8Array | undefined>;
  /** Keeps it where there is none; answers with the one that is kept. */
  keepFingerprint(fingerprint: Buffer): Promise<Uint8Array | undefined>;

  /** The hot one: by HMAC of the key. */
  findKey(hash: Buffer): Promise<KeyRecord | undefined>;
  findKeyById(id: string): Promise<KeyRecord | undefined>;
  /** Whether any key was ever made. */
  hasKeys(): Promise<boolean>;
  /** Oldest first. */
  listKeys(accountId?: string): Promise<readonly KeyRecord[]>;
  addKey(key: NewKeyRecord, audit: AuditEntry): Promise<{ readonly accountId: string; readonly isNewAccount: boolean }>;
  /** Adds the key only where there is none at all, not even a revoked one; says whether it did. */
  addFirstKey(key: NewKeyRecord, audit: AuditEntry): Promise<boolean>;
  /** False where there is no such key. */
  editKey(id: string, changes: Partial<KeySettings>, audit: AuditEntry): Promise<boolean>;
  rotateKey(rotation: Rotation, audit: AuditEntry): Promise<RotationResult>;
  revokeKey(id: string, audit: AuditEntry): Promise<Revocation>;

  /** With what is put in at once, booked in the same step; false where the name is taken. */
  addAccount(account: AccountRecord, audit: AuditEntry, opening?: Adjustment): Promise<boolean>;
  findAccount(idOrName: string): Promise<AccountRecord | undefined>;
  listAccounts(): Promise<readonly AccountRecord[]>;
  editAccount(
    id: string,
    changes: Partial<Pick<AccountRecord, 'name' | 'group' | 'limits' | 'suspendedAt'>>,
    audit: AuditEntry,
  ): Promise<'edited' | 'name_taken' | 'unknown'>;

  findAdminKey(hash: Buffer): Promise<AdminKeyRecord | undefined>;
  listAdminKeys(): Promise<readonly AdminKeyRecord[]>;
  addAdminKey(key: AdminKeyRecord & { readonly hash: Buffer }, audit: AuditEntry): Promise<void>;
  revokeAdminKey(id: string, audit: AuditEntry): Promise<Revocation>;

  /** For changes that are in no database, such as a reload. */
  note(audit: AuditEntry): Promise<void>;
  /** Newest first; `before` is the id of an entry. */
  listAudit(page: { readonly limit: number; readonly before?: number }): Promise<readonly (AuditEntry & { readonly id: number })[]>;
}
