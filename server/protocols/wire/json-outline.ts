/** Finds the positions of values in the bytes of JSON, without parsing it. */

export const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

export const isObject = (code: number): boolean => code === OPEN_OBJECT;

const isOpening = (code: number): boolean => code === OPEN_OBJECT || code === OPEN_LIST;
const isClosing = (code: number): boolean => code === CLOSE_OBJECT || code === CLOSE_LIST;

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/**
 * Each byte is one Latin-1 character. JSON's punctuation is ASCII, so text indexes equal byte indexes. `indexOf` skips long strings faster than a
 * loop.
 */
export class JsonWalker {
  readonly text: string;
  at = 0;

  constructor(bytes: Buffer) {
    this.text = bytes.toString('latin1');
  }

  /** Skips white space and returns the next character code. */
  peek(): number {
    let code = this.text.charCodeAt(this.at);
    while (isSpace(code)) code = this.text.charCodeAt(++this.at);
    return code;
  }

  skipValue(): void {
    const code = this.peek();
    if (code === QUOTE) this.#skipString();
    else if (isOpening(code)) this.#skipNested();
    else this.#skipScalar();
  }

  /** Calls `each` with the name and start of every field of the object at this position. `each` must skip the value. */
  forEachField(each: (name: string, start: number) => void): void {
    this.#skip(OPEN_OBJECT);
    while (this.peek() === QUOTE) {
      const start = this.at;
      this.#skipString();
      const name = this.text.slice(start + 1, this.at - 1);
      this.#skip(COLON);
      this.peek();
      each(decodeName(name), start);
      this.#skip(COMMA);
    }
    this.#skip(CLOSE_OBJECT);
  }

  /** Calls `each` with the index and start of every element of the list at this position. `each` must skip the element. */
  forEachElement(each: (index: number, start: number) => void): void {
    this.#skip(OPEN_LIST);
    for (let index = 0; this.peek() !== CLOSE_LIST; index++) {
      each(index, this.at);
      this.#skip(COMMA);
    }
    this.#skip(CLOSE_LIST);
  }

  /** Skips this character if it's next. */
  #skip(code: number): void {
    if (this.peek() === code) this.at++;
  }

  #skipString(): void {
    this.at = findStringEnd(this.text, this.at);
  }

  #skipNested(): void {
    let depth = 0;
    do {
      const code = this.text.charCodeAt(this.at);
      if (code === QUOTE) {
        this.#skipString();
        continue;
      }
      if (isOpening(code)) depth++;
      else if (isClosing(code)) depth--;
      this.at++;
    } while (depth > 0);
  }

  #skipScalar(): void {
    for (let code = this.text.charCodeAt(this.at); code > 0x20 && code !== COMMA; code = this.text.charCodeAt(++this.at)) {
      if (isClosing(code)) return;
    }
  }
}

/** The index after the string whose opening quote is at `quote`. */
function findStringEnd(text: string, quote: number): number {
  let end = text.indexOf('"', quote + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

/** True if an odd number of backslashes precedes the quote. */
function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (quote - first) % 2 === 1;
}

/** Decodes the escapes in a name, as a parser would. */
const decodeName = (escapedName: string): string => (escapedName.includes('\\') ? String(JSON.parse(`"${escapedName}"`)) : escapedName);

export interface JsonOutline {
  /** The fields of the outermost object, in text order. Null for a name that occurs twice. */
  readonly places: JsonSpans;
  /** The number of fields in all objects as written: outside of strings, each colon follows a name. */
  readonly members: number;
  /** The nesting depth of objects and lists. 1 if the outermost object contains neither. */
  readonly levels: number;
}

/**
 * In bytes. Skipping strings is faster in text than in bytes, but converting everything at once would be another copy. So the walk converts windows
 * of this size.
 */
const WINDOW_BYTES = 65_536;

/** Accepts only bytes that are known to be JSON. Its punctuation is ASCII, so each byte can be read as one Latin-1 character. */
export function readJsonOutline(bytes: Buffer): JsonOutline {
  const reader = new OutlineReader(bytes);
  for (let base = 0; base < bytes.length; base = reader.findNextWindow(base + WINDOW_BYTES))
    reader.read(bytes.toString('latin1', base, base + WINDOW_BYTES), base);
  return reader;
}

class OutlineReader implements JsonOutline {
  readonly places = new Map<string, JsonSpan | null>();
  members = 0;
  levels = 0;
  readonly #bytes: Buffer;
  #depth = 0;
  /** Whether the previous window ended inside a string, and whether its last backslash escapes the next character. */
  #isInString = false;
  #isEscaping = false;
  /** The name and colon positions of the current field in the outermost object. A colon of -1 means that its value hasn't started. */
  #start = 0;
  #colon = -1;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Reads the window that starts at byte index `base`. */
  read(text: string, base: number): void {
    // Local variables, because this loop reads every byte outside of strings.
    let [depth, members] = [this.#depth, this.members];
    let at = this.#isInString ? this.#skipString(text, this.#isEscaping ? 1 : 0) : 0;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        if (depth === 1 && this.#colon < 0) this.#start = base + at;
        const end = text.indexOf('"', at + 1);
        at = end > 0 && text.charCodeAt(end - 1) !== BACKSLASH ? end : this.#skipString(text, at + 1) - 1;
      } else if (code === COLON) {
        members++;
        if (depth === 1) this.#colon = base + at;
      } else if (code === COMMA) {
        if (depth === 1) this.#endField(base + at);
      } else if (isOpening(code)) {
        depth++;
        if (depth > this.levels) this.levels = depth;
      } else if (isClosing(code) && --depth === 0) this.#endField(base + at);
    }
    this.#depth = depth;
    this.members = members;
  }

  /** The start of the next window. Inside a long string, it's the next quote, because megabytes of image data needn't be converted to text. */
  findNextWindow(nextIndex: number): number {
    if (!this.#isInString || nextIndex >= this.#bytes.length) return nextIndex;
    const quote = this.#bytes.indexOf(QUOTE, nextIndex);
    if (quote < 0) return this.#bytes.length;
    this.#isEscaping = isEscapedIn(this.#bytes, quote);
    return quote;
  }

  /** The index after the string that contains `first`. The end of the window if the string continues beyond it. */
  #skipString(text: string, first: number): number {
    let end = text.indexOf('"', first);
    while (end >= 0 && isEscapedSince(text, first, end)) end = text.indexOf('"', end + 1);
    this.#isInString = end < 0;
    this.#isEscaping = end < 0 && isEscapedSince(text, first, text.length);
    return end < 0 ? text.length : end + 1;
  }

  /** Adds a field without the white space around its value. `valueEnd` is the index of the comma or bracket after it. */
  #endField(valueEnd: number): void {
    if (this.#colon < 0) return;
    const bytes = this.#bytes;
    const start = this.#start;
    let valueStart = this.#colon + 1;
    while (isSpace(getByte(bytes, valueStart))) valueStart++;
    let end = valueEnd;
    while (isSpace(getByte(bytes, end - 1))) end--;
    let nameEnd = this.#colon;
    while (getByte(bytes, nameEnd - 1) !== QUOTE) nameEnd--;
    const name = decodeName(bytes.toString('utf8', start + 1, nameEnd - 1));
    this.places.set(name, this.places.has(name) ? null : { start, valueStart, end });
    this.#colon = -1;
  }
}

/** The byte at this index. 0 outside of the bytes, because JSON never contains it. */
const getByte = (bytes: Buffer, at: number): number => bytes[at] ?? 0;

/** True if an odd number of backslashes precedes this byte index, which is inside a string. */
function isEscapedIn(bytes: Buffer, index: number): boolean {
  let at = index;
  while (getByte(bytes, at - 1) === BACKSLASH) at--;
  return (index - at) % 2 === 1;
}

/** True if an odd number of backslashes precedes this index, starting at `first`. */
function isEscapedSince(text: string, first: number, index: number): boolean {
  let at = index;
  while (at > first && text.charCodeAt(at - 1) === BACKSLASH) at--;
  return (index - at) % 2 === 1;
}

/** The position of a field in the bytes, from the opening quote of its name to the end of its value. */
export interface JsonSpan {
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** The fields of an object, in text order. Null for a name that occurs twice. */
export type JsonSpans = ReadonlyMap<string, JsonSpan | null>;
