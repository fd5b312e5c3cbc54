/** Reads an answer on after the caller's disconnect, within bounds: the vendor bills all of it, so the charge must match (promise G6). */
import { EventEmitter } from 'node:events';
import type { AnswerBody } from './upstream.ts';

export interface DrainBounds {
  /** Milliseconds that an answer is read after the disconnect. */
  readonly drainMs: number;
  /** Bytes of an answer that are read after the disconnect. */
  readonly drainBytes: number;
}

export class Drain {
  /** Emits `abort` when the upstream's request is to be cancelled. */
  readonly gone = new EventEmitter();
  readonly #bounds: DrainBounds;
  #body: AnswerBody | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isOver = false;

  /** `left` emits `abort` on the caller's disconnect. */
  constructor(left: EventEmitter, bounds: DrainBounds) {
    this.#bounds = bounds;
    left.once('abort', () => this.#begin());
  }

  /** The answer has begun. */
  watch(body: AnswerBody): void {
    this.#body = body;
    body.once('close', () => this.#clear());
    // A listener for `data` starts the flow: the answer's reader must listen first.
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

  /** Cancels the upstream's request. */
  stop(): void {
    this.#clear();
    this.gone.emit('abort');
  }

  /** No answer came: there is nothing to drain. */
  end(): void {
    this.#isOver = true;
    this.#clear();
  }

  #clear(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }
}
