/** The bound on reading the own bill: such reads count towards no limit of calls, so they have one of their own, in each process. */
import { GatewayError, type KeyedCode } from '../errors.ts';

const MINUTE_MS = 60_000;
/** A page that is open asks every few seconds; a program needs far less. */
export const MOST_OWN_READS = 120;
/** Keys that are remembered; the one that began first is forgotten first. */
const MOST_KEYS = 10_000;

interface Reads {
  readonly since: number;
  count: number;
}

export class OwnReads {
  readonly #now: () => number;
  readonly #reads = new Map<string, Reads>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a read. Throws `rate_limit_exceeded` from the 121st within a minute. */
  count(keyId: string): void {
    const reads = this.#reads.get(keyId);
    const now = this.#now();
    const passed = reads === undefined ? MINUTE_MS : now - reads.since;
    // A clock that was set back would make a minute last too long.
    if (reads === undefined || passed < 0 || passed >= MINUTE_MS) {
      this.#begin(keyId, now);
      return;
    }
    if (reads.count >= MOST_OWN_READS) throw tooMany(MINUTE_MS - passed);
    reads.count += 1;
  }

  #begin(keyId: string, now: number): void {
    this.#reads.delete(keyId);
    const [oldest] = this.#reads.keys();
    if (this.#reads.size >= MOST_KEYS && oldest !== undefined) this.#reads.delete(oldest);
    this.#reads.set(keyId, { since: now, count: 1 });
  }
}

function tooMany(waitMs: number): GatewayError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new GatewayError<KeyedCode>('rate_limit_exceeded', {
    message: `A key may read its account ${MOST_OWN_READS} times a minute. Try again in ${seconds}s.`,
    headers: { 'retry-after': String(seconds), 'retry-after-ms': String(Math.max(1, waitMs)) },
  });
}
