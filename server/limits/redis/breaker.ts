/** Circuit breaker of the Redis connection: stops asking after failures and probes until Redis responds. */

export interface BreakerOptions {
  /** Resolves if Redis responds correctly. */
  probe(failedBefore: number): Promise<void>;
  onOpen(cause: unknown): void;
  onClose(): void;
  readonly now: () => number;
}

type BreakerState =
  | { readonly kind: 'closed'; failures: number }
  | { readonly kind: 'open'; readonly since: number; probes: number }
  /** Set when this process ends. */
  | { readonly kind: 'over' };

/** Number of consecutive failures that count as an outage. A single late response doesn't. */
const MAX_FAILURES = 3;

const PROBE_INTERVAL_MS = 200;

export class Breaker {
  readonly #options: BreakerOptions;
  #state: BreakerState = { kind: 'closed', failures: 0 };

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#state.kind === 'closed';
  }

  /** The time since the breaker is open. Null if it's closed. */
  get since(): number | null {
    return this.#state.kind === 'open' ? this.#state.since : null;
  }

  recordSuccess(): void {
    if (this.#state.kind === 'closed') this.#state.failures = 0;
  }

  recordFailure(cause: unknown): void {
    if (this.#state.kind !== 'closed') return;
    this.#state.failures++;
    if (this.#state.failures >= MAX_FAILURES) this.open(cause);
  }

  /** Opens the breaker immediately. Called for definite failures, such as a broken connection. */
  open(cause: unknown): void {
    if (this.#state.kind !== 'closed') return;
    this.#state = { kind: 'open', since: this.#options.now(), probes: 0 };
    this.#options.onOpen(cause);
    this.#probeLater();
  }

  end(): void {
    this.#state = { kind: 'over' };
  }

  #probeLater(): void {
    setTimeout(() => void this.#probe(), PROBE_INTERVAL_MS).unref();
  }

  async #probe(): Promise<void> {
    const state = this.#state;
    if (state.kind !== 'open') return;
    try {
      await this.#options.probe(state.probes);
    } catch {
      // The reason was logged when the breaker opened. Only its recovery matters now.
      state.probes++;
      if (this.#state === state) this.#probeLater();
      return;
    }
    if (this.#state !== state) return;
    this.#state = { kind: 'closed', failures: 0 };
    this.#options.onClose();
  }
}
