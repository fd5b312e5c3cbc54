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

/** In bytes. The walk reads windows of this size as text, in which strings are skipped faster than in bytes; one text of all would be another copy. */
const WINDOW = 65_536;

/** Takes bytes that are known to be JSON: its punctuation is ASCII, one byte each, so a byte of the text is a character of Latin-1. */
export function outlineOf(bytes: Buffer): Outline {
  const walk = new Walk(bytes);
  for (let base = 0; base < bytes.length; base = walk.next(base + WINDOW)) walk.read(bytes.toString('latin1', base, base + WINDOW), base);
  return walk;
}

class Walk implements Outline {
  readonly places = new Map<string, Place | null>();
  members = 0;
  levels = 0;
  readonly #bytes: Buffer;
  #depth = 0;
  /** Whether the window before has ended inside a string, and whether its last backslash escapes the next character. */
  #isInString = false;
  #isEscaping = false;
  /** Of the current field of the outermost object; a colon of -1: its value has not begun. */
  #start = 0;
  #colon = -1;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Reads the window that begins at this index of the bytes. */
  read(text: string, base: number): void {
    let at = this.#isInString ? this.#skipString(text, this.#isEscaping ? 1 : 0) : 0;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        if (this.#depth === 1 && this.#colon < 0) this.#start = base + at;
        at = this.#skipString(text, at + 1) - 1;
      } else if (code === COLON) {
        this.members++;
        if (this.#depth === 1) this.#colon = base + at;
      } else if (isOpening(code)) this.levels = Math.max(++this.#depth, this.levels);
      else if (isClosing(code) ? --this.#depth === 0 : this.#depth === 1 && code === COMMA) this.#endField(base + at);
    }
  }

  /** Where the window after the one that ended here begins: inside a long string, at the next quote, since an image of megabytes need not be read as text. */
  next(behind: number): number {
    if (!this.#isInString || behind >= this.#bytes.length) return behind;
    const quote = this.#bytes.indexOf(QUOTE, behind);
    if (quote < 0) return this.#bytes.length;
    this.#isEscaping = isEscapedIn(this.#bytes, quote);
    return quote;
  }

  /** Index after the string that is read from this index on; the end of the window when it goes on behind that. */
  #skipString(text: string, first: number): number {
    let end = text.indexOf('"', first);
    while (end >= 0 && isEscaped(text, first, end)) end = text.indexOf('"', end + 1);
    this.#isInString = end < 0;
    this.#isEscaping = end < 0 && isEscaped(text, first, text.length);
    return end < 0 ? text.length : end + 1;
  }

  /** Adds a field, without the white space around its value. `behind` is the index of the comma or bracket after it. */
  #endField(behind: number): void {
    if (this.#colon < 0) return;
    const bytes = this.#bytes;
    const start = this.#start;
    let valueStart = this.#colon + 1;
    while (isSpace(byteAt(bytes, valueStart))) valueStart++;
    let end = behind;
    while (isSpace(byteAt(bytes, end - 1))) end--;
    let nameEnd = this.#colon;
    while (byteAt(bytes, nameEnd - 1) !== QUOTE) nameEnd--;
    const name = plainName(bytes.toString('utf8', start + 1, nameEnd - 1));
    this.places.set(name, this.places.has(name) ? null : { start, valueStart, end });
    this.#colon = -1;
  }
}

/** The byte at this index; 0, which JSON does not use, outside of the bytes. */
const byteAt = (bytes: Buffer, at: number): number => bytes[at] ?? 0;

/** Whether an odd number of backslashes stands before this index of the bytes, which is inside a string. */
function isEscapedIn(bytes: Buffer, index: number): boolean {
  let at = index;
  while (byteAt(bytes, at - 1) === BACKSLASH) at--;
  return (index - at) % 2 === 1;
}

/** Whether an odd number of backslashes stands before this index, from `first` on. */
function isEscaped(text: string, first: number, index: number): boolean {
  let at = index;
  while (at > first && text.charCodeAt(at - 1) === BACKSLASH) at--;
  return (index - at) % 2 === 1;
}
