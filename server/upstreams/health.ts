/** Which places are left alone for a while: after failures in a row, and for as long as a vendor asks for; rest times only lengthen (F59). */
import { type CircuitBreakerPolicy, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen, isBrokenCircuitError } from 'cockatiel';
import type { Place } from './choose.ts';

export interface BreakerSettings {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long it stays open at first; twice as long each time that it is opened again. */
  readonly cooldownMs: number;
}

type Spot = Pick<Place, 'upstream' | 'upstreamModel'>;

export interface Health {
  /** Milliseconds until the place may be asked; 0 where it may be now. */
  restOf(place: Spot): number;
  /**
   * Runs the work at the place, and takes a rejection that `isFault` confirms as a failure of it. The first call after a rest is a trial. `null`:
   * somebody else tries the place just now, and the work was not begun.
   */
  run<T>(place: Spot, work: () => Promise<T>): Promise<T | null>;
  /** The vendor wants to be left alone for so long. */
  rest(place: Spot, forMs: number): void;
  /** What was learned of these upstreams is of another address, another key, or nothing that is there any more. */
  forget(upstreams: ReadonlySet<string>): void;
  /** Every place that was asked, for metrics. */
  states(): readonly (Spot & { readonly state: 'closed' | 'open' | 'half_open' })[];
}

const LONGEST_REST_MS = 600_000;
/** A trial that takes longer may be a long answer of a place that is well: one goes beside it in each such time. */
const TRIAL_MS = 2_000;
const CLOCK_SLACK_MS = 1_000;

interface Options {
  /** As they are when a place is asked for the first time. */
  readonly settings: () => BreakerSettings;
  /** Whether a rejection shows that the place answers. */
  readonly isAnswer: (thrown: unknown) => boolean;
  /** Whether a rejection is the fault of the place, and not that of the caller. */
  readonly isFault: (thrown: unknown) => boolean;
  readonly now?: () => number;
}

export function openHealth(options: Options): Health {
  return new PlacesHealth(options);
}

interface Known {
  readonly spot: Spot;
  breaker: CircuitBreakerPolicy;
  restsUntil: number;
  triedAt: number;
  /** The breaker takes for a success whatever is no fault; of a trial only an answer is one. */
  isTrial: boolean;
  /** Whether the last outcome that the breaker heard of was a failure. */
  hasFailed: boolean;
  readonly counts: (thrown: unknown) => boolean;
}

const words = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Isolated]: 'open',
} as const;

/** The breaker hears what came of it, and of good answers only the first behind a bad one: all that it would learn, at a fraction of its price. */
async function runClosed<T>(known: Known, work: () => Promise<T>): Promise<T> {
  try {
    const value = await work();
    if (known.hasFailed) await tell(known, async () => undefined);
    return value;
  } catch (thrown) {
    if (known.counts(thrown)) await tell(known, () => Promise.reject(thrown));
    throw thrown;
  }
}

/** What ends when the breaker has opened meanwhile began before: it is no trial. */
async function tell(known: Known, outcome: () => Promise<unknown>): Promise<void> {
  if (known.breaker.state !== CircuitState.Closed) return;
  known.hasFailed = await known.breaker.execute(outcome).then(
    () => false,
    () => true,
  );
}

async function tryOpen<T>(known: Known, work: () => Promise<T>): Promise<T | null> {
  known.isTrial = true;
  try {
    return await known.breaker.execute(work);
  } catch (thrown) {
    if (isBrokenCircuitError(thrown)) return null;
    throw thrown;
  } finally {
    known.isTrial = false;
  }
}

const nameOf = ({ upstream, upstreamModel }: Spot): string => `${upstream}\n${upstreamModel}`;

class PlacesHealth implements Health {
  readonly #options: Options;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();

  constructor(options: Options) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  restOf(place: Spot): number {
    const known = this.#known.get(nameOf(place));
    return known === undefined || known.restsUntil === 0 ? 0 : Math.max(Math.ceil(known.restsUntil - this.#now()), 0);
  }

  run<T>(place: Spot, work: () => Promise<T>): Promise<T | null> {
    const known = this.#at(place);
    const { state } = known.breaker;
    if (state === CircuitState.Closed) return runClosed(known, work);
    // The breaker would let whoever comes meanwhile wait, with no end in sight.
    if (state === CircuitState.HalfOpen && this.#now() - known.triedAt < TRIAL_MS) return Promise.resolve(null);
    known.triedAt = this.#now();
    if (state === CircuitState.HalfOpen) return work();
    return tryOpen(known, work).then((tried) => (tried === null && this.#isOverdue(known) ? this.#runAnew(known, work) : tried));
  }

  /** The breaker goes by the clock of the machine: one that was set back would keep it open for as long. */
  #isOverdue({ restsUntil }: Known): boolean {
    return this.#now() - restsUntil > CLOCK_SLACK_MS;
  }

  #runAnew<T>(known: Known, work: () => Promise<T>): Promise<T> {
    known.breaker = this.#openBreaker((forMs) => this.#lengthen(known, forMs), known.counts);
    return runClosed(known, work);
  }

  rest(place: Spot, forMs: number): void {
    this.#lengthen(this.#at(place), forMs);
  }

  forget(upstreams: ReadonlySet<string>): void {
    for (const [name, { spot }] of this.#known) if (upstreams.has(spot.upstream)) this.#known.delete(name);
  }

  #lengthen(known: Known, forMs: number): void {
    known.restsUntil = Math.max(known.restsUntil, this.#now() + Math.min(forMs, LONGEST_REST_MS));
  }

  states(): ReturnType<Health['states']> {
    return [...this.#known.values()].map(({ spot, breaker }) => ({ ...spot, state: words[breaker.state] }));
  }

  #at({ upstream, upstreamModel }: Spot): Known {
    const name = nameOf({ upstream, upstreamModel });
    const found = this.#known.get(name);
    if (found) return found;
    const spot = { upstream, upstreamModel };
    const { isFault, isAnswer } = this.#options;
    const counts = (thrown: unknown): boolean => isFault(thrown) || (known.isTrial && !isAnswer(thrown));
    // Not by the name of the place: a call that began before it was forgotten says nothing of what is there now.
    const breaker = this.#openBreaker((forMs) => this.#lengthen(known, forMs), counts);
    const known: Known = { spot, breaker, counts, restsUntil: 0, triedAt: 0, isTrial: false, hasFailed: false };
    this.#known.set(name, known);
    return known;
  }

  #openBreaker(rest: (forMs: number) => void, counts: (thrown: unknown) => boolean): CircuitBreakerPolicy {
    const { failures, cooldownMs } = this.#options.settings();
    const durationOf = (attempt: number): number => Math.min(cooldownMs * 2 ** Math.max(attempt - 1, 0), LONGEST_REST_MS);
    const next = ({ attempt }: { readonly attempt: number }) => {
      const duration = durationOf(attempt);
      rest(duration);
      return { duration, next };
    };
    return circuitBreaker(handleWhen(counts), { breaker: new ConsecutiveBreaker(failures), halfOpenAfter: { next } });
  }
}
