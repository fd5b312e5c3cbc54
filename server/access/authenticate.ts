/** Authenticates callers and operators by their bearer keys, and caches the Principal of each key. The first step of every call under `/v1`. */

import { hash } from 'node:crypto';
import type { BlockList } from 'node:net';
import { GatewayError, type KeyedName, type OperationError, throwStoreDown } from '../primitives/errors.ts';
import { type CallerConnection, getCallerAddress, includesAddress, toBlockList } from './caller-address.ts';
import { CALLER_PREFIX, hasAdminKeyFormat, hashKey, hasKeyFormat } from './key-format.ts';
import type { Pepper } from './pepper.ts';
import type { Principal } from './principal.ts';
import { type AccessStore, type AdminKeyRecord, type KeyRecord, listCaps } from './store.ts';

export interface Authenticator {
  /**
   * Synchronous if the key is cached, otherwise after a lookup. Throws or rejects with `invalid_api_key` (one body for every reason), `permission_denied`
   * for a valid key at a forbidden address, or `overloaded` if the store failed.
   */
  authenticate(authorization: string | undefined, origin: CallerConnection): Principal | Promise<Principal>;
}

interface AuthenticatorOptions {
  readonly store: Pick<AccessStore, 'findKey' | 'getChanges'>;
  readonly pepper: Pepper;
  readonly now: () => number;
  /** Addresses and ranges of trusted proxies. */
  readonly trustedProxies: readonly string[];
}

/**
 * Another process may have revoked a key, so the cache checks the store for changes after this time. Half of the promised two seconds; the remainder is
 * slack.
 */
const FRESH_MS = 1_000;
/** A cached key is reloaded after this time, in case the tables were edited manually. */
const MAX_AGE_MS = 30_000;
/** About 500 bytes each, most of it shared. */
const MAX_ENTRIES = 10_000;

interface CachedKey {
  readonly principal: Principal;
  readonly expiresAt: number;
  readonly requestedAt: number;
  /** The store's change marker, read before the key was loaded. */
  readonly changes: string;
}

/** Whether a value read at `requestedAt` is still fresh. Times in the future don't count: a clock that was set back would keep them fresh for too long. */
const isFresh = (requestedAt: number, time: number, maxAgeMs: number): boolean => time >= requestedAt && time < requestedAt + maxAgeMs;

export function openAuthenticator({ store, pepper, now, trustedProxies }: AuthenticatorOptions): Authenticator {
  const proxies = toBlockList(trustedProxies);
  // Keyed by digest: no key stays in memory, and lookup time reveals nothing about similar keys.
  const cache = new Map<string, CachedKey>();
  let latestChanges: { text: string; requestedAt: number } | null = null;
  let pendingRefresh: Promise<void> | null = null;

  const refreshChanges = async (): Promise<void> => {
    const requestedAt = now();
    const text = await store.getChanges().catch(throwStoreDown);
    latestChanges = { text, requestedAt };
  };

  /** Returns the cached entry if the store hasn't changed since it was read. */
  const findCachedKey = (digest: string, time: number): CachedKey | undefined => {
    const entry = cache.get(digest);
    return entry !== undefined && entry.changes === latestChanges?.text && isFresh(entry.requestedAt, time, MAX_AGE_MS) ? entry : undefined;
  };

  const getValidPrincipal = ({ principal, expiresAt }: CachedKey, time: number): Principal => {
    if (time >= expiresAt) throw createInvalidKeyError();
    return principal;
  };

  const loadPrincipal = async (key: string, digest: string): Promise<Principal> => {
    const requestedAt = now();
    const changes = latestChanges?.text ?? '';
    const record = await store.findKey(hashKey(key, pepper)).catch(throwStoreDown);
    cache.delete(digest);
    if (record === undefined || !isActiveKey(record, now())) throw createInvalidKeyError();
    const expiresAt = record.expiresAt ?? Number.POSITIVE_INFINITY;
    const principal = toPrincipal(record);
    if (cache.size >= MAX_ENTRIES) evictOldest(cache);
    cache.set(digest, { principal, expiresAt, requestedAt, changes });
    return principal;
  };

  const resolvePrincipal = async (key: string, digest: string): Promise<Principal> => {
    if (latestChanges === null || !isFresh(latestChanges.requestedAt, now(), FRESH_MS)) {
      pendingRefresh ??= refreshChanges().finally(() => {
        pendingRefresh = null;
      });
      await pendingRefresh;
    }
    const entry = findCachedKey(digest, now());
    return entry === undefined ? loadPrincipal(key, digest) : getValidPrincipal(entry, now());
  };

  return {
    authenticate(authorization, origin) {
      const key = readBearerKey(authorization);
      const digest = hash('sha256', key, 'hex');
      const time = now();
      const entry = latestChanges !== null && isFresh(latestChanges.requestedAt, time, FRESH_MS) ? findCachedKey(digest, time) : undefined;
      if (entry !== undefined) return requirePermittedAddress(getValidPrincipal(entry, time), origin, proxies);
      if (!hasKeyFormat(key)) throw createMalformedKeyError(key);
      return resolvePrincipal(key, digest).then((principal) => requirePermittedAddress(principal, origin, proxies));
    },
  };
}

/** Whether the key is active at this time. Doesn't check its addresses. */
export const isActiveKey = ({ revokedAt, expiresAt, account }: KeyRecord, at: number): boolean =>
  revokedAt === null && account.suspendedAt === null && at < (expiresAt ?? Number.POSITIVE_INFINITY);

/** Whether the stored key can be used from the request's address. */
export function isFromPermittedAddress({ ipRanges }: KeyRecord, origin: CallerConnection, proxies: BlockList): boolean {
  if (ipRanges === null) return true;
  const address = getCallerAddress(origin, proxies);
  return address !== undefined && includesAddress(toBlockList(ipRanges), address);
}

/** Most keys work from anywhere, so their address isn't read. The message reveals neither the ranges nor the address to a thief. */
function requirePermittedAddress(principal: Principal, origin: CallerConnection, proxies: BlockList): Principal {
  if (principal.addresses === null) return principal;
  const address = getCallerAddress(origin, proxies);
  if (address !== undefined && includesAddress(principal.addresses, address)) return principal;
  throw createAddressDeniedError();
}

export const createAddressDeniedError = (): OperationError<KeyedName, 403> =>
  new GatewayError('permission_denied', { message: "This key can't be used from this IP address." });

/** Creates the principal from a key's record. */
export function toPrincipal(key: KeyRecord): Principal {
  const { id, name, account, permissions, ipRanges, limits } = key;
  return Object.freeze({
    keyId: id,
    keyName: name,
    accountId: account.id,
    group: account.group,
    permissions: Object.freeze(permissions),
    addresses: ipRanges && toBlockList(ipRanges),
    limits: Object.freeze({ key: Object.freeze(limits), account: Object.freeze(account.limits) }),
    caps: Object.freeze(listCaps(key)),
  });
}

/** A map keeps insertion order, and keys in use are reinserted twice a minute, so the first entry is the least recently used. */
function evictOldest(cache: Map<string, CachedKey>): void {
  const oldest = cache.keys().next();
  if (!oldest.done) cache.delete(oldest.value);
}

/** Longer than any key. Bounds the text to hash. */
const MAX_HEADER_LENGTH = 200;

/** Returns the token of an `Authorization` header: exactly one token after the case-insensitive scheme (RFC 9110, 11.1). */
function readBearerKey(authorization: string | undefined): string {
  if (authorization === undefined || authorization === '') throw createInvalidKeyError('The API key is missing.');
  const token = authorization.length > MAX_HEADER_LENGTH ? undefined : /^bearer +([^\s,]+) *$/i.exec(authorization)?.[1];
  if (token === undefined) throw createInvalidKeyError("The Authorization header doesn't contain exactly one bearer token.");
  return token;
}

/** One error for everything that only the gateway knows. `reason` describes what the caller can see in its own request. */
function createInvalidKeyError(reason?: string): OperationError<KeyedName, 401> {
  const headers = { 'www-authenticate': 'Bearer' };
  return new GatewayError('invalid_api_key', { headers, ...(reason !== undefined && { message: `${reason} ${AUTHORIZATION_HINT}` }) });
}

const AUTHORIZATION_HINT = 'Send it as: Authorization: Bearer <API_KEY>.';

/** The error for a text that can't be a key of this gateway. */
const createMalformedKeyError = (key: string): OperationError<KeyedName, 401> =>
  createInvalidKeyError(
    key.startsWith(CALLER_PREFIX)
      ? 'The API key is incomplete or mistyped.'
      : `The API key isn't one of this gateway: those begin with '${CALLER_PREFIX}'.`,
  );

/** Rejects with `invalid_api_key` (one body for every reason), or with `overloaded` if the store failed. */
export async function authenticateAdmin(
  authorization: string | undefined,
  { store, pepper }: { store: Pick<AccessStore, 'findAdminKey'>; pepper: Pepper },
): Promise<AdminKeyRecord> {
  const key = readBearerKey(authorization);
  if (!hasAdminKeyFormat(key)) throw createInvalidKeyError();
  const record = await store.findAdminKey(hashKey(key, pepper)).catch(throwStoreDown);
  if (record === undefined || record.revokedAt !== null) throw createInvalidKeyError();
  return record;
}
