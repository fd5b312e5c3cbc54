/** Authenticates a caller: the bearer key of a request → its Principal. The first step of every call under `/v1`. */
import { createHmac, hash, randomBytes } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { crc32 } from 'node:zlib';
import { type ErrorOf, GatewayError, type KeyedName, storeFailed } from '../errors.ts';
import type { Pepper } from './pepper.ts';
import type { AccessStore, AdminKeyRecord, KeyRecord, Principal } from './store.ts';

export interface Authenticator {
  /**
   * Synchronous when the key is cached, else after a look-up. Throws or rejects with `invalid_api_key` (one body for
   * every reason), with `permission_denied` when the key is valid but not from this address, or with `overloaded` when the store failed.
   */
  authenticate(authorization: string | undefined, origin: Origin): Principal | Promise<Principal>;
}

export interface AuthenticatorParts {
  readonly store: Pick<AccessStore, 'findKey' | 'changes'>;
  readonly pepper: Pepper;
  readonly now: () => number;
  /** Addresses and ranges of the trusted proxies. */
  readonly trustedProxies: readonly string[];
}

/** Another process may have revoked a key, so the store is asked after this time whether anything has changed. Half of the promised two seconds; the rest is slack. */
const FRESH_MS = 1_000;
/** A cached key is also read again after this time, in case the tables were edited by hand. */
const MAX_AGE_MS = 30_000;
/** Some 500 bytes each, most of it shared. */
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly principal: Principal;
  readonly expiresAt: number;
  readonly askedAt: number;
  /** The state of the store before it was asked. */
  readonly changes: string;
}

interface Changes {
  readonly text: string;
  readonly askedAt: number;
}

/** Whether something that was read at a time is still young; a clock that was set back would make it look so for too long. */
const isYoung = (askedAt: number, time: number, most: number): boolean => time >= askedAt && time < askedAt + most;

export function openAuthenticator({ store, pepper, now, trustedProxies }: AuthenticatorParts): Authenticator {
  const proxies = openRanges(trustedProxies);
  // Keyed by a digest: no key stays in memory, and the time of a look-up reveals nothing about similar keys.
  const seen = new Map<string, Entry>();
  let latest: Changes | null = null;
  let asking: Promise<void> | null = null;

  const askForChanges = async (): Promise<void> => {
    const askedAt = now();
    const text = await store.changes().catch(storeFailed);
    latest = { text, askedAt };
  };

  /** The cached entry, if nothing has changed since it was read. */
  const cached = (digest: string, time: number): Entry | undefined => {
    const entry = seen.get(digest);
    return entry !== undefined && entry.changes === latest?.text && isYoung(entry.askedAt, time, MAX_AGE_MS) ? entry : undefined;
  };

  const useOf = ({ principal, expiresAt }: Entry, time: number): Principal => {
    if (time >= expiresAt) throw wrongKey();
    return principal;
  };

  const lookUp = async (key: string, digest: string): Promise<Principal> => {
    const askedAt = now();
    const changes = latest?.text ?? '';
    const record = await store.findKey(hashKey(key, pepper)).catch(storeFailed);
    seen.delete(digest);
    if (record === undefined || !isInForce(record, now())) throw wrongKey();
    const expiresAt = record.expiresAt ?? Number.POSITIVE_INFINITY;
    const principal = principalOf(record);
    if (seen.size >= MAX_ENTRIES) forgetOldest(seen);
    seen.set(digest, { principal, expiresAt, askedAt, changes });
    return principal;
  };

  const find = async (key: string, digest: string): Promise<Principal> => {
    if (latest === null || !isYoung(latest.askedAt, now(), FRESH_MS)) {
      asking ??= askForChanges().finally(() => {
        asking = null;
      });
      await asking;
    }
    const entry = cached(digest, now());
    return entry === undefined ? lookUp(key, digest) : useOf(entry, now());
  };

  return {
    authenticate(authorization, origin) {
      const key = bearerKey(authorization);
      const digest = hash('sha256', key, 'hex');
      const time = now();
      const entry = latest !== null && isYoung(latest.askedAt, time, FRESH_MS) ? cached(digest, time) : undefined;
      if (entry !== undefined) return placed(useOf(entry, time), origin, proxies);
      if (!isWellFormed(key)) throw wrongKey();
      return find(key, digest).then((principal) => placed(principal, origin, proxies));
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

/** Most keys may be used from anywhere, so their address isn't read. The message shows a thief neither the ranges nor the address. */
function placed(principal: Principal, origin: Origin, proxies: BlockList): Principal {
  if (principal.addresses === null) return principal;
  const address = callerAddress(origin, proxies);
  if (address !== undefined && isWithin(principal.addresses, address)) return principal;
  throw elsewhere();
}

export const elsewhere = (): ErrorOf<KeyedName, 403> =>
  new GatewayError('permission_denied', { message: "This key can't be used from this IP address." });

/** Reads the permissions of a key from its record. */
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

/** A map keeps insertion order, and a key in use is inserted again twice a minute, so the first entry is the least recently used. */
function forgetOldest(seen: Map<string, Entry>): void {
  const oldest = seen.keys().next();
  if (!oldest.done) seen.delete(oldest.value);
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CALLER_PREFIX = 'mg-';
/** Prefix for operators; no key of a caller begins with it, because no secret contains a hyphen. */
const ADMIN_PREFIX = 'mga-';
/** 62^43 > 2^256 */
const SECRET_LENGTH = 43;
/** 62^6 > 2^32 */
const CHECKSUM_LENGTH = 6;

/** 256 random bits and their checksum, in letters and digits: a double click selects all of it. */
export function newKey(random: (size: number) => Buffer = randomBytes): string {
  return makeKey(CALLER_PREFIX, random);
}

export function newAdminKey(random: (size: number) => Buffer = randomBytes): string {
  return makeKey(ADMIN_PREFIX, random);
}

/** Whether the text is well-formed; detects a mistyped key without a look-up. */
export function isWellFormed(key: string): boolean {
  return hasForm(CALLER_PREFIX, key);
}

export function isWellFormedAdmin(key: string): boolean {
  return hasForm(ADMIN_PREFIX, key);
}

export function hashKey(key: string, pepper: Pepper): Buffer {
  return createHmac('sha256', pepper).update(key).digest();
}

/** Returns the last characters of a key, which identify it in lists. They're part of the checksum. */
export function lastFour(key: string): string {
  return key.slice(-4);
}

/** An ID for a row, for example `key_4Zs…`; not a secret. */
export function newId(kind: 'acct' | 'key' | 'admin'): string {
  return `${kind}_${base62(BigInt(`0x${randomBytes(12).toString('hex')}`), 17)}`;
}

function makeKey(prefix: string, random: (size: number) => Buffer): string {
  const secret = base62(BigInt(`0x${random(32).toString('hex')}`), SECRET_LENGTH);
  return prefix + secret + checksum(secret);
}

function hasForm(prefix: string, key: string): boolean {
  if (key.length !== prefix.length + SECRET_LENGTH + CHECKSUM_LENGTH || !key.startsWith(prefix)) return false;
  const secret = key.slice(prefix.length, -CHECKSUM_LENGTH);
  return checksum(secret) === key.slice(-CHECKSUM_LENGTH);
}

function checksum(secret: string): string {
  return base62(BigInt(crc32(secret)), CHECKSUM_LENGTH);
}

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text;
  return text;
}

/** Longer than any key; bounds the text that is hashed. */
const MAX_HEADER_LENGTH = 200;

/** The token of an `Authorization` header: exactly one token after the scheme, whose name is case-insensitive (RFC 9110, 11.1). */
export function bearerKey(authorization: string | undefined): string {
  if (authorization === undefined || authorization.length > MAX_HEADER_LENGTH) throw wrongKey();
  const token = /^bearer +([^\s,]+) *$/i.exec(authorization)?.[1];
  if (token === undefined) throw wrongKey();
  return token;
}

/** One error for every reason. */
export function wrongKey(): ErrorOf<KeyedName, 401> {
  return new GatewayError('invalid_api_key', { headers: { 'www-authenticate': 'Bearer' } });
}

/** The parts of a request with the caller's address; Node's request has them. */
export interface Origin {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Addresses and CIDR ranges as one list; throws when one of them is neither. */
export function openRanges(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

/** An IPv4 address within an IPv6 one (`::ffff:192.0.2.7`) is that IPv4 address. */
export function isWithin(ranges: BlockList, address: string): boolean {
  return ranges.check(address, familyOf(address));
}

/**
 * The nearest address that isn't a trusted proxy: each proxy appends the address that it saw; addresses further left may be forged. Undefined if
 * the socket has none. When the header is unreadable, the proxy itself counts as the caller.
 */
export function callerAddress({ socket, headers }: Origin, proxies: BlockList): string | undefined {
  const peer = readAddress(socket.remoteAddress ?? '');
  if (peer === undefined || !isWithin(proxies, peer)) return peer;
  const forwarded = headers['x-forwarded-for'];
  if (forwarded === undefined) return peer;
  let nearest = peer;
  for (const hop of String(forwarded).split(',').toReversed()) {
    const address = readAddress(hop.trim());
    if (address === undefined) return peer;
    if (!isWithin(proxies, address)) return address;
    nearest = address;
  }
  return nearest;
}

/** Some proxies add the port, and brackets around IPv6; a zone (`%eth0`) has no meaning on other machines. */
function readAddress(text: string): string | undefined {
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/%.*$/, '');
  return isIP(address) === 0 ? undefined : address;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

export interface AdminAuthenticatorParts {
  readonly store: Pick<AccessStore, 'findAdminKey'>;
  readonly pepper: Pepper;
}

/** Rejects with `invalid_api_key` (one body for every reason) or, when the store failed, with `overloaded`. */
export async function authenticateAdmin(
  authorization: string | undefined,
  { store, pepper }: AdminAuthenticatorParts,
): Promise<AdminKeyRecord> {
  const key = bearerKey(authorization);
  if (!isWellFormedAdmin(key)) throw wrongKey();
  const record = await store.findAdminKey(hashKey(key, pepper)).catch(storeFailed);
  if (record === undefined || record.revokedAt !== null) throw wrongKey();
  return record;
}
