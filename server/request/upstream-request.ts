/** The request as it is given to an upstream. What only some upstreams need is computed when they read it. */
import { EventEmitter } from 'node:events';
import type { Model } from '../config/catalog.ts';
import type { Drain } from '../upstreams/client-gone-drain.ts';
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

/** A class: the getters of an object literal would be created for every request, which costs more than the rest of it. */
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
