/** Tracks responses that are still read after their clients have disconnected. Shutdown waits for them. */
import { setImmediate as nextTurn } from 'node:timers/promises';

interface DrainingResponse {
  /** Stops reading the response. */
  cut(): void;
  readonly settled: Promise<void>;
}

export class DrainingResponses {
  readonly #responses = new Set<DrainingResponse>();
  #isCut = false;

  get size(): number {
    return this.#responses.size;
  }

  add(response: DrainingResponse): void {
    this.#responses.add(response);
    void response.settled.then(() => this.#responses.delete(response));
    // After `cut`, shutdown doesn't wait for responses.
    if (this.#isCut) response.cut();
  }

  /** Resolves when all draining responses have settled. */
  async waitUntilSettled(): Promise<void> {
    // A connection's close event fires at the end of an event-loop turn, after the server's own close. So a response may still be added.
    await nextTurn();
    await nextTurn();
    while (this.#responses.size > 0) await Promise.all([...this.#responses].map(({ settled }) => settled));
  }

  /** Cuts all responses, including those added later. */
  cut(): void {
    this.#isCut = true;
    for (const response of this.#responses) response.cut();
  }
}
