/** Tells a server that hangs from one that is slow: a circuit breaker that silence opens and any answer closes (docs/decisions/0025, F52). */
import { HungError, LateError } from './deadline.ts';

export interface BreakerOptions {
  /** How long a step on the way of a call may take. */
  readonly timeoutMs: number;
  /** Asks the server for a sign of life, beside all that waits for it; resolves when that has come to an end. Its answer is told to `heard`. */
  readonly probe: () => Promise<void>;
  /** Told when it opens, and when it closes. */
  readonly changed?: (isHung: boolean) => void;
}

const MOST_BETWEEN_PROBES_MS = 250;
/** Of the time of a step: an answer to the first probe comes long before it is over. */
const PROBES_IN_TIME = 4;

export class Breaker {
  readonly #options: BreakerOptions;
  #isOpen = false;
  #isEnded = false;
  #isProbing = false;
  /** Steps that wait for an answer now. */
  #waiting = 0;
  /** Counted since the beginning: whoever finds the same number again has heard nothing between. */
  #answers = 0;
  #answersBefore = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** Nothing is to be sent: the server hangs. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  refuse(): HungError {
    return new HungError(this.#options.timeoutMs);
  }

  /** A step with the time of a call. Where it is too late, and nothing was heard the whole time on any connection, the server hangs. */
  async watch<T>(step: () => Promise<T>): Promise<T> {
    if (this.#isOpen) throw this.refuse();
    const answersBefore = this.#answers;
    this.#waiting++;
    this.#listen();
    try {
      return await step();
    } catch (error) {
      if (error instanceof LateError && this.#answers === answersBefore) this.#open();
      throw error;
    } finally {
      this.#waiting--;
    }
  }

  /** The server answered something to somebody. */
  heard(): void {
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
    this.#listen();
  }

  #listen(): void {
    if (this.#timer !== undefined || this.#isEnded) return;
    this.#answersBefore = this.#answers;
    const { timeoutMs } = this.#options;
    this.#timer = setInterval(() => this.#look(), Math.min(MOST_BETWEEN_PROBES_MS, timeoutMs / PROBES_IN_TIME)).unref();
  }

  #look(): void {
    const isSilent = this.#answers === this.#answersBefore;
    this.#answersBefore = this.#answers;
    if (this.#waiting > 0 || this.#isOpen) {
      if (isSilent) void this.#probe();
      return;
    }
    // An idle process has no need to be woken for it.
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
