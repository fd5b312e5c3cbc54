/** Failover: which candidate is tried next, up to a number of attempts and a deadline, and never after the caller was sent something (promise G5). */

import type { Readable } from 'node:stream';
import type { Exact } from '../../contract/shared/exact.ts';
import type { Evidence } from '../billing/metering.ts';
import type { Candidate, Config } from '../config/config.ts';
import { asGatewayError, type CallName, type ErrorOf, GatewayError, providerWordsOf, toDeclaredError, tryAgainIn } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { type AttemptRecord, type CircuitBreakers, type Verdict, verdictOf } from '../upstreams/circuit-breaker.ts';
import type { RequestContext } from './context.ts';

interface Failure {
  /** The status of the upstream's response; null if there was none. */
  readonly status: number | null;
  /** How long the provider asked not to be called (`retry-after`), in milliseconds; 0 when it didn't. */
  readonly restMs?: number;
  /** Usage of the failed response. */
  readonly evidence?: Evidence | null;
  /** What to do next, when the error alone doesn't show it. */
  readonly verdict?: Verdict;
  /** Whether only the upstream's key was rejected, and the candidate has another one. */
  readonly isOfOneKey?: boolean;
  /** Whether the provider takes such a request over the other protocol, and that is left to try. */
  readonly isOfProtocol?: boolean;
}

/** A failed attempt: the caller was sent nothing of it, and nothing is settled. */
export class AttemptFailed extends Error {
  override readonly name = 'AttemptFailed';
  readonly error: GatewayError;
  readonly status: number | null;
  readonly restMs: number;
  readonly evidence: Evidence | null;
  readonly verdict: Verdict;
  readonly isOfOneKey: boolean;
  readonly isOfProtocol: boolean;

  constructor(error: GatewayError, failure: Failure) {
    const { status, restMs = 0, evidence = null, isOfOneKey = false, isOfProtocol = false } = failure;
    super(error.message, { cause: error });
    this.error = error;
    this.status = status;
    this.restMs = restMs;
    this.evidence = evidence;
    this.verdict = failure.verdict ?? (isOfOneKey ? 'again' : verdictOf(error, status));
    this.isOfOneKey = isOfOneKey;
    this.isOfProtocol = isOfProtocol;
  }

  /** The same failure with a code that the contract names for the operation. */
  heardBy(operation: CallName): AttemptFailed {
    const error = toDeclaredError(operation, this.error);
    return error === this.error ? this : new AttemptFailed(error, this);
  }

  /** The same failure as one that the caller asked for: it isn't retried, and doesn't count against the candidate. */
  asSimulatedFailure(): AttemptFailed {
    const { error, status, evidence } = this;
    return new AttemptFailed(error, { status, evidence, verdict: 'caller' });
  }
}

/** Whether the circuit breaker counts it. Not when the provider is only busy (its `retry-after` is obeyed instead), when nothing was sent, or when one of several keys was rejected. */
export const isFault = (thrown: unknown): boolean =>
  thrown instanceof AttemptFailed &&
  thrown.verdict !== 'caller' &&
  thrown.error.code !== 'rate_limit_exceeded' &&
  !wasLeftOut(thrown) &&
  !thrown.isOfOneKey &&
  !thrown.isOfProtocol;

/** Whether the failure shows that the candidate can be reached and answers. */
export const isAnswer = (thrown: unknown): boolean => thrown instanceof AttemptFailed && thrown.status !== null;

const wasLeftOut = ({ error, status }: AttemptFailed): boolean => isLeftOut({ code: error.code, status });
/** Whether nothing was sent: the upstream's concurrency limit is reached, or no key is usable. */
const isLeftOut = ({ code, status }: Pick<AttemptRecord, 'code' | 'status'>): boolean =>
  status === null && (code === 'overloaded' || code === 'no_upstream_available');

/** Tries of a request: which candidate is next, and how its attempt ended. The pipeline runs the loop. */
export class Failover {
  readonly #call: RequestContext;
  readonly #health: CircuitBreakers;
  readonly #routing: Config['routing'];
  readonly #candidates: readonly Candidate[];
  /** Candidates in the order in which they're tried. */
  readonly #queue: Candidate[];
  /** Failed attempts by candidate. */
  readonly #failures = new Map<Candidate, number>();
  /** Candidates that another request is just probing for their circuit breaker: tried when no other candidate is left. */
  readonly #probed: Candidate[] = [];
  #last: AttemptFailed | null = null;
  /** The candidate whose provider wants the other protocol: it's called immediately, whatever the number of attempts. */
  #turned: Candidate | null = null;

  constructor(call: RequestContext, { health, config }: Pick<Gateway, 'health' | 'config'>, candidates: readonly Candidate[]) {
    this.#call = call;
    this.#health = health;
    this.#routing = config.routing;
    this.#candidates = candidates;
    this.#queue = [...candidates];
  }

  /** Whether an attempt has failed. */
  get hasFailed(): boolean {
    return this.#last !== null;
  }

  /** The next attempt; null if no candidate or no time is left. */
  next(): Next | null {
    const turned = this.#turned;
    this.#turned = null;
    if (turned) return { candidate: turned, waitMs: 0, isLastLeft: true, isTurned: true };
    const { maxAttempts, deadlineMs } = this.#routing;
    if (countAsked(this.#call) >= maxAttempts || this.#last?.verdict === 'caller') return null;
    const next = this.#choose() ?? lastOf(this.#probed);
    return next && this.#last && this.#call.outcome.elapsedMs() + next.waitMs > deadlineMs ? null : next;
  }

  /** The candidate can't take the request. */
  passedOver(candidate: Candidate): void {
    if (this.#queue.includes(candidate)) this.#queue.splice(this.#queue.indexOf(candidate), 1);
  }

  /** Its circuit breaker is open. */
  heldBack(candidate: Candidate): void {
    this.passedOver(candidate);
    this.#probed.push(candidate);
  }

  /** Rethrows what isn't an AttemptFailed: the request has failed. */
  failed(candidate: Candidate, thrown: unknown): void {
    const { outcome } = this.#call;
    if (!(thrown instanceof AttemptFailed)) {
      outcome.endAttempt(null, asGatewayError(thrown).code);
      throw thrown;
    }
    outcome.endAttempt(thrown.status, thrown.error.code, providerWordsOf(thrown.error));
    // With a single candidate, every caller gets the provider's own `retry-after` instead.
    if (thrown.restMs > 0 && this.#candidates.length > 1) this.#health.coolDown(candidate, thrown.restMs);
    this.passedOver(candidate);
    this.#last = thrown;
    if (thrown.isOfProtocol) {
      this.#turned = candidate;
      return;
    }
    const times = (this.#failures.get(candidate) ?? 0) + (thrown.isOfOneKey ? 0 : 1);
    this.#failures.set(candidate, times);
    // Retry this candidate once, after all others.
    if (thrown.verdict === 'again' && times < 2) this.#queue.push(candidate);
  }

  /** The error without a next attempt: the last failure, or `no_upstream_available` if no candidate could be tried. */
  error(): AttemptFailed | ErrorOf<CallName, 503> {
    if (this.#last) return this.#last;
    const soonestMs = Math.min(...this.#candidates.map((candidate) => this.#health.cooldownOf(candidate, accountOf(this.#call))));
    const seconds = Math.max(Math.ceil(soonestMs / 1_000), 1);
    return new GatewayError('no_upstream_available', {
      message: `No upstream for this model is available. ${tryAgainIn(seconds)}`,
      headers: { 'retry-after': String(seconds) },
    });
  }

  /** Chooses the next candidate. If all are cooling down, a request that has already failed waits briefly for one; a new one is rejected immediately. */
  #choose(): Next | null {
    const [call, health, failures] = [this.#call, this.#health, this.#failures];
    const cooldowns = this.#queue.map((candidate) => ({ candidate, restMs: health.cooldownOf(candidate, accountOf(call)) }));
    const ready = cooldowns.filter(({ restMs }) => restMs === 0);
    const [first] = ready;
    if (first) {
      const { candidate } = first;
      return {
        candidate,
        waitMs: wasLast(candidate, call) ? jitter(call.outcome.attempts.length) : 0,
        isLastLeft: ready.length === 1 && !failures.has(candidate),
      };
    }
    const fromSoonest = cooldowns.toSorted((a, b) => a.restMs - b.restMs);
    const held = fromSoonest.find(({ candidate }) => !failures.has(candidate) && health.providerCooldownOf(candidate) === 0);
    if (held) return { candidate: held.candidate, waitMs: 0, isLastLeft: true };
    const [soonest] = fromSoonest;
    if (failures.size === 0 || !soonest || soonest.restMs > MAX_REST_MS) return null;
    return { candidate: soonest.candidate, waitMs: soonest.restMs + Math.random() * FIRST_WAIT_MS, isLastLeft: false };
  }
}

const countAsked = ({ outcome }: RequestContext): number => outcome.attempts.filter((attempt) => !isLeftOut(attempt)).length;
export const accountOf = ({ principal }: RequestContext): string => principal?.accountId ?? '';

export interface Next {
  readonly candidate: Candidate;
  readonly waitMs: number;
  /** No other candidate is ready, and this one wasn't tried for the request: its circuit breaker is ignored. */
  readonly isLastLeft: boolean;
  /** Whether it is asked over the other protocol, since its provider has rejected the caller's. */
  readonly isTurned?: boolean;
}

function lastOf(probed: Candidate[]): Next | null {
  const candidate = probed.shift();
  return candidate ? { candidate, waitMs: 0, isLastLeft: true } : null;
}

const MAX_REST_MS = 2_000;
const FIRST_WAIT_MS = 200;

/** A random wait below a bound that doubles, so that requests that failed together don't retry together. */
const jitter = (attempts: number): number => FIRST_WAIT_MS * 2 ** (attempts - 1) * (0.5 + Math.random() / 2);

const wasLast = ({ upstream }: Candidate, { outcome }: RequestContext): boolean => outcome.attempts.at(-1)?.upstream === upstream;

declare const handedOn: unique symbol;
declare const written: unique symbol;

/** A response that passes through unchanged. The compiler doesn't know its shape, so only `forward` and `forwardFrames` make one. */
export type ForwardedResponse = (
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'stream'; readonly frames: Readable }
) & {
  readonly [handedOn]: true;
};

/** The serialized JSON of a `T`: only `writeJson` creates one. */
export type JsonOf<T> = Buffer & { readonly [written]: T };

// The marks exist for the compiler only: no object has such a field.
export const forward = (bytes: Buffer): ForwardedResponse => ({ kind: 'whole', bytes }) as ForwardedResponse;
export const forwardFrames = (frames: Readable): ForwardedResponse => ({ kind: 'stream', frames }) as ForwardedResponse;
export const writeJson = <T>(value: Exact<T>): JsonOf<T> => Buffer.from(JSON.stringify(value)) as JsonOf<T>;
