/** Limits account reads (usage, receipts, balance) per key, separately from the key's request rate. */
import type { FastifyRequest } from 'fastify';
import { isOwnRead } from '../../../contract/shared/operations.ts';
import { formatRetryHint, GatewayError, type KeyedCode } from '../../primitives/errors.ts';
import { getRouteOptions } from '../http/route-options.ts';

export function findOwnRead(request: FastifyRequest): OwnRead | null {
  const { url = '' } = getRouteOptions(request);
  if (!isOwnRead(request.method, url)) return null;
  return url.endsWith('/:request_id') ? 'receipt' : 'other';
}

const MINUTE_MS = 60_000;

/** An open page polls every few seconds; a program needs far less. */
export const MAX_OWN_READS = 120;

/** This many receipts count as one other read: a program may need a receipt per call, and each is looked up by ID. */
export const RECEIPTS_PER_READ = 50;

/** Maximum remembered keys. The one with the oldest window is forgotten first. */
const MAX_KEYS = 10_000;

/** `receipt`: a read of one call's receipt. */
export type OwnRead = 'receipt' | 'other';

interface ReadCount {
  readonly since: number;
  /** Counted in receipts. */
  weight: number;
}

export class OwnReadLimiter {
  readonly #now: () => number;
  readonly #counts = new Map<string, ReadCount>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a read. Throws `rate_limit_exceeded` above the limit per minute. */
  count(keyId: string, read: OwnRead): void {
    const weight = read === 'receipt' ? 1 : RECEIPTS_PER_READ;
    const readCount = this.#counts.get(keyId);
    const now = this.#now();
    const elapsedMs = readCount === undefined ? MINUTE_MS : now - readCount.since;
    // Ignores times in the future: after the clock was set back, a minute would last too long.
    if (readCount === undefined || elapsedMs < 0 || elapsedMs >= MINUTE_MS) {
      this.#startWindow(keyId, { since: now, weight });
      return;
    }
    if (readCount.weight + weight > MAX_OWN_READS * RECEIPTS_PER_READ) throw createTooManyReadsError(MINUTE_MS - elapsedMs);
    readCount.weight += weight;
  }

  #startWindow(keyId: string, readCount: ReadCount): void {
    this.#counts.delete(keyId);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size >= MAX_KEYS && oldest !== undefined) this.#counts.delete(oldest);
    this.#counts.set(keyId, readCount);
  }
}

function createTooManyReadsError(waitMs: number): GatewayError {
  const seconds = Math.ceil(waitMs / 1_000);
  return new GatewayError<KeyedCode>('rate_limit_exceeded', {
    message: `Too many account reads: a key can make ${MAX_OWN_READS} per minute, or ${(MAX_OWN_READS * RECEIPTS_PER_READ).toLocaleString('en')} receipts. ${formatRetryHint(seconds)}`,
    headers: { 'retry-after': String(seconds), 'retry-after-ms': String(waitMs) },
  });
}
