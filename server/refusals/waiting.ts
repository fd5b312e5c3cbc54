/** The buffer of refusals: bounded, and shared fairly between accounts. */
import type { Refusal } from './store.ts';

/** All together, some 400 bytes each. */
const MOST_WAITING = 1_000;
/** The most of one account, or of all unknown callers together. */
const MOST_OF_ONE = 100;
/** Of one of them in each turn, once it has used up a store of as many as may wait: what is left for the others has to last for days. */
const PER_TURN = 2;
/** In one turn: paid calls may have to wait for the commit. */
const MOST_AT_ONCE = 200;

interface Line {
  readonly waiting: Refusal[];
  /** How many may be written still. */
  left: number;
}

export class Waiting {
  /** By account; the account that was served last comes last. */
  readonly #lines = new Map<string, Line>();
  #size = 0;
  #dropped = 0;

  get size(): number {
    return this.#size;
  }

  /** When full, drops the oldest refusal of the account that has the most. */
  add(refusal: Refusal): void {
    const line = this.#lineOf(refusal.accountId ?? '');
    line.waiting.push(refusal);
    this.#size++;
    if (line.waiting.length > MOST_OF_ONE) this.#dropFrom(line);
    else if (this.#size > MOST_WAITING) this.#dropFrom(this.#longest());
  }

  find(requestId: string): Refusal | undefined {
    for (const { waiting } of this.#lines.values()) {
      const found = waiting.find((one) => one.requestId === requestId);
      if (found) return found;
    }
    return undefined;
  }

  /** The next ones to be written. A new turn gives everybody a little more to use; `isLast`: there will be no other, so all may go. */
  take(isLast = false): readonly Refusal[] {
    const taken: Refusal[] = [];
    for (const [name, line] of [...this.#lines]) {
      line.left = Math.min(MOST_OF_ONE, line.left + PER_TURN);
      const share = isLast ? line.waiting.length : line.left;
      const some = line.waiting.splice(0, Math.min(share, MOST_AT_ONCE - taken.length));
      taken.push(...some);
      line.left = Math.max(0, line.left - some.length);
      if (some.length > 0) this.#lines.delete(name);
      if (line.waiting.length > 0 || line.left < MOST_OF_ONE) this.#lines.set(name, line);
      else this.#lines.delete(name);
    }
    this.#size -= taken.length;
    return taken;
  }

  /** How many were dropped since the last call. */
  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }

  #lineOf(name: string): Line {
    const known = this.#lines.get(name);
    if (known) return known;
    const line: Line = { waiting: [], left: MOST_OF_ONE };
    this.#lines.set(name, line);
    return line;
  }

  #longest(): Line {
    const [first, ...rest] = this.#lines.values();
    if (!first) throw new TypeError('nothing waits');
    return rest.reduce((longest, line) => (line.waiting.length > longest.waiting.length ? line : longest), first);
  }

  #dropFrom({ waiting }: Line): void {
    waiting.shift();
    this.#size--;
    this.#dropped++;
  }
}
