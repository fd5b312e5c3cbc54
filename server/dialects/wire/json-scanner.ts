/** Scans text that is known to be JSON without parsing it, to find where its values are, for edits in the bytes. */

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export const isObject = (code: number): boolean => code === OPEN_OBJECT;

export const isOpening = (code: number): boolean => code === OPEN_OBJECT || code === OPEN_LIST;
export const isClosing = (code: number): boolean => code === CLOSE_OBJECT || code === CLOSE_LIST;

export const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

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
export const plainName = (written: string): string => (written.includes('\\') ? String(JSON.parse(`"${written}"`)) : written);
