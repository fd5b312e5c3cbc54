/** Records the outcome of a request: its model, attempts, usage, cost, and how it ended. */

import type { ErrorCode } from '../../contract/errors.ts';
import type { Model } from '../config/config.ts';
import type { Limit, Windows } from '../limits/limiter.ts';
import type { PostedCharge, Settled } from '../money/hold.ts';
import type { GatewayError } from '../primitives/errors.ts';
import type { ProviderErrorInfo } from '../primitives/provider-error.ts';
import type { Usage } from '../protocols/usage.ts';
import type { AttemptRecord } from '../providers/attempt-record.ts';
import type { RequestEnd } from '../telemetry/request-line.ts';
import type { OverloadReason } from '../telemetry/telemetry.ts';

/** Filled in while the request runs, for the access log, the request log, metrics and response headers. */
export class RequestOutcome {
  readonly startedAt = performance.now();
  model: Model | null = null;
  /** Finished attempts, in order. */
  attempts: readonly AttemptRecord[] = [];
  /** The upstream of the running attempt. Null between attempts. */
  #requested: string | null = null;
  #requestedAt = 0;
  #areWindowsReported = false;
  /** The error sent to the caller, as a status or inside a stream. Null after a disconnect. */
  failure: GatewayError | null = null;
  code: ErrorCode | undefined = undefined;
  /** The model that the body names. Set on rejected requests only. */
  requestedModel: string | null = null;
  /** The short session name for the request log. Null without a session, or if the request was rejected before its session was known. */
  session: string | null = null;
  /** The ID of the caller's end user. Null without one, or if the request was rejected before its candidates were chosen. */
  endUser: string | null = null;
  usage: Usage | null = null;
  /** Milliseconds since the request arrived. */
  firstEventMs: number | undefined = undefined;
  end: RequestEnd | null = null;
  /** Request fields not sent to the upstream, for `x-modelgate-dropped` and the log. */
  dropped: readonly string[] = [];
  /** The upstream protocol. Set only if the caller's protocol was skipped although the upstream serves it. */
  protocol: string | undefined = undefined;
  /** Whether this request taught the gateway to switch: the provider rejected the caller's protocol and accepted the other one. */
  hasSwitchedProtocol = false;
  /** The output limit that the held money allows, in tokens. Null if no limit is needed. */
  outputLimit: number | null = null;
  /** The number of calls in a tRPC envelope, 0 for any other request. Each call has its own log line; the envelope has none. */
  innerCalls = 0;
  /** The state of the limits, for the rate-limit headers. */
  windows: Windows | null = null;
  /** The rate limit or concurrency limit that rejected the request. */
  rejectedBy: Limit | null = null;
  /** The process limit that was exceeded when load shedding rejected the request. */
  shed: OverloadReason | null = null;
  /** Whether the gateway reads the upstream's response to its end after the caller disconnected. */
  isDrained = false;
  /** Whether the response is a stored one, from an earlier request with the same idempotency key. */
  isReplayed = false;
  /** The cost in micro-dollars. Null until the request is charged. */
  cost: bigint | null = null;
  /** The posting that the ledger received, or receives later from the outbox. The request log stores the same one. Null until the request is charged. */
  charge: PostedCharge | null = null;

  /** Records the limits after they're acquired, released or corrected. */
  setWindows(windows: Windows): void {
    if (!this.#areWindowsReported) this.windows = windows;
  }

  /** Returns the limits for the response headers and freezes them, so that the request log has the values sent to the caller. */
  reportWindows(): Windows | null {
    this.#areWindowsReported = true;
    return this.windows;
  }

  beginAttempt(upstream: string): void {
    this.#requested = upstream;
    this.#requestedAt = this.getElapsedMs();
  }

  /** Records the end of the running attempt. Call it before settling, so that the receipt includes the attempt. Later calls do nothing. */
  endAttempt(status: number | null, code: ErrorCode | null, providerError: ProviderErrorInfo | null = null): void {
    if (this.#requested === null) return;
    const { protocol } = this;
    const attempt = {
      upstream: this.#requested,
      status,
      code,
      ms: this.getElapsedMs() - this.#requestedAt,
      ...(protocol !== undefined && { protocol }),
      ...(providerError && { providerError }),
    };
    this.attempts = this.attempts.length === 0 ? [attempt] : [...this.attempts, attempt];
    this.#requested = null;
  }

  /** Adds the error of a stream that failed after its start to its attempt, which ended at the first event. */
  failLastAttempt(code: ErrorCode, providerError: ProviderErrorInfo | null): void {
    const last = this.attempts.at(-1);
    if (last) this.attempts = this.attempts.with(-1, { ...last, code, ...(providerError && { providerError }) });
  }

  /** Null if the request wasn't charged. */
  setSettled(settled: Settled | null): void {
    if (!settled) return;
    this.cost = settled.cost;
    this.charge = settled.charge ?? this.charge;
  }

  /** Records an error that the caller gets as a status. */
  setRejection(error: GatewayError, requestedModel: string | null): void {
    this.code = error.code;
    this.failure = error;
    this.requestedModel = requestedModel;
  }

  /** The upstream of the running attempt, otherwise of the last one. Undefined before the first attempt. */
  get upstream(): string | undefined {
    return this.#requested ?? this.attempts.at(-1)?.upstream;
  }

  /** Milliseconds since the request arrived, rounded to a tenth. */
  getElapsedMs(): number {
    return Math.round((performance.now() - this.startedAt) * 10) / 10;
  }
}
