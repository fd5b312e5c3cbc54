/** A list that removes elements in constant time, and costs the garbage collector less than a Set. */

export interface Member<T> {
  readonly value: T;
  /** Its index in the list. Meaningless after removal. */
  at: number;
}
/**
 * Used instead of a Set. A Set sometimes moves to a new table, and the old table still points to all its entries and to the next table.
 * Once an old table is in the old generation, the young-generation collector treats all these entries as alive and copies them.
 * Without a Set, a governed call costs a fifth less (docs/decisions/0017).
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

  /** Iterates over a snapshot of the elements, regardless of additions and removals. */
  *[Symbol.iterator](): Generator<T> {
    for (const { value } of [...this.#members]) yield value;
  }
}
