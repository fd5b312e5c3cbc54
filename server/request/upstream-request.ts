/** The request as it is given to an upstream, and whether its answer is read to the end after the caller has disconnected. */
import { EventEmitter } from 'node:events';
import type { Candidate, Model } from '../config/catalog.ts';
import type { Gateway } from '../gateway.ts';
import { Drain } from '../upstreams/client-gone-drain.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import type { RequestContext } from './context.ts';
import type { Transcoder } from './transcoder.ts';

export interface ToSend {
  readonly model: Pick<Model, 'upstreamModel'>;
  readonly transcoder: Transcoder;
  /** Requests of one session use one candidate, and one of its keys. Null when there is none. */
  readonly session: string | null;
  /** Whether the caller asked for a stream. */
  readonly isStream: boolean;
  /** Reads the answer to its end after a disconnect; null when a disconnect aborts the upstream at once, or never. */
  readonly drain: Drain | null;
  readonly traceparent: string | undefined;
}

/** The scenario that the caller asks a simulator for, from the header; several headers are joined by commas. */
export function scenarioOf(call: Pick<RequestContext, 'header'>): string | undefined {
  const said = call.header('x-modelgate-scenario');
  return Array.isArray(said) ? said.join(', ') : said;
}

const never = new AbortController().signal;

/** What only some upstreams need is computed when they read it. A class: the getters of an object literal would be created for every request, which costs more than the rest of it. */
export class Sending implements UpstreamRequest {
  readonly operation: UpstreamRequest['operation'];
  readonly model: string;
  readonly path: string | undefined;
  readonly body: UpstreamRequest['body'];
  readonly stream: boolean;
  readonly account: string | undefined;
  readonly requestId: string;
  readonly traceparent: string | undefined;
  readonly gone: EventEmitter;
  readonly left: EventEmitter | undefined;
  readonly session: string | null;
  readonly #call: RequestContext;

  constructor(call: RequestContext, { model, transcoder, session, isStream, drain, traceparent }: ToSend) {
    this.operation = transcoder.operation;
    this.model = model.upstreamModel;
    this.path = transcoder.path;
    this.body = transcoder.body;
    this.stream = isStream;
    this.account = call.principal?.accountId;
    this.requestId = call.id;
    this.traceparent = traceparent;
    // The answer to an idempotent request is completed for the retry, so a disconnect aborts nothing.
    this.gone = call.once ? new EventEmitter() : (drain?.gone ?? call.gone);
    this.left = drain ? call.gone : undefined;
    this.session = session;
    this.#call = call;
  }

  get scenario(): string | undefined {
    return scenarioOf(this.#call);
  }

  get signal(): AbortSignal {
    return this.#call.once ? never : this.#call.signal;
  }
}

type UpstreamSettings = Exclude<Gateway['config']['upstreams'][string], { kind: 'simulator' }>;

/** Whether an answer is read to its end after a disconnect. By default it is when requests are charged: leaving early must not make them cheaper. */
const isDrained = ({ config }: Gateway, { onClientGone }: UpstreamSettings): boolean =>
  (onClientGone ?? (config.billing === 'off' ? 'abort' : 'drain')) === 'drain';

/** Null when a disconnect aborts the upstream at once, or never (an idempotent answer is completed for the retry). */
export function openDrain(gateway: Gateway, call: RequestContext, model: Candidate): Drain | null {
  const { config, draining } = gateway;
  const upstream = config.upstreams[model.upstream];
  if (!upstream || upstream.kind === 'simulator' || !isDrained(gateway, upstream) || call.once) return null;
  const drain = new Drain(call.gone, upstream);
  call.gone.once('abort', () => register(draining, call, drain));
  return drain;
}

/** Registers an answer that is read to its end, until it is settled: a gateway that stops can then end it early. */
function register(draining: Gateway['draining'], call: RequestContext, drain: Drain): void {
  const settled = call.admission?.settled;
  if (!settled) return;
  call.outcome.drained();
  draining.add({ settled, cut: () => drain.stop() });
}
