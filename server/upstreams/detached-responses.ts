/** Answers that are heard out for callers who have left: each until it is settled, and none beyond the end of the gateway (promises G6 and G9). */
import { setImmediate as nextTurn } from 'node:timers/promises';

interface HeardOut {
  /** No more of it is heard. */
  cut(): void;
  readonly settled: Promise<void>;
}

export class HeardOutAnswers {
  readonly #all = new Set<HeardOut>();
  #isOver = false;

  get size(): number {
    return this.#all.size;
  }

  add(answer: HeardOut): void {
    this.#all.add(answer);
    void answer.settled.then(() => this.#all.delete(answer));
    // Whoever is seen leaving that late has nobody to wait for.
    if (this.#isOver) answer.cut();
  }

  /** Resolves when none is heard any more. */
  async settled(): Promise<void> {
    // That a connection is closed is told at the end of a turn of the event loop, after the server has been told that it was the last one.
    await nextTurn();
    await nextTurn();
    while (this.#all.size > 0) await Promise.all([...this.#all].map(({ settled }) => settled));
  }

  /** Now, and whatever comes from now on. */
  cut(): void {
    this.#isOver = true;
    for (const answer of this.#all) answer.cut();
  }
}
