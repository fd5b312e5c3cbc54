/** The body of an upstream's answer, forwarded from undici's handler as events: undici's `request` would add a second stream and copies of its state. */
import { EventEmitter } from 'node:events';
import { type Dispatcher, errors } from 'undici';
import type { AnswerBody } from './upstream.ts';

/** Bytes that are buffered here before the connection is paused. */
const MOST_WAITING = 64 * 1024;

/** How the body ended; emitted after all data. */
type End = { readonly kind: 'whole' } | { readonly kind: 'broken'; readonly cause: Error };

/**
 * Emits nothing before there is a listener for `data`. `end`, `error` and `close` come in a later tick, after the call that caused
 * them has returned.
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

  /** A listener for `data` starts the flow, in the next tick. */
  override on(name: string, listener: (...told: never[]) => void): this {
    // An emitter calls each listener with the arguments of its event; `AnswerBody` types them.
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

  /** Discards the rest. The connection is cut unless the whole body has arrived. */
  destroy(error?: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waiting = [];
    this.#controller.abort(error ?? new errors.RequestAbortedError());
    process.nextTick(() => this.#tellEnd(error === undefined ? null : { kind: 'broken', cause: error }));
  }

  /** Whether no more data comes from the upstream; some may still wait here for its reader. */
  get hasArrived(): boolean {
    return this.#isOver || this.#end !== null;
  }

  /** Takes a chunk from undici. */
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

  /** Takes the end from undici: no more data comes. */
  finish(end: End): void {
    if (this.#isOver) return;
    this.#end = end;
    // Data that waits before a cut is dropped.
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

  /** Null: `destroy` was called without an error. */
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
