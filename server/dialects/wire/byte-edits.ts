/** Removes or replaces parts of a JSON text, and leaves every other byte unchanged. */

/** The bytes to remove, and their replacement; absent: none. */
export interface Cut {
  readonly from: number;
  readonly to: number;
  readonly instead?: Buffer;
}

/** Where a field is in the bytes: from the opening quote of its name to after its value. */
export interface Place {
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** The fields of an object, in the order of the text; null for a name that occurs twice. */
export type Places = ReadonlyMap<string, Place | null>;

/** Finds the cuts that remove members of one list or object, each with one comma. Members are given in the order of the text. */
export class Members {
  readonly #cuts: Cut[];
  /** Start of the current run of removed members; -1 outside of one. */
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

  /** A run at the end is removed with the comma before it. */
  close(): void {
    if (this.#run >= 0) this.#cuts.push({ from: this.#keptEnd < 0 ? this.#run : this.#keptEnd, to: this.#end });
  }
}

/** Cuts stand in the order of the text, and no two overlap. */
export function withCuts(bytes: Buffer, cuts: readonly Cut[]): Buffer {
  if (cuts.length === 0) return bytes;
  let size = bytes.length;
  for (const { from, to, instead } of cuts) size += (instead?.length ?? 0) - (to - from);
  const changed = Buffer.allocUnsafe(size);
  let read = 0;
  let written = 0;
  for (const { from, to, instead } of cuts) {
    written += bytes.copy(changed, written, read, from);
    if (instead) written += instead.copy(changed, written);
    read = to;
  }
  bytes.copy(changed, written, read);
  return changed;
}

/** Where fields stand after the cuts, none of which takes a field out; both in the order of the text. */
export function movedPlaces(places: Places, cuts: readonly Cut[]): Places {
  let passed = 0;
  let shift = 0;
  // Positions come in the order of the text, so each cut is visited once.
  const moved = (at: number): number => {
    for (let cut = cuts[passed]; cut && cut.to <= at; cut = cuts[++passed]) shift += (cut.instead?.length ?? 0) - (cut.to - cut.from);
    return at + shift;
  };
  return moveAll(places, moved);
}

/** Where fields stand when so many bytes are put before all of them. */
export const shiftedPlaces = (places: Places, by: number): Places => moveAll(places, (at) => at + by);

function moveAll(places: Places, moved: (at: number) => number): Places {
  const move = ({ start, valueStart, end }: Place): Place => ({ start: moved(start), valueStart: moved(valueStart), end: moved(end) });
  return new Map([...places].map(([name, place]) => [name, place && move(place)]));
}

export const inOrder = (cuts: readonly Cut[]): Cut[] => cuts.toSorted((one, other) => one.from - other.from || one.to - other.to);

/** The same as pieces; unchanged pieces are views of the bytes. */
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
