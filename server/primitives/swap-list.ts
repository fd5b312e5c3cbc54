/** Things that come and go by the thousand, each to be found again when it goes. */

export interface Member<T> {
  readonly value: T;
  /** Its place among the others; that of one that has gone is nobody's. */
  at: number;
}

/**
 * What a Set is elsewhere. A Set moves to a new table now and then, and the table that it leaves goes on pointing at all that stood there, and at the
 * next table: once one of those tables is old, the collector of young garbage takes every call that ever stood in one of them for alive, and copies
 * it. Without that a governed call costs a fifth less.
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

  /** Once it has gone nothing more happens. */
  remove(member: Member<T>): void {
    if (this.#members[member.at] !== member) return;
    const last = this.#members.pop();
    if (!last || last === member) return;
    this.#members[member.at] = last;
    last.at = member.at;
  }

  /** Those that are in it now, whatever comes or goes meanwhile. */
  *[Symbol.iterator](): Generator<T> {
    for (const { value } of [...this.#members]) yield value;
  }
}
