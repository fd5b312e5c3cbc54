/** Forwards plain chunks of a chat stream without parsing them. */

const CHUNK_START = 'data: {';

const CHOICES_START = '"choices":[';

/** Matches the remainder of a plain chunk after `"choices":[`, up to its last byte. */
const PLAIN_CHUNK =
  /\{"index":0,"delta":\{(?:"role":"assistant",)?"content":"[^"\\]*(?:\\.[^"\\]*)*"\},(?:"logprobs":null,)?"finish_reason":null\}\](,"usage":null)?(?:,"obfuscation":"[^"\\]*")?\}\n\n/y;

export class ChunkFastPath {
  readonly #showUsage: boolean;
  /** The start of the last parsed chunk up to its choices, and the start of its copy for the caller. Empty if unknown. */
  #receivedHead = '';
  #sentHead = '';

  constructor(showUsage: boolean) {
    this.#showUsage = showUsage;
  }

  /** Learns the start of a parsed chunk, and of the chunk sent to the caller. */
  learn(frame: Buffer, sent: Buffer): void {
    this.#receivedHead = readHead(frame);
    this.#sentHead = frame === sent ? this.#receivedHead : readHead(sent);
  }

  /** The bytes for the caller. Null if the block contains any other kind of chunk. */
  rewrite(block: Buffer): Buffer | null {
    if (this.#receivedHead === '' || this.#sentHead === '') return null;
    // Latin-1 maps each byte to one character. Searching a string costs half as much as searching a Buffer.
    const text = block.toString('latin1');
    const isSame = this.#receivedHead === this.#sentHead;
    let out = '';
    let copiedEnd = 0;
    for (let at = 0; at < text.length; at = PLAIN_CHUNK.lastIndex) {
      if (!text.startsWith(this.#receivedHead, at)) return null;
      PLAIN_CHUNK.lastIndex = at + this.#receivedHead.length;
      const match = PLAIN_CHUNK.exec(text);
      if (match === null) return null;
      if (!isSame) {
        out += text.slice(copiedEnd, at) + this.#sentHead;
        copiedEnd = at + this.#receivedHead.length;
      }
      if (match[1] !== undefined && !this.#showUsage) {
        const usageStart = text.lastIndexOf(match[1], PLAIN_CHUNK.lastIndex);
        out += text.slice(copiedEnd, usageStart);
        copiedEnd = usageStart + match[1].length;
      }
    }
    return copiedEnd === 0 ? block : Buffer.from(out + text.slice(copiedEnd), 'latin1');
  }
}

/** A chunk's bytes up to its choices, as Latin-1. Empty if the chunk starts differently. */
function readHead(frame: Buffer): string {
  const text = frame.toString('latin1');
  const end = text.indexOf(CHOICES_START);
  return text.startsWith(CHUNK_START) && end > 0 ? text.slice(0, end + CHOICES_START.length) : '';
}
