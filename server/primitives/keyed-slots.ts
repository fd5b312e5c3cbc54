/** A number of slots for each key, given out in the order of the calls. */

interface HeldSlots {
  count: number;
  readonly waiting: (() => void)[];
}

export class KeyedSlots {
  readonly #maxPerKey: number;
  readonly #keys = new Map<string, HeldSlots>();

  /** `maxPerKey`: the number of slots per key. */
  constructor(maxPerKey: number) {
    this.#maxPerKey = maxPerKey;
  }

  /** Resolves when the key has a free slot, in call order. Returns the function that releases the slot. */
  async acquire(key: string): Promise<() => void> {
    const slots = this.#keys.get(key) ?? { count: 0, waiting: [] };
    this.#keys.set(key, slots);
    if (slots.count < this.#maxPerKey) slots.count++;
    else await new Promise<void>((resolve) => slots.waiting.push(resolve));
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#release(key, slots);
    };
  }

  /** Passes the slot to the next waiting caller, if any. */
  #release(key: string, slots: HeldSlots): void {
    const resolveNext = slots.waiting.shift();
    if (resolveNext) resolveNext();
    else if (--slots.count === 0) this.#keys.delete(key);
  }
}
