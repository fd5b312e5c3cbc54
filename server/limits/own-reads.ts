/** The bound on reading the own bill: such reads count towards no limit of calls, so they have one of their own, in each process. */
import { GatewayError, type KeyedCode } from '../errors.ts';

const MINUTE_MS = 60_000;
/** A page that is open asks every few seconds; a program needs far less. */
export const MOST_OWN_READS = 120;
/** Receipts that weigh as much as one other read: a program may want one for each of its calls, and one is found by its id. */
export const RECEIPTS_PER_READ = 50;
/** Keys that are remembered; the one that began first is forgotten first. */
const MOST_KEYS = 10_000;

/** `receipt`: of one call. */
export type OwnRead = 'receipt' | 'other';

interface Reads {
  readonly since: number;
  /** In receipts. */
  weight: number;
}

export class OwnReads {
  readonly #now: () => number;
  readonly #reads = new Map<string, Reads>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a read. Throws `rate_limit_exceeded` for more than the bound within a minute. */
  count(keyId: string, read: OwnRead): void {
    const weight = read === 'receipt' ? 1 : RECEIPTS_PER_READ;
    const reads = this.#reads.get(keyId);
    const now = this.#now();
    const passed = reads === undefined ? MINUTE_MS : now - reads.since;
    // A clock that was set back would make a minute last too long.
    if (reads === undefined || passed < 0 || passed >= MINUTE_MS) {
      this.#begin(keyId, { since: now, weight });
      return;
    }
    if (reads.weight + weight > MOST_OWN_READS * RECEIPTS_PER_READ) throw tooMany(MINUTE_MS - passed);
    reads.weight += weight;
  }

  #begin(keyId: string, reads: Reads): void {
    this.#reads.delete(keyId);
    const [oldest] = this.#reads.keys();
    if (this.#reads.size >= MOST_KEYS && oldest !== undefined) this.#reads.delete(oldest);
    this.#reads.set(keyId, reads);
  }
}

function tooMany(waitMs: number): GatewayError {
  const seconds = Math.ceil(waitMs / 1_000);
  return new GatewayError<KeyedCode>('rate_limit_exceeded', {
    message: `A key may read its account ${MOST_OWN_READS} times a minute, or ${(MOST_OWN_READS * RECEIPTS_PER_READ).toLocaleString('en')} receipts. Try again in ${seconds}s.`,
    headers: { 'retry-after': String(seconds), 'retry-after-ms': String(waitMs) },
  });
}
