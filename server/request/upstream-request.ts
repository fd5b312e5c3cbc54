/** A call as its upstream is handed it: what only some upstreams ask for is made when it is asked for. */
import { EventEmitter } from 'node:events';
import type { Model } from '../config/catalog.ts';
import type { Gateway } from '../gateway.ts';
import type { Drain } from '../upstreams/client-gone-drain.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import { sessionOf } from './candidates.ts';
import type { RequestContext } from './context.ts';
import type { ParsedRequest, Transcoder } from './transcoder.ts';

export interface ToSend {
  readonly ask: ParsedRequest;
  readonly model: Pick<Model, 'upstreamModel'>;
  readonly passage: Transcoder;
  /** Whether the caller asked for a stream. */
  readonly isStream: boolean;
  /** Null where the upstream hears at once that the caller has left. */
  readonly drain: Drain | null;
  readonly traceparent: string | undefined;
}

/** Of the header; Node joins several of them by commas. */
export function scenarioOf(call: Pick<RequestContext, 'header'>): string | undefined {
  const said = call.header('x-modelgate-scenario');
  return Array.isArray(said) ? said.join(', ') : said;
}

const never = new AbortController().signal;

/** A class, because getters of an object that is written out are made anew for each one, which costs more than all the rest of it. */
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
  readonly #gateway: Gateway;
  readonly #call: RequestContext;
  readonly #ask: ParsedRequest;

  constructor(gateway: Gateway, call: RequestContext, { ask, model, passage, isStream, drain, traceparent }: ToSend) {
    this.operation = passage.operation;
    this.model = model.upstreamModel;
    this.path = passage.path;
    this.body = passage.body;
    this.stream = isStream;
    this.account = call.principal?.accountId;
    this.requestId = call.id;
    this.traceparent = traceparent;
    // An answer that is kept for another try is finished without its caller.
    this.gone = call.once ? new EventEmitter() : (drain?.gone ?? call.gone);
    this.left = drain ? call.gone : undefined;
    this.#gateway = gateway;
    this.#call = call;
    this.#ask = ask;
  }

  get session(): string | null {
    return sessionOf(this.#gateway, this.#call, this.#ask);
  }

  get scenario(): string | undefined {
    return scenarioOf(this.#call);
  }

  get signal(): AbortSignal {
    return this.#call.once ? never : this.#call.signal;
  }
}
