/** Reads a response to its end after the client has disconnected, within bounds, to measure its usage. */

import { EventEmitter } from 'node:events';
import type { Candidate } from '../config/model-catalog.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { ResponseBody } from '../providers/upstream.ts';
import type { RequestContext } from './context.ts';
import type { ParsedRequest } from './transcoder.ts';

type UpstreamSettings = Exclude<Gateway['config']['upstreams'][string], { kind: 'simulator' }>;

/** Whether to read a response to its end after a disconnect. Defaults to yes if requests are charged: disconnecting early must not make them cheaper. */
const isDrained = ({ config }: Gateway, { onClientDisconnect }: UpstreamSettings): boolean =>
  (onClientDisconnect ?? (config.billing === 'off' ? 'abort' : 'drain')) === 'drain';

/** Null if a disconnect aborts the upstream immediately, or never (the gateway completes idempotent and background responses). */
export function openDrain(gateway: Gateway, call: RequestContext, model: Candidate, { responseId }: ParsedRequest): Drain | null {
  const { config, draining } = gateway;
  const upstream = config.upstreams[model.upstream];
  if (!upstream || upstream.kind === 'simulator' || !isDrained(gateway, upstream) || call.idempotentRequest || responseId !== undefined)
    return null;
  const drain = new Drain(call.gone, upstream);
  call.gone.once('abort', () => registerDrain(draining, call, drain));
  return drain;
}

/** Registers a draining response until it's settled, so that a gateway that shuts down can end it early. */
function registerDrain(draining: Gateway['draining'], call: RequestContext, drain: Drain): void {
  const settled = call.admission?.settled;
  if (!settled) return;
  // A response that has ended is not read any further.
  call.outcome.isDrained = call.outcome.end === null;
  draining.add({ settled, cut: () => drain.stop() });
}

interface DrainBounds {
  /** Maximum milliseconds to read after the disconnect. */
  readonly drainMs: number;
  /** Maximum bytes to read after the disconnect. */
  readonly drainBytes: number;
}

export class Drain {
  /** Emits `abort` to cancel the upstream request. */
  readonly gone = new EventEmitter();
  readonly #bounds: DrainBounds;
  #body: ResponseBody | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isOver = false;

  /** `left` emits `abort` when the caller disconnects. */
  constructor(left: EventEmitter, bounds: DrainBounds) {
    this.#bounds = bounds;
    left.once('abort', () => this.#begin());
  }

  /** Starts watching the response body once the upstream responds. */
  watch(body: ResponseBody): void {
    this.#body = body;
    body.once('close', () => this.#clear());
    // A `data` listener starts the flow, so the response's reader must listen first.
    if (this.#timer) setImmediate(() => this.#count(body));
  }

  #begin(): void {
    if (this.#isOver || this.#body?.closed) return;
    this.#timer = setTimeout(() => this.stop(), this.#bounds.drainMs).unref();
    if (this.#body) this.#count(this.#body);
  }

  #count(body: ResponseBody): void {
    let receivedAt = 0;
    body.on('data', ({ length }) => {
      receivedAt += length;
      if (receivedAt > this.#bounds.drainBytes) this.stop();
    });
  }

  /** Cancels the upstream request. */
  stop(): void {
    this.#clear();
    this.gone.emit('abort');
  }

  /** No response arrived, so nothing needs draining. */
  end(): void {
    this.#isOver = true;
    this.#clear();
  }

  #clear(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }
}
