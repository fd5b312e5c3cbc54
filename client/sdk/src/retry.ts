/** Decides whether to retry a failed request, and how long to wait first. */

/** Maximum wait before a retry. If the gateway asks for more, the error is thrown immediately with `retryAfterMs`, so that the caller decides. */
export const MAX_WAIT_MS = 60_000;
const FIRST_BACKOFF_MS = 500;
const LAST_BACKOFF_MS = 8_000;

/** Returns the wait in milliseconds from `now`. Reads `retry-after-ms`, or else `retry-after` (seconds or a date). */
export function readRetryAfter(headers: Headers, now: number = Date.now()): number | undefined {
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (exact >= 0) return exact;
  const value = headers.get('retry-after') ?? '';
  const wait = /^\s*\d/.test(value) ? Number.parseFloat(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/**
 * Returns half a second, doubled with every retry up to 8 s, in milliseconds.
 * Subtracts a random part of up to a quarter, so that callers don't retry at the same time.
 */
export function getBackoffMs(retry: number, random: number = Math.random()): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** retry, LAST_BACKOFF_MS) * (1 - random / 4);
}

/** Whether a request with this status can be retried. The gateway's `x-should-retry` overrides the default. */
export function canRetry(status: number, headers: Headers): boolean {
  const wish = headers.get('x-should-retry');
  return wish === 'true' || (wish !== 'false' && ([408, 409, 429].includes(status) || status >= 500));
}
