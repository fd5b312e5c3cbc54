/** Keeps calls from waiting for a Redis that does not answer: after a few failures only a probe asks it. */

export interface BreakerOptions {
  /** Resolves when Redis answers correctly. */
  probe(failedBefore: number): Promise<void>;
  opened(cause: unknown): void;
  closed(): void;
  readonly now: () => number;
}

type State =
  | { readonly kind: 'closed'; failures: number }
  | { readonly kind: 'open'; readonly since: number; probes: number }
  /** Called when this process ends. */
  | { readonly kind: 'over' };

/** In a row: a single late answer is no outage. */
const MOST_FAILURES = 3;
const PROBE_EVERY_MS = 200;

export class Breaker {
  readonly #options: BreakerOptions;
  #state: State = { kind: 'closed', failures: 0 };

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#state.kind === 'closed';
  }

  /** Since when it is open; null when it is closed. */
  get since(): number | null {
    return this.#state.kind === 'open' ? this.#state.since : null;
  }

  succeeded(): void {
    if (this.#state.kind === 'closed') this.#state.failures = 0;
  }

  failed(cause: unknown): void {
    if (this.#state.kind !== 'closed') return;
    this.#state.failures++;
    if (this.#state.failures >= MOST_FAILURES) this.open(cause);
  }

  /** For failures without doubt, such as a broken connection. */
  open(cause: unknown): void {
    if (this.#state.kind !== 'closed') return;
    this.#state = { kind: 'open', since: this.#options.now(), probes: 0 };
    this.#options.opened(cause);
    this.#probeLater();
  }

  end(): void {
    this.#state = { kind: 'over' };
  }

  #probeLater(): void {
    setTimeout(() => void this.#probe(), PROBE_EVERY_MS).unref();
  }

  async #probe(): Promise<void> {
    const state = this.#state;
    if (state.kind !== 'open') return;
    try {
      await this.#options.probe(state.probes);
    } catch {
      // The reason was logged when it opened; only its end matters now.
      state.probes++;
      if (this.#state === state) this.#probeLater();
      return;
    }
    if (this.#state !== state) return;
    this.#state = { kind: 'closed', failures: 0 };
    this.#options.closed();
  }
}
