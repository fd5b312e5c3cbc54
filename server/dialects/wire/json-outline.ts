/** Finds, in one pass over the bytes of a JSON text, where the fields of the outermost object are, and counts the fields of all objects. */
import type { Place, Places } from './byte-edits.ts';
import { BACKSLASH, COLON, COMMA, isClosing, isOpening, isSpace, plainName, QUOTE } from './json-scanner.ts';

export interface Outline {
  /** The fields of the outermost object, in the order of the text; null for a name that occurs twice. */
  readonly places: Places;
  /** The number of fields of all objects as written: outside of strings, each colon follows a name. */
  readonly members: number;
  /** The nesting of objects and lists; 1 when the outermost object holds none. */
  readonly levels: number;
}

/** Takes bytes that are known to be JSON. It reads bytes, not a string, which would be another copy: JSON's punctuation is ASCII, one byte each. */
export function outlineOf(bytes: Buffer): Outline {
  const places = new Map<string, Place | null>();
  let members = 0;
  let depth = 0;
  let levels = 0;
  let start = 0;
  let colon = -1;
  for (let at = 0; at < bytes.length; at++) {
    const code = byteAt(bytes, at);
    if (code === QUOTE) {
      if (depth === 1 && colon < 0) start = at;
      at = behindString(bytes, at) - 1;
    } else if (code === COLON) {
      members++;
      if (depth === 1) colon = at;
    } else if (isOpening(code)) {
      depth++;
      if (depth > levels) levels = depth;
    } else if (isClosing(code) ? --depth === 0 : depth === 1 && code === COMMA) {
      if (colon >= 0) addPlace(places, bytes, { start, colon, behind: at });
      colon = -1;
    }
  }
  return { places, members, levels };
}

/** The byte at this index; 0, which JSON does not use, outside of the bytes. */
const byteAt = (bytes: Buffer, at: number): number => bytes[at] ?? 0;

/** In bytes. Most strings are shorter, and a loop finds their end faster than `indexOf`, which leaves JavaScript. */
const SHORT = 32;

/** Index after the string whose opening quote is at this index. */
function behindString(bytes: Buffer, quote: number): number {
  let at = quote + 1;
  for (const soon = at + SHORT; at < soon; at++) {
    const code = byteAt(bytes, at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at++;
  }
  // No escape is split here: the loop has read each one to its end.
  const first = at;
  let end = bytes.indexOf(QUOTE, first);
  while (end >= 0 && isEscaped(bytes, first, end)) end = bytes.indexOf(QUOTE, end + 1);
  return end < 0 ? bytes.length : end + 1;
}

/** Whether an odd number of backslashes stands before the quote. */
function isEscaped(bytes: Buffer, first: number, quote: number): boolean {
  let at = quote;
  while (at > first && byteAt(bytes, at - 1) === BACKSLASH) at--;
  return (quote - at) % 2 === 1;
}

interface Written {
  /** Index of the opening quote of its name. */
  readonly start: number;
  readonly colon: number;
  /** Index of the comma or bracket after the value. */
  readonly behind: number;
}

/** Adds a field, without the white space around its value. */
function addPlace(places: Map<string, Place | null>, bytes: Buffer, { start, colon, behind }: Written): void {
  let valueStart = colon + 1;
  while (isSpace(byteAt(bytes, valueStart))) valueStart++;
  let end = behind;
  while (isSpace(byteAt(bytes, end - 1))) end--;
  const name = plainName(bytes.toString('utf8', start + 1, behindString(bytes, start) - 1));
  places.set(name, places.has(name) ? null : { start, valueStart, end });
}
