/** An answer whose caller has left, but which its vendor bills to the end all the same: it is heard out, within bounds, so that what is charged is what is billed (promise G6). */
import { EventEmitter } from 'node:events';
import type { AnswerBody } from './upstream.ts';

export interface DrainBounds {
  /** How long an upstream is heard out. */
  readonly drainMs: number;
  /** How much of an answer is heard out. */
  readonly drainBytes: number;
}

export class Drain {
  /** Says `abort` in place of the caller, when no more is to be heard. */
  readonly gone = new EventEmitter();
  readonly #bounds: DrainBounds;
  #body: AnswerBody | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isOver = false;

  /** `left` says `abort` when the caller leaves. */
  constructor(left: EventEmitter, bounds: DrainBounds) {
    this.#bounds = bounds;
    left.once('abort', () => this.#begin());
  }

  /** The answer has begun. */
  watch(body: AnswerBody): void {
    this.#body = body;
    body.once('close', () => this.#clear());
    // Listening starts the flow: whoever reads it must be there already.
    if (this.#timer) setImmediate(() => this.#count(body));
  }

  #begin(): void {
    if (this.#isOver || this.#body?.closed) return;
    this.#timer = setTimeout(() => this.stop(), this.#bounds.drainMs).unref();
    if (this.#body) this.#count(this.#body);
  }

  #count(body: AnswerBody): void {
    let heard = 0;
    body.on('data', ({ length }) => {
      heard += length;
      if (heard > this.#bounds.drainBytes) this.stop();
    });
  }

  /** No more is to be heard. */
  stop(): void {
    this.#clear();
    this.gone.emit('abort');
  }

  /** No answer came: there is nothing to hear. */
  end(): void {
    this.#isOver = true;
    this.#clear();
  }

  #clear(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }
}
