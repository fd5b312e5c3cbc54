/** Circuit breakers by upstream and model: they open after consecutive failures, and a provider's wait is kept; a wait is only ever extended (F59). */

import { createHash } from 'node:crypto';
import { type ErrorCode, errorTable } from '../../contract/errors.ts';
import type { GatewayError, ProviderWords } from '../errors.ts';

interface BreakerSettings {
  /** Consecutive failures that open it. */
  readonly failures: number;
  /** How long it stays open at first; doubled each time that a trial fails. */
  readonly cooldownMs: number;
}

type Target = Pick<Destination, 'upstream' | 'upstreamModel'>;

/** The account of a call, and whether it has another destination left. */
interface BreakerCall {
  readonly account?: string;
  /** True: the destination is tried even when its breaker is open. */
  readonly isLastLeft?: boolean;
}

interface CallFailure {
  /** It is the fault of the upstream, not of the caller. */
  readonly isFault: boolean;
  /** It shows that the upstream answers. */
  readonly isAnswer: boolean;
}

/** A call that was let in. One of the two is called, once. */
export interface Pass {
  succeeded(): void;
  failed(failure: CallFailure): void;
}

export interface CircuitBreakers {
  /** Milliseconds until the target may be called for this account; 0 when it may be called now. */
  cooldownOf(target: Target, account?: string): number;
  /** Milliseconds that remain of the wait that its provider asked for. */
  providerCooldownOf(target: Target): number;
  /** Lets a call in, which must tell its end. The first one after the open time is a trial. Null: the breaker is open, or another call is the trial. */
  enter(target: Target, call?: BreakerCall): Pass | null;
  /** The provider has asked for a wait of so many milliseconds. */
  coolDown(target: Target, forMs: number): void;
  /** Drops the state of these upstreams: their settings have changed, or they were removed. */
  forget(upstreams: ReadonlySet<string>): void;
  /** Every target that was called, for metrics and operators: its worst state over all accounts, and the longest time until it is tried again. */
  states(): readonly (Target & { readonly state: BreakerState; readonly restMs: number })[];
}

/** Accounts whose failures at a target are remembered; those that failed there longest ago are forgotten first. */
const MAX_ACCOUNTS = 10_000;

interface Options {
  /** Read when a breaker is made. */
  readonly settings: () => BreakerSettings;
  /** A steady clock, in milliseconds: a clock that can be set back would keep a breaker open for as long. */
  readonly now?: () => number;
}

export function openCircuitBreakers(options: Options): CircuitBreakers {
  return new Breakers(options);
}

interface Known {
  readonly target: Target;
  /** Counts the failures of all accounts. */
  all: Breaker;
  /** One for each account whose last call failed here, least recent failure first. */
  readonly own: Map<string, Breaker>;
  /** When the wait ends that the provider asked for. */
  askedUntil: number;
}

interface Trial {
  readonly held: Breaker;
  readonly known: Known;
  readonly account: string;
}

/** Of a call alongside a trial that takes long: its outcome says nothing. */
const UNCOUNTED: Pass = { succeeded: () => undefined, failed: () => undefined };

const fromWorst: readonly BreakerState[] = ['open', 'half_open', 'closed'];
const isOpen = ({ state }: Breaker): boolean => state !== 'closed';

class Breakers implements CircuitBreakers {
  readonly #options: Options;
  readonly #now: () => number;
  /** By upstream, then by the model's name there. */
  readonly #known = new Map<string, Map<string, Known>>();

  constructor(options: Options) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  cooldownOf({ upstream, upstreamModel }: Target, account = ''): number {
    const known = this.#known.get(upstream)?.get(upstreamModel);
    return known ? this.#remaining(Math.max(known.askedUntil, known.all.openUntil, known.own.get(account)?.openUntil ?? 0)) : 0;
  }

  providerCooldownOf({ upstream, upstreamModel }: Target): number {
    return this.#remaining(this.#known.get(upstream)?.get(upstreamModel)?.askedUntil ?? 0);
  }

  #remaining(at: number): number {
    return at === 0 ? 0 : Math.max(Math.ceil(at - this.#now()), 0);
  }

  enter(target: Target, { account = '', isLastLeft = false }: BreakerCall = {}): Pass | null {
    const known = this.#at(target);
    const own = known.own.get(account);
    const held = isOpen(known.all) ? known.all : own && isOpen(own) ? own : null;
    if (held === null) {
      return {
        succeeded: () => this.#countSuccess(known, account),
        failed: ({ isFault }) => isFault && this.#countFailure(known, account),
      };
    }
    const role = held.enter(this.#now());
    if (role === 'beside') return UNCOUNTED;
    if (role === null && !isLastLeft) return null;
    return {
      succeeded: () => this.#renew(known, account),
      failed: (failure) => role === 'trial' && this.#endTrial(failure, { held, known, account }),
    };
  }

  #countSuccess({ all, own }: Known, account: string): void {
    all.succeeded();
    if (own.size === 0) return;
    const found = own.get(account);
    // A breaker that has opened in the meantime is closed by a trial only.
    if (found && !isOpen(found)) own.delete(account);
  }

  #countFailure(known: Known, account: string): void {
    const now = this.#now();
    known.all.failed(account, now);
    this.#ownOf(known, account).failed(account, now);
  }

  /** A response that isn't a success closes the breaker too: the upstream is there. A trial whose caller left proves nothing, and counts as failed. */
  #endTrial({ isFault, isAnswer }: CallFailure, { held, known, account }: Trial): void {
    if (isFault || !isAnswer) held.open(this.#now());
    else this.#renew(known, account);
  }

  /** The target is healthy: closes its breakers. A trial that is under way reports to the breaker that was replaced. */
  #renew(known: Known, account: string): void {
    known.all = this.#sharedBreaker();
    known.own.delete(account);
  }

  coolDown(target: Target, forMs: number): void {
    const known = this.#at(target);
    known.askedUntil = Math.max(known.askedUntil, this.#now() + Math.min(forMs, MAX_COOLDOWN_MS));
  }

  forget(upstreams: ReadonlySet<string>): void {
    for (const upstream of upstreams) this.#known.delete(upstream);
  }

  states(): ReturnType<CircuitBreakers['states']> {
    const known = [...this.#known.values()].flatMap((models) => [...models.values()]);
    return known.map(({ target, all, own, askedUntil }) => {
      const breakers = [all, ...own.values()];
      const found = new Set(breakers.map(({ state }) => state));
      const until = breakers.reduce((latest, { openUntil }) => Math.max(latest, openUntil), askedUntil);
      return { ...target, state: fromWorst.find((state) => found.has(state)) ?? 'closed', restMs: this.#remaining(until) };
    });
  }

  #at({ upstream, upstreamModel }: Target): Known {
    const models = this.#known.get(upstream) ?? new Map<string, Known>();
    const found = models.get(upstreamModel);
    if (found) return found;
    const known = { target: { upstream, upstreamModel }, all: this.#sharedBreaker(), own: new Map(), askedUntil: 0 };
    this.#known.set(upstream, models.set(upstreamModel, known));
    return known;
  }

  #ownOf({ own }: Known, account: string): Breaker {
    const { failures, cooldownMs } = this.#options.settings();
    const found = own.get(account) ?? new Breaker(new Consecutive(failures), cooldownMs);
    own.delete(account);
    own.set(account, found);
    const [oldest] = own.keys();
    if (oldest !== undefined && own.size > MAX_ACCOUNTS) own.delete(oldest);
    return found;
  }

  #sharedBreaker(): Breaker {
    const { failures, cooldownMs } = this.#options.settings();
    return new Breaker(new ConsecutiveOfSeveral(failures), cooldownMs);
  }
}

type BreakerState = 'closed' | 'open' | 'half_open';

/** In milliseconds: no breaker stays open for longer without a trial. */
const MAX_COOLDOWN_MS = 600_000;
/** A trial that takes longer may be a long response of a healthy upstream: each time this interval passes, one more call is let through. */
const TRIAL_MS = 2_000;

/** All times are milliseconds of one steady clock. */
class Breaker {
  state: BreakerState = 'closed';
  /** The end of the cooldown. It is never moved to an earlier time. */
  openUntil = 0;
  readonly #rule: FailureRule;
  readonly #cooldownMs: number;
  #opened = 0;
  #triedAt = 0;

  constructor(rule: FailureRule, cooldownMs: number) {
    this.#rule = rule;
    this.#cooldownMs = cooldownMs;
  }

  /** For a call that began while it was closed. When it has opened in the meantime, only a trial closes it. */
  succeeded(): void {
    if (this.state === 'closed') this.#rule.succeeded();
  }

  /** For a call that began while it was closed. */
  failed(account: string, now: number): void {
    if (this.state === 'closed' && this.#rule.failed(account)) this.open(now);
  }

  /** Each time it opens without having been closed, the cooldown is twice as long. */
  open(now: number): void {
    this.state = 'open';
    this.openUntil = Math.max(this.openUntil, now + Math.min(this.#cooldownMs * 2 ** this.#opened, MAX_COOLDOWN_MS));
    this.#opened++;
  }

  /** What a call may do here now: be the trial, run alongside a trial that takes long (its outcome says nothing), or nothing. */
  enter(now: number): 'trial' | 'beside' | null {
    if (this.state === 'half_open') return now - this.#triedAt < TRIAL_MS ? null : this.#mark(now, 'beside');
    if (now < this.openUntil) return null;
    this.state = 'half_open';
    return this.#mark(now, 'trial');
  }

  #mark<Role>(now: number, role: Role): Role {
    this.#triedAt = now;
    return role;
  }
}

interface FailureRule {
  /** Counts a failure; whether the breaker opens by it. */
  failed(account: string): boolean;
  succeeded(): void;
}

/** The rule of a breaker that one account has for itself. */
class Consecutive implements FailureRule {
  readonly #most: number;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  failed(): boolean {
    this.#count++;
    return this.#count >= this.#most;
  }

  succeeded(): void {
    this.#count = 0;
  }
}

/**
 * The rule of the breaker that all accounts share: only failures of more than one account open it. One account counts for at most half of the
 * failures: its own requests can't open the breaker for the others.
 */
class ConsecutiveOfSeveral implements FailureRule {
  readonly #most: number;
  readonly #byAccount = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  failed(account: string): boolean {
    const counted = this.#byAccount.get(account) ?? 0;
    this.#byAccount.set(account, Math.min(counted + 1, Math.ceil(this.#most / 2)));
    let count = 0;
    for (const each of this.#byAccount.values()) count += each;
    return this.#byAccount.size > 1 && count >= this.#most;
  }

  succeeded(): void {
    if (this.#byAccount.size > 0) this.#byAccount.clear();
  }
}

/** For logs, receipts and the caller. */
export interface AttemptRecord {
  /** The name of the upstream. */
  readonly upstream: string;
  /** The status of the upstream's response; null if none came. */
  readonly status: number | null;
  /** The code of its failure; null if it succeeded. */
  readonly code: ErrorCode | null;
  /** Milliseconds until it failed, or until the response could be forwarded. */
  readonly ms: number;
  /** The protocol, where the caller's was passed over although the upstream serves it. */
  readonly protocol?: string;
  /** The provider's own description of its failure, for operators only. */
  readonly said?: ProviderWords;
}

/** `caller`: don't retry, no other candidate would answer differently. `elsewhere`: retry at another candidate only. `again`: retry at this one too. */
export type Verdict = 'caller' | 'elsewhere' | 'again';

/** A longer `retry-after` isn't waited for. */
const MAX_WAIT_MS = 2_000;

export function verdictOf({ code, headers }: GatewayError, status: number | null): Verdict {
  if (code === 'rate_limit_exceeded' || code === 'overloaded') return waitOf(headers) > MAX_WAIT_MS ? 'elsewhere' : 'again';
  if (errorTable[code].status < 500 || code === 'internal_error') return 'caller';
  // A 4xx here is about the gateway's key or the upstream's name of the model.
  return status !== null && status >= 400 && status < 500 && status !== 408 ? 'elsewhere' : 'again';
}

/** Milliseconds that the provider asks to wait; 0 when it names no wait. */
export function waitOf(headers: GatewayError['headers']): number {
  const ms = Number(headers['retry-after-ms'] ?? Number(headers['retry-after'] ?? 0) * 1000);
  return Number.isFinite(ms) && ms > 0 ? ms : 0;
}

/** The attempts as a header value: `openai;status=503;error=overloaded;ms=12, backup;status=200;ms=340`. */
export const describeAttempts = (attempts: readonly AttemptRecord[]): string =>
  attempts
    .map(({ upstream, status, code, ms, protocol }) => {
      const over = protocol === undefined ? '' : `;protocol=${protocol}`;
      const fault = code === null ? '' : `;error=${code}`;
      return `${upstream}${over}${status === null ? '' : `;status=${status}`}${fault};ms=${Math.round(ms)}`;
    })
    .join(', ');

export interface Destination {
  readonly upstream: string;
  readonly upstreamModel: string;
  /** 1 is tried first. */
  readonly priority: number;
  /** Its share of the calls among destinations of the same priority. */
  readonly weight: number;
}

/** `session`: calls with the same value get the same order; sessions are spread by weight. Null: the order is random for each call. */
export function inOrder<P extends Destination>(places: readonly P[], session: string | null): readonly P[] {
  if (places.length < 2) return places;
  const ranked = places.map((place) => ({ place, rank: rankOf(place, session) }));
  return ranked.toSorted((a, b) => a.place.priority - b.place.priority || a.rank - b.rank).map(({ place }) => place);
}

/** Each destination has the smallest rank with a probability in proportion to its weight (weighted rendezvous hashing). */
function rankOf({ upstream, upstreamModel, weight }: Destination, session: string | null): number {
  const draw = session === null ? Math.random() : drawFor(`${session}\n${upstream}\n${upstreamModel}`);
  return -Math.log(draw) / weight;
}

/** Uniform between 0 and 1, both exclusive. */
function drawFor(text: string): number {
  const bits = createHash('sha256').update(text).digest().readUIntBE(0, 6);
  return (bits + 0.5) / 2 ** 48;
}
