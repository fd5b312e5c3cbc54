/** Answers that are still read after the caller's disconnect: each until it is settled, none beyond the gateway's shutdown (promises G6 and G9). */
import { setImmediate as nextTurn } from 'node:timers/promises';

interface DrainingAnswer {
  /** Stops reading it. */
  cut(): void;
  readonly settled: Promise<void>;
}

export class DrainingAnswers {
  readonly #all = new Set<DrainingAnswer>();
  #isOver = false;

  get size(): number {
    return this.#all.size;
  }

  add(answer: DrainingAnswer): void {
    this.#all.add(answer);
    void answer.settled.then(() => this.#all.delete(answer));
    // After `cut`, shutdown no longer waits for answers.
    if (this.#isOver) answer.cut();
  }

  /** Resolves when no such answer is left. */
  async settled(): Promise<void> {
    // A connection's close event comes at the end of a turn of the event loop, after the server's own close; so an answer may still be added.
    await nextTurn();
    await nextTurn();
    while (this.#all.size > 0) await Promise.all([...this.#all].map(({ settled }) => settled));
  }

  /** Cuts all answers, and each that is added from now on. */
  cut(): void {
    this.#isOver = true;
    for (const answer of this.#all) answer.cut();
  }
}
