/** Creates keys of callers and operators: the only place where a key exists in plain text. */

import { isIP } from 'node:net';
import type { AdminRole } from '../../contract/admin/roles.ts';
import type { AuditEntry, Read } from '../storage/audit.ts';
import { number } from '../storage/rows.ts';
import { hashKey, lastFour, newAdminKey, newId, newKey, openRanges } from './authenticate.ts';
import { adoptPepper, type Pepper } from './pepper.ts';
import { matchesPattern } from './permissions.ts';
import type {
  AccessStore,
  KeyRecord,
  KeySettings,
  LimitSetting,
  LimitSettings,
  MakeResult,
  NewKeyRecord,
  Permissions,
  SelfService,
} from './store.ts';

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

interface MadeKeyOrder extends MadeSettings {
  readonly name: string;
  readonly maker: KeyRecord;
  /** The most keys of the account that were made by keys and work. */
  readonly most: number;
}

/** A key that the key owner of another one makes: it spends under the cap of its maker. */
export async function makeKey({ maker, most, ...settings }: MadeKeyOrder, issuer: Issuer): Promise<MadeKey> {
  await adoptPepper(issuer);
  const { account, capOwner } = maker;
  const { key, record } = draftKey({ ...settings, accountName: account.name }, issuer);
  const made = { ...record, account: { id: account.id, name: account.name, group: account.group }, madeBy: maker.id, capOwner };
  const kind = await issuer.store.makeKey(made, most, auditOf(issuer, { action: 'key.create', target: made.id, details: noteOf(made) }));
  return kind === 'made' ? { kind, key, id: made.id } : { kind };
}
type MadeKey = { readonly kind: 'made'; readonly key: string; readonly id: string } | { readonly kind: Exclude<MakeResult, 'made'> };

/** The name of the account and of the key of the first start. */
export const firstNames = { accountName: 'default', name: 'first key' } as const;

/** The key of the first start; undefined if any key was ever created. */
export async function issueFirstKey(issuer: Issuer): Promise<Pick<IssuedKey, 'key' | 'accountId'> | undefined> {
  await adoptPepper(issuer);
  const { key, record } = draftKey(firstNames, issuer);
  const audit = auditOf(issuer, { action: 'key.create', target: record.id, details: noteOf(record) });
  if (!(await issuer.store.addFirstKey(record, audit))) return undefined;
  // An operator may have created the account before its first key; then it has a different ID.
  const kept = await issuer.store.findKeyById(record.id);
  return { key, accountId: kept?.account.id ?? record.account.id };
}

/** A chosen key of the same account, created if it doesn't exist; undefined if it was revoked. */
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

interface RotationOrder {
  readonly id: string;
  /** How long the old key works alongside the new one; 0 ends it immediately. */
  readonly overlapMs: number;
  /** Expiry of the new key. Default: the lifetime that the old one was created with. */
  readonly expiresAt?: number | null;
}

type RotatedKey =
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

export const standardSelfService: SelfService = { maxKeys: 10, delegate: false };

/** One that was replaced has handed this on to its successor. */
export const mayManageKeys = ({ permissions, replacedBy }: KeyRecord): boolean => permissions.manageKeys === true && replacedBy === null;

/** `keys`: all of the account. Whether the actor may rotate and revoke a key: itself, what it made, and what that made; also under the earlier form of either. */
export function managedBy(actor: KeyRecord, keys: readonly KeyRecord[]): (key: KeyRecord) => boolean {
  const byId = new Map(keys.map((key) => [key.id, key]));
  const newestOf = (id: string): string => {
    let at = id;
    // A chain is no longer than all keys: bounded even where rows are damaged.
    for (let steps = 0; steps < keys.length; steps++) at = byId.get(at)?.replacedBy ?? at;
    return at;
  };
  const own = newestOf(actor.id);
  return (key) => {
    const seen = new Set<string>();
    for (let at: KeyRecord | undefined = key; at && !seen.has(at.id); at = at.madeBy === null ? undefined : byId.get(at.madeBy)) {
      if (newestOf(at.id) === own) return true;
      seen.add(at.id);
    }
    return false;
  };
}

/** Settings that a key owner requests. Absent ones are copied from the creating key, except `manageKeys`. */
export type OwnKeyOrder = Partial<Pick<KeySettings, 'ipRanges' | 'limits' | 'expiresAt'>> & {
  readonly permissions?: Partial<Permissions>;
};

/** Why a key can't be made: the field that goes too far, and how far it may go. */
interface TooMuch {
  readonly param: string;
  readonly message: string;
}
type MadeSettings = Pick<KeySettings, 'permissions' | 'ipRanges' | 'limits' | 'cap' | 'expiresAt'>;

export interface MakerRules {
  readonly selfService: SelfService;
  /** The limits that apply to keys without limits. */
  readonly perKey: Readonly<Partial<Record<keyof LimitSettings, LimitSetting | null>>>;
}

/** The settings of the new key; the first field that goes beyond the maker's is rejected. */
export function withinMaker(maker: KeyRecord, order: OwnKeyOrder, rules: MakerRules): MadeSettings | TooMuch {
  const permissions = { ...maker.permissions, ...order.permissions, manageKeys: order.permissions?.manageKeys === true };
  const ipRanges = order.ipRanges === undefined ? maker.ipRanges : order.ipRanges;
  const limits = {
    requestsPerMinute: order.limits?.requestsPerMinute ?? maker.limits.requestsPerMinute,
    tokensPerMinute: order.limits?.tokensPerMinute ?? maker.limits.tokensPerMinute,
    concurrency: order.limits?.concurrency ?? maker.limits.concurrency,
  };
  const expiresAt = order.expiresAt === undefined ? maker.expiresAt : order.expiresAt;
  const tooMuch =
    permissionsBeyond(permissions, maker.permissions, rules.selfService) ??
    rangesBeyond(ipRanges, maker.ipRanges) ??
    limitsBeyond(limits, maker.limits, rules.perKey) ??
    expiryBeyond(expiresAt, maker.expiresAt);
  return tooMuch ?? { permissions, ipRanges, limits, cap: maker.cap, expiresAt };
}

function permissionsBeyond(asked: Permissions, own: Permissions, { delegate }: SelfService): TooMuch | null {
  const operation = firstBeyond(asked.operations, own.operations, (mine, one) => mine === one);
  if (operation !== null)
    return { param: 'permissions.operations', message: `Your key can't use ${operation}, so it can't grant it to another key.` };
  // A star of the asked pattern is matched by a star of the own one alone.
  const model = firstBeyond(asked.models, own.models, matchesPattern);
  if (model !== null) return { param: 'permissions.models', message: `Your key can't call ${model}, so it can't grant it to another key.` };
  if (asked.mayStore && !own.mayStore)
    return { param: 'permissions.may_store', message: "Your key can't store responses, so it can't grant that to another key." };
  if (asked.manageKeys === true && !(delegate && own.manageKeys === true))
    return { param: 'permissions.manage_keys', message: "Your account can't grant the permission to manage keys." };
  return null;
}

/** Returns the requested permission that isn't covered, or null. */
function firstBeyond(
  asked: readonly string[] | null,
  own: readonly string[] | null,
  covers: (mine: string, one: string) => boolean,
): string | null {
  if (own === null) return null;
  if (asked === null) return 'everything';
  return asked.find((one) => !own.some((mine) => covers(mine, one))) ?? null;
}

function rangesBeyond(asked: readonly string[] | null, own: readonly string[] | null): TooMuch | null {
  if (own === null) return null;
  const wrong = asked === null ? 'every IP address' : asked.find((range) => !own.some((mine) => isInside(range, mine)));
  if (wrong === undefined) return null;
  return { param: 'ip_ranges', message: `Your key can't be used from ${wrong}, so it can't grant that to another key.` };
}

/** A range is inside another when it begins there and isn't wider. */
function isInside(range: string, outer: string): boolean {
  const [address, bits] = partsOf(range);
  const [outerAddress, outerBits] = partsOf(outer);
  if (isIP(address) !== isIP(outerAddress) || bits < outerBits) return false;
  return openRanges([outer]).check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function partsOf(range: string): readonly [address: string, bits: number] {
  const [address = '', bits] = range.split('/');
  return [address, bits === undefined ? (isIP(address) === 6 ? 128 : 32) : Number(bits)];
}

const limitNames = { requestsPerMinute: 'requests_per_minute', tokensPerMinute: 'tokens_per_minute', concurrency: 'concurrency' } as const;

function limitsBeyond(asked: LimitSettings, own: LimitSettings, perKey: MakerRules['perKey']): TooMuch | null {
  // `as`: the names of an object are those of its type.
  for (const name of Object.keys(limitNames) as (keyof typeof limitNames)[]) {
    const bound = own[name] ?? perKey[name] ?? null;
    const one = asked[name] ?? perKey[name] ?? null;
    if (bound?.mode !== 'enforce' || (one?.mode === 'enforce' && one.limit <= bound.limit)) continue;
    return {
      param: `limits.${limitNames[name]}`,
      message: `'limits.${limitNames[name]}' must be at most ${bound.limit}, the limit of your own key, and its mode must be 'enforce'.`,
    };
  }
  return null;
}

function expiryBeyond(asked: number | null, own: number | null): TooMuch | null {
  if (own === null || (asked !== null && asked <= own)) return null;
  return { param: 'expires_at', message: `The key can't outlive yours, which expires at ${new Date(own).toISOString()}.` };
}

/** Counts active keys that expire before `until`, except rotated keys, which have a successor. Times are in milliseconds since 1970. */
export async function countExpiring(read: Read, now: number, until: number): Promise<number> {
  const [row] = await read(
    'SELECT count(*) AS keys FROM keys WHERE expires_at > ?1 AND expires_at < ?2 AND revoked_at IS NULL AND replaced_by IS NULL',
    [now, until],
  );
  return number(row?.keys);
}
