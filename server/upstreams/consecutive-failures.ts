/** When failures in a row open a breaker: of one caller's own after so many, of all callers' only where more than one account sees them. */
import type { IBreaker } from 'cockatiel';

/** One account counts for half of them at most: what its own requests bring about does not close the place for the others. */
export class InARow implements IBreaker {
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
