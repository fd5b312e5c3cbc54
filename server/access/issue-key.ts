/** Creates and rotates keys of callers and operators. Only here does a key exist in plain text. */

import type { AdminRole } from '../../contract/admin/roles.ts';
import type { AuditEntry, Read } from '../store/audit.ts';
import { readNumber, readText } from '../store/rows.ts';
import { generateAdminKey, generateId, generateKey, getLastFour, hashKey } from './key-format.ts';
import { adoptPepper, type Pepper } from './pepper.ts';
import type { ChildKeySettings } from './self-service.ts';
import type { AccessStore, AddChildKeyResult, KeyRecord, KeySettings, NewKeyRecord } from './store.ts';

/** An omitted field means no restriction: every operation and model of the group, from anywhere, without a cap. */
export interface CreateKeyParams extends Partial<KeySettings> {
  readonly accountName: string;
  readonly name: string;
  /** The group for a new account. An existing account keeps its group. */
  readonly group?: string;
}

export interface Issuer {
  readonly store: AccessStore;
  readonly pepper: Pepper;
  readonly now: () => number;
  /** Who creates the key, for the audit log. Defaults to the gateway itself. */
  readonly actor?: string;
  /** The operator's session, for the audit log. */
  readonly session?: string | undefined;
}

export interface IssuedKey {
  /** The key in plain text, to show once. */
  readonly key: string;
  readonly id: string;
  readonly accountId: string;
  readonly isNewAccount: boolean;
}

export async function issueKey(params: CreateKeyParams, issuer: Issuer): Promise<IssuedKey> {
  await adoptPepper(issuer);
  const { key, record } = draftKey(params, issuer);
  const account = await issuer.store.addKey(
    record,
    toAuditEntry(issuer, { action: 'key.create', target: record.id, details: toAuditDetails(record) }),
  );
  return { key, id: record.id, ...account };
}

interface CreateChildKeyParams extends ChildKeySettings {
  readonly name: string;
  readonly maker: KeyRecord;
  /** Maximum active keys of the account that were created by other keys. */
  readonly most: number;
}

/** Creates a key on behalf of another key. Its calls count toward the caps of its creator as well. */
export async function createChildKey({ maker, most, ...settings }: CreateChildKeyParams, issuer: Issuer): Promise<CreateChildKeyResult> {
  await adoptPepper(issuer);
  const { account } = maker;
  const { key, record } = draftKey({ ...settings, accountName: account.name }, issuer);
  const childRecord = { ...record, account: { id: account.id, name: account.name, group: account.group }, madeBy: maker.id };
  const kind = await issuer.store.makeKey(
    childRecord,
    most,
    toAuditEntry(issuer, { action: 'key.create', target: childRecord.id, details: toAuditDetails(childRecord) }),
  );
  return kind === 'made' ? { kind, key, id: childRecord.id } : { kind };
}
type CreateChildKeyResult =
  | { readonly kind: 'made'; readonly key: string; readonly id: string }
  | { readonly kind: Exclude<AddChildKeyResult, 'made'> };

/** The names of the account and key created at first startup. */
export const firstKeyNames = { accountName: 'default', name: 'first key' } as const;

/** Creates the key at first startup. Undefined if any key was ever created. */
export async function issueFirstKey(issuer: Issuer): Promise<Pick<IssuedKey, 'key' | 'accountId'> | undefined> {
  await adoptPepper(issuer);
  const { key, record } = draftKey(firstKeyNames, issuer);
  const audit = toAuditEntry(issuer, { action: 'key.create', target: record.id, details: toAuditDetails(record) });
  if (!(await issuer.store.addFirstKey(record, audit))) return undefined;
  // An operator may have created the account before its first key, so its ID can differ.
  const storedKey = await issuer.store.findKeyById(record.id);
  return { key, accountId: storedKey?.account.id ?? record.account.id };
}

/** Returns the default account's chosen key, created if necessary, or undefined if it was revoked. */
export async function issuePredefinedKey(
  { key, name }: { readonly key: string; readonly name: string },
  issuer: Issuer,
): Promise<IssuedKey | undefined> {
  await adoptPepper(issuer);
  const existingKey = await issuer.store.findKey(hashKey(key, issuer.pepper));
  if (existingKey)
    return existingKey.revokedAt === null ? { key, id: existingKey.id, accountId: existingKey.account.id, isNewAccount: false } : undefined;
  const { record } = draftKey({ ...firstKeyNames, name }, issuer, key);
  const audit = toAuditEntry(issuer, { action: 'key.create', target: record.id, details: toAuditDetails(record) });
  return { key, id: record.id, ...(await issuer.store.addKey(record, audit)) };
}

interface RotateKeyParams {
  readonly id: string;
  /** How long the old key works alongside the new one. 0 ends it immediately. */
  readonly overlapMs: number;
  /** Expiry of the new key. Defaults to the same lifetime that the old key had. */
  readonly expiresAt?: number | null;
}

type RotateKeyResult =
  | { readonly kind: 'rotated'; readonly key: string; readonly id: string; readonly oldEndsAt: number; readonly expiresAt: number | null }
  | { readonly kind: 'replaced' | 'revoked' | 'unknown' };

/** The new key copies the old key's settings. */
export async function rotateKey({ id, overlapMs, expiresAt: requestedExpiry }: RotateKeyParams, issuer: Issuer): Promise<RotateKeyResult> {
  const { store, pepper, now } = issuer;
  const previousKey = await store.findKeyById(id);
  if (previousKey === undefined) return { kind: 'unknown' };
  await adoptPepper(issuer);
  const [key, createdAt] = [generateKey(), now()];
  const lifetime = previousKey.expiresAt === null ? null : createdAt + (previousKey.expiresAt - previousKey.createdAt);
  const expiresAt = requestedExpiry === undefined ? lifetime : requestedExpiry;
  const successor = { id: generateId('key'), hash: hashKey(key, pepper), lastFour: getLastFour(key), createdAt, expiresAt };
  const until = createdAt + Math.max(0, overlapMs);
  const details = { successor: successor.id, until, expiresAt };
  const kind = await store.rotateKey({ id, until, successor }, toAuditEntry(issuer, { action: 'key.rotate', target: id, details }));
  if (kind !== 'rotated') return { kind };
  return { kind, key, id: successor.id, oldEndsAt: Math.min(previousKey.expiresAt ?? until, until), expiresAt };
}

/** Creates an operator key, with full permissions unless `role` restricts it. */
export async function issueAdminKey(
  name: string,
  { role = 'admin', ...issuer }: Issuer & { readonly role?: AdminRole | undefined },
): Promise<{ readonly key: string; readonly id: string }> {
  await adoptPepper(issuer);
  const key = generateAdminKey();
  const record = { id: generateId('admin'), name, role, hash: hashKey(key, issuer.pepper), createdAt: issuer.now(), revokedAt: null };
  await issuer.store.addAdminKey(record, toAuditEntry(issuer, { action: 'admin_key.create', target: record.id, details: { name, role } }));
  return { key, id: record.id };
}

function toAuditEntry({ actor = 'system', session, now }: Issuer, entry: Pick<AuditEntry, 'action' | 'target' | 'details'>): AuditEntry {
  const { action, target, details } = entry;
  return { actor, action, target, details: session === undefined ? details : { ...details, session }, at: now() };
}

/** Returns a key's audit details, without anything that helps to use the key. */
function toAuditDetails({ account, hash: _, ...settings }: NewKeyRecord): AuditEntry['details'] {
  return { ...settings, account: account.name };
}

function draftKey(
  { accountName, group = 'default', ...settings }: CreateKeyParams,
  { pepper, now }: Issuer,
  key = generateKey(),
): { key: string; record: NewKeyRecord } {
  const record = {
    id: generateId('key'),
    account: { id: generateId('acct'), name: accountName, group },
    name: settings.name,
    permissions: settings.permissions ?? { operations: null, models: null, mayStore: true },
    ipRanges: settings.ipRanges ?? null,
    limits: settings.limits ?? { requestsPerMinute: null, tokensPerMinute: null, concurrency: null },
    caps: settings.caps ?? [],
    expiresAt: settings.expiresAt ?? null,
    hash: hashKey(key, pepper),
    lastFour: getLastFour(key),
    createdAt: now(),
  };
  return { key, record };
}

const EXPIRING_SQL = 'FROM keys WHERE expires_at > ?1 AND expires_at < ?2 AND revoked_at IS NULL AND replaced_by IS NULL';

/** Lists the active keys that expire before `until`, soonest first, except rotated keys, which have a successor. Times are in milliseconds since 1970. */
export async function listExpiringKeys(read: Read, { now, until, limit }: Record<'now' | 'until' | 'limit', number>) {
  const rows = await read(
    `SELECT id, name, expires_at, (SELECT name FROM accounts WHERE accounts.id = account_id) AS account ${EXPIRING_SQL} ORDER BY expires_at, id LIMIT ?3`,
    [now, until, limit],
  );
  const [row] = await read(`SELECT count(*) AS keys ${EXPIRING_SQL}`, [now, until]);
  const soonest = rows.map((key) => {
    return { id: readText(key.id), name: readText(key.name), account: readText(key.account), expiresAt: readNumber(key.expires_at) };
  });
  return { count: readNumber(row?.keys), soonest };
}
