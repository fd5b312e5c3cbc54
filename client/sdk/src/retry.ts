/** When a failed request is sent again, and how long to wait before that. */

/** For a longer wait, the error is thrown immediately, with `retryAfterMs`, so that the caller decides. */
export const MAX_WAIT_MS = 60_000;
const FIRST_BACKOFF_MS = 500;
const LAST_BACKOFF_MS = 8_000;

/** Reads `retry-after-ms`, or else `retry-after` as seconds or as a date; in milliseconds from `now`. */
export function readRetryAfter(headers: Headers, now: number = Date.now()): number | undefined {
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (exact >= 0) return exact;
  const value = headers.get('retry-after') ?? '';
  const wait = /^\s*\d/.test(value) ? Number.parseFloat(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** Half a second, doubled with every retry up to 8 s, minus a random part of up to a quarter, so that callers don't retry all together. */
export function backoffMs(retry: number, random: number = Math.random()): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** retry, LAST_BACKOFF_MS) * (1 - random / 4);
}

/** Whether a request with this status can be retried; the gateway's `x-should-retry` overrides the table. */
export function mayRetry(status: number, headers: Headers): boolean {
  const wish = headers.get('x-should-retry');
  return wish === 'true' || (wish !== 'false' && ([408, 409, 429].includes(status) || status >= 500));
}
