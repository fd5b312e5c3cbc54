/** Authenticates a caller: the bearer key of a request → its Principal. The first step of every call under `/v1`. */
import { hash } from 'node:crypto';
import type { BlockList } from 'node:net';
import { type ErrorOf, GatewayError, type KeyedName, storeFailed } from '../errors.ts';
import { callerAddress, isWithin, type Origin, openRanges } from './address.ts';
import { bearerKey, hashKey, isWellFormed, wrongKey } from './keys.ts';
import type { Pepper } from './pepper.ts';
import type { Principal } from './principal.ts';
import type { AccessStore, KeyRecord } from './store.ts';

export interface Authenticator {
  /**
   * Synchronous when the key is cached, else after a look-up. Throws or rejects with `invalid_api_key` (one body for
   * every reason), with `permission_denied` when the key is valid but not from this address, or with `overloaded` when the store failed.
   */
  authenticate(authorization: string | undefined, origin: Origin): Principal | Promise<Principal>;
}

export interface AuthenticatorParts {
  readonly store: Pick<AccessStore, 'findKey'>;
  readonly pepper: Pepper;
  readonly now: () => number;
  /** Addresses and ranges of the trusted proxies. */
  readonly trustedProxies: readonly string[];
}

/** Another process may have revoked a key, so a cached key is read again after this time. Half of the promised two seconds; the rest is slack. */
const FRESH_MS = 1_000;
/** Some 500 bytes each, most of it shared. */
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly principal: Principal;
  readonly expiresAt: number;
  readonly freshUntil: number;
  readonly askedAt: number;
}

export function openAuthenticator({ store, pepper, now, trustedProxies }: AuthenticatorParts): Authenticator {
  const proxies = openRanges(trustedProxies);
  // Keyed by a digest: no key stays in memory, and the time of a look-up reveals nothing about similar keys.
  const seen = new Map<string, Entry>();

  const lookUp = async (key: string, digest: string): Promise<Principal> => {
    const askedAt = now();
    const record = await store.findKey(hashKey(key, pepper)).catch(storeFailed);
    seen.delete(digest);
    if (record === undefined || !isInForce(record, now())) throw wrongKey();
    const expiresAt = record.expiresAt ?? Number.POSITIVE_INFINITY;
    const principal = principalOf(record);
    if (seen.size >= MAX_ENTRIES) forgetOldest(seen);
    seen.set(digest, { principal, expiresAt, freshUntil: askedAt + FRESH_MS, askedAt });
    return principal;
  };

  return {
    authenticate(authorization, origin) {
      const key = bearerKey(authorization);
      const digest = hash('sha256', key, 'hex');
      const entry = seen.get(digest);
      const time = now();
      // A clock that was set back would make an entry look fresh for too long.
      if (entry !== undefined && time < entry.freshUntil && time >= entry.askedAt) {
        if (time >= entry.expiresAt) throw wrongKey();
        return placed(entry.principal, origin, proxies);
      }
      if (!isWellFormed(key)) throw wrongKey();
      return lookUp(key, digest).then((principal) => placed(principal, origin, proxies));
    },
  };
}

/** Whether the key works at this time; from which address is another question. */
export const isInForce = ({ revokedAt, expiresAt, account }: KeyRecord, at: number): boolean =>
  revokedAt === null && account.suspendedAt === null && at < (expiresAt ?? Number.POSITIVE_INFINITY);

/** Whether the stored key may be used from where the request comes from. */
export function isFromPermittedAddress({ ipRanges }: KeyRecord, origin: Origin, proxies: BlockList): boolean {
  if (ipRanges === null) return true;
  const address = callerAddress(origin, proxies);
  return address !== undefined && isWithin(openRanges(ipRanges), address);
}

/** Most keys may be used from anywhere, so their address is not read. The message shows a thief neither the ranges nor the address. */
function placed(principal: Principal, origin: Origin, proxies: BlockList): Principal {
  if (principal.addresses === null) return principal;
  const address = callerAddress(origin, proxies);
  if (address !== undefined && isWithin(principal.addresses, address)) return principal;
  throw elsewhere();
}

export const elsewhere = (): ErrorOf<KeyedName, 403> =>
  new GatewayError('permission_denied', { message: 'This key may not be used from this address.' });

/** What a key may do, out of its record. */
export function principalOf({ id, name, account, permissions, ipRanges, limits, cap, capOwner }: KeyRecord): Principal {
  return Object.freeze({
    keyId: id,
    keyName: name,
    accountId: account.id,
    group: account.group,
    permissions: Object.freeze(permissions),
    addresses: ipRanges && openRanges(ipRanges),
    limits: Object.freeze({ key: Object.freeze(limits), account: Object.freeze(account.limits) }),
    cap: cap && Object.freeze(cap),
    capOwner,
  });
}

/** A map keeps insertion order, and a key in use is inserted again each second, so the first entry is the least recently used. */
function forgetOldest(seen: Map<string, Entry>): void {
  const oldest = seen.keys().next();
  if (!oldest.done) seen.delete(oldest.value);
}
