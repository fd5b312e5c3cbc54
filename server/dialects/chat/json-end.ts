/** Follows a JSON object that comes in pieces, to see when it is whole; it never parses, so the work is linear in the text. */
export class JsonEnd {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  isWhole = false;

  push(piece: string): void {
    for (let at = 0; at < piece.length && !this.isWhole; at++) this.#see(piece[at]);
  }

  #see(mark: string | undefined): void {
    if (this.#isInString) this.#seeInString(mark);
    else if (mark === '"') this.#isInString = true;
    else if (mark === '{' || mark === '[') this.#depth++;
    else if (mark === '}' || mark === ']') this.isWhole = --this.#depth === 0;
  }

  #seeInString(mark: string | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (mark === '\\') this.#isEscaped = true;
    else if (mark === '"') this.#isInString = false;
  }
}
