/** One request to an upstream and its answer, as a handler of undici's `dispatch`: undici's `request` takes a large part of the time of a small call. */
import { type Dispatcher, errors } from 'undici';
import { type CallCode, GatewayError } from '../errors.ts';
import { HttpBody } from './http-body.ts';
import type { UpstreamAnswer, UpstreamRequest } from './upstream.ts';

export interface Exchange {
  /** Emits `abort` when the request is to be cancelled. */
  readonly gone: UpstreamRequest['gone'];
  /** Emits `abort` on a disconnect; it cancels the request while that is not sent yet. */
  readonly left: UpstreamRequest['left'];
  /** Milliseconds for the request and its whole answer. */
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
    // 1xx responses are not the answer.
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
        new GatewayError<CallCode>('overloaded', { cause: new Error('the caller disconnected before the request was sent') }),
      );
  }
}
