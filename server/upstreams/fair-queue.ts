/** A queue in which accounts take turns: an account with many entries does not delay one with a single entry. */

interface QueueEntry<T> {
  readonly account: string;
  readonly one: T;
}

export class FairQueue<T> {
  /** Accounts whose last turn was longest ago come first. */
  readonly #byAccount = new Map<string, Set<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(account: string): number {
    return this.#byAccount.get(account)?.size ?? 0;
  }

  add({ account, one }: QueueEntry<T>): void {
    const own = this.#byAccount.get(account) ?? new Set();
    this.#byAccount.set(account, own.add(one));
    this.#size += 1;
  }

  /** Removes an entry that no longer waits. */
  remove({ account, one }: QueueEntry<T>): void {
    const own = this.#byAccount.get(account);
    if (!own?.delete(one)) return;
    this.#size -= 1;
    if (own.size === 0) this.#byAccount.delete(account);
  }

  /** The first entry of the first account that `fits`. */
  first(fits: (account: string) => boolean = () => true): QueueEntry<T> | null {
    for (const [account, own] of this.#byAccount) {
      const [one] = own;
      if (one !== undefined && fits(account)) return { account, one };
    }
    return null;
  }

  /** Removes the entry and moves its account behind all others. */
  take(inLine: QueueEntry<T>): void {
    this.remove(inLine);
    const own = this.#byAccount.get(inLine.account);
    if (!own) return;
    this.#byAccount.delete(inLine.account);
    this.#byAccount.set(inLine.account, own);
  }
}
