/** The error of a failed attempt, and whether the candidate is at fault, responded, or was skipped. */
import type { UsageEvidence } from '../money/measured-usage.ts';
import { type CallName, type GatewayError, toDeclaredError } from '../primitives/errors.ts';
import { decideRetry, type RetryDecision } from '../providers/retry-decision.ts';

interface AttemptFailure {
  /** The status of the upstream's response. Null if it didn't respond. */
  readonly status: number | null;
  /** How long the provider asked us to wait (`retry-after`), in milliseconds. 0 if it didn't ask. */
  readonly retryAfterMs?: number;
  /** Usage reported by the failed response. */
  readonly evidence?: UsageEvidence | null;
  /** Defaults to a decision based on the error and status. */
  readonly verdict?: RetryDecision;
  /** Whether the provider rejected only this key, and the candidate has another one. */
  readonly isKeyRejected?: boolean;
  /** Whether the provider accepts the request over the other protocol, which wasn't tried yet. */
  readonly isProtocolRejected?: boolean;
}

/** A failed attempt: the caller received nothing, and nothing is settled. */
export class AttemptFailed extends Error {
  override readonly name = 'AttemptFailed';
  readonly error: GatewayError;
  readonly status: number | null;
  readonly retryAfterMs: number;
  readonly evidence: UsageEvidence | null;
  readonly verdict: RetryDecision;
  readonly isKeyRejected: boolean;
  readonly isProtocolRejected: boolean;

  constructor(error: GatewayError, failure: AttemptFailure) {
    const { status, retryAfterMs = 0, evidence = null, isKeyRejected = false, isProtocolRejected = false } = failure;
    super(error.message, { cause: error });
    this.error = error;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.evidence = evidence;
    this.verdict = failure.verdict ?? (isKeyRejected ? 'again' : decideRetry(error, status));
    this.isKeyRejected = isKeyRejected;
    this.isProtocolRejected = isProtocolRejected;
  }

  /** Whether the whole request has failed, whatever candidates are left. */
  get isOver(): boolean {
    return this.verdict === 'caller' || this.verdict === 'final';
  }

  /** Returns the same failure with an error code that the contract declares for the operation. */
  toDeclaredError(operation: CallName): AttemptFailed {
    const error = toDeclaredError(operation, this.error);
    return error === this.error ? this : new AttemptFailed(error, this);
  }

  /** Returns the same failure with no further attempts allowed. It still counts against the candidate. */
  toFinal(): AttemptFailed {
    return this.verdict === 'caller' ? this : new AttemptFailed(this.error, { ...this, verdict: 'final' });
  }

  /** Returns the same failure as one that the caller requested: not retried, and not counted against the candidate. */
  toSimulatedFailure(): AttemptFailed {
    const { error, status, evidence } = this;
    return new AttemptFailed(error, { status, evidence, verdict: 'caller' });
  }
}

/**
 * Whether the circuit breaker counts the failure. Not if the provider is only busy (the gateway obeys `retry-after`), nothing was sent, or one of several
 * keys was rejected.
 */
export const isCandidateFault = (thrown: unknown): boolean =>
  thrown instanceof AttemptFailed &&
  thrown.verdict !== 'caller' &&
  thrown.error.code !== 'rate_limit_exceeded' &&
  !wasSkipped(thrown) &&
  !thrown.isKeyRejected &&
  !thrown.isProtocolRejected;

/** Whether the failure shows that the candidate is reachable and responds. */
export const hasResponse = (thrown: unknown): boolean => thrown instanceof AttemptFailed && thrown.status !== null;

/** Whether nothing was sent, because the upstream's concurrency limit was reached or no key was usable. */
export const wasSkipped = ({ error, status }: AttemptFailed): boolean =>
  status === null && (error.code === 'overloaded' || error.code === 'no_upstream_available');
