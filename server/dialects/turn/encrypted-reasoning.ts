/** Encrypted reasoning, which only the upstream that made it can read: packs it with its provider, and fingerprints it, so that no other upstream is sent it. */

import { isWithin, MAX_DEPTH } from '../../../contract/bounds.ts';
import { type Budget, valuesIn } from './work-budget.ts';

/** Begins encrypted reasoning that was packed here, for a protocol without such a text. */
const TAG = 'mg1.';
const prefixOf = (provider: string) => `${TAG}${provider}.`;

export const isPackedBy = (provider: string, encrypted: string): boolean => encrypted.startsWith(prefixOf(provider));

/** Whether it was packed here: no upstream of the responses protocol can read it. */
export const isPackedHere = (encrypted: string): boolean => encrypted.startsWith(TAG);

export function packReasoning(provider: string, value: unknown): string {
  return prefixOf(provider) + Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Null when another provider made it, or it is invalid. A caller may forge it with any amount of data: `budget` bounds the work. */
export function unpackReasoning(provider: string, encrypted: string, budget?: Budget): unknown {
  const prefix = prefixOf(provider);
  if (!encrypted.startsWith(prefix)) return null;
  const text = Buffer.from(encrypted.slice(prefix.length), 'base64url').toString();
  budget?.spend(valuesIn(text));
  try {
    const value: unknown = JSON.parse(text);
    return isWithin(value, MAX_DEPTH) ? value : null;
  } catch {
    // It was not packed here: this reasoning is left out, the call goes on.
    return null;
  }
}

const KEY = Buffer.from('"encrypted_content"');
const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Index of the string value of a field whose name ends at `at`; -1 when it is no field, or its value is no string or is empty. */
function textStart(bytes: Buffer, at: number): number {
  let next = at;
  while (isSpace(bytes[next])) next++;
  if (bytes[next] !== COLON) return -1;
  do next++;
  while (isSpace(bytes[next]));
  return bytes[next] === QUOTE && bytes[next + 1] !== QUOTE ? next + 1 : -1;
}

/** Characters of a fingerprint: the end of the encrypted text, where its checksum is. */
const FINGERPRINT_LENGTH = 48;

/** The fingerprint of an encrypted text. */
export const fingerprintOf = (encrypted: string): string => encrypted.slice(-FINGERPRINT_LENGTH);

/**
 * Calls `each` with the fingerprint of every encrypted text in an answer, whole or as frames of a stream. A name in unescaped quotes
 * before a colon is a field: no JSON string holds an unescaped quote.
 */
export function eachEncrypted(bytes: Buffer, each: (print: string) => void): void {
  for (let at = bytes.indexOf(KEY); at >= 0; at = bytes.indexOf(KEY, at + KEY.length)) {
    const start = bytes[at - 1] === BACKSLASH ? -1 : textStart(bytes, at + KEY.length);
    const end = start < 0 ? -1 : bytes.indexOf(QUOTE, start);
    // Encrypted texts are base64 or similar: they need no escapes.
    if (end > start) each(bytes.toString('latin1', Math.max(start, end - FINGERPRINT_LENGTH), end));
  }
}
