/** The store of accounts, keys and keys of operators; each method is atomic. Times in milliseconds since 1970. */

import type { BlockList } from 'node:net';
import type { AdminRole } from '../../contract/admin/roles.ts';
import type { Adjustment } from '../ledger/store.ts';
import type { AuditEntry } from '../storage/audit.ts';
import { integer, number, numberOrNull, type Row, text, textOrNull } from '../storage/rows.ts';

/** Permissions of an account's key owners for managing keys. */
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
  /** While it is set, every key of the account is rejected. */
  readonly suspendedAt: number | null;
  /** Defaults to ten keys without delegation. */
  readonly selfService?: SelfService;
  /** Micro-dollars below which an alert opens; absent or null: the configured amount. */
  readonly alertBelow?: bigint | null;
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
  /** Looks up the account by name. If it doesn't exist, creates it with this ID in this group. */
  readonly account: { readonly id: string; readonly name: string; readonly group: string };
  readonly hash: Buffer;
  readonly lastFour: string;
  readonly createdAt: number;
}

/** A key that the key owner of another one makes. */
export interface MadeKeyRecord extends NewKeyRecord {
  readonly madeBy: string;
  readonly capOwner: string;
}
/** `too_many`: the account has as many of them as it may. `maker_gone`: the maker was revoked or replaced in the meantime. */
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
  /** The stored fingerprint of the pepper; undefined if none is stored. */
  findFingerprint(): Promise<Uint8Array | undefined>;
  /** Stores the fingerprint if none is stored yet; returns the stored one. */
  keepFingerprint(fingerprint: Buffer): Promise<Uint8Array | undefined>;

  /** Another text whenever a change of a key or an account was committed since; asked for once a second. */
  changes(): Promise<string>;
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
  /** Adds the key only if no key exists yet, not even a revoked one; returns whether it did. */
  addFirstKey(key: NewKeyRecord, audit: AuditEntry): Promise<boolean>;
  /** False if the key doesn't exist. */
  editKey(id: string, changes: Partial<KeySettings>, audit: AuditEntry): Promise<boolean>;
  rotateKey(rotation: Rotation, audit: AuditEntry): Promise<RotationResult>;
  revokeKey(id: string, audit: AuditEntry): Promise<Revocation>;

  /** Adds the account and posts its opening balance in the same transaction; false if the name is taken. */
  addAccount(account: AccountRecord, audit: AuditEntry, opening?: Adjustment): Promise<boolean>;
  findAccount(idOrName: string): Promise<AccountRecord | undefined>;
  listAccounts(): Promise<readonly AccountRecord[]>;
  editAccount(id: string, changes: AccountChanges, audit: AuditEntry): Promise<'edited' | 'name_taken' | 'unknown'>;

  findAdminKey(hash: Buffer): Promise<AdminKeyRecord | undefined>;
  findAdminKeyById(id: string): Promise<AdminKeyRecord | undefined>;
  listAdminKeys(): Promise<readonly AdminKeyRecord[]>;
  addAdminKey(key: AdminKeyRecord & { readonly hash: Buffer }, audit: AuditEntry): Promise<void>;
  revokeAdminKey(id: string, audit: AuditEntry): Promise<Revocation>;

  /** Audits changes outside of the database, such as a reload. */
  note(audit: AuditEntry): Promise<void>;
  /** Newest first; `before` is the ID of an entry. */
  listAudit(page: { readonly limit: number; readonly before?: number }): Promise<readonly (AuditEntry & { readonly id: number })[]>;
}

export type Columns = Record<string, string | number | bigint | Buffer | null>;

const anything: Permissions = { operations: null, models: null, mayStore: true };
const noLimits: LimitSettings = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

/** Columns by name: PostgreSQL rejects a prepared statement when `*` gains a column, and a newer version may add one while this one runs. */
export const KEY_COLUMNS = `
  keys.id, keys.name, keys.hash, keys.last_four, keys.permissions, keys.ip_ranges, keys.limits, keys.cap_micros, keys.cap_period, keys.cap_owner,
  keys.created_at, keys.expires_at, keys.revoked_at, keys.replaced_by, keys.made_by`;

/** Columns of an account, with aliases that don't clash with those of a key. */
export const ACCOUNT_COLUMNS = `
  accounts.id AS account_id, accounts.name AS account_name, accounts.group_name, accounts.limits AS account_limits,
  accounts.created_at AS account_created_at, accounts.suspended_at, accounts.self_service, accounts.alert_below`;

export function asAccount(row: Row): AccountRecord {
  return {
    id: text(row.account_id),
    name: text(row.account_name),
    group: text(row.group_name),
    // Written by `accountSettings`.
    limits: parsed<LimitSettings>(row.account_limits) ?? noLimits,
    createdAt: number(row.account_created_at),
    suspendedAt: numberOrNull(row.suspended_at),
    // Written by `accountSettings`.
    ...(row.self_service !== null && { selfService: parsed<SelfService>(row.self_service) ?? undefined }),
    ...(row.alert_below !== null && { alertBelow: integer(row.alert_below) }),
  };
}

export function asKey(row: Row): KeyRecord {
  const id = text(row.id);
  return {
    id,
    account: asAccount(row),
    name: text(row.name),
    lastFour: text(row.last_four),
    // These three were written by `keySettings`.
    permissions: parsed<Permissions>(row.permissions) ?? anything,
    ipRanges: parsed<readonly string[]>(row.ip_ranges),
    limits: parsed<LimitSettings>(row.limits) ?? noLimits,
    cap: asCap(row),
    capOwner: textOrNull(row.cap_owner) ?? id,
    createdAt: number(row.created_at),
    expiresAt: numberOrNull(row.expires_at),
    revokedAt: numberOrNull(row.revoked_at),
    replacedBy: textOrNull(row.replaced_by),
    madeBy: textOrNull(row.made_by),
  };
}

/** Only fields that are present are written. */
export function keySettings({ name, permissions, ipRanges, limits, cap, expiresAt }: Partial<KeySettings>): Columns {
  return {
    ...(name !== undefined && { name }),
    ...(permissions !== undefined && { permissions: JSON.stringify(permissions) }),
    ...(ipRanges !== undefined && { ip_ranges: ipRanges && JSON.stringify(ipRanges) }),
    ...(limits !== undefined && { limits: JSON.stringify(limits) }),
    ...(cap !== undefined && { cap_micros: cap?.micros ?? null, cap_period: cap?.period ?? null }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  };
}

export type AccountChanges = Partial<Pick<AccountRecord, 'name' | 'group' | 'limits' | 'suspendedAt' | 'selfService' | 'alertBelow'>>;

export function accountSettings({ name, group, limits, suspendedAt, selfService, alertBelow }: AccountChanges): Columns {
  return {
    ...(name !== undefined && { name }),
    ...(group !== undefined && { group_name: group }),
    ...(limits !== undefined && { limits: JSON.stringify(limits) }),
    ...(suspendedAt !== undefined && { suspended_at: suspendedAt }),
    ...(selfService !== undefined && { self_service: JSON.stringify(selfService) }),
    ...(alertBelow !== undefined && { alert_below: alertBelow }),
  };
}

function asCap({ cap_micros: micros, cap_period: period }: Row): SpendingCap | null {
  // `as`: the table allows only these periods.
  return typeof micros === 'bigint' ? { micros, period: text(period) as SpendingCap['period'] } : null;
}

/** Null stays null. */
function parsed<T>(value: unknown): T | null {
  return value === null ? null : JSON.parse(text(value));
}

export type AuditRecord = AuditEntry & { readonly id: number };

export function asAudit(row: Row): AuditRecord {
  return {
    id: number(row.id),
    actor: text(row.actor),
    action: text(row.action),
    target: text(row.target),
    details: JSON.parse(text(row.details)),
    at: number(row.created_at),
  };
}

export function bytesOrNone(value: unknown): Uint8Array | undefined {
  if (value === undefined || value instanceof Uint8Array) return value;
  throw new TypeError("a bytes column doesn't contain bytes");
}

/** The permissions of a key; null: everything that its group may do. */
export interface Permissions {
  /** Names of operations of the contract (`createResponse`, `generateImages`, …). */
  readonly operations: readonly string[] | null;
  /** IDs of models, or patterns with `*`. */
  readonly models: readonly string[] | null;
  /** Whether responses may be stored. */
  readonly mayStore: boolean;
  /** Whether its key owner may list the keys of the account and create others. Defaults to false. */
  readonly manageKeys?: boolean;
}

/** One limit of an account or key; see `limits/limiter.ts`. */
export interface LimitSetting {
  readonly limit: number;
  readonly mode: 'off' | 'observe' | 'enforce';
}
/** Null: the default of the configuration. */
export interface LimitSettings {
  readonly requestsPerMinute: LimitSetting | null;
  readonly tokensPerMinute: LimitSetting | null;
  readonly concurrency: LimitSetting | null;
}

/** The spending cap of a key for a period (UTC). */
interface SpendingCap {
  readonly micros: bigint;
  readonly period: 'day' | 'week' | 'month' | 'never';
}

export interface Principal {
  readonly keyId: string;
  readonly keyName: string;
  readonly accountId: string;
  /** Group of the account. */
  readonly group: string;
  readonly permissions: Permissions;
  /** Addresses that the key may be used from; null: any. */
  readonly addresses: BlockList | null;
  readonly limits: { readonly key: LimitSettings; readonly account: LimitSettings };
  readonly cap: SpendingCap | null;
  /** The key whose spending counts towards the cap: the first key of a chain of rotations, so that a rotation doesn't reset the cap. */
  readonly capOwner: string;
}
