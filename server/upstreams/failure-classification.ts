/** The record of an attempt, and what its failure means: whether to try again, and at which candidate (promise G5, F57). */
import { type ErrorCode, errorTable } from '../../contract/errors.ts';
import type { GatewayError, VendorWords } from '../errors.ts';

/** For logs, receipts and the caller. */
export interface AttemptRecord {
  /** The name of the upstream. */
  readonly upstream: string;
  /** The status of the upstream's answer; null when none came. */
  readonly status: number | null;
  /** The code of its failure; null when it succeeded. */
  readonly code: ErrorCode | null;
  /** Milliseconds until it failed, or until the answer could be forwarded. */
  readonly ms: number;
  /** What the vendor said of its failure; for operators alone. Absent: nothing. */
  readonly said?: VendorWords;
}

/** `caller`: do not retry, no other candidate would answer differently. `elsewhere`: retry at another candidate only. `again`: retry at this one too. */
export type Verdict = 'caller' | 'elsewhere' | 'again';

/** A longer `retry-after` is not waited for. */
const LONGEST_WAIT_MS = 2_000;

export function verdictOf({ code, headers }: GatewayError, status: number | null): Verdict {
  if (code === 'rate_limit_exceeded' || code === 'overloaded') return waitOf(headers) > LONGEST_WAIT_MS ? 'elsewhere' : 'again';
  if (errorTable[code].status < 500 || code === 'internal_error') return 'caller';
  // A 4xx here is about the gateway's key or the upstream's name of the model.
  return status !== null && status >= 400 && status < 500 && status !== 408 ? 'elsewhere' : 'again';
}

/** Milliseconds that the vendor asks to wait; 0 when it names no wait. */
export function waitOf(headers: GatewayError['headers']): number {
  const ms = Number(headers['retry-after-ms'] ?? Number(headers['retry-after'] ?? 0) * 1000);
  return Number.isFinite(ms) && ms > 0 ? ms : 0;
}

/** The attempts as a header value: `openai;status=503;error=overloaded;ms=12, backup;status=200;ms=340`. */
export const describeAttempts = (attempts: readonly AttemptRecord[]): string =>
  attempts
    .map(({ upstream, status, code, ms }) => {
      const fault = code === null ? '' : `;error=${code}`;
      return `${upstream}${status === null ? '' : `;status=${status}`}${fault};ms=${Math.round(ms)}`;
    })
    .join(', ');
