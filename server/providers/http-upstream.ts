/** An upstream over HTTP: one undici pool for one origin, explicit time limits, no redirects. */

import { type Dispatcher, Pool } from 'undici';
import { errorTable } from '../../contract/errors.ts';
import type { HttpUpstreamConfig } from '../config/config.ts';
import { getKindHeaders } from '../config/key-headers.ts';
import type { GatewayError } from '../primitives/errors.ts';
import { findProviderErrorInfo } from '../primitives/provider-error.ts';
import { parseWaitSeconds } from '../protocols/retry-after.ts';
import { findEnvelope } from './clouds/find-envelope.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { type Credential, type Credentials, getLastFour, type HeaderLines, isKeyStatus } from './credentials.ts';
import { type EncodedRequest, encodeRequest, type HttpDestination } from './encode-request.ts';
import { HttpExchange, raceDisconnect } from './http-exchange.ts';
import { type AuthOpeners, type OpenAuth, openAuth } from './open-auth.ts';
import { toSendError } from './send-error.ts';
import type { Operation, Upstream, UpstreamFailure, UpstreamRequest, UpstreamResponse, UpstreamState } from './upstream.ts';

/** A shorter key is a placeholder, and could be part of any word. */
const MIN_REDACTED_LENGTH = 8;

const isImageOperation = (operation: Operation) => operation === 'generateImages' || operation === 'editImages';

export const openHttpUpstream = (config: HttpUpstreamConfig, openers: AuthOpeners = {}): Upstream => new HttpUpstream(config, openers);

class HttpUpstream implements Upstream {
  readonly name: string;
  readonly #config: HttpUpstreamConfig;
  readonly #pool: Pool;
  readonly #limit: ConcurrencyLimit;
  readonly #destination: HttpDestination;
  readonly #fixedHeaders: HeaderLines;
  readonly #auth: OpenAuth;
  readonly #openedAt = Date.now();
  #lastFailure: UpstreamFailure | null = null;

  constructor(config: HttpUpstreamConfig, openers: AuthOpeners) {
    const { maxConcurrentRequests, accountShare, maxPendingRequests, timeouts } = config;
    const base = new URL(config.baseUrl);
    this.name = config.name;
    this.#config = config;
    this.#auth = openAuth(config, openers);
    this.#pool = new Pool(base.origin, { connections: maxConcurrentRequests, pipelining: 1, connect: { timeout: timeouts.connectMs } });
    this.#limit = new ConcurrencyLimit({ maxConcurrentRequests, accountShare, maxPendingRequests, waitMs: timeouts.connectMs });
    this.#destination = { host: base.host, prefix: base.pathname.replace(/\/+$/, ''), envelope: findEnvelope(config) };
    this.#fixedHeaders = Object.entries({
      ...config.headers,
      ...getKindHeaders(config),
      // Response bytes are read and forwarded as they arrive, so they must not be compressed.
      'accept-encoding': 'identity',
    }).flat();
  }

  send(request: UpstreamRequest): Promise<UpstreamResponse> {
    try {
      const credential = this.#auth.credentials.pick(() => request.session, request.model);
      const attempt = new HttpAttempt(request, credential);
      const slot = this.#limit.acquire(request.left ?? request.gone, request.account);
      return slot ? slot.then(() => this.#start(attempt)) : this.#start(attempt);
    } catch (cause) {
      return Promise.reject(cause);
    }
  }

  #start(attempt: HttpAttempt): Promise<UpstreamResponse> {
    attempt.running += 1;
    try {
      const encodedRequest = encodeRequest(this.#destination, attempt.request);
      const lines = attempt.credential.getLines(encodedRequest);
      return isPending(lines)
        ? this.#dispatchWithCredential(attempt, encodedRequest, lines)
        : this.#dispatch(attempt, encodedRequest, lines);
    } catch (cause) {
      this.#release(attempt);
      return Promise.reject(toSendError(cause));
    }
  }

  /** Waits for the credential, then dispatches the attempt. If fetching the credential fails, nothing was sent. */
  async #dispatchWithCredential(
    attempt: HttpAttempt,
    encodedRequest: EncodedRequest,
    pendingLines: Promise<HeaderLines>,
  ): Promise<UpstreamResponse> {
    const { gone, left } = attempt.request;
    let lines: HeaderLines;
    try {
      lines = await raceDisconnect(pendingLines, left ?? gone);
    } catch (cause) {
      this.#release(attempt);
      throw toSendError(cause);
    }
    return this.#dispatch(attempt, encodedRequest, lines);
  }

  #dispatch(attempt: HttpAttempt, encodedRequest: EncodedRequest, lines: HeaderLines): Promise<UpstreamResponse> {
    const { request, credential } = attempt;
    const timeouts = isImageOperation(request.operation) ? this.#config.imageTimeouts : this.#config.timeouts;
    const { envelope } = this.#destination;
    const totalMs = attempt.getRemainingMs(timeouts.totalMs);
    const options = this.#createOptions({
      request,
      order: encodedRequest,
      lines,
      headersMs: Math.min(timeouts.headersMs, totalMs),
      idleMs: timeouts.idleMs,
    });
    const { gone, left, model } = request;
    return new Promise((resolve, reject) => {
      const handleResponse = (response: UpstreamResponse): void => {
        if (isKeyStatus(response.status)) {
          if (attempt.tryRenew(response, lines)) {
            discard(response);
            resolve(this.#start(attempt));
            return;
          }
          credential.recordStatus(response.status, parseWaitSeconds(toSingle(response.headers['retry-after'])), model);
        }
        resolve(envelope?.unwrapResponse ? envelope.unwrapResponse(response) : response);
      };
      const handleFailure = (cause: unknown): void => reject(toSendError(cause));
      const handleEnd = (): void => this.#release(attempt);
      try {
        this.#pool.dispatch(
          options,
          new HttpExchange({ gone, left, totalMs, resolve: handleResponse, reject: handleFailure, over: handleEnd }),
        );
      } catch (cause) {
        handleEnd();
        handleFailure(cause);
      }
    });
  }

  #createOptions({ request, order, lines, headersMs, idleMs }: DispatchContext): Dispatcher.DispatchOptions {
    const streamType = this.#destination.envelope?.accept ?? 'text/event-stream';
    return {
      method: 'POST',
      path: order.path,
      headers: [
        ...this.#fixedHeaders,
        ...lines,
        ...order.headers,
        'accept',
        request.stream ? streamType : 'application/json',
        'x-request-id',
        request.requestId,
        ...(request.traceparent === undefined ? [] : ['traceparent', request.traceparent]),
      ],
      body: order.sent,
      headersTimeout: headersMs,
      bodyTimeout: idleMs,
    };
  }

  #release(attempt: HttpAttempt): void {
    attempt.running -= 1;
    if (attempt.running === 0) this.#limit.release(attempt.request.account);
  }

  hasSpareKey(model: string): boolean {
    return this.#auth.credentials.hasReady(model);
  }

  getState(): UpstreamState {
    const { running, waiting } = this.#limit;
    return {
      keys: describeKeys(this.#auth.keys, this.#auth.credentials),
      running,
      waiting,
      most: this.#config.maxConcurrentRequests,
      openedAt: this.#openedAt,
      lastFailure: this.#lastFailure,
    };
  }

  noteFailure(status: number | null, error: GatewayError): void {
    // Requests that the gateway rejected itself aren't provider failures, and caller mistakes have their own message.
    if (errorTable[error.code].status < 500 && error.code !== 'rate_limit_exceeded') return;
    const providerError = findProviderErrorInfo(error);
    if (status !== null || providerError !== null)
      this.#lastFailure = { at: Date.now(), status, code: providerError?.code ?? null, message: providerError?.message ?? null };
  }

  withoutKeys(text: string): string {
    return this.#auth.keys.reduce((redacted, key) => (key.length < MIN_REDACTED_LENGTH ? redacted : redacted.replaceAll(key, '…')), text);
  }

  reset(): number {
    return this.#auth.credentials.reset();
  }

  async close(): Promise<void> {
    await this.#pool.close();
    await this.#auth.close();
  }
}

interface DispatchContext {
  readonly request: UpstreamRequest;
  readonly order: EncodedRequest;
  readonly lines: HeaderLines;
  readonly headersMs: number;
  readonly idleMs: number;
}

const isPending = (lines: HeaderLines | Promise<HeaderLines>): lines is Promise<HeaderLines> => 'then' in lines;

/** Reads an unused response to its end, so that its connection can be reused. */
function discard({ body }: UpstreamResponse): void {
  body.on('error', () => {});
  body.on('data', () => {});
}

function describeKeys(keys: readonly string[], credentials: Credentials): UpstreamState['keys'] {
  const states = credentials.getStates();
  return keys.flatMap((key, index) => states.slice(index, index + 1).map((state) => ({ ...state, lastFour: getLastFour(key) })));
}

const toSingle = (value: string | string[] | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

class HttpAttempt {
  readonly request: UpstreamRequest;
  readonly credential: Credential;
  /** How many sends of this attempt still use its concurrency slot. */
  running = 0;
  #isRenewed = false;
  readonly #startedAt: number;

  constructor(request: UpstreamRequest, credential: Credential) {
    this.request = request;
    this.credential = credential;
    this.#startedAt = credential.renew ? performance.now() : 0;
  }

  /** Returns the time left after fetching the credential and after a first send. */
  getRemainingMs(totalMs: number): number {
    return this.credential.renew ? Math.max(totalMs - (performance.now() - this.#startedAt), 1) : totalMs;
  }

  /** Whether to send the request once more, with a fresh credential. */
  tryRenew(response: UpstreamResponse, lines: HeaderLines): boolean {
    if (this.#isRenewed || !this.credential.renew?.(response, lines)) return false;
    this.#isRenewed = true;
    return true;
  }
}
