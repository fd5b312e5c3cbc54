/** The rule of the breaker that all accounts share: consecutive failures open it only when more than one account has them. */
import type { IBreaker } from 'cockatiel';

/** One account counts for at most half of the failures: its own requests cannot open the breaker for the others. */
export class ConsecutiveFailures implements IBreaker {
  state: unknown;
  readonly #most: number;
  readonly #byAccount = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  note(account: string): void {
    const counted = this.#byAccount.get(account) ?? 0;
    this.#byAccount.set(account, Math.min(counted + 1, Math.ceil(this.#most / 2)));
  }

  success(): void {
    this.#byAccount.clear();
  }

  failure(): boolean {
    let count = 0;
    for (const counted of this.#byAccount.values()) count += counted;
    return this.#byAccount.size > 1 && count >= this.#most;
  }
}
