/** An upstream over HTTP: one undici pool for one origin, explicit time limits, no redirects. */
import { type Dispatcher, Pool } from 'undici';
import { errorTable } from '../../contract/errors.ts';
import { kindHeadersOf } from '../config/clouds/key-headers.ts';
import type { HttpUpstreamConfig } from '../config/config.ts';
import { readWait } from '../dialects/vendor-words.ts';
import { type GatewayError, vendorWordsOf } from '../errors.ts';
import { type OpenAuth, openAuth } from './auth/open.ts';
import type { AuthOpeners } from './auth/openers.ts';
import { whilePresent } from './auth/while-present.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { type Credentials, isAboutKey, type Lines } from './credentials.ts';
import { type Destination, type EncodedOrder, encodeOrder } from './encode-order.ts';
import { envelopeOf } from './envelopes/of-upstream.ts';
import { HttpAttempt } from './http-attempt.ts';
import { HttpExchange } from './http-exchange.ts';
import { sendFailure } from './send-failure.ts';
import type { Operation, Upstream, UpstreamAnswer, UpstreamFailure, UpstreamRequest, UpstreamState } from './upstream.ts';

/** A shorter key is a placeholder, and may be part of any word. */
const MIN_HIDDEN_CHARS = 8;

const isImage = (operation: Operation) => operation === 'generateImages' || operation === 'editImages';

export const openHttpUpstream = (config: HttpUpstreamConfig, openers: AuthOpeners = {}): Upstream => new HttpUpstream(config, openers);

class HttpUpstream implements Upstream {
  readonly name: string;
  readonly #config: HttpUpstreamConfig;
  readonly #pool: Pool;
  readonly #limit: ConcurrencyLimit;
  readonly #destination: Destination;
  readonly #fixed: Lines;
  readonly #auth: OpenAuth;
  #lastFailure: UpstreamFailure | null = null;

  constructor(config: HttpUpstreamConfig, openers: AuthOpeners) {
    const { connections, accountShare, queue, timeouts } = config;
    const base = new URL(config.baseUrl);
    this.name = config.name;
    this.#config = config;
    this.#auth = openAuth(config, openers);
    this.#pool = new Pool(base.origin, { connections, pipelining: 1, connect: { timeout: timeouts.connectMs } });
    this.#limit = new ConcurrencyLimit({ connections, accountShare, queue, waitMs: timeouts.connectMs });
    this.#destination = { host: base.host, prefix: base.pathname.replace(/\/+$/, ''), envelope: envelopeOf(config) };
    this.#fixed = Object.entries({
      ...config.headers,
      ...kindHeadersOf(config),
      // The bytes of an answer are read and forwarded as they come, so they must not be compressed.
      'accept-encoding': 'identity',
    }).flat();
  }

  send(request: UpstreamRequest): Promise<UpstreamAnswer> {
    try {
      const credential = this.#auth.credentials.pick(() => request.session, request.model);
      const attempt = new HttpAttempt(request, credential);
      const room = this.#limit.enter(request.left ?? request.gone, request.account);
      return room ? room.then(() => this.#begin(attempt)) : this.#begin(attempt);
    } catch (allRest) {
      return Promise.reject(allRest);
    }
  }

  #begin(attempt: HttpAttempt): Promise<UpstreamAnswer> {
    attempt.running += 1;
    try {
      const order = encodeOrder(this.#destination, attempt.request);
      const lines = attempt.credential.lines(order);
      return isComing(lines) ? this.#fetch(attempt, order, lines) : this.#dispatch(attempt, order, lines);
    } catch (cause) {
      this.#leave(attempt);
      return Promise.reject(sendFailure(cause));
    }
  }

  /** The attempt once its credential is there. When that fails, nothing was sent. */
  async #fetch(attempt: HttpAttempt, order: EncodedOrder, coming: Promise<Lines>): Promise<UpstreamAnswer> {
    const { gone, left } = attempt.request;
    let lines: Lines;
    try {
      lines = await whilePresent(coming, left ?? gone);
    } catch (cause) {
      this.#leave(attempt);
      throw sendFailure(cause);
    }
    return this.#dispatch(attempt, order, lines);
  }

  #dispatch(attempt: HttpAttempt, order: EncodedOrder, lines: Lines): Promise<UpstreamAnswer> {
    const { request, credential } = attempt;
    const waits = isImage(request.operation) ? this.#config.imageTimeouts : this.#config.timeouts;
    const { envelope } = this.#destination;
    const totalMs = attempt.leftOf(waits.totalMs);
    const options = this.#options({ request, order, lines, headersMs: Math.min(waits.headersMs, totalMs), idleMs: waits.idleMs });
    const { gone, left, model } = request;
    return new Promise((resolve, reject) => {
      const answered = (answer: UpstreamAnswer): void => {
        if (isAboutKey(answer.status)) {
          if (attempt.mayRenew(answer, lines)) {
            discard(answer);
            resolve(this.#begin(attempt));
            return;
          }
          credential.note(answer.status, readWait(one(answer.headers['retry-after'])), model);
        }
        resolve(envelope?.answer ? envelope.answer(answer) : answer);
      };
      const failed = (cause: unknown): void => reject(sendFailure(cause));
      const over = (): void => this.#leave(attempt);
      try {
        this.#pool.dispatch(options, new HttpExchange({ gone, left, totalMs, resolve: answered, reject: failed, over }));
      } catch (cause) {
        over();
        failed(cause);
      }
    });
  }

  #options({ request, order, lines, headersMs, idleMs }: Dispatch): Dispatcher.DispatchOptions {
    const stream = this.#destination.envelope?.accept ?? 'text/event-stream';
    return {
      method: 'POST',
      path: order.path,
      headers: [
        ...this.#fixed,
        ...lines,
        ...order.headers,
        'accept',
        request.stream ? stream : 'application/json',
        'x-request-id',
        request.requestId,
        ...(request.traceparent === undefined ? [] : ['traceparent', request.traceparent]),
      ],
      body: order.sent,
      headersTimeout: headersMs,
      bodyTimeout: idleMs,
    };
  }

  #leave(attempt: HttpAttempt): void {
    attempt.running -= 1;
    if (attempt.running === 0) this.#limit.leave(attempt.request.account);
  }

  hasSpareKey(model: string): boolean {
    return this.#auth.credentials.hasReady(model);
  }

  state(): UpstreamState {
    const { running, waiting } = this.#limit;
    return {
      keys: tellKeys(this.#auth.keys, this.#auth.credentials),
      running,
      waiting,
      most: this.#config.connections,
      lastFailure: this.#lastFailure,
    };
  }

  noteFailure(status: number | null, error: GatewayError): void {
    // What the gateway itself refused to send is no failure of the vendor, and a mistake of the caller has its own message.
    if (errorTable[error.code].status < 500 && error.code !== 'rate_limit_exceeded') return;
    const words = vendorWordsOf(error);
    if (status !== null || words !== null)
      this.#lastFailure = { at: Date.now(), status, code: words?.code ?? null, message: words?.message ?? null };
  }

  withoutKeys(text: string): string {
    return this.#auth.keys.reduce((rest, key) => (key.length < MIN_HIDDEN_CHARS ? rest : rest.replaceAll(key, '…')), text);
  }

  wake(): number {
    return this.#auth.credentials.wake();
  }

  async close(): Promise<void> {
    await this.#pool.close();
    await this.#auth.close();
  }
}

interface Dispatch {
  readonly request: UpstreamRequest;
  readonly order: EncodedOrder;
  readonly lines: Lines;
  readonly headersMs: number;
  readonly idleMs: number;
}

const isComing = (lines: Lines | Promise<Lines>): lines is Promise<Lines> => 'then' in lines;

/** Reads an unused answer to its end, so that its connection can be used again. */
function discard({ body }: UpstreamAnswer): void {
  body.on('error', () => {});
  body.on('data', () => {});
}

/** The last characters of a key. A short key is not shown, because they would be most of it. */
const lastFour = (key: string): string => (key.length < SHORT_KEY ? '' : key.slice(-4));
const SHORT_KEY = 12;

function tellKeys(keys: readonly string[], credentials: Credentials): UpstreamState['keys'] {
  const states = credentials.states();
  return keys.flatMap((key, index) => states.slice(index, index + 1).map((state) => ({ ...state, lastFour: lastFour(key) })));
}

const one = (value: string | string[] | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
