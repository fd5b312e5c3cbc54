/** When a closed circuit breaker opens: after consecutive failures, of one account or of several. */

export interface FailureRule {
  /** Counts a failure; whether the breaker opens by it. */
  failed(account: string): boolean;
  succeeded(): void;
}

/** The rule of a breaker that one account has for itself. */
export class Consecutive implements FailureRule {
  readonly #most: number;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  failed(): boolean {
    this.#count++;
    return this.#count >= this.#most;
  }

  succeeded(): void {
    this.#count = 0;
  }
}

/**
 * The rule of the breaker that all accounts share: only failures of more than one account open it. One account counts for at most half of the
 * failures: its own requests cannot open the breaker for the others.
 */
export class ConsecutiveOfSeveral implements FailureRule {
  readonly #most: number;
  readonly #byAccount = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  failed(account: string): boolean {
    const counted = this.#byAccount.get(account) ?? 0;
    this.#byAccount.set(account, Math.min(counted + 1, Math.ceil(this.#most / 2)));
    let count = 0;
    for (const each of this.#byAccount.values()) count += each;
    return this.#byAccount.size > 1 && count >= this.#most;
  }

  succeeded(): void {
    if (this.#byAccount.size > 0) this.#byAccount.clear();
  }
}
