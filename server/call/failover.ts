/**
 * The retry loop: tries one candidate after another, up to a number of attempts and a deadline, and never after the client received something (promise G5).
 */

import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import type { Candidate } from '../config/model-catalog.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { type CallName, formatRetryHint, GatewayError, type OperationError, toGatewayError } from '../primitives/errors.ts';
import { findProviderErrorInfo } from '../primitives/provider-error.ts';
import { findRejectedField } from '../protocols/optional-fields.ts';
import type { CircuitBreakers } from '../providers/circuit-breaker.ts';
import type { CallRecording } from '../providers/recordings/recorder.ts';
import type { Grant } from './admission.ts';
import { runAttempt } from './attempt.ts';
import { AttemptFailed, hasResponse, isCandidateFault, wasSkipped } from './attempt-failed.ts';
import { getAccountId, isAborted, type RequestContext } from './context.ts';
import type { ForwardedResponse } from './forwarded-response.ts';
import { getSwitchedProtocol, isRejected, type PreparedRequest, prepare } from './prepare.ts';
import { isImage, type ParsedRequest, type Transcoder } from './transcoder.ts';

/** Tracks the attempts of a request: which candidate is next, and how each attempt ended. `tryCandidates` runs the loop. */
export class Failover {
  readonly #call: RequestContext;
  readonly #gateway: Pick<Gateway, 'rejectedFields' | 'log'>;
  readonly #health: CircuitBreakers;
  readonly #routing: Config['routing'];
  readonly #candidates: readonly Candidate[];
  /** Candidates in the order to try. */
  readonly #queue: Candidate[];
  /** Failed attempts by candidate. */
  readonly #failures = new Map<Candidate, number>();
  /** Failed attempts, and how many of them reached their upstream. */
  #failedCount = 0;
  #sentCount = 0;
  #lastUpstream: string | null = null;
  /** Candidates that another request is probing for their circuit breaker. Tried only if no other candidate is left. */
  readonly #probed: Candidate[] = [];
  #last: AttemptFailed | null = null;
  /** A candidate to call again immediately, whatever the number of attempts: its provider wants the other protocol or rejected an optional field. */
  #immediate: NextAttempt | null = null;
  /** Candidates called again without an optional field. */
  readonly #repeated = new Set<Candidate>();

  constructor(
    call: RequestContext,
    gateway: Pick<Gateway, 'health' | 'config' | 'rejectedFields' | 'log'>,
    candidates: readonly Candidate[],
  ) {
    this.#call = call;
    this.#gateway = gateway;
    this.#health = gateway.health;
    this.#routing = gateway.config.routing;
    this.#candidates = candidates;
    this.#queue = [...candidates];
  }

  /** Whether an attempt has failed. */
  get hasFailed(): boolean {
    return this.#last !== null;
  }

  /** Returns the next attempt, or null if no candidate, attempt or time is left. */
  next(): NextAttempt | null {
    const immediate = this.#immediate;
    this.#immediate = null;
    if (immediate) return immediate;
    const { maxAttempts, deadlineMs } = this.#routing;
    if (this.#sentCount >= maxAttempts || this.#last?.isOver) return null;
    const next = this.#choose() ?? takeProbed(this.#probed);
    return next && this.#last && this.#call.outcome.getElapsedMs() + next.waitMs > deadlineMs ? null : next;
  }

  /** Removes a candidate that can't serve the request. */
  skip(candidate: Candidate): void {
    if (this.#queue.includes(candidate)) this.#queue.splice(this.#queue.indexOf(candidate), 1);
  }

  /** Moves a candidate to the end, because its circuit breaker is open. */
  defer(candidate: Candidate): void {
    this.skip(candidate);
    this.#probed.push(candidate);
  }

  /** Rethrows any error but AttemptFailed, because the whole request has failed. */
  recordFailure(candidate: Candidate, thrown: unknown): void {
    const { outcome } = this.#call;
    if (!(thrown instanceof AttemptFailed)) {
      outcome.endAttempt(null, toGatewayError(thrown).code);
      throw thrown;
    }
    outcome.endAttempt(thrown.status, thrown.error.code, findProviderErrorInfo(thrown.error));
    this.#failedCount += 1;
    if (!wasSkipped(thrown)) this.#sentCount += 1;
    this.#lastUpstream = candidate.upstream;
    // With a single candidate, callers get the provider's own `retry-after` instead.
    if (thrown.retryAfterMs > 0 && this.#candidates.length > 1) this.#health.coolDown(candidate, thrown.retryAfterMs);
    this.skip(candidate);
    this.#last = thrown;
    if (thrown.isProtocolRejected) {
      this.#immediate = { candidate, waitMs: 0, isLastLeft: true, usesOtherProtocol: true };
      return;
    }
    const times = (this.#failures.get(candidate) ?? 0) + (thrown.isKeyRejected ? 0 : 1);
    this.#failures.set(candidate, times);
    // Retries this candidate once, after all others.
    if (thrown.verdict === 'again' && times < 2) this.#queue.push(candidate);
  }

  /** If the provider rejected an optional field, calls the candidate once more without it. Later requests of this kind omit the field immediately. */
  repeatWithoutField(
    { candidate, usesOtherProtocol = false }: NextAttempt,
    { parsed, transcoder }: { parsed: ParsedRequest; transcoder: Pick<Transcoder, 'body'> },
    thrown: unknown,
  ): void {
    if (!(thrown instanceof AttemptFailed) || thrown.status !== 400 || thrown.isProtocolRejected || isImage(parsed)) return;
    const { rejectedFields, log } = this.#gateway;
    const request = parsed.body.value;
    const field = findRejectedField(thrown.error, { request, sent: transcoder.body.value });
    if (field === null) return;
    rejectedFields.learn(candidate, request, field);
    const { upstream, id: model } = candidate;
    log.info({ id: this.#call.id, upstream, model, field: field.paths[0] }, 'provider rejects an optional field; omitting it');
    if (this.#repeated.has(candidate)) return;
    this.#repeated.add(candidate);
    this.#immediate = { candidate, waitMs: 0, isLastLeft: true, usesOtherProtocol };
  }

  /** The error if there's no next attempt: the last failure, or `no_upstream_available` if no candidate could be tried. */
  error(): AttemptFailed | OperationError<CallName, 503> {
    if (this.#last) return this.#last;
    const soonestMs = Math.min(...this.#candidates.map((candidate) => this.#health.getCooldown(candidate, getAccountId(this.#call))));
    const seconds = Math.max(Math.ceil(soonestMs / 1_000), 1);
    return new GatewayError('no_upstream_available', {
      message: `No upstream for this model is available. ${formatRetryHint(seconds)}`,
      headers: { 'retry-after': String(seconds) },
    });
  }

  /** Chooses the next candidate. If all are cooling down, a request that already failed waits briefly for one; a new request is rejected immediately. */
  #choose(): NextAttempt | null {
    const [call, health, failures] = [this.#call, this.#health, this.#failures];
    const cooldowns = this.#queue.map((candidate) => ({ candidate, cooldownMs: health.getCooldown(candidate, getAccountId(call)) }));
    const ready = cooldowns.filter(({ cooldownMs }) => cooldownMs === 0);
    const [first] = ready;
    if (first) {
      const { candidate } = first;
      return {
        candidate,
        waitMs: candidate.upstream === this.#lastUpstream ? getBackoffMs(this.#failedCount) : 0,
        isLastLeft: ready.length === 1 && !failures.has(candidate),
      };
    }
    const fromSoonest = cooldowns.toSorted((a, b) => a.cooldownMs - b.cooldownMs);
    const held = fromSoonest.find(({ candidate }) => !failures.has(candidate) && health.getProviderCooldown(candidate) === 0);
    if (held) return { candidate: held.candidate, waitMs: 0, isLastLeft: true };
    const [soonest] = fromSoonest;
    if (failures.size === 0 || !soonest || soonest.cooldownMs > MAX_COOLDOWN_WAIT_MS) return null;
    return { candidate: soonest.candidate, waitMs: soonest.cooldownMs + Math.random() * FIRST_WAIT_MS, isLastLeft: false };
  }
}

interface NextAttempt {
  readonly candidate: Candidate;
  readonly waitMs: number;
  /** Whether no other candidate is ready, and this one wasn't tried yet: its circuit breaker is ignored. */
  readonly isLastLeft: boolean;
  /** Whether to use the other protocol, because the provider rejected the caller's. */
  readonly usesOtherProtocol?: boolean;
}

function takeProbed(probed: Candidate[]): NextAttempt | null {
  const candidate = probed.shift();
  return candidate ? { candidate, waitMs: 0, isLastLeft: true } : null;
}

const MAX_COOLDOWN_WAIT_MS = 2_000;
const FIRST_WAIT_MS = 200;

/** A random wait below a doubling bound, so that requests that failed together don't retry together. */
const getBackoffMs = (failures: number): number => FIRST_WAIT_MS * 2 ** (failures - 1) * (0.5 + Math.random() / 2);

/** A request with ordered candidates. `first` is prepared for the first candidate that can serve it. */
interface RoutedRequest {
  readonly parsed: ParsedRequest;
  readonly session: string | null;
  readonly candidates: readonly Candidate[];
  readonly first: PreparedRequest;
  readonly callRecording: CallRecording | null;
}

/** A request with held money and acquired limits. */
export type GrantedRequest = RoutedRequest & { readonly grant: Grant };

/** Tries one candidate after another until one responds; see `Failover`. Throws the last AttemptFailed. */
export async function tryCandidates(gateway: Gateway, call: RequestContext, granted: GrantedRequest): Promise<ForwardedResponse> {
  const { parsed, session, candidates, first, callRecording, grant } = granted;
  const isStream = parsed.body.value.stream === true;
  const failover = new Failover(call, gateway, candidates.slice(candidates.indexOf(first.model)));
  let limited: PreparedRequest | null = first;
  for (let next = failover.next(); next !== null; next = isAborted(call) && failover.hasFailed ? null : failover.next()) {
    const { candidate, waitMs, isLastLeft, usesOtherProtocol } = next;
    if (waitMs > 0) await pause(waitMs);
    // An attempt consumes its prepared request: the next attempt needs its own ID and reader.
    const target = { model: candidate, limit: grant.outputLimit, usesOtherProtocol };
    const ready = limited?.model === candidate ? limited : await prepareUnlessRejected(gateway, call, parsed, target);
    limited = null;
    const pass = ready && gateway.health.tryAcquire(candidate, { account: getAccountId(call), isLastLeft });
    if (!pass) {
      if (ready) failover.defer(candidate);
      else failover.skip(candidate);
      continue;
    }
    call.outcome.model = candidate;
    call.outcome.dropped = ready.dropped;
    const protocol = getSwitchedProtocol(ready);
    call.outcome.protocol = protocol;
    try {
      const { transcoder, recording } = ready;
      const response = await runAttempt(gateway, call, {
        parsed,
        model: candidate,
        transcoder,
        recording,
        callRecording,
        grant,
        isStream,
        isFirst: !failover.hasFailed,
        session,
      });
      pass.recordSuccess();
      if (usesOtherProtocol) recordProtocolSwitch(gateway, call, { candidate, parsed, protocol });
      call.outcome.endAttempt(200, null);
      return response;
    } catch (thrown) {
      pass.recordFailure({ isFault: isCandidateFault(thrown), hasResponse: hasResponse(thrown) });
      failover.recordFailure(candidate, thrown);
      failover.repeatWithoutField(next, { parsed, transcoder: ready.transcoder }, thrown);
    }
  }
  throw failover.error();
}

/** Makes later requests of this kind use the other protocol immediately. */
function recordProtocolSwitch(
  { protocols, log }: Gateway,
  { id, outcome }: RequestContext,
  { candidate, parsed, protocol }: { candidate: Candidate; parsed: ParsedRequest; protocol: string | undefined },
): void {
  outcome.hasSwitchedProtocol = true;
  const { upstream, id: model } = candidate;
  protocols.learn(candidate, parsed);
  log.info({ id, upstream, model, protocol }, 'provider rejected the call on this API; retrying on the other one');
}

/** Null if the candidate can't serve the request. */
async function prepareUnlessRejected(...request: Parameters<typeof prepare>): Promise<PreparedRequest | null> {
  try {
    return await prepare(...request);
  } catch (thrown) {
    if (isRejected(thrown)) return null;
    throw thrown;
  }
}
