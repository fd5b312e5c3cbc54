/** Which places are left alone for a while: after failures in a row, and for as long as a vendor asks for; rest times only lengthen (F59). */
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
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long it stays open at first; twice as long each time that it is opened again. */
  readonly cooldownMs: number;
}

type Breakable = Pick<Destination, 'upstream' | 'upstreamModel'>;

/** Who asks, and whether there is no other place for it. */
export interface Asking {
  readonly account?: string;
  /** Asked whatever its breaker says. */
  readonly isLastLeft?: boolean;
}

export interface CircuitBreakers {
  /** Milliseconds until the place may be asked for this account; 0 where it may be now. */
  restOf(place: Breakable, account?: string): number;
  /** Milliseconds for which its vendor wants to be left alone. */
  askedRestOf(place: Breakable): number;
  /**
   * Runs the work at the place, and takes a rejection that `isFault` confirms as a failure of it. The first call after a rest is a trial. `null`:
   * somebody else tries the place just now, and the work was not begun.
   */
  run<T>(place: Breakable, work: () => Promise<T>, asking?: Asking): Promise<T | null>;
  /** The vendor wants to be left alone for so long. */
  rest(place: Breakable, forMs: number): void;
  /** What was learned of these upstreams is of another address, another key, or nothing that is there any more. */
  forget(upstreams: ReadonlySet<string>): void;
  /** Every place that was asked, for metrics: as it is for the account that is worst off. */
  states(): readonly (Breakable & { readonly state: PlaceState })[];
}

type PlaceState = 'closed' | 'open' | 'half_open';

const LONGEST_REST_MS = 600_000;
/** A trial that takes longer may be a long answer of a place that is well: one goes beside it in each such time. */
const TRIAL_MS = 2_000;
const CLOCK_SLACK_MS = 1_000;
/** Accounts whose failures at a place are remembered; those that failed there longest ago are forgotten first. */
const MOST_ACCOUNTS = 10_000;

interface Options {
  /** As they are when a place is asked for the first time. */
  readonly settings: () => BreakerSettings;
  /** Whether a rejection shows that the place answers. */
  readonly isAnswer: (thrown: unknown) => boolean;
  /** Whether a rejection is the fault of the place, and not that of the caller. */
  readonly isFault: (thrown: unknown) => boolean;
  readonly now?: () => number;
}

export function openCircuitBreakers(options: Options): CircuitBreakers {
  return new PlacesHealth(options);
}

/** A breaker, and what it does not say of itself. */
interface Watch {
  readonly breaker: CircuitBreakerPolicy;
  /** Of the account whose failure it is told next. */
  note(account: string): void;
  restsUntil: number;
  triedAt: number;
  /** The breaker takes for a success whatever is no fault; of a trial only an answer is one. */
  isTrial: boolean;
  /** Whether the last outcome that the breaker heard of was a failure. */
  hasFailed: boolean;
}

interface Known {
  readonly spot: Breakable;
  /** Told of all callers. */
  all: Watch;
  /** Of accounts whose last call failed here, those who failed longest ago first. */
  readonly own: Map<string, Watch>;
  /** As the vendor asked. */
  askedUntil: number;
}

const words: Readonly<Record<CircuitState, PlaceState>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Isolated]: 'open',
};
const fromWorst: readonly PlaceState[] = ['open', 'half_open', 'closed'];

/** What ends when the breaker has opened meanwhile began before: it is no trial. */
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

  /** The breaker hears what came of it, and of good answers only the first behind a bad one: all that it would learn, at a fraction of its price. */
  async #runClosed<T>(known: Known, account: string, work: () => Promise<T>): Promise<T> {
    try {
      const value = await work();
      if (known.all.hasFailed) await tell(known.all, async () => undefined);
      const own = known.own.get(account);
      // One that has opened meanwhile hears only of trials.
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

  /** Somebody tries the place. The breaker would let whoever comes meanwhile wait, with no end in sight. */
  #isTried({ breaker, triedAt }: Watch): boolean {
    return breaker.state === CircuitState.HalfOpen && this.#now() - triedAt < TRIAL_MS;
  }

  /** Where there is nowhere else to go, a failure says nothing new, and a good answer ends the rest. */
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

  /** The place is well. A trial that is under way speaks to the breaker of before. */
  #renew(known: Known, account: string): void {
    if (isOpen(known.all) || known.all.hasFailed) known.all = this.#watchAll();
    known.own.delete(account);
  }

  /** The breaker goes by the clock of the machine: one that was set back would keep it open for as long. */
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
    return [...this.#known.values()].map(({ spot, all, own }) => {
      const found = new Set([all, ...own.values()].map(({ breaker }) => words[breaker.state]));
      return { ...spot, state: fromWorst.find((state) => found.has(state)) ?? 'closed' };
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
