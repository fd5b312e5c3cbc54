/** Rows ↔ accounts and keys, the same on both databases. Integers are read as bigints, because a cap may exceed 2^53. */
import type { AuditEntry } from '../storage/audit.ts';
import type { LimitSettings, Permissions, SpendingCap } from './principal.ts';
import type { AccountRecord, KeyRecord, KeySettings, SelfService } from './store.ts';

export type Row = Readonly<Record<string, unknown>>;
export type Columns = Record<string, string | number | bigint | Buffer | null>;

/** The tables define the types: a different type is an error in the statement. */
export function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a text column holds no text');
  return value;
}

/** Times and ids, which stay far below 2^53. */
export function number(value: unknown): number {
  if (typeof value !== 'bigint') throw new TypeError('an integer column holds no integer');
  return Number(value);
}

export const textOrNull = (value: unknown): string | null => (value === null ? null : text(value));
export const numberOrNull = (value: unknown): number | null => (value === null ? null : number(value));

const anything: Permissions = { operations: null, models: null, mayStore: true };
const noLimits: LimitSettings = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

/** Columns by name: PostgreSQL refuses a prepared statement when `*` gains a column, and a newer version may add one while this one runs. */
export const KEY_COLUMNS = `
  keys.id, keys.name, keys.hash, keys.last_four, keys.permissions, keys.ip_ranges, keys.limits, keys.cap_micros, keys.cap_period, keys.cap_owner,
  keys.created_at, keys.expires_at, keys.revoked_at, keys.replaced_by, keys.made_by`;

/** Columns of an account, with aliases that do not clash with those of a key. */
export const ACCOUNT_COLUMNS = `
  accounts.id AS account_id, accounts.name AS account_name, accounts.group_name, accounts.limits AS account_limits,
  accounts.created_at AS account_created_at, accounts.suspended_at, accounts.self_service`;

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

export type AccountChanges = Partial<Pick<AccountRecord, 'name' | 'group' | 'limits' | 'suspendedAt' | 'selfService'>>;

export function accountSettings({ name, group, limits, suspendedAt, selfService }: AccountChanges): Columns {
  return {
    ...(name !== undefined && { name }),
    ...(group !== undefined && { group_name: group }),
    ...(limits !== undefined && { limits: JSON.stringify(limits) }),
    ...(suspendedAt !== undefined && { suspended_at: suspendedAt }),
    ...(selfService !== undefined && { self_service: JSON.stringify(selfService) }),
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
  throw new TypeError('a column of bytes holds none');
}
