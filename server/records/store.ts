/** The interface of the store of the request log and its totals, which both databases implement. */

import type { Read, ReadValue } from '../store/audit.ts';
import type { LogRow } from './call-record.ts';

interface RetentionBounds {
  /** Deletes rows before this time, in milliseconds since 1970. */
  readonly before: number;
  /** Rows of callers with an unrecognized key are deleted before this time. Only the newest `maxUnknown` are kept. */
  readonly unknownBefore: number;
  readonly maxUnknown: number;
  /** Deletes hourly totals by key before this time. */
  readonly hoursBefore: number;
}

export interface ActivityStore {
  /**
   * Adds rows and their totals in one transaction. A row with a known request ID changes nothing, so a repeated write doesn't count
   * twice.
   */
  add(rows: readonly LogRow[]): Promise<void>;
  /** Deletes one batch of old rows. Returns the number deleted, 0 if none are left. Totals stay. */
  sweep(bounds: RetentionBounds): Promise<number>;
  /** Recomputes all totals from `from` to `to` from log rows. Both are the start of a UTC day. */
  recount(from: number, to: number): Promise<void>;
  /** Computes the totals of the next past day from its hours, if it ends before this time. Returns false if there's no such day. */
  closeDay(before: number): Promise<boolean>;
  /** Records that an hour was compared with the ledger. */
  noteCheck(check: HourCheck): Promise<void>;
  /** Runs a read-only query, at most two at a time, five seconds each, and never on the event loop. Parameters are `?1`, `?2`, … */
  readonly ask: RecordsQuery;
  close(): Promise<void>;
}

/** Rejects with a StorageError if the query takes too long. */
export type RecordsQuery = Read;

export interface SqlStatement {
  readonly sql: string;
  readonly values: readonly ReadValue[];
}

/** One closed hour. Money is in micro-dollars. */
export interface HourCheck {
  readonly hour: number;
  /** The ledger's first entry in this hour or later. */
  readonly firstEntry: number;
  readonly posted: number;
  readonly summed: number;
}
