/** Computes a short hash that is the same on every process, and shortens texts with it. */

/** 32-bit FNV-1a in hexadecimal: the same in every process and in every turn of a conversation. */
export function toShortHash(text: string): string {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}

/** The length of a hash and the underscore before it. */
const HASH_LENGTH = 9;

/** The start of a text, plus a hash of `hashedText` to keep it unique. */
export const shortenWithHash = (start: string, hashedText: string, maxLength: number): string =>
  `${start.slice(0, maxLength - HASH_LENGTH)}_${toShortHash(hashedText)}`;
