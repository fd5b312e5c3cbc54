/** Collects the text that a model has produced, as evenly spread samples with the total length. */

/** The maximum number of characters kept. Above it, every second sample is dropped, which keeps the samples evenly spread. */
const MAX_SAMPLED_LENGTH = 64 * 1024;

/** Characters per sample. */
const SAMPLE_LENGTH = 512;

/** More pieces are joined: many small strings take more memory than their text, and a slice keeps the complete event. */
const MAX_PIECES = 16;

export class ProducedText {
  #samples: string[] = [];
  /** The current sample, which isn't full yet. */
  #currentPieces: string[] = [];
  #currentLength = 0;
  /** One of every `#stride` samples is kept. */
  #stride = 1;
  #sampleCount = 0;
  #length = 0;

  add(text: string): void {
    this.#length += text.length;
    for (let at = 0; at < text.length; ) {
      const piece = text.slice(at, at + SAMPLE_LENGTH - this.#currentLength);
      at += piece.length;
      this.#currentLength += piece.length;
      if (this.#sampleCount % this.#stride === 0) this.#currentPieces.push(piece);
      if (this.#currentLength === SAMPLE_LENGTH) this.#closeSample();
      else if (this.#currentPieces.length === MAX_PIECES) this.#currentPieces = [this.#currentPieces.join('')];
    }
  }

  #closeSample(): void {
    if (this.#sampleCount % this.#stride === 0) this.#samples.push(copyText(this.#currentPieces.join('')));
    this.#currentPieces = [];
    this.#currentLength = 0;
    this.#sampleCount += 1;
    if (this.#samples.length * SAMPLE_LENGTH < MAX_SAMPLED_LENGTH) return;
    this.#samples = this.#samples.filter((_, index) => index % 2 === 0);
    this.#stride *= 2;
  }

  /** The length of the complete text. */
  get length(): number {
    return this.#length;
  }

  /** The complete text, or samples spread evenly over it. */
  get text(): string {
    return this.#samples.join('') + this.#currentPieces.join('');
  }

  /** The length of the complete text divided by the length of `text`; 1 if all text was kept. */
  get scale(): number {
    const sampledLength = this.text.length;
    return this.#length > sampledLength && sampledLength > 0 ? this.#length / sampledLength : 1;
  }
}

/** Copies the text, because a slice would keep the complete string in memory. */
const copyText = (piece: string): string => Buffer.from(piece, 'utf16le').toString('utf16le');

/** Adds the text of every field that `fieldPattern` matches. A match is the name, the colon, and the opening quote. */
export function addTexts(produced: ProducedText, json: string, fieldPattern: RegExp): void {
  // Avoids `matchAll`, which copies the pattern each time.
  fieldPattern.lastIndex = 0;
  while (fieldPattern.test(json)) {
    const start = fieldPattern.lastIndex;
    produced.add(unescapeText(json.slice(start, findClosingQuote(json, start))));
  }
}

/** The index of the quote that closes the JSON string starting at `start`. */
function findClosingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

function unescapeText(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    // Not valid JSON: count the raw text.
    return text;
  }
}

/** Matches text fields in a complete response. */
const textFieldPattern = /"(?:content|arguments|input|reasoning_content|reasoning|refusal|text)"\s*:\s*"/g;

export function extractResponseText(bytes: Buffer): ProducedText {
  const produced = new ProducedText();
  addTexts(produced, bytes.toString(), textFieldPattern);
  return produced;
}
