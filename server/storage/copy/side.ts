/** What a copy needs of a database on either engine: consistent reads in the order of keys, and batches that are written together with a note of the progress. */
import type { Table } from './tables.ts';

/** One column of one row, the same type on both engines. */
export type Cell = string | bigint | Buffer | boolean | null;
/** In the order of the table's columns. */
export type Cells = readonly Cell[];

/** A consistent read: everything is of one moment. */
export interface CopyReader {
  count(table: Table): Promise<number>;
  /** The next rows after this key, in the order of keys; none at the end. At most `MOST_ROWS`; ends with the row that reaches `MOST_BYTES`. */
  read(table: Table, after: Cells | null): Promise<readonly Cells[]>;
  /** Holds that have not ended. */
  countHolds(): Promise<number>;
}

export interface Note {
  readonly name: string;
  readonly value: string;
}

export interface CopySide {
  /** For messages; without the password. */
  readonly label: string;
  readConsistently<T>(work: (reader: CopyReader) => Promise<T>): Promise<T>;
  /** The notes of an earlier run; null when no copy was begun. */
  notes(): Promise<ReadonlyMap<string, string> | null>;
  begin(note: Note): Promise<void>;
  /** Writes all or nothing; rows that exist already stay as they are. */
  write(table: Table, rows: readonly Cells[], note: Note): Promise<void>;
  /** Sets the sequences, so that new rows get numbers after the copied ones. */
  setCounters(): Promise<void>;
  /** Deletes the notes when the copy is done. */
  dropNotes(): Promise<void>;
}

export const MOST_ROWS = 1_000;
/** One row may hold a request of many megabytes. */
export const MOST_BYTES = 4_000_000;

/** This table is in the target until the copy is verified. */
export { COPY_NOTES as notesTable } from '../half-copy.ts';

/** The key of a row. */
export function keyOf(table: Table, row: Cells): Cells {
  return table.key.map((name) => row[table.columns.findIndex((column) => column.name === name)] ?? null);
}
