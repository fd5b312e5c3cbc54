/**
 * Sends one request to an upstream and receives its response, as a handler of undici's `dispatch`. The `request` method of undici would take a large part of
 * the time of a small call.
 */

import { EventEmitter } from 'node:events';
import { type Dispatcher, errors } from 'undici';
import { type CallCode, GatewayError } from '../primitives/errors.ts';
import { decompressResponse } from './decompress-response.ts';
import type { ResponseBody, UpstreamRequest, UpstreamResponse } from './upstream.ts';

interface Exchange {
  /** Emits `abort` to cancel the request. */
  readonly gone: UpstreamRequest['gone'];
  /** Emits `abort` on a disconnect. Cancels the request only if it hasn't been sent. */
  readonly left: UpstreamRequest['left'];
  /** Time limit for the request and its complete response, in milliseconds. */
  readonly totalMs: number;
  readonly resolve: (answer: UpstreamResponse) => void;
  readonly reject: (cause: unknown) => void;
  /** Called once, when the connection is free for another request or closed. */
  readonly over: () => void;
}

const TIMER_STEPS = 256;

export class HttpExchange implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange;
  readonly #startedAt = performance.now();
  #controller: Dispatcher.DispatchController | null = null;
  #body: HttpBody | null = null;
  #isCancelled = false;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    exchange.gone.once('abort', () => this.#cancel());
    exchange.left?.once('abort', () => {
      if (!this.#controller) this.#cancel();
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isCancelled) controller.abort(new errors.RequestAbortedError());
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: UpstreamResponse['headers']): void {
    // 1xx responses are informational, so wait for the final one.
    if (status < 200) return;
    // undici keeps the header lines as Buffers until the response ends, and with them the memory that they were read into.
    controller.rawHeaders = null;
    const body = new HttpBody(controller);
    this.#body = body;
    this.#exchange.resolve(decompressResponse({ status, headers, body }));
    // A small response is complete by the next tick. A timer for each would be a large part of its cost.
    process.nextTick(() => this.#startTimeout(body));
  }

  #startTimeout(body: HttpBody): void {
    if (body.hasArrived) return;
    const timer = setTimeout(() => body.destroy(new GatewayError<CallCode>('upstream_timeout')), this.#getRemainingMs());
    body.once('close', () => clearTimeout(timer));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body?.push(chunk);
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

  /** Rounded up to steps, because Node keeps one timer list per duration. The timer is late by less than half a percent of `totalMs`. */
  #getRemainingMs(): number {
    const { totalMs } = this.#exchange;
    const stepMs = totalMs / TIMER_STEPS;
    const spentMs = Math.floor((performance.now() - this.#startedAt) / stepMs) * stepMs;
    return Math.max(totalMs - spentMs, 0);
  }

  #cancel(): void {
    this.#isCancelled = true;
    if (this.#body) this.#body.destroy(new errors.RequestAbortedError());
    else if (this.#controller) this.#controller.abort(new errors.RequestAbortedError());
    // Still waiting for a connection, so nothing was sent.
    else
      this.#exchange.reject(
        new GatewayError<CallCode>('overloaded', { cause: new Error('the client disconnected before the request was sent') }),
      );
  }
}

/** Bytes to buffer before pausing the connection. */
const MAX_BUFFERED_BYTES = 64 * 1024;

/** How the body ended. Emitted after all data. */
type BodyEnd = { readonly kind: 'whole' } | { readonly kind: 'broken'; readonly cause: Error };

/** Emits nothing before a `data` listener exists. `end`, `error` and `close` are emitted in a later tick than the call that caused them. */
class HttpBody extends EventEmitter implements ResponseBody {
  readonly #controller: Dispatcher.DispatchController;
  #bufferedChunks: Buffer[] = [];
  #bufferedBytes = 0;
  #hasReader = false;
  #isPaused = false;
  #isFlushing = false;
  #hasEnded = false;
  #end: BodyEnd | null = null;
  closed = false;
  readableEnded = false;

  constructor(controller: Dispatcher.DispatchController) {
    super();
    this.#controller = controller;
  }

  /** A `data` listener starts the flow, in the next tick. */
  override on(name: string, listener: (...args: never[]) => void): this {
    // EventEmitter passes each listener the arguments of its event, which `ResponseBody` types.
    super.on(name, listener as (...args: unknown[]) => void);
    if (name === 'data') {
      this.#hasReader = true;
      this.#scheduleFlush();
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
    this.#scheduleFlush();
  }

  /** Discards the remaining data. Cuts the connection unless the complete body has arrived. */
  destroy(error?: Error): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#bufferedChunks = [];
    this.#controller.abort(error ?? new errors.RequestAbortedError());
    process.nextTick(() => this.#emitEnd(error === undefined ? null : { kind: 'broken', cause: error }));
  }

  /** Whether the upstream sends no more data. Some data may still be buffered here. */
  get hasArrived(): boolean {
    return this.#hasEnded || this.#end !== null;
  }

  push(chunk: Buffer): void {
    if (this.#hasEnded) return;
    if (this.#hasReader && !this.#isPaused && !this.#isFlushing) {
      this.emit('data', chunk);
      return;
    }
    this.#bufferedChunks.push(chunk);
    this.#bufferedBytes += chunk.length;
    if (this.#bufferedBytes >= MAX_BUFFERED_BYTES) this.#controller.pause();
  }

  /** Ends the body: no more data arrives. */
  finish(end: BodyEnd): void {
    if (this.#hasEnded) return;
    this.#end = end;
    // Data buffered before the connection broke is dropped.
    if (end.kind === 'broken') this.#bufferedChunks = [];
    if (this.#hasReader) this.#scheduleFlush();
  }

  #scheduleFlush(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    process.nextTick(() => this.#flush());
  }

  #flush(): void {
    for (let chunk = this.#shiftChunk(); chunk !== undefined; chunk = this.#shiftChunk()) this.emit('data', chunk);
    this.#isFlushing = false;
    if (this.#hasEnded || this.#bufferedChunks.length > 0) return;
    if (this.#end) {
      this.#hasEnded = true;
      this.#emitEnd(this.#end);
    } else if (!this.#isPaused) this.#controller.resume();
  }

  #shiftChunk(): Buffer | undefined {
    if (this.#isPaused || this.#hasEnded) return undefined;
    const chunk = this.#bufferedChunks.shift();
    this.#bufferedBytes -= chunk?.length ?? 0;
    return chunk;
  }

  /** `end` is null if `destroy` was called without an error. */
  #emitEnd(end: BodyEnd | null): void {
    if (end?.kind === 'whole') {
      this.readableEnded = true;
      this.emit('end');
    }
    if (end?.kind === 'broken' && this.listenerCount('error') > 0) this.emit('error', end.cause);
    this.closed = true;
    this.emit('close');
  }
}

/** Rejects with `overloaded` if `cancelEvents` emits `abort` first. The work continues for other callers. */
export function raceDisconnect<T>(operation: Promise<T>, cancelEvents: EventEmitter): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const rejectDisconnected = (): void =>
    reject(new GatewayError<CallCode>('overloaded', { cause: new Error('the client disconnected before the request was sent') }));
  cancelEvents.once('abort', rejectDisconnected);
  operation.then(resolve, reject);
  return promise.finally(() => cancelEvents.off('abort', rejectDisconnected));
}
