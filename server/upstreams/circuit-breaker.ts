/** Circuit breakers by upstream and model: they open after consecutive failures, and a vendor's wait is kept; a wait is only ever extended (F59). */
import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type IBreaker,
  isBrokenCircuitError,
} from 'cockatiel';
import { InARow } from './consecutive-failures.ts';
import type { Destination } from './load-balancer.ts';

export interface BreakerSettings {
  /** Consecutive failures that open it. */
  readonly failures: number;
  /** How long it stays open at first; doubled each time that a trial fails. */
  readonly cooldownMs: number;
}

type Breakable = Pick<Destination, 'upstream' | 'upstreamModel'>;

/** The account of a call, and whether it has another destination left. */
export interface Asking {
  readonly account?: string;
  /** True: the destination is tried even when its breaker is open. */
  readonly isLastLeft?: boolean;
}

export interface CircuitBreakers {
  /** Milliseconds until the place may be called for this account; 0 when it may be called now. */
  restOf(place: Breakable, account?: string): number;
  /** Milliseconds that remain of the wait that its vendor asked for. */
  askedRestOf(place: Breakable): number;
  /**
   * Runs the work at the place; a rejection that `isFault` accepts counts as a failure. The first call after the open time is a trial. Resolves
   * with `null` when the breaker did not let the work begin: it is open, or another call is the trial.
   */
  run<T>(place: Breakable, work: () => Promise<T>, asking?: Asking): Promise<T | null>;
  /** The vendor has asked for a wait of so many milliseconds. */
  rest(place: Breakable, forMs: number): void;
  /** Drops the state of these upstreams: their settings have changed, or they were removed. */
  forget(upstreams: ReadonlySet<string>): void;
  /** Every place that was called, for metrics and operators: its worst state over all accounts, and the longest time until it is tried again. */
  states(): readonly (Breakable & { readonly state: PlaceState; readonly restMs: number })[];
}

type PlaceState = 'closed' | 'open' | 'half_open';

const LONGEST_REST_MS = 600_000;
/** A trial that takes longer may be a long answer of a healthy place: each time this interval passes, one more call is let through. */
const TRIAL_MS = 2_000;
const CLOCK_SLACK_MS = 1_000;
/** Accounts whose failures at a place are remembered; those that failed there longest ago are forgotten first. */
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
  return new PlacesHealth(options);
}

/** A breaker, and the state that it does not expose. */
interface Watch {
  readonly breaker: CircuitBreakerPolicy;
  /** Names the account of the next failure. */
  note(account: string): void;
  restsUntil: number;
  triedAt: number;
  /** During a trial a rejection that is no answer counts as a failure too; otherwise the breaker counts whatever is no fault as a success. */
  isTrial: boolean;
  /** Whether the last outcome that the breaker was given was a failure. */
  hasFailed: boolean;
}

interface Known {
  readonly spot: Breakable;
  /** Counts the failures of all accounts. */
  all: Watch;
  /** One for each account whose last call failed here, least recent failure first. */
  readonly own: Map<string, Watch>;
  /** When the wait ends that the vendor asked for. */
  askedUntil: number;
}

const words: Readonly<Record<CircuitState, PlaceState>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Isolated]: 'open',
};
const fromWorst: readonly PlaceState[] = ['open', 'half_open', 'closed'];

/** Skipped when the breaker has opened meanwhile: the call began before that, so it is no trial. */
async function tell(watch: Watch, outcome: () => Promise<unknown>): Promise<void> {
  if (watch.breaker.state !== CircuitState.Closed) return;
  watch.hasFailed = await watch.breaker.execute(outcome).then(
    () => false,
    () => true,
  );
}

async function tryOpen<T>(watch: Watch, work: () => Promise<T>): Promise<T | null> {
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

const isOpen = ({ breaker }: Watch): boolean => breaker.state !== CircuitState.Closed;
const nameOf = ({ upstream, upstreamModel }: Breakable): string => `${upstream}\n${upstreamModel}`;

class PlacesHealth implements CircuitBreakers {
  readonly #options: Options;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();

  constructor(options: Options) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  restOf(place: Breakable, account = ''): number {
    const known = this.#known.get(nameOf(place));
    if (known === undefined) return 0;
    return this.#until(Math.max(known.askedUntil, known.all.restsUntil, known.own.get(account)?.restsUntil ?? 0));
  }

  askedRestOf(place: Breakable): number {
    return this.#until(this.#known.get(nameOf(place))?.askedUntil ?? 0);
  }

  #until(at: number): number {
    return at === 0 ? 0 : Math.max(Math.ceil(at - this.#now()), 0);
  }

  run<T>(place: Breakable, work: () => Promise<T>, { account = '', isLastLeft = false }: Asking = {}): Promise<T | null> {
    const known = this.#at(place);
    const own = known.own.get(account);
    const held = isOpen(known.all) ? known.all : own && isOpen(own) ? own : null;
    if (held === null) return this.#runClosed(known, account, work);
    return this.#runHeldBack(known, { held, account, work }, isLastLeft);
  }

  /** Gives the breaker each failure, but only the first success after a failure: further successes would not change it, and cost time. */
  async #runClosed<T>(known: Known, account: string, work: () => Promise<T>): Promise<T> {
    try {
      const value = await work();
      if (known.all.hasFailed) await tell(known.all, async () => undefined);
      const own = known.own.get(account);
      // A breaker that has opened meanwhile is closed by a trial only.
      if (own && !isOpen(own)) known.own.delete(account);
      return value;
    } catch (thrown) {
      if (this.#options.isFault(thrown)) await this.#tellFault(known, account, thrown);
      throw thrown;
    }
  }

  async #tellFault(known: Known, account: string, thrown: unknown): Promise<void> {
    const fault = (): Promise<never> => Promise.reject(thrown);
    known.all.note(account);
    await tell(known.all, fault);
    await tell(this.#ownOf(known, account), fault);
  }

  /** Whether a trial is under way. Checked here, since the library would keep a second call waiting until the trial ends. */
  #isTried({ breaker, triedAt }: Watch): boolean {
    return breaker.state === CircuitState.HalfOpen && this.#now() - triedAt < TRIAL_MS;
  }

  /** With `isLastLeft` the work runs even when no trial may: its failure is not counted, its success closes the breaker. */
  async #runHeldBack<T>(known: Known, trial: Trial<T>, isLastLeft: boolean): Promise<T | null> {
    const { held, account, work } = trial;
    const tried = isLastLeft && this.#until(held.restsUntil) > 0 ? null : await this.#runTrial(known, trial);
    if (tried !== null || !isLastLeft) return tried;
    const value = await work();
    this.#renew(known, account);
    return value;
  }

  async #runTrial<T>(known: Known, { held, account, work }: Trial<T>): Promise<T | null> {
    if (this.#isTried(held)) return null;
    held.triedAt = this.#now();
    if (held.breaker.state === CircuitState.HalfOpen) return await work();
    const tried = await tryOpen(held, work);
    if (tried === null && this.#isOverdue(held)) {
      this.#renew(known, account);
      return await this.#runClosed(known, account, work);
    }
    if (tried !== null) this.#renew(known, account);
    return tried;
  }

  /** The place is healthy: closes its breakers. A trial that is under way reports to the breaker that was replaced. */
  #renew(known: Known, account: string): void {
    if (isOpen(known.all) || known.all.hasFailed) known.all = this.#watchAll();
    known.own.delete(account);
  }

  /** The library uses the wall clock: when that is set back, the breaker would stay open for as long. */
  #isOverdue({ restsUntil }: Watch): boolean {
    return this.#now() - restsUntil > CLOCK_SLACK_MS;
  }

  rest(place: Breakable, forMs: number): void {
    const known = this.#at(place);
    known.askedUntil = Math.max(known.askedUntil, this.#now() + Math.min(forMs, LONGEST_REST_MS));
  }

  forget(upstreams: ReadonlySet<string>): void {
    for (const [name, { spot }] of this.#known) if (upstreams.has(spot.upstream)) this.#known.delete(name);
  }

  states(): ReturnType<CircuitBreakers['states']> {
    return [...this.#known.values()].map(({ spot, all, own, askedUntil }) => {
      const watches = [all, ...own.values()];
      const found = new Set(watches.map(({ breaker }) => words[breaker.state]));
      const until = watches.reduce((latest, { restsUntil }) => Math.max(latest, restsUntil), askedUntil);
      return { ...spot, state: fromWorst.find((state) => found.has(state)) ?? 'closed', restMs: this.#until(until) };
    });
  }

  #at({ upstream, upstreamModel }: Breakable): Known {
    const name = nameOf({ upstream, upstreamModel });
    const found = this.#known.get(name);
    if (found) return found;
    const known: Known = { spot: { upstream, upstreamModel }, all: this.#watchAll(), own: new Map(), askedUntil: 0 };
    this.#known.set(name, known);
    return known;
  }

  #ownOf({ own }: Known, account: string): Watch {
    const found = own.get(account) ?? this.#watch(new ConsecutiveBreaker(this.#options.settings().failures));
    own.delete(account);
    own.set(account, found);
    const [oldest] = own.keys();
    if (oldest !== undefined && own.size > MOST_ACCOUNTS) own.delete(oldest);
    return found;
  }

  #watchAll(): Watch {
    const row = new InARow(this.#options.settings().failures);
    return this.#watch(row, (account) => row.note(account));
  }

  #watch(breaker: IBreaker, note: Watch['note'] = () => undefined): Watch {
    const { isFault, isAnswer, settings } = this.#options;
    const { cooldownMs } = settings();
    const durationOf = (attempt: number): number => Math.min(cooldownMs * 2 ** Math.max(attempt - 1, 0), LONGEST_REST_MS);
    const next = ({ attempt }: { readonly attempt: number }) => {
      const duration = durationOf(attempt);
      watch.restsUntil = Math.max(watch.restsUntil, this.#now() + duration);
      return { duration, next };
    };
    const counts = (thrown: unknown): boolean => isFault(thrown) || (watch.isTrial && !isAnswer(thrown));
    const watch: Watch = {
      breaker: circuitBreaker(handleWhen(counts), { breaker, halfOpenAfter: { next } }),
      note,
      restsUntil: 0,
      triedAt: 0,
      isTrial: false,
      hasFailed: false,
    };
    return watch;
  }
}

interface Trial<T> {
  readonly held: Watch;
  readonly account: string;
  readonly work: () => Promise<T>;
}
