/** The text that a stream has produced so far, in bounded memory, to count its tokens when the upstream reports no usage. */

/** Characters that are kept; above this, every second sample is dropped, so that the rest is spread evenly. */
const MAX_KEPT = 64 * 1024;
/** Characters of one sample. */
const SAMPLE = 512;

export class Produced {
  #samples: string[] = [];
  /** The sample that is not full yet. */
  #open: string[] = [];
  #openLength = 0;
  /** One of this many samples is kept. */
  #stride = 1;
  #seen = 0;
  #length = 0;

  add(text: string): void {
    this.#length += text.length;
    for (let at = 0; at < text.length; ) {
      const piece = text.slice(at, at + SAMPLE - this.#openLength);
      at += piece.length;
      this.#openLength += piece.length;
      if (this.#seen % this.#stride === 0) this.#open.push(piece);
      if (this.#openLength === SAMPLE) this.#close();
    }
  }

  #close(): void {
    if (this.#seen % this.#stride === 0) this.#samples.push(ownCopy(this.#open.join('')));
    this.#open = [];
    this.#openLength = 0;
    this.#seen += 1;
    if (this.#samples.length * SAMPLE < MAX_KEPT) return;
    this.#samples = this.#samples.filter((_, index) => index % 2 === 0);
    this.#stride *= 2;
  }

  /** The length of the whole text. */
  get length(): number {
    return this.#length;
  }

  /** The whole text, or samples spread evenly over it. */
  get text(): string {
    return this.#samples.join('') + this.#open.join('');
  }

  /** The length of the whole text divided by that of `text`; 1 when everything was kept. */
  get scale(): number {
    const kept = this.text.length;
    return this.#length > kept && kept > 0 ? this.#length / kept : 1;
  }
}

/** Copies the text: a slice would keep the whole string in memory. */
const ownCopy = (piece: string): string => Buffer.from(piece, 'utf16le').toString('utf16le');

/** Adds the text of every field that `openings` matches; a match is the name, the colon and the opening quote. */
export function addTexts(produced: Produced, json: string, openings: RegExp): void {
  for (const { index, 0: opening } of json.matchAll(openings)) {
    const start = index + opening.length;
    produced.add(unescaped(json.slice(start, closingQuote(json, start))));
  }
}

/** The index of the quote that ends the JSON string starting here. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    // Not valid JSON: count the raw text.
    return text;
  }
}

/** Matches the fields that carry text in a whole answer. */
const said = /"(?:content|arguments|input|reasoning_content|reasoning|refusal|text)"\s*:\s*"/g;

/** The text of a whole answer. */
export function textOfAnswer(bytes: Buffer): Produced {
  const produced = new Produced();
  addTexts(produced, bytes.toString(), said);
  return produced;
}
