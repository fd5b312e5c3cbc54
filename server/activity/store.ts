/** The stores of the request log: one that writes, and one that answers questions, on either database. */
import type { Read } from '../storage/shared-reads.ts';
import type { LogRow } from './record.ts';

export interface Bounds {
  /** Rows before this time go, in milliseconds since 1970. */
  readonly before: number;
  /** Of callers whose key was not recognised, rows before this time go, and all but the newest. */
  readonly unknownBefore: number;
  readonly mostUnknown: number;
  /** Sums by hour of keys before this time go. */
  readonly hoursBefore: number;
}

export interface ActivityStore {
  /** Rows and their sums, in one transaction. A row whose request id is known changes nothing, so a repeated write does not count twice. */
  add(rows: readonly LogRow[]): Promise<void>;
  /** Deletes some old rows, and returns how many; 0 when there are no more. The sums stay. */
  sweep(bounds: Bounds): Promise<number>;
  /** Counts all sums of the time from `from` to `to`, both at the begin of a UTC day, anew from the rows of the log. */
  recount(from: number, to: number): Promise<void>;
  /** Makes the sums of the next day that is over of its hours, if it ends before this time. False when there is none. */
  closeDay(before: number): Promise<boolean>;
  /** Notes that an hour was compared with the ledger. */
  noteCheck(check: HourCheck): Promise<void>;
  /** A question that only reads: at most two at a time, five seconds each, and never on the event loop. Parameters are `?1`, `?2`, … */
  readonly ask: Ask;
  close(): Promise<void>;
}

/** Rejects with a StorageError when the answer takes too long. */
export type Ask = Read;

/** One closed hour; money in micro-dollars. */
export interface HourCheck {
  readonly hour: number;
  /** The first entry of the ledger in this hour or after it. */
  readonly firstEntry: number;
  readonly booked: number;
  readonly summed: number;
}
