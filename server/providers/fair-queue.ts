/** A queue that serves accounts in turn. */

interface QueueEntry<T> {
  readonly account: string;
  readonly one: T;
}

export class FairQueue<T> {
  /** Least recently served account first. */
  readonly #itemsByAccount = new Map<string, Set<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  getSize(account: string): number {
    return this.#itemsByAccount.get(account)?.size ?? 0;
  }

  add({ account, one }: QueueEntry<T>): void {
    const accountItems = this.#itemsByAccount.get(account) ?? new Set();
    this.#itemsByAccount.set(account, accountItems.add(one));
    this.#size += 1;
  }

  /** Removes an entry that stopped waiting. */
  remove({ account, one }: QueueEntry<T>): void {
    const accountItems = this.#itemsByAccount.get(account);
    if (!accountItems?.delete(one)) return;
    this.#size -= 1;
    if (accountItems.size === 0) this.#itemsByAccount.delete(account);
  }

  /** Returns the first entry of the first account that `fits`. */
  findFirst(isAllowed: (account: string) => boolean = () => true): QueueEntry<T> | null {
    for (const [account, accountItems] of this.#itemsByAccount) {
      const [item] = accountItems;
      if (item !== undefined && isAllowed(account)) return { account, one: item };
    }
    return null;
  }

  /** Removes the entry and moves its account after all others. */
  dequeue(entry: QueueEntry<T>): void {
    this.remove(entry);
    const accountItems = this.#itemsByAccount.get(entry.account);
    if (!accountItems) return;
    this.#itemsByAccount.delete(entry.account);
    this.#itemsByAccount.set(entry.account, accountItems);
  }
}
