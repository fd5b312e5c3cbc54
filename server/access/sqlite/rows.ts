/** Rows of the embedded database ↔ accounts and keys. Integers are read as bigints, since a cap may pass 2^53. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { LimitSettings, Permissions, SpendingCap } from '../principal.ts';
import type { AccountRecord, KeyRecord, KeySettings } from '../store.ts';

export type Row = Readonly<Record<string, SQLOutputValue>>;
export type Columns = Record<string, SQLInputValue>;

export function prepare(connection: DatabaseSync, sql: string): StatementSync {
  const statement = connection.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}

/** The tables are STRICT, so a column has its type or the row was never written. */
export function text(value: SQLOutputValue | undefined): string {
  if (typeof value !== 'string') throw new TypeError('a text column holds no text');
  return value;
}

/** Times and ids, which stay far below 2^53. */
export function number(value: SQLOutputValue | undefined): number {
  if (typeof value !== 'bigint') throw new TypeError('an integer column holds no integer');
  return Number(value);
}

export const textOrNull = (value: SQLOutputValue | undefined): string | null => (value === null ? null : text(value));
export const numberOrNull = (value: SQLOutputValue | undefined): number | null => (value === null ? null : number(value));

const anything: Permissions = { operations: null, models: null, mayStore: true };
const noLimits: LimitSettings = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

/** An account under names that do not meet those of a key. */
export const accountColumns = `
  accounts.id AS account_id, accounts.name AS account_name, accounts.group_name, accounts.limits AS account_limits,
  accounts.created_at AS account_created_at, accounts.suspended_at`;

export function asAccount(row: Row): AccountRecord {
  return {
    id: text(row.account_id),
    name: text(row.account_name),
    group: text(row.group_name),
    // Written by `accountSettings`.
    limits: parsed<LimitSettings>(row.account_limits) ?? noLimits,
    createdAt: number(row.account_created_at),
    suspendedAt: numberOrNull(row.suspended_at),
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
  };
}

/** Only what is there is written. */
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

export type AccountChanges = Partial<Pick<AccountRecord, 'name' | 'group' | 'limits' | 'suspendedAt'>>;

export function accountSettings({ name, group, limits, suspendedAt }: AccountChanges): Columns {
  return {
    ...(name !== undefined && { name }),
    ...(group !== undefined && { group_name: group }),
    ...(limits !== undefined && { limits: JSON.stringify(limits) }),
    ...(suspendedAt !== undefined && { suspended_at: suspendedAt }),
  };
}

/** Writes the columns into the row with this id; says whether there was anything to write. The names of the columns are ours alone. */
export function update(connection: DatabaseSync, table: 'keys' | 'accounts', id: string, columns: Columns): boolean {
  const names = Object.keys(columns);
  if (names.length === 0) return false;
  const assignments = names.map((name) => `${name} = :${name}`).join(', ');
  connection.prepare(`UPDATE ${table} SET ${assignments} WHERE id = :row_id`).run({ ...columns, row_id: id });
  return true;
}

function asCap({ cap_micros: micros, cap_period: period }: Row): SpendingCap | null {
  // The table allows no other periods.
  return typeof micros === 'bigint' ? { micros, period: text(period) as SpendingCap['period'] } : null;
}

/** Null stays null. */
function parsed<T>(value: SQLOutputValue | undefined): T | null {
  return value === null ? null : JSON.parse(text(value));
}
