/** What only the upstream that made it can open (sealed thoughts): packed or known again, so that it is given back to that one and to no other. */

import { isWithin, MAX_DEPTH } from '../../../contract/bounds.ts';
import { type Budget, valuesIn } from './work-budget.ts';

/** Sealed here, for a dialect that has no text of its own for it. */
const TAG = 'mg1.';
const prefixOf = (provider: string) => `${TAG}${provider}.`;

export const isSealedBy = (provider: string, sealed: string): boolean => sealed.startsWith(prefixOf(provider));

/** Whether a dialect of ours sealed it: no upstream of the responses protocol could open it. */
export const isSealedHere = (sealed: string): boolean => sealed.startsWith(TAG);

export function seal(provider: string, value: unknown): string {
  return prefixOf(provider) + Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Null for what another provider made, or a caller changed. A caller may pack as much as they like into it: `budget` bounds that. */
export function unseal(provider: string, sealed: string, budget?: Budget): unknown {
  const prefix = prefixOf(provider);
  if (!sealed.startsWith(prefix)) return null;
  const text = Buffer.from(sealed.slice(prefix.length), 'base64url').toString();
  budget?.spend(valuesIn(text));
  try {
    const value: unknown = JSON.parse(text);
    return isWithin(value, MAX_DEPTH) ? value : null;
  } catch {
    // Not ours after all: the thought is lost, the turn is not.
    return null;
  }
}

const KEY = Buffer.from('"encrypted_content"');
const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Index of the text of a field whose name ends at `at`; -1 where it is no field, or its value no text, or an empty one. */
function textStart(bytes: Buffer, at: number): number {
  let next = at;
  while (isSpace(bytes[next])) next++;
  if (bytes[next] !== COLON) return -1;
  do next++;
  while (isSpace(bytes[next]));
  return bytes[next] === QUOTE && bytes[next + 1] !== QUOTE ? next + 1 : -1;
}

/** Longest part of a sealed text that is kept to know it again: its end, where its check sum is. */
const PRINT_LENGTH = 48;

/** By what a sealed text is known again. */
export const printOf = (sealed: string): string => sealed.slice(-PRINT_LENGTH);

/**
 * Calls `each` with the print of every sealed text in an answer, whole or frames of a stream. A name between unescaped quotes with a
 * colon behind it is a field, wherever it stands: no JSON text holds a bare quote.
 */
export function eachSealed(bytes: Buffer, each: (print: string) => void): void {
  for (let at = bytes.indexOf(KEY); at >= 0; at = bytes.indexOf(KEY, at + KEY.length)) {
    const start = bytes[at - 1] === BACKSLASH ? -1 : textStart(bytes, at + KEY.length);
    const end = start < 0 ? -1 : bytes.indexOf(QUOTE, start);
    // Sealed texts are base64 or the like: nothing in them needs an escape.
    if (end > start) each(bytes.toString('latin1', Math.max(start, end - PRINT_LENGTH), end));
  }
}
