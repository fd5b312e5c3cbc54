/** What a copy needs of a database, on whatever engine: rows along their keys at one moment, and batches that are written with a note of how far it came. */
import type { Table } from './tables.ts';

/** One column of one row, the same on every engine. */
export type Cell = string | bigint | Buffer | boolean | null;
/** In the order of the table's columns. */
export type Cells = readonly Cell[];

/** All of it is of one moment. */
export interface Look {
  count(table: Table): Promise<number>;
  /** Some rows after this key, in the order of keys; none at the end. A few at least, and never much more than `mostBytes`. */
  read(table: Table, after: Cells | null): Promise<readonly Cells[]>;
  /** Holds that have not ended. */
  countHolds(): Promise<number>;
}

export interface Note {
  readonly name: string;
  readonly value: string;
}

export interface Place {
  /** For people; without the password. */
  readonly label: string;
  look<T>(work: (look: Look) => Promise<T>): Promise<T>;
  /** What an earlier run noted; null where no copy was begun. */
  notes(): Promise<ReadonlyMap<string, string> | null>;
  begin(note: Note): Promise<void>;
  /** All of it or nothing; rows that are there already stay as they are. */
  write(table: Table, rows: readonly Cells[], note: Note): Promise<void>;
  /** New rows get numbers after those that were copied. */
  setCounters(): Promise<void>;
  /** The copy is done: the notes go. */
  forget(): Promise<void>;
}

export const MOST_ROWS = 1_000;
/** One row may carry a whole request of many megabytes. */
export const MOST_BYTES = 4_000_000;

/** Kept in the target until the copy is verified. */
export { COPY_NOTES as notesTable } from '../half-copy.ts';

/** The key of a row, as text in a note. */
export function keyOf(table: Table, row: Cells): Cells {
  return table.key.map((name) => row[table.columns.findIndex((column) => column.name === name)] ?? null);
}
