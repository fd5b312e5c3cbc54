/** The response to one turn. Its events are kept while it runs, so that another connection can read them from the first one. */

import type { IncomingMessage } from 'node:http';

/** Maximum bytes of events that wait for a slow client. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** A turn with more bytes of events than this can't be read again. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;

export class TurnStream {
  /** Resolves when the status is known. */
  readonly response: Promise<IncomingMessage>;
  readonly #abort: AbortController;
  readonly #blocks: Buffer[] = [];
  #keptBytes = 0;
  /** Number of blocks that were dropped, because there were too many to keep. */
  #dropped = 0;
  #unreadBytes = 0;
  #isReading = false;
  #isEnded = false;
  #failure: unknown = null;
  /** Number of readers so far. Only the last one continues. */
  #readers = 0;
  #changed = Promise.withResolvers<void>();
  #wasRead = Promise.withResolvers<void>();

  /** `abort` ends the request. */
  constructor(response: Promise<IncomingMessage>, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    // The relay of the turn handles the failure.
    response.catch(() => undefined);
  }

  /** Whether another connection can read all events. */
  get isWhole(): boolean {
    return this.#dropped === 0 && this.#failure === null;
  }

  /** Yields all events of a response with status 200. An earlier reader gets no more of them. */
  async *read(): AsyncGenerator<Buffer> {
    const reader = ++this.#readers;
    this.#unreadBytes = this.#keptBytes;
    this.#startReading();
    for (let next = 0; reader === this.#readers; ) {
      const { promise } = this.#changed;
      const block = this.#blocks[next - this.#dropped];
      if (block) {
        next++;
        yield block;
        if (reader !== this.#readers) return;
        this.#unreadBytes -= block.length;
        this.#dropBefore(next);
        this.#wasRead.resolve();
      } else if (this.#failure !== null) throw this.#failure;
      else if (this.#isEnded) return;
      else await promise;
    }
  }

  /** Stops reading for a disconnected client. The response continues until too many events are unread. */
  abandon(): void {
    this.#readers++;
    this.#startReading();
    this.#notify();
    this.#wasRead.resolve();
  }

  abort(): void {
    this.#abort.abort();
  }

  #startReading(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    void this.#readAll().then(
      () => this.#end(null),
      (error: unknown) => this.#end(error),
    );
  }

  async #readAll(): Promise<void> {
    const response = await this.response;
    // The relay of the turn reads the error.
    if (response.statusCode !== 200) return;
    for await (const block of response as AsyncIterable<Buffer>) {
      this.#blocks.push(block);
      this.#keptBytes += block.length;
      this.#unreadBytes += block.length;
      this.#notify();
      const readers = this.#readers;
      while (this.#unreadBytes > MAX_UNREAD_BYTES && readers === this.#readers) {
        this.#wasRead = Promise.withResolvers<void>();
        await this.#wasRead.promise;
      }
    }
  }

  #end(error: unknown): void {
    this.#isEnded = true;
    this.#failure = error;
    this.#notify();
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  /** Frees blocks that were read, if there are too many to keep. */
  #dropBefore(next: number): void {
    while (this.#keptBytes > MAX_KEPT_BYTES && this.#dropped < next) {
      const block = this.#blocks.shift();
      if (!block) return;
      this.#keptBytes -= block.length;
      this.#dropped++;
    }
  }
}
