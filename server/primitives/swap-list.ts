/** An unordered list with O(1) removal, for entries that come and go by the thousand. */

export interface Member<T> {
  readonly value: T;
  /** Its index in the list; meaningless after removal. */
  at: number;
}

/**
 * Used instead of a Set. A Set moves to a new table now and then; the old table still points to all its entries and to the
 * next table. Once an old table is in the old generation, the collector of the young generation treats all these entries as alive and copies
 * them. Without that, a governed call costs a fifth less (docs/decisions/0021).
 */
export class SwapList<T> implements Iterable<T> {
  readonly #members: Member<T>[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(value: T): Member<T> {
    const member = { value, at: this.#members.length };
    this.#members.push(member);
    return member;
  }

  /** Removing an element twice removes nothing else. */
  remove(member: Member<T>): void {
    if (this.#members[member.at] !== member) return;
    const last = this.#members.pop();
    if (!last || last === member) return;
    this.#members[member.at] = last;
    last.at = member.at;
  }

  /** Iterates over the present elements, whatever is added or removed meanwhile. */
  *[Symbol.iterator](): Generator<T> {
    for (const { value } of [...this.#members]) yield value;
  }
}
