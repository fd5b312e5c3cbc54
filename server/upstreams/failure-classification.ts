/** One attempt at one place, and what a failed one means: whether it is worth another, and where (promise G5, F57). */
import { type ErrorCode, errorTable } from '../../contract/errors.ts';
import type { GatewayError } from '../errors.ts';

/** For logs, receipts and the caller. */
export interface AttemptRecord {
  /** The name of the upstream. */
  readonly upstream: string;
  /** That of the upstream's answer; null where none came. */
  readonly status: number | null;
  /** What became of it; null where it was a good answer. */
  readonly code: ErrorCode | null;
  /** Milliseconds until it had failed, or until the answer could be handed on. */
  readonly ms: number;
}

/** `caller`: its fault, or nobody's; no other place would say otherwise. `elsewhere`: not here again. `again`: here too. */
export type Verdict = 'caller' | 'elsewhere' | 'again';

/** A wait for which it does not pay to keep a caller. */
const LONGEST_WAIT_MS = 2_000;

export function verdictOf({ code, headers }: GatewayError, status: number | null): Verdict {
  if (code === 'rate_limit_exceeded' || code === 'overloaded') return waitOf(headers) > LONGEST_WAIT_MS ? 'elsewhere' : 'again';
  if (errorTable[code].status < 500 || code === 'internal_error') return 'caller';
  // The key of the gateway, or the name of the model there.
  return status !== null && status >= 400 && status < 500 && status !== 408 ? 'elsewhere' : 'again';
}

/** Milliseconds that the vendor asks to be left alone; 0 where it says nothing. */
export function waitOf(headers: GatewayError['headers']): number {
  const ms = Number(headers['retry-after-ms'] ?? Number(headers['retry-after'] ?? 0) * 1000);
  return Number.isFinite(ms) && ms > 0 ? ms : 0;
}

/** As a header: `openai;status=503;ms=12, backup;status=200;ms=340`. */
export const describeAttempts = (attempts: readonly AttemptRecord[]): string =>
  attempts
    .map(({ upstream, status, code, ms }) => {
      const fault = code === null ? '' : `;error=${code}`;
      return `${upstream}${status === null ? '' : `;status=${status}`}${fault};ms=${Math.round(ms)}`;
    })
    .join(', ');
