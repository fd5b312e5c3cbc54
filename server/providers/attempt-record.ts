/** The record of one attempt at an upstream, and the header value that lists all attempts of a call. */

import type { ErrorCode } from '../../contract/errors.ts';

import type { ProviderErrorInfo } from '../primitives/provider-error.ts';

/** Formats the attempts as a header value: `openai;status=503;error=upstream_unavailable;ms=12, backup;status=200;ms=340`. */
export const describeAttempts = (attempts: readonly AttemptRecord[]): string =>
  attempts
    .map(({ upstream, status, code, ms, protocol }) => {
      const over = protocol === undefined ? '' : `;protocol=${protocol}`;
      const fault = code === null ? '' : `;error=${code}`;
      return `${upstream}${over}${status === null ? '' : `;status=${status}`}${fault};ms=${Math.round(ms)}`;
    })
    .join(', ');

/** One attempt, for logs, receipts and the caller. */
export interface AttemptRecord {
  /** The upstream's name. */
  readonly upstream: string;
  /** The status of the upstream's response. Null if it didn't respond. */
  readonly status: number | null;
  /** The error code. Null if the attempt succeeded. */
  readonly code: ErrorCode | null;
  /** Milliseconds until the attempt failed or the response could be forwarded. */
  readonly ms: number;
  /** Set only if the caller's protocol was skipped although the upstream serves it. */
  readonly protocol?: string;
  /** The provider's own error description, for operators only. */
  readonly providerError?: ProviderErrorInfo;
}
