/** Circuit breakers by upstream and model. They open after consecutive failures and obey a provider's wait, which is only ever extended (F59). */

import type { Destination } from './load-balancing.ts';

interface BreakerSettings {
  /** Consecutive failures that open the breaker. */
  readonly failures: number;
  /** How long the breaker first stays open. Doubles each time a trial fails. */
  readonly cooldownMs: number;
}

type Target = Pick<Destination, 'upstream' | 'upstreamModel'>;

/** The caller's account, and whether another destination is left. */
interface BreakerCall {
  readonly account?: string;
  /** If true, the destination is tried even when its breaker is open. */
  readonly isLastLeft?: boolean;
}

interface CallFailure {
  /** Whether the upstream is at fault, not the caller. */
  readonly isFault: boolean;
  /** Whether the upstream responded. */
  readonly hasResponse: boolean;
}

/** A permitted call. Call exactly one of the methods, once. */
interface BreakerPermit {
  recordSuccess(): void;
  recordFailure(failure: CallFailure): void;
}

export interface CircuitBreakers {
  /** Returns the milliseconds until this account can call the target, or 0 if it can call now. */
  getCooldown(target: Target, account?: string): number;
  /** Returns the remaining milliseconds of the wait that the provider asked for. */
  getProviderCooldown(target: Target): number;
  /** Permits a call, which must report its outcome. The first call after the open time is a trial. Null if the breaker is open or another call is the trial. */
  tryAcquire(target: Target, call?: BreakerCall): BreakerPermit | null;
  /** Records that the provider asked for a wait of `forMs` milliseconds. */
  coolDown(target: Target, forMs: number): void;
  /** Drops the state of these upstreams, because their settings changed or they were removed. */
  forget(upstreams: ReadonlySet<string>): void;
  /** Returns every called target for metrics and operators: its worst state over all accounts, and the longest remaining cooldown. */
  getStates(): readonly (Target & { readonly state: BreakerState; readonly restMs: number })[];
}

/** Maximum accounts with remembered failures per target. The least recent failures are forgotten first. */
const MAX_ACCOUNTS = 10_000;

interface Options {
  /** Read when a breaker is created. */
  readonly settings: () => BreakerSettings;
  /** A monotonic clock, in milliseconds: setting back a wall clock would keep a breaker open that much longer. */
  readonly now?: () => number;
}

export function openCircuitBreakers(options: Options): CircuitBreakers {
  return new BreakerRegistry(options);
}

interface TargetState {
  readonly target: Target;
  /** Counts the failures of all accounts. */
  all: Breaker;
  /** One breaker per account whose last call failed, least recent failure first. */
  readonly own: Map<string, Breaker>;
  /** When the provider's requested wait ends. */
  retryAfterAt: number;
}

/** For a call alongside a slow trial, whose outcome proves nothing. */
const UNCOUNTED_PERMIT: BreakerPermit = { recordSuccess: () => undefined, recordFailure: () => undefined };

const statesBySeverity: readonly BreakerState[] = ['open', 'half_open', 'closed'];
const isOpen = ({ state }: Breaker): boolean => state !== 'closed';

class BreakerRegistry implements CircuitBreakers {
  readonly #options: Options;
  readonly #now: () => number;
  /** By upstream, then by upstream model. */
  readonly #targets = new Map<string, Map<string, TargetState>>();

  constructor(options: Options) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  getCooldown({ upstream, upstreamModel }: Target, account = ''): number {
    const targetState = this.#targets.get(upstream)?.get(upstreamModel);
    return targetState
      ? this.#getRemaining(Math.max(targetState.retryAfterAt, targetState.all.openUntil, targetState.own.get(account)?.openUntil ?? 0))
      : 0;
  }

  getProviderCooldown({ upstream, upstreamModel }: Target): number {
    return this.#getRemaining(this.#targets.get(upstream)?.get(upstreamModel)?.retryAfterAt ?? 0);
  }

  #getRemaining(at: number): number {
    return at === 0 ? 0 : Math.max(Math.ceil(at - this.#now()), 0);
  }

  tryAcquire(target: Target, { account = '', isLastLeft = false }: BreakerCall = {}): BreakerPermit | null {
    const targetState = this.#getTarget(target);
    const accountBreaker = targetState.own.get(account);
    const openBreaker = isOpen(targetState.all) ? targetState.all : accountBreaker && isOpen(accountBreaker) ? accountBreaker : null;
    if (openBreaker === null) {
      return {
        recordSuccess: () => this.#countSuccess(targetState, account),
        recordFailure: ({ isFault }) => isFault && this.#countFailure(targetState, account),
      };
    }
    const role = openBreaker.tryAcquire(this.#now());
    if (role === 'beside') return UNCOUNTED_PERMIT;
    if (role === null && !isLastLeft) return null;
    return {
      recordSuccess: () => this.#closeBreakers(targetState, account),
      recordFailure: (failure) => role === 'trial' && this.#endTrial(failure, { held: openBreaker, known: targetState, account }),
    };
  }

  #countSuccess({ all: sharedBreaker, own: accountBreakers }: TargetState, account: string): void {
    sharedBreaker.recordSuccess();
    if (accountBreakers.size === 0) return;
    const accountBreaker = accountBreakers.get(account);
    // Only a trial closes a breaker that opened in the meantime.
    if (accountBreaker && !isOpen(accountBreaker)) accountBreakers.delete(account);
  }

  #countFailure(targetState: TargetState, account: string): void {
    const now = this.#now();
    targetState.all.recordFailure(account, now);
    this.#getAccountBreaker(targetState, account).recordFailure(account, now);
  }

  /**
   * An error response closes the breaker too, because the upstream is reachable. If the trial's caller disconnects, the trial proves nothing and counts as
   * failed.
   */
  #endTrial(
    { isFault, hasResponse }: CallFailure,
    { held: breaker, known, account }: { held: Breaker; known: TargetState; account: string },
  ): void {
    if (isFault || !hasResponse) breaker.open(this.#now());
    else this.#closeBreakers(known, account);
  }

  /** Closes the breakers of a healthy target. A running trial reports to the replaced breaker, which has no effect. */
  #closeBreakers(targetState: TargetState, account: string): void {
    targetState.all = this.#createSharedBreaker();
    targetState.own.delete(account);
  }

  coolDown(target: Target, forMs: number): void {
    const targetState = this.#getTarget(target);
    targetState.retryAfterAt = Math.max(targetState.retryAfterAt, this.#now() + Math.min(forMs, MAX_COOLDOWN_MS));
  }

  forget(upstreams: ReadonlySet<string>): void {
    for (const upstream of upstreams) this.#targets.delete(upstream);
  }

  getStates(): ReturnType<CircuitBreakers['getStates']> {
    const targetStates = [...this.#targets.values()].flatMap((models) => [...models.values()]);
    return targetStates.map(({ target, all, own, retryAfterAt }) => {
      const breakers = [all, ...own.values()];
      const states = new Set(breakers.map(({ state }) => state));
      const latestEnd = breakers.reduce((latest, { openUntil }) => Math.max(latest, openUntil), retryAfterAt);
      return { ...target, state: statesBySeverity.find((state) => states.has(state)) ?? 'closed', restMs: this.#getRemaining(latestEnd) };
    });
  }

  #getTarget({ upstream, upstreamModel }: Target): TargetState {
    const models = this.#targets.get(upstream) ?? new Map<string, TargetState>();
    const knownState = models.get(upstreamModel);
    if (knownState) return knownState;
    const newState = { target: { upstream, upstreamModel }, all: this.#createSharedBreaker(), own: new Map(), retryAfterAt: 0 };
    this.#targets.set(upstream, models.set(upstreamModel, newState));
    return newState;
  }

  #getAccountBreaker({ own: accountBreakers }: TargetState, account: string): Breaker {
    const { failures, cooldownMs } = this.#options.settings();
    const breaker = accountBreakers.get(account) ?? new Breaker(new ConsecutiveFailures(failures), cooldownMs);
    accountBreakers.delete(account);
    accountBreakers.set(account, breaker);
    const [oldest] = accountBreakers.keys();
    if (oldest !== undefined && accountBreakers.size > MAX_ACCOUNTS) accountBreakers.delete(oldest);
    return breaker;
  }

  #createSharedBreaker(): Breaker {
    const { failures, cooldownMs } = this.#options.settings();
    return new Breaker(new SharedConsecutiveFailures(failures), cooldownMs);
  }
}

type BreakerState = 'closed' | 'open' | 'half_open';

/** The maximum cooldown in milliseconds: no breaker stays open longer without a trial. */
const MAX_COOLDOWN_MS = 600_000;
/** A slow trial may be a long response of a healthy upstream, so one more call is permitted each time this interval passes. */
const TRIAL_INTERVAL_MS = 2_000;

/** All times are milliseconds of one monotonic clock. */
class Breaker {
  state: BreakerState = 'closed';
  /** The end of the cooldown. Only ever extended. */
  openUntil = 0;
  readonly #rule: FailureRule;
  readonly #cooldownMs: number;
  #openCount = 0;
  #lastTrialAt = 0;

  constructor(rule: FailureRule, cooldownMs: number) {
    this.#rule = rule;
    this.#cooldownMs = cooldownMs;
  }

  /** For a call that started while the breaker was closed. If it has opened since, only a trial closes it. */
  recordSuccess(): void {
    if (this.state === 'closed') this.#rule.recordSuccess();
  }

  /** For a call that started while the breaker was closed. */
  recordFailure(account: string, now: number): void {
    if (this.state === 'closed' && this.#rule.recordFailure(account)) this.open(now);
  }

  /** Opens the breaker. The cooldown doubles each time it opens without having been closed. */
  open(now: number): void {
    this.state = 'open';
    this.openUntil = Math.max(this.openUntil, now + Math.min(this.#cooldownMs * 2 ** this.#openCount, MAX_COOLDOWN_MS));
    this.#openCount++;
  }

  /** Returns the call's role (the trial, or `beside` a slow trial, whose outcome proves nothing), or null if no call is permitted. */
  tryAcquire(now: number): 'trial' | 'beside' | null {
    if (this.state === 'half_open') return now - this.#lastTrialAt < TRIAL_INTERVAL_MS ? null : this.#recordTrial(now, 'beside');
    if (now < this.openUntil) return null;
    this.state = 'half_open';
    return this.#recordTrial(now, 'trial');
  }

  #recordTrial<Role>(now: number, role: Role): Role {
    this.#lastTrialAt = now;
    return role;
  }
}

interface FailureRule {
  /** Counts a failure. Returns whether it opens the breaker. */
  recordFailure(account: string): boolean;
  recordSuccess(): void;
}

/** The rule of a single account's breaker. */
class ConsecutiveFailures implements FailureRule {
  readonly #maxFailures: number;
  #count = 0;

  constructor(maxFailures: number) {
    this.#maxFailures = maxFailures;
  }

  recordFailure(): boolean {
    this.#count++;
    return this.#count >= this.#maxFailures;
  }

  recordSuccess(): void {
    this.#count = 0;
  }
}

/** The rule of the breaker that all accounts share. One account counts for at most half of the failures, so it can't open the breaker for the others. */
class SharedConsecutiveFailures implements FailureRule {
  readonly #maxFailures: number;
  readonly #failuresByAccount = new Map<string, number>();

  constructor(maxFailures: number) {
    this.#maxFailures = maxFailures;
  }

  recordFailure(account: string): boolean {
    const accountFailures = this.#failuresByAccount.get(account) ?? 0;
    this.#failuresByAccount.set(account, Math.min(accountFailures + 1, Math.ceil(this.#maxFailures / 2)));
    let count = 0;
    for (const each of this.#failuresByAccount.values()) count += each;
    return this.#failuresByAccount.size > 1 && count >= this.#maxFailures;
  }

  recordSuccess(): void {
    if (this.#failuresByAccount.size > 0) this.#failuresByAccount.clear();
  }
}
