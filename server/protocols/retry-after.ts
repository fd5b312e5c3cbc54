/** Parses an upstream's retry delay, and formats it for the caller as headers and as a message. */
import { formatRetryHint } from '../primitives/errors.ts';

export const RATE_LIMITED = "This model's upstream is rate limited.";

const toWaitSeconds = (waitSeconds: number | null): number =>
  waitSeconds !== null && waitSeconds > 0 ? Math.min(Math.ceil(waitSeconds), 3600) : 1;

/** States the same wait as `createRetryAfterHeaders`. */
export const createRateLimitMessage = (waitSeconds: number | null): string =>
  `${RATE_LIMITED} ${formatRetryHint(toWaitSeconds(waitSeconds))}`;

/** `retry-after` is in whole seconds (1 to 3600), for every client. `retry-after-ms` is exact, for clients that read it first. */
export function createRetryAfterHeaders(waitSeconds: number | null): Record<string, string> {
  const seconds = toWaitSeconds(waitSeconds);
  const ms = waitSeconds !== null && waitSeconds > 0 ? Math.min(Math.ceil(waitSeconds * 1000), seconds * 1000) : seconds * 1000;
  return { 'retry-after': String(seconds), 'retry-after-ms': String(ms) };
}

type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The wait that a response requests, as text in seconds. OpenAI's SDKs read `retry-after-ms` first. `retry-after` is a number or a date (RFC 9110,
 * 10.2.3).
 */
export function readRetryAfter({ 'retry-after-ms': ms, 'retry-after': text }: ResponseHeaders, now = Date.now()): string | undefined {
  const exactMs = parseWaitSeconds(typeof ms === 'string' ? ms : undefined);
  if (exactMs !== null) return String(exactMs / 1000);
  if (typeof text !== 'string') return undefined;
  const date = Number.isNaN(Number(text)) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? text : String((date - now) / 1000);
}

/** The wait in seconds. Null if the value is missing or invalid. */
export function parseWaitSeconds(retryAfter: string | undefined): number | null {
  const seconds = retryAfter === undefined ? Number.NaN : Number(retryAfter);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
