/** Facts of a call at its end, and its row in the request log. The request itself is never included (promise G13). */

import type { Read } from '../storage/audit.ts';
import type { AttemptRecord } from '../telemetry/log.ts';

export type Outcome = 'completed' | 'incomplete' | 'rejected' | 'failed' | 'client_disconnected';

/** The state of a rate limit after the call had been checked by it. */
export interface Figures {
  readonly limit: number;
  readonly remaining: number;
}

/** Code and status of an attempt may be those of a newer program. */
type KeptAttempt = Omit<AttemptRecord, 'code'> & { readonly code: string | null };

/** Details that only the page of a request shows. Empty fields are absent. */
export interface Details {
  readonly param?: string | null;
  readonly message?: string;
  /** The model as it was asked for, where the catalog has no such model. */
  readonly asked?: string | null;
  /** Method and path of a request whose key was not recognized. */
  readonly path?: string;
  /** The address that it came from, where the operator keeps them (`refusals.addresses`). */
  readonly address?: string;
  readonly attempts?: readonly KeptAttempt[];
  readonly ignored?: readonly string[];
  /** The rate limit or concurrency limit that rejected. */
  readonly rejectedBy?: { readonly scope: string; readonly quantity: string; readonly most: number };
  readonly requests?: Figures;
  readonly tokens?: Figures;
}

/** One row; the names are those of the table. Times are milliseconds since 1970, durations milliseconds, money micro-dollars. */
export interface LogRow {
  readonly request_id: string;
  readonly ended_at: number;
  /** Null when the key was not recognized. */
  readonly account_id: string | null;
  readonly key_id: string | null;
  /** An id of the catalog. */
  readonly model: string | null;
  readonly operation: string | null;
  /** The one that was asked last. */
  readonly upstream: string | null;
  /** A short name of the session, made of the one that the caller gave, or of the beginning of the conversation. Null: the call belongs to none. */
  readonly session: string | null;
  readonly status: number;
  readonly code: string | null;
  readonly outcome: Outcome;
  /** 1: a stream had begun. */
  readonly is_stream: 0 | 1;
  readonly attempts: number;
  readonly first_ms: number | null;
  readonly total_ms: number;
  readonly input: number;
  readonly cached_input: number;
  readonly cache_write: number;
  readonly output: number;
  readonly images: number;
  /** Null when nothing was charged. */
  readonly charged: number | null;
  /** What its input that was not read from a cache cost beyond the price of reading it. Null when that is not known, or it belongs to no session. */
  readonly missed: number | null;
  /** Provider cost. Null if unknown. */
  readonly vendor_cost: number | null;
  /** How many more calls of the same kind it stands for. */
  readonly repeats: number;
  /** `Details` as JSON. */
  readonly details: string;
}

/** A row before its details are written. */
export type CallRecord = Omit<LogRow, 'details' | 'repeats'> & { readonly details: Details };

// In characters: a row has at most about two kilobytes.
const MAX_MESSAGE = 500;
const MAX_PARAM = 200;
const MAX_MODEL = 100;
const MAX_PATH = 200;
const MAX_ATTEMPTS = 8;
const MAX_IGNORED = 20;

/** The row, with shortened texts, and without what looks like a key, which a caller may have put into a wrong field. */
export function rowOf(record: CallRecord, repeats = 0): LogRow {
  return { ...record, repeats, details: JSON.stringify(bounded(record.details)) };
}

export function bounded({ param, message, asked, path, address, attempts, ignored, rejectedBy, requests, tokens }: Details): Details {
  const kept: { -readonly [Name in keyof Details]: Details[Name] } = {};
  if (rejectedBy) kept.rejectedBy = rejectedBy;
  if (requests) kept.requests = requests;
  if (tokens) kept.tokens = tokens;
  if (typeof param === 'string') kept.param = cut(param, MAX_PARAM);
  if (message !== undefined) kept.message = cut(message, MAX_MESSAGE);
  if (typeof asked === 'string') kept.asked = cut(asked, MAX_MODEL);
  if (path !== undefined) kept.path = cut(path, MAX_PATH);
  if (address !== undefined) kept.address = cut(address, MAX_PATH);
  if (attempts !== undefined && attempts.length > 0) kept.attempts = attempts.slice(-MAX_ATTEMPTS);
  if (ignored !== undefined && ignored.length > 0) kept.ignored = ignored.slice(0, MAX_IGNORED).map((name) => cut(name, MAX_PARAM));
  return kept;
}

/**
 * Keys must be found before the text is cut, but not in megabytes of text. The result is copied: a slice
 * would keep the whole body in memory.
 */
function cut(text: string, most: number): string {
  const withheld = text
    .slice(0, 2 * most)
    .replace(/\bBearer\s+\S+/gi, 'Bearer ***')
    .replace(/\b(mga?|sk)-[\w-]{8,}/g, '$1-***');
  const short = withheld.length > most ? `${withheld.slice(0, most - 1)}…` : withheld;
  // PostgreSQL cannot store the zero character.
  return Buffer.from(short.replace(/\p{Cc}/gu, '?')).toString();
}

/** Written by `rowOf`, or by a newer program, which may have more fields. */
export const detailsOf = ({ details }: Pick<LogRow, 'details'>): Details => JSON.parse(details) as Details;

export interface Bounds {
  /** Rows before this time go, in milliseconds since 1970. */
  readonly before: number;
  /** Rows of callers with an unrecognized key are deleted before this time, and all but the newest. */
  readonly unknownBefore: number;
  readonly maxUnknown: number;
  /** Sums by hour of keys before this time go. */
  readonly hoursBefore: number;
}

export interface ActivityStore {
  /** Rows and their sums, in one transaction. A row whose request id is known changes nothing, so a repeated write does not count twice. */
  add(rows: readonly LogRow[]): Promise<void>;
  /** Deletes some old rows, and returns how many; 0 when there are no more. The sums stay. */
  sweep(bounds: Bounds): Promise<number>;
  /** Makes all sums from `from` to `to` again from the rows of the log. Both are the start of a UTC day. */
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
