/** Takes parts out of a JSON text, or puts others in their place, so that every other byte stays as it was written. */

/** The bytes from one place to another, and what stands there afterwards; left out: nothing. */
export interface Cut {
  readonly from: number;
  readonly to: number;
  readonly instead?: Buffer;
}

/** Finds the cuts for members that are taken out of one list or object, each with one comma. Members are given in the order of the text. */
export class Members {
  readonly #cuts: Cut[];
  /** Where the run of members begins that is being taken out; -1 outside of one. */
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

  /** What is taken out at the end takes the comma before it along. */
  close(): void {
    if (this.#run >= 0) this.#cuts.push({ from: this.#keptEnd < 0 ? this.#run : this.#keptEnd, to: this.#end });
  }
}

/** No two cuts may overlap; their order does not matter. */
export const withCuts = (bytes: Buffer, cuts: readonly Cut[]): Buffer => (cuts.length === 0 ? bytes : Buffer.concat(piecesOf(bytes, cuts)));

/** The same in pieces, of which those that stay are views of the bytes. */
export function piecesOf(bytes: Buffer, cuts: readonly Cut[]): readonly Buffer[] {
  const ordered = cuts.toSorted((one, other) => one.from - other.from || one.to - other.to);
  const pieces: Buffer[] = [];
  let read = 0;
  for (const { from, to, instead } of ordered) {
    if (from > read) pieces.push(bytes.subarray(read, from));
    if (instead) pieces.push(instead);
    read = to;
  }
  pieces.push(bytes.subarray(read));
  return pieces;
}
