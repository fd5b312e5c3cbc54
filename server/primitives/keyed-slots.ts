/** Slots by key: at most so many pieces of work of one key run at a time. Other keys are not held up. */

interface Held {
  count: number;
  readonly waiting: (() => void)[];
}

export class KeyedSlots {
  readonly #most: number;
  readonly #keys = new Map<string, Held>();

  /** `most`: how many slots each key has. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves when the key has a free slot, in the order of the calls, to the function that frees it again. */
  async take(key: string): Promise<() => void> {
    const held = this.#keys.get(key) ?? { count: 0, waiting: [] };
    this.#keys.set(key, held);
    if (held.count < this.#most) held.count++;
    else await new Promise<void>((resolve) => held.waiting.push(resolve));
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      this.#free(key, held);
    };
  }

  /** A slot that somebody waits for changes hands. */
  #free(key: string, held: Held): void {
    const next = held.waiting.shift();
    if (next) next();
    else if (--held.count === 0) this.#keys.delete(key);
  }
}
