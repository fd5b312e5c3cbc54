/**
 * Passes the chunks of a chat stream that hold one piece of text and nothing else, without parsing them. Whether a chunk is one is decided by
 * all of its bytes, so any other spelling or field has it parsed.
 */

const START = 'data: {';
const CHOICES = '"choices":[';
/** What follows `"choices":[` in a plain chunk, to its last byte. */
const PLAIN =
  /\{"index":0,"delta":\{(?:"role":"assistant",)?"content":"[^"\\]*(?:\\.[^"\\]*)*"\},(?:"logprobs":null,)?"finish_reason":null\}\](,"usage":null)?(?:,"obfuscation":"[^"\\]*")?\}\n\n/y;

export class PlainChunks {
  readonly #showUsage: boolean;
  /** How the parsed chunk before began, up to its choices, and how its copy for the caller does; empty: not known. */
  #head = '';
  #told = '';

  constructor(showUsage: boolean) {
    this.#showUsage = showUsage;
  }

  /** Takes a chunk that was parsed, and what the caller got of it. */
  learn(frame: Buffer, told: Buffer): void {
    this.#head = headOf(frame);
    this.#told = frame === told ? this.#head : headOf(told);
  }

  /** The bytes for the caller; null when the block holds any other chunk. */
  pass(block: Buffer): Buffer | null {
    if (this.#head === '' || this.#told === '') return null;
    // As Latin-1, one character for each byte: searches in a text cost half of those in a Buffer.
    const text = block.toString('latin1');
    const isSame = this.#head === this.#told;
    let out = '';
    let kept = 0;
    for (let at = 0; at < text.length; at = PLAIN.lastIndex) {
      if (!text.startsWith(this.#head, at)) return null;
      PLAIN.lastIndex = at + this.#head.length;
      const usage = PLAIN.exec(text);
      if (usage === null) return null;
      if (!isSame) {
        out += text.slice(kept, at) + this.#told;
        kept = at + this.#head.length;
      }
      if (usage[1] !== undefined && !this.#showUsage) {
        const cut = text.lastIndexOf(usage[1], PLAIN.lastIndex);
        out += text.slice(kept, cut);
        kept = cut + usage[1].length;
      }
    }
    return kept === 0 ? block : Buffer.from(out + text.slice(kept), 'latin1');
  }
}

/** A chunk's bytes up to its choices, as Latin-1; empty when it begins otherwise. */
function headOf(frame: Buffer): string {
  const text = frame.toString('latin1');
  const end = text.indexOf(CHOICES);
  return text.startsWith(START) && end > 0 ? text.slice(0, end + CHOICES.length) : '';
}
