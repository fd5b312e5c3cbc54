/** The store of refused and failed requests, for questions by request id: the error that the caller got, never the request itself (promise G13). */
import type { AttemptRecord } from '../telemetry/record.ts';

export interface Refusal {
  readonly requestId: string;
  /** When the request came. */
  readonly createdAt: number;
  /** Null when the caller is unknown. */
  readonly accountId: string | null;
  readonly keyId: string | null;
  /** Null when the address belongs to no operation. */
  readonly operation: string | null;
  /** As in the request; it may not be in the catalog. */
  readonly model: string | null;
  /** 200 for a stream that failed after it had begun. */
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  readonly message: string;
  readonly attempts: readonly KeptAttempt[];
}

/** Code and status may be those of a newer program. */
export type KeptAttempt = Omit<AttemptRecord, 'code'> & { readonly code: string | null };

export interface RefusalStore {
  /** Beyond `most`, the oldest are deleted. A stored request is not changed. */
  add(refusals: readonly Refusal[], most: number): Promise<void>;
  find(requestId: string): Promise<Refusal | undefined>;
  /** Deletes what came before this time, in milliseconds since 1970, and what is over `most`. */
  sweep(before: number, most: number): Promise<void>;
}

/** Deletes in batches, because paid calls wait for writes. A batch is twice as large as an insert, or the table would never shrink. */
export const MOST_SWEPT = 500;

// In characters: a row has at most about two kilobytes.
const MOST_MESSAGE = 500;
const MOST_PARAM = 200;
const MOST_MODEL = 100;
const MOST_ATTEMPTS = 8;

/** Shortened, and without what looks like a key, which a caller may have put into a wrong field. */
export function bounded(refusal: Refusal): Refusal {
  const { model, param, message, attempts } = refusal;
  return {
    ...refusal,
    model: model === null ? null : cut(model, MOST_MODEL),
    param: param === null ? null : cut(param, MOST_PARAM),
    message: cut(message, MOST_MESSAGE),
    attempts: attempts.slice(-MOST_ATTEMPTS),
  };
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
