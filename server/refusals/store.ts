/** Requests that were refused or failed, as they are kept for whoever asks about one by its id: what was told, never what was sent (promise G13). */
import type { AttemptRecord } from '../telemetry/record.ts';

export interface Refusal {
  readonly requestId: string;
  /** When the request came. */
  readonly createdAt: number;
  /** Null where nobody knows who called. */
  readonly accountId: string | null;
  readonly keyId: string | null;
  /** Null where the address is that of none. */
  readonly operation: string | null;
  /** As it was asked for, which may be none of the catalog. */
  readonly model: string | null;
  /** 200 of a stream that failed after it had begun. */
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  readonly message: string;
  readonly attempts: readonly KeptAttempt[];
}

/** Code and status may be those of a newer program. */
export type KeptAttempt = Omit<AttemptRecord, 'code'> & { readonly code: string | null };

export interface RefusalStore {
  /** Of what is over `most` the oldest go. What is kept already stays as it is. */
  add(refusals: readonly Refusal[], most: number): Promise<void>;
  find(requestId: string): Promise<Refusal | undefined>;
  /** Deletes what came before this time, in milliseconds since 1970, and what is over `most`. */
  sweep(before: number, most: number): Promise<void>;
}

/** In pieces: paid calls wait for whatever is being written. Twice as many as come at once, or the table would never get smaller. */
export const MOST_SWEPT = 500;

// In characters: no caller can make a row longer than some two kilobytes.
const MOST_MESSAGE = 500;
const MOST_PARAM = 200;
const MOST_MODEL = 100;
const MOST_ATTEMPTS = 8;

/** Within its bounds, and without what looks like a key, which may stand where a model or a field was meant. */
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
 * What is withheld has to be found before half of it is cut off, and nobody looks for it in megabytes. It becomes a text of its own: a piece
 * would keep alive the whole body that it was cut from.
 */
function cut(text: string, most: number): string {
  const withheld = text
    .slice(0, 2 * most)
    .replace(/\bBearer\s+\S+/gi, 'Bearer ***')
    .replace(/\b(mga?|sk)-[\w-]{8,}/g, '$1-***');
  const short = withheld.length > most ? `${withheld.slice(0, most - 1)}…` : withheld;
  // PostgreSQL keeps no zero character.
  return Buffer.from(short.replace(/\p{Cc}/gu, '?')).toString();
}
