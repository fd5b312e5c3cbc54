/** Circuit breakers by upstream and model: they open after consecutive failures, and a cooldown that a vendor asked for is kept; a cooldown is only ever extended (F59). */
import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type IBreaker,
  isBrokenCircuitError,
} from 'cockatiel';
import { ConsecutiveFailures } from './consecutive-failures.ts';
import type { Destination } from './load-balancer.ts';

export interface BreakerSettings {
  /** Consecutive failures that open it. */
  readonly failures: number;
  /** How long it stays open at first; doubled each time that a trial fails. */
  readonly cooldownMs: number;
}

type BreakerTarget = Pick<Destination, 'upstream' | 'upstreamModel'>;

/** The account of a call, and whether it has another destination left. */
export interface BreakerCall {
  readonly account?: string;
  /** True: the destination is tried even when its breaker is open. */
  readonly isLastLeft?: boolean;
}

export interface CircuitBreakers {
  /** Milliseconds until the target may be called for this account; 0 when it may be called now. */
  cooldownOf(target: BreakerTarget, account?: string): number;
  /** Milliseconds that remain of the cooldown that its vendor asked for. */
  vendorCooldownOf(target: BreakerTarget): number;
  /**
   * Runs the work at the target; a rejection that `isFault` accepts counts as a failure. The first call after the open time is a trial. Resolves
   * with `null` when the breaker did not let the work begin: it is open, or another call is the trial.
   */
  run<T>(target: BreakerTarget, work: () => Promise<T>, call?: BreakerCall): Promise<T | null>;
  /** The vendor has asked for a cooldown of so many milliseconds. */
  coolDown(target: BreakerTarget, forMs: number): void;
  /** Drops the state of these upstreams: their settings have changed, or they were removed. */
  forget(upstreams: ReadonlySet<string>): void;
  /** Every target that was called, for metrics: its worst state over all accounts. */
  states(): readonly (BreakerTarget & { readonly state: BreakerState })[];
}

type BreakerState = 'closed' | 'open' | 'half_open';

const LONGEST_COOLDOWN_MS = 600_000;
/** A trial that takes longer may be a long answer of a healthy target: each time this interval passes, one more call is let through. */
const TRIAL_MS = 2_000;
const CLOCK_SLACK_MS = 1_000;
/** Accounts whose failures at a target are remembered; those that failed there longest ago are forgotten first. */
const MOST_ACCOUNTS = 10_000;

interface Options {
  /** Read when a breaker is made. */
  readonly settings: () => BreakerSettings;
  /** Whether a rejection shows that the upstream answers. */
  readonly isAnswer: (thrown: unknown) => boolean;
  /** Whether a rejection is the fault of the upstream, not of the caller. */
  readonly isFault: (thrown: unknown) => boolean;
  readonly now?: () => number;
}

export function openCircuitBreakers(options: Options): CircuitBreakers {
  return new TargetBreakers(options);
}

/** A breaker, and the state that it does not expose. */
interface WatchedBreaker {
  readonly breaker: CircuitBreakerPolicy;
  /** Names the account of the next failure. */
  note(account: string): void;
  cooldownUntil: number;
  trialAt: number;
  /** During a trial a rejection that is no answer counts as a failure too; otherwise the breaker counts whatever is no fault as a success. */
  isTrial: boolean;
  /** Whether the last outcome that the breaker was given was a failure. */
  hasFailed: boolean;
}

interface TargetEntry {
  readonly target: BreakerTarget;
  /** Counts the failures of all accounts. */
  all: WatchedBreaker;
  /** One for each account whose last call failed here, least recent failure first. */
  readonly own: Map<string, WatchedBreaker>;
  /** When the cooldown ends that the vendor asked for. */
  vendorCooldownUntil: number;
}

const stateNames: Readonly<Record<CircuitState, BreakerState>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Isolated]: 'open',
};
const fromWorst: readonly BreakerState[] = ['open', 'half_open', 'closed'];

/** Skipped when the breaker has opened meanwhile: the call began before that, so it is no trial. */
async function record(watch: WatchedBreaker, outcome: () => Promise<unknown>): Promise<void> {
  if (watch.breaker.state !== CircuitState.Closed) return;
  watch.hasFailed = await watch.breaker.execute(outcome).then(
    () => false,
    () => true,
  );
}

async function runTrial<T>(watch: WatchedBreaker, work: () => Promise<T>): Promise<T | null> {
  watch.isTrial = true;
  try {
    return await watch.breaker.execute(work);
  } catch (thrown) {
    if (isBrokenCircuitError(thrown)) return null;
    throw thrown;
  } finally {
    watch.isTrial = false;
  }
}

const isOpen = ({ breaker }: WatchedBreaker): boolean => breaker.state !== CircuitState.Closed;
const nameOf = ({ upstream, upstreamModel }: BreakerTarget): string => `${upstream}\n${upstreamModel}`;

class TargetBreakers implements CircuitBreakers {
  readonly #options: Options;
  readonly #now: () => number;
  readonly #entries = new Map<string, TargetEntry>();

  constructor(options: Options) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  cooldownOf(target: BreakerTarget, account = ''): number {
    const entry = this.#entries.get(nameOf(target));
    if (entry === undefined) return 0;
    return this.#remaining(Math.max(entry.vendorCooldownUntil, entry.all.cooldownUntil, entry.own.get(account)?.cooldownUntil ?? 0));
  }

  vendorCooldownOf(target: BreakerTarget): number {
    return this.#remaining(this.#entries.get(nameOf(target))?.vendorCooldownUntil ?? 0);
  }

  #remaining(at: number): number {
    return at === 0 ? 0 : Math.max(Math.ceil(at - this.#now()), 0);
  }

  run<T>(target: BreakerTarget, work: () => Promise<T>, { account = '', isLastLeft = false }: BreakerCall = {}): Promise<T | null> {
    const entry = this.#entryOf(target);
    const own = entry.own.get(account);
    const watch = isOpen(entry.all) ? entry.all : own && isOpen(own) ? own : null;
    if (watch === null) return this.#runClosed(entry, account, work);
    return this.#runOpen(entry, { watch, account, work }, isLastLeft);
  }

  /** Gives the breaker each failure, but only the first success after a failure: further successes would not change it, and cost time. */
  async #runClosed<T>(entry: TargetEntry, account: string, work: () => Promise<T>): Promise<T> {
    try {
      const value = await work();
      if (entry.all.hasFailed) await record(entry.all, async () => undefined);
      const own = entry.own.get(account);
      // A breaker that has opened meanwhile is closed by a trial only.
      if (own && !isOpen(own)) entry.own.delete(account);
      return value;
    } catch (thrown) {
      if (this.#options.isFault(thrown)) await this.#recordFault(entry, account, thrown);
      throw thrown;
    }
  }

  async #recordFault(entry: TargetEntry, account: string, thrown: unknown): Promise<void> {
    const fault = (): Promise<never> => Promise.reject(thrown);
    entry.all.note(account);
    await record(entry.all, fault);
    await record(this.#accountBreaker(entry, account), fault);
  }

  /** Whether a trial is under way. Checked here, since the library would keep a second call waiting until the trial ends. */
  #isTrialRunning({ breaker, trialAt }: WatchedBreaker): boolean {
    return breaker.state === CircuitState.HalfOpen && this.#now() - trialAt < TRIAL_MS;
  }

  /** With `isLastLeft` the work runs even when no trial may: its failure is not counted, its success closes the breaker. */
  async #runOpen<T>(entry: TargetEntry, trial: Trial<T>, isLastLeft: boolean): Promise<T | null> {
    const { watch, account, work } = trial;
    const result = isLastLeft && this.#remaining(watch.cooldownUntil) > 0 ? null : await this.#runTrial(entry, trial);
    if (result !== null || !isLastLeft) return result;
    const value = await work();
    this.#reset(entry, account);
    return value;
  }

  async #runTrial<T>(entry: TargetEntry, { watch, account, work }: Trial<T>): Promise<T | null> {
    if (this.#isTrialRunning(watch)) return null;
    watch.trialAt = this.#now();
    if (watch.breaker.state === CircuitState.HalfOpen) return await work();
    const result = await runTrial(watch, work);
    if (result === null && this.#isOverdue(watch)) {
      this.#reset(entry, account);
      return await this.#runClosed(entry, account, work);
    }
    if (result !== null) this.#reset(entry, account);
    return result;
  }

  /** The target is healthy: closes its breakers. A trial that is under way reports to the breaker that was replaced. */
  #reset(entry: TargetEntry, account: string): void {
    if (isOpen(entry.all) || entry.all.hasFailed) entry.all = this.#sharedBreaker();
    entry.own.delete(account);
  }

  /** The library uses the wall clock: when that is set back, the breaker would stay open for as long. */
  #isOverdue({ cooldownUntil }: WatchedBreaker): boolean {
    return this.#now() - cooldownUntil > CLOCK_SLACK_MS;
  }

  coolDown(target: BreakerTarget, forMs: number): void {
    const entry = this.#entryOf(target);
    entry.vendorCooldownUntil = Math.max(entry.vendorCooldownUntil, this.#now() + Math.min(forMs, LONGEST_COOLDOWN_MS));
  }

  forget(upstreams: ReadonlySet<string>): void {
    for (const [name, { target }] of this.#entries) if (upstreams.has(target.upstream)) this.#entries.delete(name);
  }

  states(): ReturnType<CircuitBreakers['states']> {
    return [...this.#entries.values()].map(({ target, all, own }) => {
      const found = new Set([all, ...own.values()].map(({ breaker }) => stateNames[breaker.state]));
      return { ...target, state: fromWorst.find((state) => found.has(state)) ?? 'closed' };
    });
  }

  #entryOf({ upstream, upstreamModel }: BreakerTarget): TargetEntry {
    const name = nameOf({ upstream, upstreamModel });
    const found = this.#entries.get(name);
    if (found) return found;
    const entry: TargetEntry = { target: { upstream, upstreamModel }, all: this.#sharedBreaker(), own: new Map(), vendorCooldownUntil: 0 };
    this.#entries.set(name, entry);
    return entry;
  }

  #accountBreaker({ own }: TargetEntry, account: string): WatchedBreaker {
    const found = own.get(account) ?? this.#watch(new ConsecutiveBreaker(this.#options.settings().failures));
    own.delete(account);
    own.set(account, found);
    const [oldest] = own.keys();
    if (oldest !== undefined && own.size > MOST_ACCOUNTS) own.delete(oldest);
    return found;
  }

  #sharedBreaker(): WatchedBreaker {
    const shared = new ConsecutiveFailures(this.#options.settings().failures);
    return this.#watch(shared, (account) => shared.note(account));
  }

  #watch(breaker: IBreaker, note: WatchedBreaker['note'] = () => undefined): WatchedBreaker {
    const { isFault, isAnswer, settings } = this.#options;
    const { cooldownMs } = settings();
    const durationOf = (attempt: number): number => Math.min(cooldownMs * 2 ** Math.max(attempt - 1, 0), LONGEST_COOLDOWN_MS);
    const next = ({ attempt }: { readonly attempt: number }) => {
      const duration = durationOf(attempt);
      watch.cooldownUntil = Math.max(watch.cooldownUntil, this.#now() + duration);
      return { duration, next };
    };
    const counts = (thrown: unknown): boolean => isFault(thrown) || (watch.isTrial && !isAnswer(thrown));
    const watch: WatchedBreaker = {
      breaker: circuitBreaker(handleWhen(counts), { breaker, halfOpenAfter: { next } }),
      note,
      cooldownUntil: 0,
      trialAt: 0,
      isTrial: false,
      hasFailed: false,
    };
    return watch;
  }
}

interface Trial<T> {
  readonly watch: WatchedBreaker;
  readonly account: string;
  readonly work: () => Promise<T>;
}
