/** Builds the upstream request of one attempt, and reads the simulator scenario from the caller's headers. */

import { EventEmitter } from 'node:events';
import type { Model } from '../config/config.ts';
import type { UpstreamRequest } from '../providers/upstream.ts';
import type { RequestContext } from './context.ts';
import type { Drain } from './drain.ts';
import type { Transcoder } from './transcoder.ts';

interface UpstreamRequestParams {
  readonly model: Pick<Model, 'upstreamModel'>;
  readonly transcoder: Transcoder;
  /** Requests of one session use the same candidate, and the same one of its keys. Null without a session. */
  readonly session: string | null;
  /** Whether the caller asked for a stream. */
  readonly isStream: boolean;
  /** Reads the response to its end after a disconnect. Null if a disconnect aborts the upstream immediately, or never. */
  readonly drain: Drain | null;
  readonly traceparent: string | undefined;
}

/** Returns the simulator scenario from the caller's header. Several headers are joined by commas. */
export function getScenario(call: Pick<RequestContext, 'header'>): string | undefined {
  const header = call.header('x-modelgate-scenario');
  return Array.isArray(header) ? header.join(', ') : header;
}

const never = new AbortController().signal;

/**
 * Computes what only some upstreams need when they read it. A class, because an object literal would create its getters for every request, the largest
 * cost here.
 */
export class PreparedUpstreamRequest implements UpstreamRequest {
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

  constructor(call: RequestContext, { model, transcoder, session, isStream, drain, traceparent }: UpstreamRequestParams) {
    this.operation = transcoder.operation;
    this.model = model.upstreamModel;
    this.path = transcoder.path;
    this.body = transcoder.body;
    this.stream = isStream;
    this.account = call.principal?.accountId;
    this.requestId = call.id;
    this.traceparent = traceparent;
    // A disconnect aborts no idempotent request, because its retry gets the completed response.
    this.gone = call.isKept ? new EventEmitter() : (drain?.gone ?? call.gone);
    this.left = drain ? call.gone : undefined;
    this.session = session;
    this.#call = call;
  }

  get scenario(): string | undefined {
    return getScenario(this.#call);
  }

  get signal(): AbortSignal {
    return this.#call.isKept ? never : this.#call.signal;
  }
}
