/** A circuit breaker that opens on silence and closes on any response. It distinguishes a hanging server from a slow one (docs/decisions/0014, F52). */
import { PostgresHungError, PostgresTimeoutError } from './deadlines.ts';

interface BreakerOptions {
  /** The timeout of a step of a request. */
  readonly timeoutMs: number;
  /** Sends a probe to the server over a dedicated connection, and calls `noteAnswer` on any response. Resolves when the probe has ended. */
  readonly probe: () => Promise<void>;
  /** Called when the breaker opens and when it closes. */
  readonly changed?: (isHung: boolean) => void;
}

const MAX_PROBE_INTERVAL_MS = 250;

/** Probes within the timeout of a step. A healthy server responds to the first one long before the timeout. */
const PROBES_PER_TIMEOUT = 4;

export class Breaker {
  readonly #options: BreakerOptions;
  #isOpen = false;
  #isEnded = false;
  #isProbing = false;
  /** Steps that are waiting for a response. */
  #pendingCount = 0;
  /** All responses so far. If the count is unchanged, the server was silent in between. */
  #responseCount = 0;
  #lastResponseCount = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** Whether the server hangs and nothing can be sent. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  createHungError(): PostgresHungError {
    return new PostgresHungError(this.#options.timeoutMs);
  }

  /** Runs a step of a request. If it times out and no connection got a response during that time, the server hangs. */
  async watch<T>(step: () => Promise<T>): Promise<T> {
    if (this.#isOpen) throw this.createHungError();
    const responsesBefore = this.#responseCount;
    this.#pendingCount++;
    this.#startTimer();
    try {
      return await step();
    } catch (error) {
      if (error instanceof PostgresTimeoutError && this.#responseCount === responsesBefore) this.#open();
      throw error;
    } finally {
      this.#pendingCount--;
    }
  }

  /** Records that the server responded on some connection. */
  noteAnswer(): void {
    this.#responseCount++;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#options.changed?.(false);
  }

  end(): void {
    this.#isEnded = true;
    clearInterval(this.#timer);
  }

  #open(): void {
    if (this.#isOpen || this.#isEnded) return;
    this.#isOpen = true;
    this.#options.changed?.(true);
    this.#startTimer();
  }

  #startTimer(): void {
    if (this.#timer !== undefined || this.#isEnded) return;
    this.#lastResponseCount = this.#responseCount;
    const { timeoutMs } = this.#options;
    this.#timer = setInterval(() => this.#tick(), Math.min(MAX_PROBE_INTERVAL_MS, timeoutMs / PROBES_PER_TIMEOUT)).unref();
  }

  #tick(): void {
    const isSilent = this.#responseCount === this.#lastResponseCount;
    this.#lastResponseCount = this.#responseCount;
    if (this.#pendingCount > 0 || this.#isOpen) {
      if (isSilent) void this.#probe();
      return;
    }
    // Stops the timer, because an idle process needs none.
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #probe(): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    await this.#options.probe().finally(() => {
      this.#isProbing = false;
    });
  }
}
