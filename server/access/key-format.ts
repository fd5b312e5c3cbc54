/** Generates keys and IDs, checks the format and checksum of keys, and hashes them. */
import { createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Pepper } from './pepper.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export const CALLER_PREFIX = 'mg-';

/** The prefix of operator keys. No caller key starts with it, because secrets contain no hyphen. */
const ADMIN_PREFIX = 'mga-';

/** 62^43 > 2^256 */
const SECRET_LENGTH = 43;

/** 62^6 > 2^32 */
const CHECKSUM_LENGTH = 6;

/** 256 random bits and their checksum, in letters and digits, so that a double click selects the complete key. */
export function generateKey(random: (size: number) => Buffer = randomBytes): string {
  return generatePrefixedKey(CALLER_PREFIX, random);
}

export function generateAdminKey(random: (size: number) => Buffer = randomBytes): string {
  return generatePrefixedKey(ADMIN_PREFIX, random);
}

/** Whether the key is well-formed. Detects a mistyped key without a lookup. */
export function hasKeyFormat(key: string): boolean {
  return hasValidFormat(CALLER_PREFIX, key);
}

export function hasAdminKeyFormat(key: string): boolean {
  return hasValidFormat(ADMIN_PREFIX, key);
}

export function hashKey(key: string, pepper: Pepper): Buffer {
  return createHmac('sha256', pepper).update(key).digest();
}

/** Returns the last characters of a key, which identify it in lists. They're part of the checksum. */
export function getLastFour(key: string): string {
  return key.slice(-4);
}

/** Generates a row ID, such as `key_4Zs…`. Not a secret. */
export function generateId(kind: 'acct' | 'key' | 'admin'): string {
  return `${kind}_${toBase62(BigInt(`0x${randomBytes(12).toString('hex')}`), 17)}`;
}

function generatePrefixedKey(prefix: string, random: (size: number) => Buffer): string {
  const secret = toBase62(BigInt(`0x${random(32).toString('hex')}`), SECRET_LENGTH);
  return prefix + secret + computeChecksum(secret);
}

function hasValidFormat(prefix: string, key: string): boolean {
  if (key.length !== prefix.length + SECRET_LENGTH + CHECKSUM_LENGTH || !key.startsWith(prefix)) return false;
  const secret = key.slice(prefix.length, -CHECKSUM_LENGTH);
  return computeChecksum(secret) === key.slice(-CHECKSUM_LENGTH);
}

function computeChecksum(secret: string): string {
  return toBase62(BigInt(crc32(secret)), CHECKSUM_LENGTH);
}

function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let remaining = value; text.length < length; remaining /= 62n) text = ALPHABET.charAt(Number(remaining % 62n)) + text;
  return text;
}
