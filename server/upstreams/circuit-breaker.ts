/** Circuit breakers by upstream and model: they open after consecutive failures, and a vendor's wait is kept; a wait is only ever extended (F59). */
import { Breaker, type BreakerState, LONGEST_COOLDOWN_MS } from './breaker-state.ts';
import { Consecutive, ConsecutiveOfSeveral } from './consecutive-failures.ts';
import type { Destination } from './load-balancer.ts';

export interface BreakerSettings {
  /** Consecutive failures that open it. */
  readonly failures: number;
  /** How long it stays open at first; doubled each time that a trial fails. */
  readonly cooldownMs: number;
}

type Target = Pick<Destination, 'upstream' | 'upstreamModel'>;

/** The account of a call, and whether it has another destination left. */
export interface BreakerCall {
  readonly account?: string;
  /** True: the destination is tried even when its breaker is open. */
  readonly isLastLeft?: boolean;
}

export interface CircuitBreakers {
  /** Milliseconds until the target may be called for this account; 0 when it may be called now. */
  cooldownOf(target: Target, account?: string): number;
  /** Milliseconds that remain of the wait that its vendor asked for. */
  vendorCooldownOf(target: Target): number;
  /**
   * Runs the work at the target; a rejection that `isFault` accepts counts as a failure. The first call after the open time is a trial. Resolves
   * with `null` when the breaker did not let the work begin: it is open, or another call is the trial.
   */
  run<T>(target: Target, work: () => Promise<T>, asking?: BreakerCall): Promise<T | null>;
  /** The vendor has asked for a wait of so many milliseconds. */
  coolDown(target: Target, forMs: number): void;
  /** Drops the state of these upstreams: their settings have changed, or they were removed. */
  forget(upstreams: ReadonlySet<string>): void;
  /** Every target that was called, for metrics and operators: its worst state over all accounts, and the longest time until it is tried again. */
  states(): readonly (Target & { readonly state: BreakerState; readonly restMs: number })[];
}

/** Accounts whose failures at a target are remembered; those that failed there longest ago are forgotten first. */
const MOST_ACCOUNTS = 10_000;

interface Options {
  /** Read when a breaker is made. */
  readonly settings: () => BreakerSettings;
  /** Whether a rejection shows that the upstream answers. */
  readonly isAnswer: (thrown: unknown) => boolean;
  /** Whether a rejection is the fault of the upstream, not of the caller. */
  readonly isFault: (thrown: unknown) => boolean;
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
  /** When the wait ends that the vendor asked for. */
  askedUntil: number;
}

interface Trial<T> {
  readonly known: Known;
  readonly account: string;
  readonly work: () => Promise<T>;
}

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

  vendorCooldownOf({ upstream, upstreamModel }: Target): number {
    return this.#remaining(this.#known.get(upstream)?.get(upstreamModel)?.askedUntil ?? 0);
  }

  #remaining(at: number): number {
    return at === 0 ? 0 : Math.max(Math.ceil(at - this.#now()), 0);
  }

  run<T>(target: Target, work: () => Promise<T>, { account = '', isLastLeft = false }: BreakerCall = {}): Promise<T | null> {
    const known = this.#at(target);
    const own = known.own.get(account);
    const held = isOpen(known.all) ? known.all : own && isOpen(own) ? own : null;
    if (held === null) return this.#runClosed({ known, account, work });
    return this.#runHeldBack(held, { known, account, work }, isLastLeft);
  }

  /** The outcome is counted before the caller of `run` hears of it, since its reaction is the first. */
  #runClosed<T>({ known, account, work }: Trial<T>): Promise<T> {
    const running = work();
    running.then(
      () => this.#countSuccess(known, account),
      (thrown: unknown) => {
        if (this.#options.isFault(thrown)) this.#countFailure(known, account);
      },
    );
    return running;
  }

  #countSuccess({ all, own }: Known, account: string): void {
    all.succeeded();
    if (own.size === 0) return;
    const found = own.get(account);
    // A breaker that has opened meanwhile is closed by a trial only.
    if (found && !isOpen(found)) own.delete(account);
  }

  #countFailure(known: Known, account: string): void {
    const now = this.#now();
    known.all.failed(account, now);
    this.#ownOf(known, account).failed(account, now);
  }

  /** With `isLastLeft` the work runs even when no trial may: its failure is not counted, its success closes the breaker. */
  async #runHeldBack<T>(held: Breaker, trial: Trial<T>, isLastLeft: boolean): Promise<T | null> {
    const role = held.enter(this.#now());
    if (role === null && !isLastLeft) return null;
    if (role === 'beside') return await trial.work();
    const value = await (role === 'trial' ? this.#runTrial(held, trial) : trial.work());
    this.#renew(trial);
    return value;
  }

  /** An answer that is no success closes the breaker too: the upstream is there. A trial whose caller left proves nothing, and counts as failed. */
  async #runTrial<T>(held: Breaker, trial: Trial<T>): Promise<T> {
    try {
      return await trial.work();
    } catch (thrown) {
      const { isFault, isAnswer } = this.#options;
      if (isFault(thrown) || !isAnswer(thrown)) held.open(this.#now());
      else this.#renew(trial);
      throw thrown;
    }
  }

  /** The target is healthy: closes its breakers. A trial that is under way reports to the breaker that was replaced. */
  #renew({ known, account }: Pick<Trial<unknown>, 'known' | 'account'>): void {
    known.all = this.#sharedBreaker();
    known.own.delete(account);
  }

  coolDown(target: Target, forMs: number): void {
    const known = this.#at(target);
    known.askedUntil = Math.max(known.askedUntil, this.#now() + Math.min(forMs, LONGEST_COOLDOWN_MS));
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
    if (oldest !== undefined && own.size > MOST_ACCOUNTS) own.delete(oldest);
    return found;
  }

  #sharedBreaker(): Breaker {
    const { failures, cooldownMs } = this.#options.settings();
    return new Breaker(new ConsecutiveOfSeveral(failures), cooldownMs);
  }
}
