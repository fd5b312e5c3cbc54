/** Whether a call that failed is tried again, and where. */
import { errorTable } from '../../contract/errors.ts';
import type { GatewayError } from '../primitives/errors.ts';

/**
 * `caller`: don't retry, because other candidates would respond the same. `elsewhere`: retry at another candidate only. `again`: retry at this one too.
 * `final`: don't retry, although the upstream is at fault.
 */
export type RetryDecision = 'caller' | 'elsewhere' | 'again' | 'final';
/** With a longer `retry-after`, another candidate is tried instead. */
const MAX_WAIT_MS = 2000;

export function decideRetry({ code, headers }: GatewayError, status: number | null): RetryDecision {
  if (code === 'rate_limit_exceeded' || code === 'upstream_unavailable' || code === 'overloaded')
    return getRetryAfterMs(headers) > MAX_WAIT_MS ? 'elsewhere' : 'again';
  if (errorTable[code].status < 500 || code === 'internal_error') return 'caller';
  // A 4xx here concerns the gateway's key or the upstream model name.
  return status !== null && status >= 400 && status < 500 && status !== 408 ? 'elsewhere' : 'again';
}
/** Returns the milliseconds that the provider asks to wait, or 0 if it doesn't ask. */
export function getRetryAfterMs(headers: GatewayError['headers']): number {
  const ms = Number(headers['retry-after-ms'] ?? Number(headers['retry-after'] ?? 0) * 1000);
  return Number.isFinite(ms) && ms > 0 ? ms : 0;
}
