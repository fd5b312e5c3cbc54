/** Takes parts out of a JSON text, or puts others in their place, so that every other byte stays as it was written. */

/** The bytes from one place to another, and what stands there afterwards; left out: nothing. */
export interface Cut {
  readonly from: number;
  readonly to: number;
  readonly instead?: Buffer;
}

/** Where a field stands in the bytes: from the quote of its name to behind its value. */
export interface Place {
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** Of the fields of an object, in the order of the text; null where a name stands twice. */
export type Places = ReadonlyMap<string, Place | null>;

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

/** Cuts stand in the order of the text, and no two overlap. */
export const withCuts = (bytes: Buffer, cuts: readonly Cut[]): Buffer => (cuts.length === 0 ? bytes : Buffer.concat(piecesOf(bytes, cuts)));

/** Where fields stand after the cuts, none of which takes a field out; both in the order of the text. */
export function movedPlaces(places: Places, cuts: readonly Cut[]): Places {
  let passed = 0;
  let shift = 0;
  // Each cut is looked at once.
  const moved = (at: number): number => {
    for (let cut = cuts[passed]; cut && cut.to <= at; cut = cuts[++passed]) shift += (cut.instead?.length ?? 0) - (cut.to - cut.from);
    return at + shift;
  };
  const move = ({ start, valueStart, end }: Place): Place => ({ start: moved(start), valueStart: moved(valueStart), end: moved(end) });
  return new Map([...places].map(([name, place]) => [name, place && move(place)]));
}

export const inOrder = (cuts: readonly Cut[]): Cut[] => cuts.toSorted((one, other) => one.from - other.from || one.to - other.to);

/** The same in pieces, of which those that stay are views of the bytes. */
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
