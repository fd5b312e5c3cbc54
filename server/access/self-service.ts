/** What the holder of a key may do with keys of his account: which ones are his to change, and how far one that he makes may go. Never beyond his own. */
import { isIP } from 'node:net';
import { openRanges } from './address.ts';
import { matchesPattern } from './pattern.ts';
import type { LimitSetting, LimitSettings, Permissions } from './principal.ts';
import type { KeyRecord, KeySettings, SelfService } from './store.ts';

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

/** What a holder asks for; what is absent is as with the maker, `manageKeys` excepted. */
export type MadeKeyOrder = Partial<Pick<KeySettings, 'ipRanges' | 'limits' | 'expiresAt'>> & {
  readonly permissions?: Partial<Permissions>;
};

/** Why a key may not be made: the field that goes too far, and how far it may go. */
export interface TooMuch {
  readonly param: string;
  readonly message: string;
}
export type MadeSettings = Pick<KeySettings, 'permissions' | 'ipRanges' | 'limits' | 'cap' | 'expiresAt'>;

export interface MakerRules {
  readonly selfService: SelfService;
  /** The limits of a key that has none of its own. */
  readonly perKey: Readonly<Partial<Record<keyof LimitSettings, LimitSetting | null>>>;
}

/** The settings of the new key; the first field that goes beyond the maker's is refused. */
export function withinMaker(maker: KeyRecord, order: MadeKeyOrder, rules: MakerRules): MadeSettings | TooMuch {
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
    return { param: 'permissions.operations', message: `Your key may not use ${operation}, so it cannot give it to another.` };
  // A star of the asked pattern is matched by a star of the own one alone.
  const model = firstBeyond(asked.models, own.models, matchesPattern);
  if (model !== null) return { param: 'permissions.models', message: `Your key may not call ${model}, so it cannot give it to another.` };
  if (asked.mayStore && !own.mayStore) return { param: 'permissions.may_store', message: 'Your key may not store responses.' };
  if (asked.manageKeys === true && !(delegate && own.manageKeys === true))
    return { param: 'permissions.manage_keys', message: 'Your account may not hand on the permission to manage keys.' };
  return null;
}

/** What is asked for and not covered; null: nothing. */
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
  const wrong = asked === null ? 'anywhere' : asked.find((range) => !own.some((mine) => isInside(range, mine)));
  if (wrong === undefined) return null;
  return { param: 'ip_ranges', message: `Your key may not be used from ${wrong}, so it cannot give that to another.` };
}

/** A range is inside another when it begins there and is no wider. */
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
      message: `The limit may be at most ${bound.limit}, as with your key, and has to be enforced.`,
    };
  }
  return null;
}

function expiryBeyond(asked: number | null, own: number | null): TooMuch | null {
  if (own === null || (asked !== null && asked <= own)) return null;
  return { param: 'expires_at', message: `The key may not outlive yours, which expires at ${new Date(own).toISOString()}.` };
}
