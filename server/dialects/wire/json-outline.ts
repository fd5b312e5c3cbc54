/** One walk over the bytes of a JSON text that tells where the fields of its outermost object stand, and how many all of its objects have. */
import type { Place, Places } from './byte-edits.ts';
import { BACKSLASH, COLON, COMMA, isClosing, isOpening, isSpace, plainName, QUOTE } from './json-scanner.ts';

export interface Outline {
  /** Of the outermost object, in the order of the text; null where a name stands twice. */
  readonly places: Places;
  /** How many fields all objects have together, as they are written: outside of strings a colon stands behind each name alone. */
  readonly members: number;
  /** How deep objects and lists are nested; 1 where the outermost object holds none. */
  readonly levels: number;
}

/** Of bytes that are known to be JSON. No text is made of them, which would be another copy: every mark of JSON is ASCII, and so one byte. */
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

/** 0, which is no mark of JSON, outside of the bytes. */
const byteAt = (bytes: Buffer, at: number): number => bytes[at] ?? 0;

/** In bytes. Names and most values are shorter: a loop finds their end sooner than a call that leaves JavaScript. */
const SHORT = 32;

/** Behind the string that begins with the quote at this place. */
function behindString(bytes: Buffer, quote: number): number {
  let at = quote + 1;
  for (const soon = at + SHORT; at < soon; at++) {
    const code = byteAt(bytes, at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at++;
  }
  // No escape is cut here: what stands before this place was read to its end.
  const first = at;
  let end = bytes.indexOf(QUOTE, first);
  while (end >= 0 && isEscaped(bytes, first, end)) end = bytes.indexOf(QUOTE, end + 1);
  return end < 0 ? bytes.length : end + 1;
}

/** An odd number of backslashes before it. */
function isEscaped(bytes: Buffer, first: number, quote: number): boolean {
  let at = quote;
  while (at > first && byteAt(bytes, at - 1) === BACKSLASH) at--;
  return (quote - at) % 2 === 1;
}

interface Written {
  /** Of its name. */
  readonly start: number;
  readonly colon: number;
  /** The comma or the bracket. */
  readonly behind: number;
}

/** White space around a value is no part of it. */
function addPlace(places: Map<string, Place | null>, bytes: Buffer, { start, colon, behind }: Written): void {
  let valueStart = colon + 1;
  while (isSpace(byteAt(bytes, valueStart))) valueStart++;
  let end = behind;
  while (isSpace(byteAt(bytes, end - 1))) end--;
  const name = plainName(bytes.toString('utf8', start + 1, behindString(bytes, start) - 1));
  places.set(name, places.has(name) ? null : { start, valueStart, end });
}
