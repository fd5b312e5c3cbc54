/** Failover: tries candidates one after another, up to a number of attempts and a deadline, and never after the caller was sent something (promise G5). */

import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Exact } from '../../contract/exact.ts';
import type { Evidence } from '../billing/metering.ts';
import type { Candidate, Config } from '../config/config.ts';
import { asGatewayError, type CallName, type ErrorOf, GatewayError, toDeclaredError, vendorWordsOf } from '../errors.ts';
import { type AttemptRecord, type CircuitBreakers, type Verdict, verdictOf } from '../upstreams/circuit-breaker.ts';
import type { RequestContext } from './context.ts';

interface Failure {
  /** The status of the upstream's answer; null when there was none. */
  readonly status: number | null;
  /** How long the vendor asked not to be called (`retry-after`), in milliseconds; 0 when it did not. */
  readonly restMs?: number;
  /** What the failed answer used. */
  readonly evidence?: Evidence | null;
  /** What to do next, when the error alone does not show it. */
  readonly verdict?: Verdict;
  /** Whether only the upstream's key was refused, and the candidate has another one. */
  readonly isOfOneKey?: boolean;
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

  constructor(error: GatewayError, failure: Failure) {
    const { status, restMs = 0, evidence = null, isOfOneKey = false } = failure;
    super(error.message, { cause: error });
    this.error = error;
    this.status = status;
    this.restMs = restMs;
    this.evidence = evidence;
    this.verdict = failure.verdict ?? (isOfOneKey ? 'again' : verdictOf(error, status));
    this.isOfOneKey = isOfOneKey;
  }

  /** The same failure with a code that the contract names for the operation. */
  heardBy(operation: CallName): AttemptFailed {
    const error = toDeclaredError(operation, this.error);
    return error === this.error ? this : new AttemptFailed(error, this);
  }

  /** The same failure as one that the caller asked for: it is not retried, and does not count against the candidate. */
  asSimulatedFailure(): AttemptFailed {
    const { error, status, evidence } = this;
    return new AttemptFailed(error, { status, evidence, verdict: 'caller' });
  }
}

/** Whether the circuit breaker counts it. Not when the vendor is only busy (its `retry-after` is obeyed instead), when nothing was sent, or when one of several keys was refused. */
export const isFault = (thrown: unknown): boolean =>
  thrown instanceof AttemptFailed &&
  thrown.verdict !== 'caller' &&
  thrown.error.code !== 'rate_limit_exceeded' &&
  !wasLeftOut(thrown) &&
  !thrown.isOfOneKey;

/** Whether the failure shows that the candidate can be reached and answers. */
export const isAnswer = (thrown: unknown): boolean => thrown instanceof AttemptFailed && thrown.status !== null;

const wasLeftOut = ({ error, status }: AttemptFailed): boolean => isLeftOut({ code: error.code, status });
/** Whether nothing was sent: the upstream's concurrency limit is reached, or no key is usable. */
const isLeftOut = ({ code, status }: Pick<AttemptRecord, 'code' | 'status'>): boolean =>
  status === null && (code === 'overloaded' || code === 'no_upstream_available');

/** `P`: what is prepared for an attempt; `T`: what a successful one returns. */
interface Failover<P, T> {
  readonly call: RequestContext;
  readonly health: CircuitBreakers;
  readonly routing: Config['routing'];
  /** In the order in which they are tried. */
  readonly candidates: readonly Candidate[];
  /** Prepares an attempt; null when the candidate cannot take the request. */
  readonly prepare: (candidate: Candidate) => P | null | Promise<P | null>;
  /** Throws AttemptFailed when another attempt may follow, and any other error when the request has failed. */
  readonly attempt: (prepared: P) => Promise<T>;
  /** Whether the caller has disconnected, so that no further attempt is made. */
  readonly isAbandoned: () => boolean;
}

/** Returns the first success. Throws the last AttemptFailed, or `no_upstream_available` when no candidate could be tried. */
export async function runFailover<P, T>(failover: Failover<P, T>): Promise<T> {
  const { call, routing } = failover;
  const queue = [...failover.candidates];
  /** Failed attempts by candidate. */
  const failures = new Map<Candidate, number>();
  /** Candidates that another request is just probing for their circuit breaker: tried when no other candidate is left. */
  const probed: Candidate[] = [];
  let last: AttemptFailed | null = null;
  while (countAsked(call) < routing.maxAttempts && !(last && failover.isAbandoned())) {
    const next = nextOf(queue, failover, failures) ?? lastOf(probed);
    if (!next || (last && call.outcome.elapsedMs() + next.waitMs > routing.deadlineMs)) break;
    if (next.waitMs > 0) await pause(next.waitMs);
    const tried = await tryAt(next, failover);
    if (tried.kind === 'done') return tried.value;
    if (queue.includes(next.candidate)) queue.splice(queue.indexOf(next.candidate), 1);
    if (tried.kind === 'held_back') probed.push(next.candidate);
    if (tried.kind !== 'failed') continue;
    last = tried.failure;
    if (last.verdict === 'caller') break;
    const times = (failures.get(next.candidate) ?? 0) + (last.isOfOneKey ? 0 : 1);
    failures.set(next.candidate, times);
    // Retry this candidate once, after all others.
    if (last.verdict === 'again' && times < 2) queue.push(next.candidate);
  }
  throw last ?? nobody(failover);
}

const countAsked = ({ outcome }: RequestContext): number => outcome.attempts.filter((attempt) => !isLeftOut(attempt)).length;
const accountOf = ({ principal }: RequestContext): string => principal?.accountId ?? '';

interface Next {
  readonly candidate: Candidate;
  readonly waitMs: number;
  /** No other candidate is ready, and this one was not tried for the request: its circuit breaker is ignored. */
  readonly isLastLeft: boolean;
}

function lastOf(probed: Candidate[]): Next | null {
  const candidate = probed.shift();
  return candidate ? { candidate, waitMs: 0, isLastLeft: true } : null;
}

type Failures = ReadonlyMap<Candidate, number>;

/** Chooses the next candidate. When all are resting, a request that has failed already waits shortly for one; a new one is refused at once. */
function nextOf(
  queue: readonly Candidate[],
  { health, call }: Pick<Failover<unknown, unknown>, 'health' | 'call'>,
  failures: Failures,
): Next | null {
  const rests = queue.map((candidate) => ({ candidate, restMs: health.cooldownOf(candidate, accountOf(call)) }));
  const ready = rests.filter(({ restMs }) => restMs === 0);
  const [first] = ready;
  if (first) {
    const { candidate } = first;
    return {
      candidate,
      waitMs: wasLast(candidate, call) ? jitter(call.outcome.attempts.length) : 0,
      isLastLeft: ready.length === 1 && !failures.has(candidate),
    };
  }
  const fromSoonest = rests.toSorted((a, b) => a.restMs - b.restMs);
  const held = fromSoonest.find(({ candidate }) => !failures.has(candidate) && health.vendorCooldownOf(candidate) === 0);
  if (held) return { candidate: held.candidate, waitMs: 0, isLastLeft: true };
  const [soonest] = fromSoonest;
  if (failures.size === 0 || !soonest || soonest.restMs > MAX_REST_MS) return null;
  return { candidate: soonest.candidate, waitMs: soonest.restMs + Math.random() * FIRST_WAIT_MS, isLastLeft: false };
}

const MAX_REST_MS = 2_000;
const FIRST_WAIT_MS = 200;

/** A random wait below a bound that doubles, so that requests that failed together do not retry together. */
const jitter = (attempts: number): number => FIRST_WAIT_MS * 2 ** (attempts - 1) * (0.5 + Math.random() / 2);

const wasLast = ({ upstream }: Candidate, { outcome }: RequestContext): boolean => outcome.attempts.at(-1)?.upstream === upstream;

type Tried<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly failure: AttemptFailed }
  | { readonly kind: 'passed_over' | 'held_back' };

async function tryAt<P, T>({ candidate, isLastLeft }: Next, failover: Failover<P, T>): Promise<Tried<T>> {
  const { call, health, candidates, prepare, attempt } = failover;
  const prepared = prepare(candidate);
  const ready = prepared instanceof Promise ? await prepared : prepared;
  if (ready === null) return { kind: 'passed_over' };
  try {
    const value = await health.run(candidate, () => attempt(ready), { account: accountOf(call), isLastLeft });
    if (value === null) return { kind: 'held_back' };
    call.outcome.endAttempt(200, null);
    return { kind: 'done', value };
  } catch (thrown) {
    if (!(thrown instanceof AttemptFailed)) {
      call.outcome.endAttempt(null, asGatewayError(thrown).code);
      throw thrown;
    }
    call.outcome.endAttempt(thrown.status, thrown.error.code, vendorWordsOf(thrown.error));
    // With a single candidate, every caller gets the vendor's own `retry-after` instead.
    if (thrown.restMs > 0 && candidates.length > 1) health.coolDown(candidate, thrown.restMs);
    return { kind: 'failed', failure: thrown };
  }
}

function nobody({ call, health, candidates }: Pick<Failover<unknown, unknown>, 'call' | 'health' | 'candidates'>): ErrorOf<CallName, 503> {
  const soonestMs = Math.min(...candidates.map((candidate) => health.cooldownOf(candidate, accountOf(call))));
  const seconds = Math.max(Math.ceil(soonestMs / 1_000), 1);
  return new GatewayError('no_upstream_available', {
    message: `No upstream of this model can be asked at the moment. Try again in ${seconds}s.`,
    headers: { 'retry-after': String(seconds) },
  });
}

declare const handedOn: unique symbol;
declare const written: unique symbol;

/** An answer that passes through unchanged. The compiler does not know its shape, so only `handOn` and `handOnFrames` make one. */
export type ForwardedResponse = (
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'stream'; readonly frames: Readable }
) & {
  readonly [handedOn]: true;
};

/** The serialised JSON of a `T`: only `writeJson` makes one. */
export type JsonOf<T> = Buffer & { readonly [written]: T };

// The marks exist for the compiler only: no object has such a field.
export const forward = (bytes: Buffer): ForwardedResponse => ({ kind: 'whole', bytes }) as ForwardedResponse;
export const forwardFrames = (frames: Readable): ForwardedResponse => ({ kind: 'stream', frames }) as ForwardedResponse;
export const writeJson = <T>(value: Exact<T>): JsonOf<T> => Buffer.from(JSON.stringify(value)) as JsonOf<T>;
