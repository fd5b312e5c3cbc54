/** Defines the record of a call that has ended, and converts it to its row in the request log. The request itself is never included (promise G13). */
import type { AttemptRecord } from '../telemetry/telemetry.ts';

export type Outcome = 'completed' | 'incomplete' | 'rejected' | 'failed' | 'client_disconnected';

/** The state of a rate limit after it checked the call. */
export interface LimitFigures {
  readonly limit: number;
  readonly remaining: number;
}

/** A newer version may have written the attempt with an unknown code. */
type LoggedAttempt = Omit<AttemptRecord, 'code'> & { readonly code: string | null };

/** Details that only the page of a request shows. Empty fields are omitted. */
export interface CallDetails {
  readonly param?: string | null;
  readonly message?: string;
  /** The requested model, if the catalog doesn't contain it. */
  readonly requested?: string | null;
  /** Method and path of a request with an unrecognized key. */
  readonly path?: string;
  /** The caller's IP address, if the operator keeps addresses (`unknownCallers.addresses`). */
  readonly address?: string;
  readonly attempts?: readonly LoggedAttempt[];
  readonly dropped?: readonly string[];
  /** The rate limit or concurrency limit that rejected the call. */
  readonly rejectedBy?: { readonly scope: string; readonly quantity: string; readonly most: number };
  readonly requests?: LimitFigures;
  readonly tokens?: LimitFigures;
}

/** One row, named after the table's columns. Times are milliseconds since 1970, durations milliseconds, money micro-dollars. */
export interface LogRow {
  readonly request_id: string;
  readonly ended_at: number;
  /** Null if the key wasn't recognized. */
  readonly account_id: string | null;
  readonly key_id: string | null;
  /** A model ID from the catalog. */
  readonly model: string | null;
  readonly operation: string | null;
  /** The last upstream that was called. */
  readonly upstream: string | null;
  /** A short name of the session, from the caller's session ID or from the start of the conversation. Null if the call has no session. */
  readonly session: string | null;
  /** The caller's ID of its end user. Null if the call had none. */
  readonly end_user: string | null;
  /** The value of the header `activity.tagHeader`. Null if the call had none. */
  readonly tag: string | null;
  readonly status: number;
  readonly code: string | null;
  readonly outcome: Outcome;
  /** 1 if a stream had started. */
  readonly is_stream: 0 | 1;
  readonly attempts: number;
  readonly first_ms: number | null;
  readonly total_ms: number;
  readonly input: number;
  readonly cached_input: number;
  readonly cache_write: number;
  readonly output: number;
  readonly images: number;
  /** Null if nothing was charged. */
  readonly charged: number | null;
  /** The extra cost of input that wasn't read from a cache. Null if unknown, or if the call has no session. */
  readonly missed: number | null;
  /** Provider cost. Null if unknown. */
  readonly vendor_cost: number | null;
  /** The number of additional calls of the same kind that this row represents. */
  readonly repeats: number;
  /** `CallDetails` as JSON. */
  readonly details: string;
}

/** A row with details that aren't serialized yet. */
export type CallRecord = Omit<LogRow, 'details' | 'repeats'> & { readonly details: CallDetails };

// In characters. A row has at most about 2 KB.
const MAX_MESSAGE_LENGTH = 500;
const MAX_PARAM_LENGTH = 200;
const MAX_MODEL_LENGTH = 100;
const MAX_PATH_LENGTH = 200;
const MAX_ATTEMPTS = 8;
const MAX_DROPPED_FIELDS = 20;
const MAX_LABEL_LENGTH = 128;

/** Returns the row with shortened texts. Redacts text that looks like a key, which a caller may have put into the wrong field. */
export function toRow(record: CallRecord, repeats = 0): LogRow {
  const { end_user: endUser, tag, details } = record;
  const labels = { end_user: endUser && truncateText(endUser, MAX_LABEL_LENGTH), tag: tag && truncateText(tag, MAX_LABEL_LENGTH) };
  return { ...record, ...labels, repeats, details: JSON.stringify(boundDetails(details)) };
}

export function boundDetails({
  param,
  message,
  requested,
  path,
  address,
  attempts,
  dropped,
  rejectedBy,
  requests,
  tokens,
}: CallDetails): CallDetails {
  const boundedDetails: { -readonly [Name in keyof CallDetails]: CallDetails[Name] } = {};
  if (rejectedBy) boundedDetails.rejectedBy = rejectedBy;
  if (requests) boundedDetails.requests = requests;
  if (tokens) boundedDetails.tokens = tokens;
  if (typeof param === 'string') boundedDetails.param = truncateText(param, MAX_PARAM_LENGTH);
  if (message !== undefined) boundedDetails.message = truncateText(message, MAX_MESSAGE_LENGTH);
  if (typeof requested === 'string') boundedDetails.requested = truncateText(requested, MAX_MODEL_LENGTH);
  if (path !== undefined) boundedDetails.path = truncateText(path, MAX_PATH_LENGTH);
  if (address !== undefined) boundedDetails.address = truncateText(address, MAX_PATH_LENGTH);
  if (attempts !== undefined && attempts.length > 0) boundedDetails.attempts = attempts.slice(-MAX_ATTEMPTS);
  if (dropped !== undefined && dropped.length > 0)
    boundedDetails.dropped = dropped.slice(0, MAX_DROPPED_FIELDS).map((name) => truncateText(name, MAX_PARAM_LENGTH));
  return boundedDetails;
}

/**
 * Searches for keys before cutting the text, but not in megabytes of text.
 * Copies the result, because a slice would keep the full body in memory.
 */
function truncateText(text: string, maxLength: number): string {
  const redactedText = text
    .slice(0, 2 * maxLength)
    .replace(/\bBearer\s+\S+/gi, 'Bearer ***')
    .replace(/\b(mga?|sk)-[\w-]{8,}/g, '$1-***');
  const shortText = redactedText.length > maxLength ? `${redactedText.slice(0, maxLength - 1)}…` : redactedText;
  // PostgreSQL can't store the NUL character.
  return Buffer.from(shortText.replace(/\p{Cc}/gu, '?')).toString();
}

/** `as`: `toRow` wrote this JSON, or a newer version, which may add fields. */
export const parseDetails = ({ details }: Pick<LogRow, 'details'>): CallDetails => JSON.parse(details) as CallDetails;
