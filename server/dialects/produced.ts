/** What a stream has produced so far, for counting it where the upstream will never say (an abandoned or broken stream). Bounded. */

/** Kept as text; of what is longer only the length is. */
const MAX_KEPT = 32 * 1024;
/** Pieces are joined when there are so many: a long chain of them costs more than its text. */
const MAX_PIECES = 64;

export class Produced {
  #pieces: string[] = [];
  #kept = 0;
  #length = 0;

  add(text: string): void {
    this.#length += text.length;
    if (this.#kept >= MAX_KEPT) return;
    this.#kept += text.length;
    this.#pieces.push(text);
    if (this.#pieces.length >= MAX_PIECES) this.#pieces = [this.#pieces.join('')];
  }

  /** Of all of it. */
  get length(): number {
    return this.#length;
  }

  /** All of it, or its beginning. */
  get text(): string {
    return this.#pieces.join('');
  }

  /** How many times longer it was than `text`; 1 where all of it was kept. */
  get scale(): number {
    return this.#length > this.#kept && this.#kept > 0 ? this.#length / this.#kept : 1;
  }
}
