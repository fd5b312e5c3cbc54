/** One request to an upstream and its response, as a handler of undici's `dispatch`: undici's `request` takes a large part of the time of a small call. */

import { EventEmitter } from 'node:events';
import { type Dispatcher, errors } from 'undici';
import { type CallCode, type CallName, CLOSED_EARLY, type ErrorOf, GatewayError } from '../errors.ts';
import type { AnswerBody, UpstreamAnswer, UpstreamRequest } from './upstream.ts';

interface Exchange {
  /** Emits `abort` when the request is to be cancelled. */
  readonly gone: UpstreamRequest['gone'];
  /** Emits `abort` on a disconnect; it cancels the request while that isn't sent yet. */
  readonly left: UpstreamRequest['left'];
  /** Milliseconds for the request and its complete response. */
  readonly totalMs: number;
  readonly resolve: (answer: UpstreamAnswer) => void;
  readonly reject: (cause: unknown) => void;
  /** Called once, when the connection is free for another request, or closed. */
  readonly over: () => void;
}

const TIMER_STEPS = 256;

export class HttpExchange implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange;
  readonly #startedAt = performance.now();
  #controller: Dispatcher.DispatchController | null = null;
  #body: HttpBody | null = null;
  #isGone = false;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    exchange.gone.once('abort', () => this.#leave());
    exchange.left?.once('abort', () => {
      if (!this.#controller) this.#leave();
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isGone) controller.abort(new errors.RequestAbortedError());
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: UpstreamAnswer['headers']): void {
    // 1xx responses aren't the response.
    if (status < 200) return;
    const body = new HttpBody(controller);
    this.#body = body;
    this.#exchange.resolve({ status, headers, body });
    // A small answer is here as a whole by the next tick: a timer for each would be a part of its cost.
    process.nextTick(() => this.#limit(body));
  }

  #limit(body: HttpBody): void {
    if (body.hasArrived) return;
    const timer = setTimeout(() => body.destroy(new GatewayError<CallCode>('upstream_timeout')), this.#leftMs());
    body.once('close', () => clearTimeout(timer));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body?.take(chunk);
  }

  onResponseEnd(): void {
    this.#exchange.over();
    this.#body?.finish({ kind: 'whole' });
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
    this.#exchange.over();
    if (this.#body) this.#body.finish({ kind: 'broken', cause });
    else this.#exchange.reject(cause);
  }

  /** Rounded up to steps, since Node keeps one list of timers for each duration: the timer is late by less than half a percent of `totalMs`. */
  #leftMs(): number {
    const { totalMs } = this.#exchange;
    const stepMs = totalMs / TIMER_STEPS;
    const spentMs = Math.floor((performance.now() - this.#startedAt) / stepMs) * stepMs;
    return Math.max(totalMs - spentMs, 0);
  }

  #leave(): void {
    this.#isGone = true;
    if (this.#body) this.#body.destroy(new errors.RequestAbortedError());
    else if (this.#controller) this.#controller.abort(new errors.RequestAbortedError());
    // Still waiting for a connection: nothing was sent.
    else
      this.#exchange.reject(
        new GatewayError<CallCode>('overloaded', { cause: new Error('the client disconnected before the request was sent') }),
      );
  }
}

/** Bytes that are buffered here before the connection is paused. */
const MAX_WAITING = 64 * 1024;

/** How the body ended; emitted after all data. */
type End = { readonly kind: 'whole' } | { readonly kind: 'broken'; readonly cause: Error };

/**
 * Emits nothing before there is a listener for `data`. `end`, `error` and `close` come in a later tick, after the call that caused
 * them has returned.
 */
class HttpBody extends EventEmitter implements AnswerBody {
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
    if (this.#size >= MAX_WAITING) this.#controller.pause();
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

/** Uses events: an async iterator costs several times as much, and this runs for every complete response. */
function collectChunks(body: AnswerBody, isEnough: (size: number) => boolean): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    body.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (!isEnough(size)) return;
      body.destroy();
      resolve(chunks);
    });
    body.on('end', () => resolve(chunks));
    body.on('error', reject);
    body.on('close', () => {
      if (!body.readableEnded) reject(interrupted());
    });
  });
}

/** The error for a body that was cut before its end. */
export const interrupted = (): ErrorOf<CallName, 502> => new GatewayError('upstream_error', { message: CLOSED_EARLY });

const join = (chunks: readonly Buffer[]): Buffer => (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));

export function collect(body: AnswerBody, maxBytes: number): Promise<Buffer> {
  return collectChunks(body, (size) => size > maxBytes).then((chunks) => {
    const bytes = join(chunks);
    if (bytes.length > maxBytes) throw new GatewayError<CallCode>('upstream_error', { message: "The upstream's response is too large." });
    return bytes;
  });
}

/** The first bytes of a body as text, to read an error from; empty if the body is cut, since the status is known. */
export async function collectStart(body: AnswerBody, maxBytes: number): Promise<string> {
  const chunks = await collectChunks(body, (size) => size >= maxBytes).catch(() => []);
  return join(chunks).toString('utf8', 0, maxBytes);
}
