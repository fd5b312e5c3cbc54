/** A circuit breaker that silence opens and any answer closes: it distinguishes a server that hangs from a slow one (docs/decisions/0025, F52). */
import { HungError, LateError } from './deadline.ts';

export interface BreakerOptions {
  /** How long a step of a call may take. */
  readonly timeoutMs: number;
  /** Asks the server for any answer, over a connection of its own; calls `noteAnswer` when one comes. Resolves when the probe has ended. */
  readonly probe: () => Promise<void>;
  /** Called when the breaker opens and when it closes. */
  readonly changed?: (isHung: boolean) => void;
}

const MOST_BETWEEN_PROBES_MS = 250;
/** Probes within the timeout of a step: the first one is answered long before the timeout. */
const PROBES_IN_TIME = 4;

export class Breaker {
  readonly #options: BreakerOptions;
  #isOpen = false;
  #isEnded = false;
  #isProbing = false;
  /** Steps that are waiting for an answer. */
  #waiting = 0;
  /** All answers so far: when the number is unchanged, there was no answer in between. */
  #answers = 0;
  #answersBefore = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** The server hangs: nothing may be sent. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  refuse(): HungError {
    return new HungError(this.#options.timeoutMs);
  }

  /** Runs a step of a call. When it times out, and no connection had an answer in all that time, the server hangs. */
  async watch<T>(step: () => Promise<T>): Promise<T> {
    if (this.#isOpen) throw this.refuse();
    const answersBefore = this.#answers;
    this.#waiting++;
    this.#startTimer();
    try {
      return await step();
    } catch (error) {
      if (error instanceof LateError && this.#answers === answersBefore) this.#open();
      throw error;
    } finally {
      this.#waiting--;
    }
  }

  /** The server has answered on some connection. */
  noteAnswer(): void {
    this.#answers++;
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
    this.#answersBefore = this.#answers;
    const { timeoutMs } = this.#options;
    this.#timer = setInterval(() => this.#tick(), Math.min(MOST_BETWEEN_PROBES_MS, timeoutMs / PROBES_IN_TIME)).unref();
  }

  #tick(): void {
    const isSilent = this.#answers === this.#answersBefore;
    this.#answersBefore = this.#answers;
    if (this.#waiting > 0 || this.#isOpen) {
      if (isSilent) void this.#probe();
      return;
    }
    // An idle process needs no timer.
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
