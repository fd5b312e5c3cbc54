/** Checks which keys a key can manage, and which settings it can give to a key that it creates. */

import { isIP } from 'node:net';
import { toBlockList } from './caller-address.ts';
import type { LimitSetting, LimitSettings } from './limit-settings.ts';
import { matchesPattern } from './pattern.ts';
import type { Permissions } from './principal.ts';
import type { KeyRecord, KeySettings, SelfService } from './store.ts';

export const defaultSelfService: SelfService = { maxKeys: 10, delegate: false };

/** A replaced key has passed this permission on to its successor. */
export const mayManageKeys = ({ permissions, replacedBy }: KeyRecord): boolean => permissions.manageKeys === true && replacedBy === null;

/**
 * `keys`: all keys of the account. Whether the actor can rotate and revoke a key: itself, keys it created, and keys those created. Predecessors of rotated
 * keys count as the same key.
 */
export function createManagementCheck(actor: KeyRecord, keys: readonly KeyRecord[]): (key: KeyRecord) => boolean {
  const byId = new Map(keys.map((key) => [key.id, key]));
  const findNewestId = (id: string): string => {
    let currentId = id;
    // A chain is at most as long as the list of keys, so the loop ends even if rows are corrupt.
    for (let steps = 0; steps < keys.length; steps++) currentId = byId.get(currentId)?.replacedBy ?? currentId;
    return currentId;
  };
  const newestActorId = findNewestId(actor.id);
  return (key) => {
    const visitedIds = new Set<string>();
    for (let at: KeyRecord | undefined = key; at && !visitedIds.has(at.id); at = at.madeBy === null ? undefined : byId.get(at.madeBy)) {
      if (findNewestId(at.id) === newestActorId) return true;
      visitedIds.add(at.id);
    }
    return false;
  };
}

/** Settings that a key owner requests. Omitted fields are copied from the creating key, except `manageKeys` and `caps`. */
export type OwnKeyParams = Partial<Pick<KeySettings, 'ipRanges' | 'limits' | 'caps' | 'expiresAt'>> & {
  readonly permissions?: Partial<Permissions>;
};

/** Why a key can't be created: the field that exceeds its bound, and the bound. */
interface KeyRejection {
  readonly param: string;
  readonly message: string;
}

export type ChildKeySettings = Pick<KeySettings, 'permissions' | 'ipRanges' | 'limits' | 'caps' | 'expiresAt'>;

export interface ChildKeyRules {
  readonly selfService: SelfService;
  /** The limits for keys without their own. */
  readonly perKey: Readonly<Partial<Record<keyof LimitSettings, LimitSetting | null>>>;
}

/** Resolves the settings of the new key. Rejects the first field that exceeds the creating key's. */
export function resolveChildSettings(maker: KeyRecord, params: OwnKeyParams, rules: ChildKeyRules): ChildKeySettings | KeyRejection {
  const permissions = { ...maker.permissions, ...params.permissions, manageKeys: params.permissions?.manageKeys === true };
  const ipRanges = params.ipRanges === undefined ? maker.ipRanges : params.ipRanges;
  const limits = {
    requestsPerMinute: params.limits?.requestsPerMinute ?? maker.limits.requestsPerMinute,
    tokensPerMinute: params.limits?.tokensPerMinute ?? maker.limits.tokensPerMinute,
    concurrency: params.limits?.concurrency ?? maker.limits.concurrency,
  };
  const expiresAt = params.expiresAt === undefined ? maker.expiresAt : params.expiresAt;
  const rejection =
    checkPermissions(permissions, maker.permissions, rules.selfService) ??
    checkRanges(ipRanges, maker.ipRanges) ??
    checkLimits(limits, maker.limits, rules.perKey) ??
    checkExpiry(expiresAt, maker.expiresAt);
  return rejection ?? { permissions, ipRanges, limits, caps: params.caps ?? [], expiresAt };
}

function checkPermissions(requested: Permissions, ownPermissions: Permissions, { delegate }: SelfService): KeyRejection | null {
  const operation = findUncovered(requested.operations, ownPermissions.operations, (mine, one) => mine === one);
  if (operation !== null)
    return { param: 'permissions.operations', message: `Your key can't use ${operation}, so it can't grant it to another key.` };
  // A star in the requested pattern matches only a star in the key's own pattern.
  const model = findUncovered(requested.models, ownPermissions.models, matchesPattern);
  if (model !== null) return { param: 'permissions.models', message: `Your key can't call ${model}, so it can't grant it to another key.` };
  if (requested.mayStore && !ownPermissions.mayStore)
    return { param: 'permissions.may_store', message: "Your key can't store responses, so it can't grant that to another key." };
  if (requested.manageKeys === true && !(delegate && ownPermissions.manageKeys === true))
    return { param: 'permissions.manage_keys', message: "Your account can't grant the permission to manage keys." };
  return null;
}

/** Returns the requested permission that isn't covered, or null. */
function findUncovered(
  requested: readonly string[] | null,
  ownValues: readonly string[] | null,
  covers: (mine: string, one: string) => boolean,
): string | null {
  if (ownValues === null) return null;
  if (requested === null) return 'everything';
  return requested.find((one) => !ownValues.some((mine) => covers(mine, one))) ?? null;
}

function checkRanges(requested: readonly string[] | null, own: readonly string[] | null): KeyRejection | null {
  if (own === null) return null;
  const deniedRange = requested === null ? 'every IP address' : requested.find((range) => !own.some((mine) => isInside(range, mine)));
  if (deniedRange === undefined) return null;
  return { param: 'ip_ranges', message: `Your key can't be used from ${deniedRange}, so it can't grant that to another key.` };
}

/** A range is inside another one if it starts there and isn't wider. */
function isInside(range: string, outer: string): boolean {
  const [address, bits] = parseRange(range);
  const [outerAddress, outerBits] = parseRange(outer);
  if (isIP(address) !== isIP(outerAddress) || bits < outerBits) return false;
  return toBlockList([outer]).check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function parseRange(range: string): readonly [address: string, bits: number] {
  const [address = '', bits] = range.split('/');
  return [address, bits === undefined ? (isIP(address) === 6 ? 128 : 32) : Number(bits)];
}

const limitNames = { requestsPerMinute: 'requests_per_minute', tokensPerMinute: 'tokens_per_minute', concurrency: 'concurrency' } as const;

function checkLimits(requested: LimitSettings, ownLimits: LimitSettings, perKey: ChildKeyRules['perKey']): KeyRejection | null {
  // `as`: Object.keys widens the names to strings.
  for (const name of Object.keys(limitNames) as (keyof typeof limitNames)[]) {
    const ownLimit = ownLimits[name] ?? perKey[name] ?? null;
    const requestedLimit = requested[name] ?? perKey[name] ?? null;
    if (ownLimit?.mode !== 'enforce' || (requestedLimit?.mode === 'enforce' && requestedLimit.limit <= ownLimit.limit)) continue;
    return {
      param: `limits.${limitNames[name]}`,
      message: `'limits.${limitNames[name]}' must be at most ${ownLimit.limit}, the limit of your own key, and its mode must be 'enforce'.`,
    };
  }
  return null;
}

function checkExpiry(requestedExpiry: number | null, ownExpiry: number | null): KeyRejection | null {
  if (ownExpiry === null || (requestedExpiry !== null && requestedExpiry <= ownExpiry)) return null;
  return { param: 'expires_at', message: `The key can't outlive yours, which expires at ${new Date(ownExpiry).toISOString()}.` };
}
