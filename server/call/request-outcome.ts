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

type WritableOutcome = { -readonly [Name in keyof RequestOutcome]: RequestOutcome[Name] };

/** Only the methods of `RequestOutcome` write its fields. They're read-only elsewhere. */
const toWritable = (outcome: RequestOutcome): WritableOutcome => outcome;

export class RequestOutcome {
  readonly startedAt = performance.now();
  readonly model: Model | null = null;
  /** Finished attempts, in order. */
  readonly attempts: readonly AttemptRecord[] = [];
  /** The upstream of the running attempt. Null between attempts. */
  #requested: string | null = null;
  #requestedAt = 0;
  #areWindowsReported = false;
  /** The error sent to the caller, as a status or inside a stream. Null after a disconnect. */
  readonly failure: GatewayError | null = null;
  readonly code: ErrorCode | undefined = undefined;
  /** The model that the body names. Set on rejected requests only. */
  readonly requestedModel: string | null = null;
  /** The short session name for the request log. Null without a session, or if the request was rejected before its session was known. */
  readonly session: string | null = null;
  readonly usage: Usage | null = null;
  /** Milliseconds since the request arrived. */
  readonly firstEventMs: number | undefined = undefined;
  readonly end: RequestEnd | null = null;
  /** Request fields not sent to the upstream, for `x-modelgate-dropped` and the log. */
  readonly dropped: readonly string[] = [];
  /** The upstream protocol. Set only if the caller's protocol was skipped although the upstream serves it. */
  readonly protocol: string | undefined = undefined;
  /** Whether this request taught the gateway to switch: the provider rejected the caller's protocol and accepted the other one. */
  readonly hasSwitchedProtocol: boolean = false;
  /** The output limit that the held money allows, in tokens. Null if no limit is needed. */
  readonly outputLimit: number | null = null;
  /** The number of calls in a tRPC envelope, 0 for any other request. Each call has its own log line; the envelope has none. */
  readonly innerCalls: number = 0;
  /** The state of the limits, for the rate-limit headers. */
  readonly windows: Windows | null = null;
  /** The rate limit or concurrency limit that rejected the request. */
  readonly rejectedBy: Limit | null = null;
  /** The process limit that was exceeded when load shedding rejected the request. */
  readonly shed: OverloadReason | null = null;
  /** Whether the gateway reads the upstream's response to its end after the caller disconnected. */
  readonly isDrained: boolean = false;
  /** Whether the response is a stored one, from an earlier request with the same idempotency key. */
  readonly isReplayed: boolean = false;
  /** The cost in micro-dollars. Null until the request is charged. */
  readonly cost: bigint | null = null;
  /** The posting that the ledger received, or receives later from the outbox. The request log stores the same one. Null until the request is charged. */
  readonly charge: PostedCharge | null = null;

  /** Records that load shedding rejects the request. Null clears the reason. */
  setShed(excess: OverloadReason | null): void {
    toWritable(this).shed = excess;
  }

  /** Records the limits after they're acquired, released or corrected. */
  setWindows(windows: Windows): void {
    if (!this.#areWindowsReported) toWritable(this).windows = windows;
  }

  /** Returns the limits for the response headers and freezes them, so that the request log has the values sent to the caller. */
  reportWindows(): Windows | null {
    this.#areWindowsReported = true;
    return this.windows;
  }

  setRejectedBy(limit: Limit): void {
    toWritable(this).rejectedBy = limit;
  }

  markReplayed(): void {
    toWritable(this).isReplayed = true;
  }

  setModel(model: Model): void {
    toWritable(this).model = model;
  }

  setSession(session: string | null): void {
    toWritable(this).session = session;
  }

  setOutputLimit(outputLimit: number | null): void {
    toWritable(this).outputLimit = outputLimit;
  }

  /** Records the candidate to try, its dropped fields, and the protocol if the gateway switched to another one. */
  setCandidate(model: Model, dropped: readonly string[], protocol: string | undefined): void {
    toWritable(this).model = model;
    toWritable(this).dropped = dropped;
    toWritable(this).protocol = protocol;
  }

  /** Records that the provider accepted the request over the other protocol. */
  markProtocolSwitched(): void {
    toWritable(this).hasSwitchedProtocol = true;
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
    toWritable(this).attempts = this.attempts.length === 0 ? [attempt] : [...this.attempts, attempt];
    this.#requested = null;
  }

  /** Records the time to first event. */
  recordFirstEvent(): void {
    toWritable(this).firstEventMs = this.getElapsedMs();
  }

  setUsage(usage: Usage | null): void {
    toWritable(this).usage = usage;
  }

  setEnd(end: RequestEnd): void {
    toWritable(this).end = end;
  }

  /** Records that the response is read to its end after a disconnect, unless the response has ended already. */
  markDrained(): void {
    toWritable(this).isDrained = this.end === null;
  }

  /** Null if the request wasn't charged. */
  setSettled(settled: Settled | null): void {
    if (settled) Object.assign(toWritable(this), { cost: settled.cost, charge: settled.charge ?? this.charge });
  }

  /** Records the error code. `error` is null if the client disconnected, so that it wasn't sent. */
  setFailure(code: ErrorCode, error: GatewayError | null): void {
    toWritable(this).code = code;
    if (error) toWritable(this).failure = error;
  }

  /** Records an error that the caller gets as a status. */
  setRejection(error: GatewayError, requestedModel: string | null): void {
    this.setFailure(error.code, error);
    toWritable(this).requestedModel = requestedModel;
  }

  countInnerCall(): void {
    toWritable(this).innerCalls = this.innerCalls + 1;
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
