/** Keys: how they are sent, their format, and the only form in which they are stored: HMAC-SHA-256 under the pepper of this installation. */
import { createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type ErrorOf, GatewayError, type KeyedName } from '../errors.ts';
import type { Pepper } from './pepper.ts';

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

/** For lists: enough to recognise a key; these characters are part of the checksum. */
export function lastFour(key: string): string {
  return key.slice(-4);
}

/** An id for a row, for example `key_4Zs…`; not a secret. */
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
