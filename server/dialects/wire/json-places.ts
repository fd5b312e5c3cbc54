/** Scans text that is known to be JSON without parsing it, to find where its values are, for edits in the bytes. */

export const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export const isObject = (code: number): boolean => code === OPEN_OBJECT;

const isOpening = (code: number): boolean => code === OPEN_OBJECT || code === OPEN_LIST;
const isClosing = (code: number): boolean => code === CLOSE_OBJECT || code === CLOSE_LIST;

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/**
 * One character is one byte (latin1): JSON's punctuation is ASCII, so an index in the text is an index in the bytes, and
 * `indexOf` skips long strings faster than a loop.
 */
export class JsonWalk {
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

  /** Calls `each` with the name and the start of every field of the object that begins here; `each` must skip the value. */
  eachField(each: (name: string, start: number) => void): void {
    this.#skip(OPEN_OBJECT);
    while (this.peek() === QUOTE) {
      const start = this.at;
      this.#skipString();
      const name = this.text.slice(start + 1, this.at - 1);
      this.#skip(COLON);
      this.peek();
      each(plainName(name), start);
      this.#skip(COMMA);
    }
    this.#skip(CLOSE_OBJECT);
  }

  /** Calls `each` with the index and the start of every element of the list that begins here; `each` must skip the element. */
  eachElement(each: (index: number, start: number) => void): void {
    this.#skip(OPEN_LIST);
    for (let index = 0; this.peek() !== CLOSE_LIST; index++) {
      each(index, this.at);
      this.#skip(COMMA);
    }
    this.#skip(CLOSE_LIST);
  }

  /** Skips this character if it is next. */
  #skip(mark: number): void {
    if (this.peek() === mark) this.at++;
  }

  #skipString(): void {
    this.at = behindString(this.text, this.at);
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

/** Index after the string whose opening quote is at this index. */
function behindString(text: string, quote: number): number {
  let end = text.indexOf('"', quote + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

/** Whether an odd number of backslashes stands before the quote. */
function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (quote - first) % 2 === 1;
}

/** The name with its escapes decoded: a parser would read it so. */
const plainName = (written: string): string => (written.includes('\\') ? String(JSON.parse(`"${written}"`)) : written);

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
  /** Of the current field of the outermost object; a colon of -1: its value hasn't begun. */
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

  /** Where the window after the one that ended here begins: inside a long string, at the next quote, since an image of megabytes needn't be read as text. */
  next(behind: number): number {
    if (!this.#isInString || behind >= this.#bytes.length) return behind;
    const quote = this.#bytes.indexOf(QUOTE, behind);
    if (quote < 0) return this.#bytes.length;
    this.#isEscaping = isEscapedIn(this.#bytes, quote);
    return quote;
  }

  /** Index after the string that is read from this index on; the end of the window when it continues after that. */
  #skipString(text: string, first: number): number {
    let end = text.indexOf('"', first);
    while (end >= 0 && isEscapedSince(text, first, end)) end = text.indexOf('"', end + 1);
    this.#isInString = end < 0;
    this.#isEscaping = end < 0 && isEscapedSince(text, first, text.length);
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

/** The byte at this index; 0, which JSON doesn't use, outside of the bytes. */
const byteAt = (bytes: Buffer, at: number): number => bytes[at] ?? 0;

/** Whether an odd number of backslashes stands before this index of the bytes, which is inside a string. */
function isEscapedIn(bytes: Buffer, index: number): boolean {
  let at = index;
  while (byteAt(bytes, at - 1) === BACKSLASH) at--;
  return (index - at) % 2 === 1;
}

/** Whether an odd number of backslashes stands before this index, from `first` on. */
function isEscapedSince(text: string, first: number, index: number): boolean {
  let at = index;
  while (at > first && text.charCodeAt(at - 1) === BACKSLASH) at--;
  return (index - at) % 2 === 1;
}

/** The bytes to remove, and their replacement; absent: none. */
export interface Cut {
  readonly from: number;
  readonly to: number;
  readonly instead?: Buffer;
}

/** Where a field is in the bytes: from the opening quote of its name to after its value. */
export interface Place {
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** The fields of an object, in the order of the text; null for a name that occurs twice. */
export type Places = ReadonlyMap<string, Place | null>;

/** Finds the cuts that remove members of one list or object, each with one comma. Members are given in the order of the text. */
export class Members {
  readonly #cuts: Cut[];
  /** Start of the current run of removed members; -1 outside of one. */
  #run = -1;
  #keptEnd = -1;
  #end = -1;

  constructor(cuts: Cut[]) {
    this.#cuts = cuts;
  }

  take(start: number, end: number, isCut: boolean): void {
    this.#end = end;
    if (isCut) {
      if (this.#run < 0) this.#run = start;
      return;
    }
    if (this.#run >= 0) this.#cuts.push({ from: this.#run, to: start });
    this.#run = -1;
    this.#keptEnd = end;
  }

  /** A run at the end is removed with the comma before it. */
  close(): void {
    if (this.#run >= 0) this.#cuts.push({ from: this.#keptEnd < 0 ? this.#run : this.#keptEnd, to: this.#end });
  }
}

/** Cuts stand in the order of the text, and no two overlap. */
export function withCuts(bytes: Buffer, cuts: readonly Cut[]): Buffer {
  if (cuts.length === 0) return bytes;
  let size = bytes.length;
  for (const { from, to, instead } of cuts) size += (instead?.length ?? 0) - (to - from);
  const changed = Buffer.allocUnsafe(size);
  let read = 0;
  let written = 0;
  for (const { from, to, instead } of cuts) {
    written += bytes.copy(changed, written, read, from);
    if (instead) written += instead.copy(changed, written);
    read = to;
  }
  bytes.copy(changed, written, read);
  return changed;
}

/** Where fields stand after the cuts, none of which takes a field out; both in the order of the text. */
export function movedPlaces(places: Places, cuts: readonly Cut[]): Places {
  let passed = 0;
  let shift = 0;
  // Positions come in the order of the text, so each cut is visited once.
  const moved = (at: number): number => {
    for (let cut = cuts[passed]; cut && cut.to <= at; cut = cuts[++passed]) shift += (cut.instead?.length ?? 0) - (cut.to - cut.from);
    return at + shift;
  };
  return moveAll(places, moved);
}

/** Where fields stand when so many bytes are put before all of them. */
export const shiftedPlaces = (places: Places, by: number): Places => moveAll(places, (at) => at + by);

function moveAll(places: Places, moved: (at: number) => number): Places {
  const move = ({ start, valueStart, end }: Place): Place => ({ start: moved(start), valueStart: moved(valueStart), end: moved(end) });
  return new Map([...places].map(([name, place]) => [name, place && move(place)]));
}

export const inOrder = (cuts: readonly Cut[]): Cut[] => cuts.toSorted((one, other) => one.from - other.from || one.to - other.to);

/** The same as pieces; unchanged pieces are views of the bytes. */
export function piecesOf(bytes: Buffer, cuts: readonly Cut[]): readonly Buffer[] {
  const pieces: Buffer[] = [];
  let read = 0;
  for (const { from, to, instead } of cuts) {
    if (from > read) pieces.push(bytes.subarray(read, from));
    if (instead) pieces.push(instead);
    read = to;
  }
  pieces.push(bytes.subarray(read));
  return pieces;
}

/** `value` is parsed JSON, so it has no inherited fields. */
export function countFields(value: unknown): number {
  let fields = 0;
  const left = [value];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part !== 'object' || part === null) continue;
    if (Array.isArray(part)) for (const each of part) take(each);
    else
      for (const name in part) {
        fields++;
        take(part[name as keyof typeof part]);
      }
  }
  return fields;

  function take(each: unknown): void {
    if (typeof each === 'object' && each !== null) left.push(each);
  }
}
