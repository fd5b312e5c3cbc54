/** The body of an upstream's answer as undici delivers it, handed on by events: without the second stream, and the copies of state, of `request`. */
import { EventEmitter } from 'node:events';
import { type Dispatcher, errors } from 'undici';
import type { AnswerBody } from './upstream.ts';

/** What may wait here for a reader before the upstream is asked to. */
const MOST_WAITING = 64 * 1024;

/** How the body ended; told when a reader has taken all that came before it. */
type End = { readonly kind: 'whole' } | { readonly kind: 'broken'; readonly cause: Error };

/**
 * Nothing is told before somebody listens for data. `end`, `error` and `close` come in a turn of their own, so that whoever brought
 * them about has returned.
 */
export class HttpBody extends EventEmitter implements AnswerBody {
  readonly #controller: Dispatcher.DispatchController;
  #waiting: Buffer[] = [];
  #size = 0;
  #hasReader = false;
  #isPaused = false;
  #isFlushing = false;
  #isOver = false;
  #end: End | null = null;
  closed = false;
  readableEnded = false;

  constructor(controller: Dispatcher.DispatchController) {
    super();
    this.#controller = controller;
  }

  /** Listening for data starts the flow, in the next turn. */
  override on(name: string, listener: (...told: never[]) => void): this {
    // An emitter hands each listener what its event tells; which that is, `AnswerBody` says.
    super.on(name, listener as (...told: unknown[]) => void);
    if (name === 'data') {
      this.#hasReader = true;
      this.#planFlush();
    }
    return this;
  }

  pause(): void {
    this.#isPaused = true;
    this.#controller.pause();
  }

  resume(): void {
    if (!this.#isPaused && this.#hasReader) return;
    this.#hasReader = true;
    this.#isPaused = false;
    this.#planFlush();
  }

  /** Gives the rest up; the connection is cut unless all of it has come. */
  destroy(error?: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waiting = [];
    this.#controller.abort(error ?? new errors.RequestAbortedError());
    process.nextTick(() => this.#tellEnd(error === undefined ? null : { kind: 'broken', cause: error }));
  }

  /** Of undici. */
  take(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#hasReader && !this.#isPaused && !this.#isFlushing) {
      this.emit('data', chunk);
      return;
    }
    this.#waiting.push(chunk);
    this.#size += chunk.length;
    if (this.#size >= MOST_WAITING) this.#controller.pause();
  }

  /** Of undici: nothing more will come. */
  finish(end: End): void {
    if (this.#isOver) return;
    this.#end = end;
    // What was cut is not worth reading to its end.
    if (end.kind === 'broken') this.#waiting = [];
    if (this.#hasReader) this.#planFlush();
  }

  #planFlush(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    process.nextTick(() => this.#flush());
  }

  #flush(): void {
    for (let chunk = this.#next(); chunk !== undefined; chunk = this.#next()) this.emit('data', chunk);
    this.#isFlushing = false;
    if (this.#isOver || this.#waiting.length > 0) return;
    if (this.#end) {
      this.#isOver = true;
      this.#tellEnd(this.#end);
    } else if (!this.#isPaused) this.#controller.resume();
  }

  #next(): Buffer | undefined {
    if (this.#isPaused || this.#isOver) return undefined;
    const chunk = this.#waiting.shift();
    this.#size -= chunk?.length ?? 0;
    return chunk;
  }

  /** Null: it was given up without a reason that its reader need hear. */
  #tellEnd(end: End | null): void {
    if (end?.kind === 'whole') {
      this.readableEnded = true;
      this.emit('end');
    }
    if (end?.kind === 'broken' && this.listenerCount('error') > 0) this.emit('error', end.cause);
    this.closed = true;
    this.emit('close');
  }
}
