/** One walk over a JSON text that tells where the fields of its outermost object stand, and how many all of its objects have. */
import { behindString, COLON, COMMA, isClosing, isOpening, isSpace, plainName, QUOTE } from './json-scanner.ts';

/** Where a field stands in the bytes: from the quote of its name to behind its value. */
export interface Place {
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

export interface Outline {
  /** Of the outermost object, in the order of the text; null where a name stands twice. */
  readonly places: ReadonlyMap<string, Place | null>;
  /** How many fields all objects have together, as they are written: outside of strings a colon stands behind each name alone. */
  readonly members: number;
}

/** Of bytes that are known to be JSON. Latin-1: one character stands for one byte, and every mark of JSON is ASCII. */
export const outlineOfBytes = (bytes: Buffer): Outline => outlineOf(bytes.toString('latin1'), bytes.length);

/** Of a text that is known to be JSON and takes so many bytes. */
export function outlineOf(text: string, size: number): Outline {
  const places = new Map<string, Place | null>();
  let members = 0;
  let depth = 0;
  let start = 0;
  let colon = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      if (depth === 1 && colon < 0) start = at;
      at = behindString(text, at) - 1;
    } else if (code === COLON) {
      members++;
      if (depth === 1) colon = at;
    } else if (isOpening(code)) depth++;
    else if (isClosing(code) ? --depth === 0 : depth === 1 && code === COMMA) {
      if (colon >= 0) addPlace(places, text, { start, colon, behind: at });
      colon = -1;
    }
  }
  return { places: text.length === size ? places : inBytes(places, text), members };
}

interface Written {
  /** Of its name. */
  readonly start: number;
  readonly colon: number;
  /** The comma or the bracket. */
  readonly behind: number;
}

/** White space around a value is no part of it. */
function addPlace(places: Map<string, Place | null>, text: string, { start, colon, behind }: Written): void {
  let valueStart = colon + 1;
  while (isSpace(text.charCodeAt(valueStart))) valueStart++;
  let end = behind;
  while (isSpace(text.charCodeAt(end - 1))) end--;
  const name = plainName(text.slice(start + 1, behindString(text, start) - 1));
  places.set(name, places.has(name) ? null : { start, valueStart, end });
}

/** The places of a text in the bytes that it is written in as UTF-8. */
function inBytes(places: ReadonlyMap<string, Place | null>, text: string): ReadonlyMap<string, Place | null> {
  let at = 0;
  let byte = 0;
  const byteOf = (character: number): number => {
    byte += Buffer.byteLength(text.slice(at, character));
    at = character;
    return byte;
  };
  const inOrder = ({ start, valueStart, end }: Place): Place => ({
    start: byteOf(start),
    valueStart: byteOf(valueStart),
    end: byteOf(end),
  });
  return new Map([...places].map(([name, place]) => [name, place && inOrder(place)]));
}
