/** The store of accounts, keys and keys of operators; each method is atomic. Times in milliseconds since 1970. */
import type { AdminRole } from '../../contract/admin-roles.ts';
import type { Adjustment } from '../ledger/store.ts';
import type { AuditEntry } from '../storage/audit.ts';
import type { LimitSettings, Permissions, SpendingCap } from './principal.ts';

/** What the holders of an account may do with keys. */
export interface SelfService {
  /** The most keys that were made by keys and work. */
  readonly maxKeys: number;
  /** Whether a key that manages keys may make others that do. */
  readonly delegate: boolean;
}

export interface AccountRecord {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly limits: LimitSettings;
  readonly createdAt: number;
  /** While it is set, every key of the account is refused. */
  readonly suspendedAt: number | null;
  /** Absent: ten keys, and no delegation. */
  readonly selfService?: SelfService;
}

/** The settings of a key that an operator can change. */
export interface KeySettings {
  readonly name: string;
  readonly permissions: Permissions;
  /** Addresses or CIDR ranges that the key may be used from; null: any. */
  readonly ipRanges: readonly string[] | null;
  readonly limits: LimitSettings;
  readonly cap: SpendingCap | null;
  readonly expiresAt: number | null;
}

/** A stored key with its account. */
export interface KeyRecord extends KeySettings {
  readonly id: string;
  readonly account: AccountRecord;
  readonly lastFour: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  /** The key that replaces it. */
  readonly replacedBy: string | null;
  /** The first key of its chain of rotations, or of the key that made it, or itself: all of them share one cap. */
  readonly capOwner: string;
  /** The key that made it; null: an operator did. */
  readonly madeBy: string | null;
}

export interface NewKeyRecord extends KeySettings {
  readonly id: string;
  /** Found by name; if there is none, the account is created with this id in this group. */
  readonly account: { readonly id: string; readonly name: string; readonly group: string };
  readonly hash: Buffer;
  readonly lastFour: string;
  readonly createdAt: number;
}

/** A key that the holder of another one makes. */
export interface MadeKeyRecord extends NewKeyRecord {
  readonly madeBy: string;
  readonly capOwner: string;
}
/** `too_many`: the account has as many of them as it may. `maker_gone`: the maker was revoked or replaced meanwhile. */
export type MakeResult = 'made' | 'too_many' | 'maker_gone';

export interface Rotation {
  /** The key that is replaced; it expires at `until`, or at its own earlier expiry. */
  readonly id: string;
  readonly until: number;
  /** The new values; everything else is copied from the old key. */
  readonly successor: Pick<NewKeyRecord, 'id' | 'hash' | 'lastFour' | 'createdAt' | 'expiresAt'>;
}

export interface AdminKeyRecord {
  readonly id: string;
  readonly name: string;
  readonly role: AdminRole;
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

/** `replaced`: by an earlier rotation; rotate its successor instead. */
export type RotationResult = 'rotated' | 'replaced' | 'revoked' | 'unknown';
export type Revocation = 'revoked' | 'already_revoked' | 'unknown';

/**
 * Every method is one atomic step, on whatever database; a rejection means that the store failed, never that something is unknown.
 * A change takes the audit entry that is written in the same step, where it changed anything.
 */
export interface AccessStore {
  /** The stored fingerprint of the pepper; undefined when there is none. */
  findFingerprint(): Promise<Uint8Array | undefined>;
  /** Stores it if there is none; returns the stored one. */
  keepFingerprint(fingerprint: Buffer): Promise<Uint8Array | undefined>;

  /** By HMAC of the key; on the hot path. */
  findKey(hash: Buffer): Promise<KeyRecord | undefined>;
  findKeyById(id: string): Promise<KeyRecord | undefined>;
  /** Whether any key was ever created. */
  hasKeys(): Promise<boolean>;
  /** Oldest first. */
  listKeys(accountId?: string): Promise<readonly KeyRecord[]>;
  addKey(key: NewKeyRecord, audit: AuditEntry): Promise<{ readonly accountId: string; readonly isNewAccount: boolean }>;
  /** Adds a key of an account that exists, where fewer than `most` that were made by keys work at `createdAt`, and its maker was neither revoked nor replaced. */
  makeKey(key: MadeKeyRecord, most: number, audit: AuditEntry): Promise<MakeResult>;
  /** Adds the key only if there is no key at all, not even a revoked one; returns whether it did. */
  addFirstKey(key: NewKeyRecord, audit: AuditEntry): Promise<boolean>;
  /** False when there is no such key. */
  editKey(id: string, changes: Partial<KeySettings>, audit: AuditEntry): Promise<boolean>;
  rotateKey(rotation: Rotation, audit: AuditEntry): Promise<RotationResult>;
  revokeKey(id: string, audit: AuditEntry): Promise<Revocation>;

  /** With its opening balance, booked in the same transaction; false when the name is taken. */
  addAccount(account: AccountRecord, audit: AuditEntry, opening?: Adjustment): Promise<boolean>;
  findAccount(idOrName: string): Promise<AccountRecord | undefined>;
  listAccounts(): Promise<readonly AccountRecord[]>;
  editAccount(
    id: string,
    changes: Partial<Pick<AccountRecord, 'name' | 'group' | 'limits' | 'suspendedAt' | 'selfService'>>,
    audit: AuditEntry,
  ): Promise<'edited' | 'name_taken' | 'unknown'>;

  findAdminKey(hash: Buffer): Promise<AdminKeyRecord | undefined>;
  findAdminKeyById(id: string): Promise<AdminKeyRecord | undefined>;
  listAdminKeys(): Promise<readonly AdminKeyRecord[]>;
  addAdminKey(key: AdminKeyRecord & { readonly hash: Buffer }, audit: AuditEntry): Promise<void>;
  revokeAdminKey(id: string, audit: AuditEntry): Promise<Revocation>;

  /** For changes outside of the database, such as a reload. */
  note(audit: AuditEntry): Promise<void>;
  /** Newest first; `before` is the id of an entry. */
  listAudit(page: { readonly limit: number; readonly before?: number }): Promise<readonly (AuditEntry & { readonly id: number })[]>;
}
