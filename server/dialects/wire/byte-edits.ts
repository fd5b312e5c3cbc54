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
export function withCuts(bytes: Buffer, cuts: readonly Cut[]): Buffer {
  const ordered = cuts.toSorted((one, other) => one.from - other.from || one.to - other.to);
  const out = Buffer.allocUnsafe(
    ordered.reduce((size, { from, to, instead }) => size - (to - from) + (instead?.length ?? 0), bytes.length),
  );
  let read = 0;
  let written = 0;
  for (const { from, to, instead } of ordered) {
    written += bytes.copy(out, written, read, from);
    if (instead) written += instead.copy(out, written);
    read = to;
  }
  bytes.copy(out, written, read);
  return out;
}
