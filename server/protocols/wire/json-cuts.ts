/** Cuts fields and elements out of the bytes of JSON, or replaces them, and updates the positions of the others. */
import type { JsonSpan, JsonSpans } from './json-outline.ts';

/** The bytes to remove and their replacement, if any. */
export interface JsonCut {
  readonly from: number;
  readonly to: number;
  readonly instead?: Buffer;
}

/** Finds the cuts that remove members of one list or object, each with one comma. Members must be added in text order. */
export class MemberCuts {
  readonly #cuts: JsonCut[];
  /** The start of the current run of removed members. -1 outside of a run. */
  #runStart = -1;
  #lastKeptEnd = -1;
  #end = -1;

  constructor(cuts: JsonCut[]) {
    this.#cuts = cuts;
  }

  add(start: number, end: number, isRemoved: boolean): void {
    this.#end = end;
    if (isRemoved) {
      if (this.#runStart < 0) this.#runStart = start;
      return;
    }
    if (this.#runStart >= 0) this.#cuts.push({ from: this.#runStart, to: start });
    this.#runStart = -1;
    this.#lastKeptEnd = end;
  }

  /** Removes a run at the end together with the preceding comma. */
  close(): void {
    if (this.#runStart >= 0) this.#cuts.push({ from: this.#lastKeptEnd < 0 ? this.#runStart : this.#lastKeptEnd, to: this.#end });
  }
}

/** Cuts must be in text order and must not overlap. */
export function withCuts(bytes: Buffer, cuts: readonly JsonCut[]): Buffer {
  if (cuts.length === 0) return bytes;
  let size = bytes.length;
  for (const { from, to, instead } of cuts) size += (instead?.length ?? 0) - (to - from);
  // Not from Node's pool: a body lives as long as its stream, and would keep all 64 KiB of its pool.
  const newBytes = Buffer.allocUnsafeSlow(size);
  let readEnd = 0;
  let writtenLength = 0;
  for (const { from, to, instead } of cuts) {
    writtenLength += bytes.copy(newBytes, writtenLength, readEnd, from);
    if (instead) writtenLength += instead.copy(newBytes, writtenLength);
    readEnd = to;
  }
  bytes.copy(newBytes, writtenLength, readEnd);
  return newBytes;
}

/** The positions of fields after the cuts. No cut may remove a field, and both lists must be in text order. */
export function moveSpans(spans: JsonSpans, cuts: readonly JsonCut[]): JsonSpans {
  let cutIndex = 0;
  let shift = 0;
  // Positions arrive in text order, so each cut is visited once.
  const moveOffset = (at: number): number => {
    for (let cut = cuts[cutIndex]; cut && cut.to <= at; cut = cuts[++cutIndex]) shift += (cut.instead?.length ?? 0) - (cut.to - cut.from);
    return at + shift;
  };
  return mapSpans(spans, moveOffset);
}

/** The positions of fields after `by` bytes are inserted before them. */
export const shiftSpans = (spans: JsonSpans, offset: number): JsonSpans => mapSpans(spans, (at) => at + offset);

function mapSpans(spans: JsonSpans, moveOffset: (at: number) => number): JsonSpans {
  const mapSpan = ({ start, valueStart, end }: JsonSpan): JsonSpan => ({
    start: moveOffset(start),
    valueStart: moveOffset(valueStart),
    end: moveOffset(end),
  });
  return new Map([...spans].map(([name, place]) => [name, place && mapSpan(place)]));
}

export const sortCuts = (cuts: readonly JsonCut[]): JsonCut[] => cuts.toSorted((one, other) => one.from - other.from || one.to - other.to);

/** The bytes after the cuts, in pieces. Unchanged pieces are views of the bytes. */
export function toPieces(bytes: Buffer, cuts: readonly JsonCut[]): readonly Buffer[] {
  const pieces: Buffer[] = [];
  let readEnd = 0;
  for (const { from, to, instead } of cuts) {
    if (from > readEnd) pieces.push(bytes.subarray(readEnd, from));
    if (instead) pieces.push(instead);
    readEnd = to;
  }
  pieces.push(bytes.subarray(readEnd));
  return pieces;
}
