/** Creates keys of callers and operators: the only place where a key exists in plain text. */
import type { AdminRole } from '../../contract/admin-roles.ts';
import type { AuditEntry } from '../storage/audit.ts';
import { adoptPepper } from './fingerprint.ts';
import { hashKey, lastFour, newAdminKey, newId, newKey } from './keys.ts';
import type { Pepper } from './pepper.ts';
import type { MadeSettings } from './self-service.ts';
import type { AccessStore, KeyRecord, KeySettings, MakeResult, NewKeyRecord } from './store.ts';

/** An absent field means no restriction: every operation and model of the group, from anywhere, without a cap. */
export interface KeyOrder extends Partial<KeySettings> {
  readonly accountName: string;
  readonly name: string;
  /** The group of an account that is created for the key; an existing account keeps its group. */
  readonly group?: string;
}

export interface Issuer {
  readonly store: AccessStore;
  readonly pepper: Pepper;
  readonly now: () => number;
  /** Who creates it, for the audit log. Default: the gateway itself. */
  readonly actor?: string;
  /** The session in which it is created, for the audit log. */
  readonly session?: string | undefined;
}

export interface IssuedKey {
  /** The key in plain text, to show once. */
  readonly key: string;
  readonly id: string;
  readonly accountId: string;
  readonly isNewAccount: boolean;
}

export async function issueKey(order: KeyOrder, issuer: Issuer): Promise<IssuedKey> {
  await adoptPepper(issuer);
  const { key, record } = draftKey(order, issuer);
  const added = await issuer.store.addKey(record, auditOf(issuer, { action: 'key.create', target: record.id, details: noteOf(record) }));
  return { key, id: record.id, ...added };
}

export interface MadeKeyOrder extends MadeSettings {
  readonly name: string;
  readonly maker: KeyRecord;
  /** The most keys of the account that were made by keys and work. */
  readonly most: number;
}

/** A key that the holder of another one makes: it spends under the cap of its maker. */
export async function makeKey({ maker, most, ...settings }: MadeKeyOrder, issuer: Issuer): Promise<MadeKey> {
  await adoptPepper(issuer);
  const { account, capOwner } = maker;
  const { key, record } = draftKey({ ...settings, accountName: account.name }, issuer);
  const made = { ...record, account: { id: account.id, name: account.name, group: account.group }, madeBy: maker.id, capOwner };
  const kind = await issuer.store.makeKey(made, most, auditOf(issuer, { action: 'key.create', target: made.id, details: noteOf(made) }));
  return kind === 'made' ? { kind, key, id: made.id } : { kind };
}
export type MadeKey = { readonly kind: 'made'; readonly key: string; readonly id: string } | { readonly kind: Exclude<MakeResult, 'made'> };

/** The name of the account and of the key of the first start. */
export const firstNames = { accountName: 'default', name: 'first key' } as const;

/** The key of the first start; undefined when any key was ever created. */
export async function issueFirstKey(issuer: Issuer): Promise<Pick<IssuedKey, 'key' | 'accountId'> | undefined> {
  await adoptPepper(issuer);
  const { key, record } = draftKey(firstNames, issuer);
  const audit = auditOf(issuer, { action: 'key.create', target: record.id, details: noteOf(record) });
  if (!(await issuer.store.addFirstKey(record, audit))) return undefined;
  // An operator may have created the account before its first key; then it has a different id.
  const kept = await issuer.store.findKeyById(record.id);
  return { key, accountId: kept?.account.id ?? record.account.id };
}

/** A chosen key of the same account, created if it does not exist; undefined when it was revoked. */
export async function issueChosenKey(
  { key, name }: { readonly key: string; readonly name: string },
  issuer: Issuer,
): Promise<IssuedKey | undefined> {
  await adoptPepper(issuer);
  const known = await issuer.store.findKey(hashKey(key, issuer.pepper));
  if (known) return known.revokedAt === null ? { key, id: known.id, accountId: known.account.id, isNewAccount: false } : undefined;
  const { record } = draftKey({ ...firstNames, name }, issuer, key);
  const audit = auditOf(issuer, { action: 'key.create', target: record.id, details: noteOf(record) });
  return { key, id: record.id, ...(await issuer.store.addKey(record, audit)) };
}

export interface RotationOrder {
  readonly id: string;
  /** How long the old key works beside the new one; 0 ends it at once. */
  readonly overlapMs: number;
  /** Expiry of the new key. Default: the lifetime that the old one was created with. */
  readonly expiresAt?: number | null;
}

export type RotatedKey =
  | { readonly kind: 'rotated'; readonly key: string; readonly id: string; readonly oldEndsAt: number; readonly expiresAt: number | null }
  | { readonly kind: 'replaced' | 'revoked' | 'unknown' };

/** The new key is like the old one. */
export async function rotateKey({ id, overlapMs, expiresAt: chosen }: RotationOrder, issuer: Issuer): Promise<RotatedKey> {
  const { store, pepper, now } = issuer;
  const old = await store.findKeyById(id);
  if (old === undefined) return { kind: 'unknown' };
  await adoptPepper(issuer);
  const [key, createdAt] = [newKey(), now()];
  const lifetime = old.expiresAt === null ? null : createdAt + (old.expiresAt - old.createdAt);
  const expiresAt = chosen === undefined ? lifetime : chosen;
  const successor = { id: newId('key'), hash: hashKey(key, pepper), lastFour: lastFour(key), createdAt, expiresAt };
  const until = createdAt + Math.max(0, overlapMs);
  const details = { successor: successor.id, until, expiresAt };
  const kind = await store.rotateKey({ id, until, successor }, auditOf(issuer, { action: 'key.rotate', target: id, details }));
  if (kind !== 'rotated') return { kind };
  return { kind, key, id: successor.id, oldEndsAt: Math.min(old.expiresAt ?? until, until), expiresAt };
}

/** A key of an operator, who may do everything unless `role` says otherwise. */
export async function issueAdminKey(
  name: string,
  { role = 'admin', ...issuer }: Issuer & { readonly role?: AdminRole | undefined },
): Promise<{ readonly key: string; readonly id: string }> {
  await adoptPepper(issuer);
  const key = newAdminKey();
  const record = { id: newId('admin'), name, role, hash: hashKey(key, issuer.pepper), createdAt: issuer.now(), revokedAt: null };
  await issuer.store.addAdminKey(record, auditOf(issuer, { action: 'admin_key.create', target: record.id, details: { name, role } }));
  return { key, id: record.id };
}

function auditOf({ actor = 'system', session, now }: Issuer, entry: Pick<AuditEntry, 'action' | 'target' | 'details'>): AuditEntry {
  const { action, target, details } = entry;
  return { actor, action, target, details: session === undefined ? details : { ...details, session }, at: now() };
}

/** A key in the audit log, without anything that would help to use it. */
function noteOf({ account, hash: _, ...settings }: NewKeyRecord): AuditEntry['details'] {
  return { ...settings, account: account.name };
}

function draftKey(
  { accountName, group = 'default', ...settings }: KeyOrder,
  { pepper, now }: Issuer,
  key = newKey(),
): { key: string; record: NewKeyRecord } {
  const record = {
    id: newId('key'),
    account: { id: newId('acct'), name: accountName, group },
    name: settings.name,
    permissions: settings.permissions ?? { operations: null, models: null, mayStore: true },
    ipRanges: settings.ipRanges ?? null,
    limits: settings.limits ?? { requestsPerMinute: null, tokensPerMinute: null, concurrency: null },
    cap: settings.cap ?? null,
    expiresAt: settings.expiresAt ?? null,
    hash: hashKey(key, pepper),
    lastFour: lastFour(key),
    createdAt: now(),
  };
  return { key, record };
}
