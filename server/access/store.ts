/** The store of accounts, keys and keys of operators; each method is atomic. Times in milliseconds since 1970. */

import type { AdminRole } from '../../contract/admin/roles.ts';
import type { Period } from '../money/period.ts';
import { CAP_PERIODS, type OwnedCap, type SpendingCap, toAccountOwner, toKeyOwner } from '../money/spending-cap.ts';
import type { Adjustment } from '../money/store.ts';
import type { AuditEntry } from '../store/audit.ts';
import { type Row, readInteger, readNumber, readNumberOrNull, readText, readTextOrNull } from '../store/rows.ts';
import type { LimitSettings } from './limit-settings.ts';
import type { Permissions } from './principal.ts';

/** How key owners of an account can manage keys. */
export interface SelfService {
  /** Maximum active keys that were created by other keys. */
  readonly maxKeys: number;
  /** Whether a key that manages keys can create others that do. */
  readonly delegate: boolean;
}

export interface AccountRecord {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly limits: LimitSettings;
  readonly createdAt: number;
  /** While it's set, every key of the account is rejected. */
  readonly suspendedAt: number | null;
  /** Defaults to ten keys without delegation. */
  readonly selfService?: SelfService;
  /** Spending caps that all keys of the account share, at most one per period. Defaults to none. */
  readonly caps?: readonly SpendingCap[];
  /** An alert opens below this many micro-dollars. If omitted or null, the configured amount applies. */
  readonly alertBelow?: bigint | null;
}

/** Key settings that operators can change. */
export interface KeySettings {
  readonly name: string;
  readonly permissions: Permissions;
  /** Addresses or CIDR ranges that the key can be used from. Null for any. */
  readonly ipRanges: readonly string[] | null;
  readonly limits: LimitSettings;
  /** At most one per period. */
  readonly caps: readonly SpendingCap[];
  readonly expiresAt: number | null;
}

/** A stored key with its account. */
export interface KeyRecord extends KeySettings {
  readonly id: string;
  readonly account: AccountRecord;
  readonly lastFour: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  /** The ID of the key that replaced this one. Null if it wasn't rotated. */
  readonly replacedBy: string | null;
  /** The key that the caps count under: the first of the rotation chain, so that a rotation doesn't reset a cap. */
  readonly capOwner: string;
  /** The caps of the keys that this key was created with. Its calls count toward them as well. */
  readonly inheritedCaps: readonly InheritedCaps[];
  /** The key that created this one. Null if an operator created it. */
  readonly madeBy: string | null;
}

/** The caps of a creating key, and its `capOwner`. */
export interface InheritedCaps {
  readonly owner: string;
  readonly caps: readonly SpendingCap[];
}

export interface NewKeyRecord extends KeySettings {
  readonly id: string;
  /** Looks up the account by name. If it doesn't exist, creates it with this ID in this group. */
  readonly account: { readonly id: string; readonly name: string; readonly group: string };
  readonly hash: Buffer;
  readonly lastFour: string;
  readonly createdAt: number;
}

/** A key created on behalf of another key. */
export interface ChildKeyRecord extends NewKeyRecord {
  readonly madeBy: string;
}
/** `too_many`: the account has the maximum of such keys. `maker_gone`: the creating key was revoked or replaced since. */
export type AddChildKeyResult = 'made' | 'too_many' | 'maker_gone';

interface Rotation {
  /** The key to replace. It expires at `until`, or at its own earlier expiry. */
  readonly id: string;
  readonly until: number;
  /** The new values. Other settings are copied from the old key. */
  readonly successor: Pick<NewKeyRecord, 'id' | 'hash' | 'lastFour' | 'createdAt' | 'expiresAt'>;
}

export interface AdminKeyRecord {
  readonly id: string;
  readonly name: string;
  readonly role: AdminRole;
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

/** `replaced`: the key was already rotated; rotate its successor instead. */
type RotationResult = 'rotated' | 'replaced' | 'revoked' | 'unknown';
export type Revocation = 'revoked' | 'already_revoked' | 'unknown';

/**
 * Every method is atomic on every database. A rejection means that the store failed, never that a record is missing. Methods that change something also
 * write their audit entry, in the same transaction.
 */
export interface AccessStore {
  /** Returns the stored pepper fingerprint, or undefined if none is stored. */
  findFingerprint(): Promise<Uint8Array | undefined>;
  /** Stores the fingerprint unless one is stored already. Returns the stored one. */
  saveFingerprint(fingerprint: Buffer): Promise<Uint8Array | undefined>;

  /** Returns a text that changes with every committed change of a key or account. Called once per second. */
  getChanges(): Promise<string>;
  /** Finds a key by its HMAC. On the hot path. */
  findKey(hash: Buffer): Promise<KeyRecord | undefined>;
  findKeyById(id: string): Promise<KeyRecord | undefined>;
  /** Whether any key was ever created. */
  hasKeys(): Promise<boolean>;
  /** Oldest first. */
  listKeys(accountId?: string): Promise<readonly KeyRecord[]>;
  addKey(key: NewKeyRecord, audit: AuditEntry): Promise<{ readonly accountId: string; readonly isNewAccount: boolean }>;
  /**
   * Adds a key to an existing account, with the caps of the creating key as inherited ones. Requires fewer than `maxKeys` active keys created by other keys at `createdAt`, and a creating key that is neither
   * revoked nor replaced.
   */
  makeKey(key: ChildKeyRecord, maxKeys: number, audit: AuditEntry): Promise<AddChildKeyResult>;
  /** Adds the key only if no key exists, not even a revoked one. Returns whether it was added. */
  addFirstKey(key: NewKeyRecord, audit: AuditEntry): Promise<boolean>;
  /** False if the key doesn't exist. */
  editKey(id: string, changes: Partial<KeySettings>, audit: AuditEntry): Promise<boolean>;
  rotateKey(rotation: Rotation, audit: AuditEntry): Promise<RotationResult>;
  revokeKey(id: string, audit: AuditEntry): Promise<Revocation>;

  /** Adds the account and posts its opening balance in the same transaction. False if the name is taken. */
  addAccount(account: AccountRecord, audit: AuditEntry, opening?: Adjustment): Promise<boolean>;
  findAccount(idOrName: string): Promise<AccountRecord | undefined>;
  listAccounts(): Promise<readonly AccountRecord[]>;
  editAccount(id: string, changes: AccountChanges, audit: AuditEntry): Promise<'edited' | 'name_taken' | 'unknown'>;

  findAdminKey(hash: Buffer): Promise<AdminKeyRecord | undefined>;
  findAdminKeyById(id: string): Promise<AdminKeyRecord | undefined>;
  listAdminKeys(): Promise<readonly AdminKeyRecord[]>;
  addAdminKey(key: AdminKeyRecord & { readonly hash: Buffer }, audit: AuditEntry): Promise<void>;
  revokeAdminKey(id: string, audit: AuditEntry): Promise<Revocation>;

  /** Writes an audit entry for a change outside the database, such as a reload. */
  addAuditEntry(audit: AuditEntry): Promise<void>;
  /** Newest first. `before` is an entry ID. */
  listAudit(page: { readonly limit: number; readonly before?: number }): Promise<readonly (AuditEntry & { readonly id: number })[]>;
}

export type Columns = Record<string, string | number | bigint | Buffer | null>;

const unrestrictedPermissions: Permissions = { operations: null, models: null, mayStore: true };
const noLimits: LimitSettings = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

/**
 * Lists columns by name, because PostgreSQL rejects a prepared `*` statement when the table gains a column. A newer version may add one while this one
 * runs.
 */
export const KEY_COLUMNS = `
  keys.id, keys.name, keys.hash, keys.last_four, keys.permissions, keys.ip_ranges, keys.limits, keys.cap_day, keys.cap_week, keys.cap_month,
  keys.cap_never, keys.cap_micros, keys.cap_period, keys.cap_owner, keys.inherited_caps, keys.created_at, keys.expires_at, keys.revoked_at, keys.replaced_by, keys.made_by`;

/** Account columns, with aliases that don't clash with key columns. */
export const ACCOUNT_COLUMNS = `
  accounts.id AS account_id, accounts.name AS account_name, accounts.group_name, accounts.limits AS account_limits,
  accounts.created_at AS account_created_at, accounts.suspended_at, accounts.self_service, accounts.alert_below,
  ${CAP_PERIODS.map((period) => `accounts.cap_${period} AS account_cap_${period}`).join(', ')}`;

export function toAccount(row: Row): AccountRecord {
  return {
    id: readText(row.account_id),
    name: readText(row.account_name),
    group: readText(row.group_name),
    // `toAccountColumns` wrote it.
    limits: parseJson<LimitSettings>(row.account_limits) ?? noLimits,
    createdAt: readNumber(row.account_created_at),
    suspendedAt: readNumberOrNull(row.suspended_at),
    // `toAccountColumns` wrote it.
    ...(row.self_service !== null && { selfService: parseJson<SelfService>(row.self_service) ?? undefined }),
    ...readAccountCaps(row),
    ...(row.alert_below !== null && { alertBelow: readInteger(row.alert_below) }),
  };
}

export function toKeyRecord(row: Row): KeyRecord {
  const id = readText(row.id);
  return {
    id,
    account: toAccount(row),
    name: readText(row.name),
    lastFour: readText(row.last_four),
    // `toKeyColumns` wrote these three.
    permissions: parseJson<Permissions>(row.permissions) ?? unrestrictedPermissions,
    ipRanges: parseJson<readonly string[]>(row.ip_ranges),
    limits: parseJson<LimitSettings>(row.limits) ?? noLimits,
    caps: toKeyCaps(row),
    capOwner: readTextOrNull(row.cap_owner) ?? id,
    inheritedCaps: parseInheritedCaps(row.inherited_caps),
    createdAt: readNumber(row.created_at),
    expiresAt: readNumberOrNull(row.expires_at),
    revokedAt: readNumberOrNull(row.revoked_at),
    replacedBy: readTextOrNull(row.replaced_by),
    madeBy: readTextOrNull(row.made_by),
  };
}

/** Omits undefined fields. */
export function toKeyColumns({ name, permissions, ipRanges, limits, caps, expiresAt }: Partial<KeySettings>): Columns {
  return {
    ...(name !== undefined && { name }),
    ...(permissions !== undefined && { permissions: JSON.stringify(permissions) }),
    ...(ipRanges !== undefined && { ip_ranges: ipRanges && JSON.stringify(ipRanges) }),
    ...(limits !== undefined && { limits: JSON.stringify(limits) }),
    // Older versions read only one cap.
    ...(caps !== undefined && { ...toCapColumns(caps), cap_micros: caps[0]?.micros ?? null, cap_period: caps[0]?.period ?? null }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  };
}

export type AccountChanges = Partial<
  Pick<AccountRecord, 'name' | 'group' | 'limits' | 'suspendedAt' | 'selfService' | 'caps' | 'alertBelow'>
>;

export function toAccountColumns({ name, group, limits, suspendedAt, selfService, caps, alertBelow }: AccountChanges): Columns {
  return {
    ...(name !== undefined && { name }),
    ...(group !== undefined && { group_name: group }),
    ...(limits !== undefined && { limits: JSON.stringify(limits) }),
    ...(suspendedAt !== undefined && { suspended_at: suspendedAt }),
    ...(selfService !== undefined && { self_service: JSON.stringify(selfService) }),
    ...(caps !== undefined && toCapColumns(caps)),
    ...(alertBelow !== undefined && { alert_below: alertBelow }),
  };
}

/** Older versions write only `cap_micros` and `cap_period`, which are the first cap otherwise. So the key has their cap if these differ. */
export function toKeyCaps(row: Row): readonly SpendingCap[] {
  const caps = toSpendingCaps(row, 'cap');
  const { cap_micros: micros, cap_period: period } = row;
  if (micros === (caps[0]?.micros ?? null) && period === (caps[0]?.period ?? null)) return caps;
  // `as`: the table allows only these periods.
  return typeof micros === 'bigint' ? [{ micros, period: readText(period) as Period }] : [];
}

const toSpendingCaps = (row: Row, prefix: string): readonly SpendingCap[] =>
  CAP_PERIODS.flatMap((period) => {
    const micros = row[`${prefix}_${period}`];
    return typeof micros === 'bigint' ? [{ micros, period }] : [];
  });

function readAccountCaps(row: Row): Pick<AccountRecord, 'caps'> {
  const caps = toSpendingCaps(row, 'account_cap');
  return caps.length > 0 ? { caps } : {};
}

const toCapColumns = (caps: readonly SpendingCap[]): Columns =>
  Object.fromEntries(CAP_PERIODS.map((period) => [`cap_${period}`, caps.find((cap) => cap.period === period)?.micros ?? null]));

/** JSON has no integers of 64 bits, so amounts are texts. */
export const formatInheritedCaps = (inheritedCaps: readonly InheritedCaps[]): string | null =>
  inheritedCaps.length === 0 ? null : JSON.stringify(inheritedCaps, (_, value) => (typeof value === 'bigint' ? String(value) : value));

export function parseInheritedCaps(value: unknown): readonly InheritedCaps[] {
  // `formatInheritedCaps` wrote it.
  const stored =
    parseJson<readonly { readonly owner: string; readonly caps: readonly { micros: string; period: Period }[] }[]>(value) ?? [];
  return stored.map(({ owner, caps }) => ({ owner, caps: caps.map(({ micros, period }) => ({ micros: BigInt(micros), period })) }));
}

/** Lists the caps that calls with the key count toward. */
export const listCaps = ({ account, caps, capOwner, inheritedCaps }: KeyRecord): readonly OwnedCap[] => [
  ...caps.map((cap): OwnedCap => ({ ...cap, owner: toKeyOwner(capOwner), scope: 'key' })),
  ...inheritedCaps.flatMap(({ owner, caps: shared }) =>
    shared.map((cap): OwnedCap => ({ ...cap, owner: toKeyOwner(owner), scope: 'creator' })),
  ),
  ...(account.caps ?? []).map((cap): OwnedCap => ({ ...cap, owner: toAccountOwner(account.id), scope: 'account' })),
];

/** Returns null for null. */
function parseJson<T>(value: unknown): T | null {
  return value === null ? null : JSON.parse(readText(value));
}

export type AuditRecord = AuditEntry & { readonly id: number };

export function toAuditRecord(row: Row): AuditRecord {
  return {
    id: readNumber(row.id),
    actor: readText(row.actor),
    action: readText(row.action),
    target: readText(row.target),
    details: JSON.parse(readText(row.details)),
    at: readNumber(row.created_at),
  };
}

export function toBytes(value: unknown): Uint8Array | undefined {
  if (value === undefined || value instanceof Uint8Array) return value;
  throw new TypeError("a bytes column doesn't contain bytes");
}
