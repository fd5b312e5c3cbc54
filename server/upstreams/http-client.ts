/** An upstream over HTTP: one undici pool for one origin, explicit time limits, no redirects. */

import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import { errorTable } from '../../contract/errors.ts';
import { type HttpUpstreamConfig, kindHeadersOf } from '../config/config.ts';
import { readWait } from '../dialects/failure.ts';
import { type GatewayError, providerWordsOf } from '../errors.ts';
import { type Envelope, envelopeOf, pathOf } from './aws-event-stream.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import {
  type AuthOpeners,
  type Credential,
  type Credentials,
  isAboutKey,
  type Lines,
  type OpenAuth,
  type Order,
  openAuth,
  raceDisconnect,
} from './credentials.ts';
import { HttpExchange } from './http-exchange.ts';
import { sendFailure } from './stream-to-caller.ts';
import type {
  FormBody,
  ImageFile,
  Operation,
  Upstream,
  UpstreamAnswer,
  UpstreamFailure,
  UpstreamRequest,
  UpstreamState,
} from './upstream.ts';

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
      // The bytes of a response are read and forwarded as they come, so they must not be compressed.
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
      lines = await raceDisconnect(coming, left ?? gone);
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
    // What the gateway itself rejected to send isn't a failure of the provider, and a mistake of the caller has its own message.
    if (errorTable[error.code].status < 500 && error.code !== 'rate_limit_exceeded') return;
    const words = providerWordsOf(error);
    if (status !== null || words !== null)
      this.#lastFailure = { at: Date.now(), status, code: words?.code ?? null, message: words?.message ?? null };
  }

  withoutKeys(text: string): string {
    return this.#auth.keys.reduce((rest, key) => (key.length < MIN_HIDDEN_CHARS ? rest : rest.replaceAll(key, '…')), text);
  }

  reset(): number {
    return this.#auth.credentials.reset();
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

/** The last characters of a key. A short key isn't shown, because they would be most of it. */
const lastFour = (key: string): string => (key.length < SHORT_KEY ? '' : key.slice(-4));
const SHORT_KEY = 12;

function tellKeys(keys: readonly string[], credentials: Credentials): UpstreamState['keys'] {
  const states = credentials.states();
  return keys.flatMap((key, index) => states.slice(index, index + 1).map((state) => ({ ...state, lastFour: lastFour(key) })));
}

const one = (value: string | string[] | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

export interface EncodedForm {
  readonly contentType: string;
  readonly length: number;
  readonly pieces: readonly Buffer[];
}

/** Values that a form field can hold as text; objects and lists are omitted. */
const isText = (value: unknown): value is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof value);

const quote = (name: string) => name.replace(/["\r\n]/g, (c) => ({ '"': '%22', '\r': '%0D', '\n': '%0A' })[c] ?? c);

export function encodeForm(form: FormBody): EncodedForm {
  const boundary = `modelgate-${randomUUID()}`;
  const pieces: Buffer[] = [];
  const head = (disposition: string, type = '') =>
    pieces.push(Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${disposition}${type}\r\n\r\n`));
  const tail = () => pieces.push(Buffer.from('\r\n'));
  const file = (name: string, { filename, contentType, bytes }: ImageFile) => {
    head(`name="${name}"; filename="${quote(filename)}"`, `\r\ncontent-type: ${contentType}`);
    pieces.push(bytes);
    tail();
  };
  for (const [name, value] of Object.entries(form.value)) {
    if (!isText(value)) continue;
    head(`name="${quote(name)}"`);
    pieces.push(Buffer.from(String(value)));
    tail();
  }
  for (const image of form.images) file(form.images.length === 1 ? 'image' : 'image[]', image);
  for (const [name, overlay] of Object.entries(form.overlays)) file(name, overlay);
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return { contentType: `multipart/form-data; boundary=${boundary}`, length, pieces };
}

export interface EncodedOrder extends Order {
  /** The body for undici; a form can be sent once. */
  readonly sent: Buffer | Readable;
  readonly headers: Lines;
}

/** Where the requests of an upstream go. */
export interface Destination {
  readonly host: string;
  /** The path of the base URL, without a slash at its end. */
  readonly prefix: string;
  readonly envelope: Envelope | null;
}

const jsonHeaders: Lines = ['content-type', 'application/json'];

export function encodeOrder({ host, prefix, envelope }: Destination, request: UpstreamRequest): EncodedOrder {
  const path = prefix + (envelope ? envelope.path(request) : pathOf(request));
  const { body } = request;
  if (body.kind === 'json') {
    const bytes = envelope?.body ? envelope.body(body) : body.bytes;
    return { method: 'POST', path, host, contentType: 'application/json', body: bytes, sent: bytes, headers: jsonHeaders };
  }
  const form = encodeForm(body);
  const sent = Readable.from(form.pieces, { objectMode: false });
  const headers = ['content-type', form.contentType, 'content-length', String(form.length)];
  return { method: 'POST', path, host, contentType: form.contentType, body: null, sent, headers };
}

export class HttpAttempt {
  readonly request: UpstreamRequest;
  readonly credential: Credential;
  /** How much of it still uses its slot of the concurrency limit. */
  running = 0;
  #isRenewed = false;
  readonly #startedAt: number;

  constructor(request: UpstreamRequest, credential: Credential) {
    this.request = request;
    this.credential = credential;
    this.#startedAt = credential.renew ? performance.now() : 0;
  }

  /** What fetching a credential, and sending it a first time, have left of the time. */
  leftOf(totalMs: number): number {
    return this.credential.renew ? Math.max(totalMs - (performance.now() - this.#startedAt), 1) : totalMs;
  }

  /** Whether it is to be sent once more, with a fresh credential. */
  mayRenew(answer: UpstreamAnswer, lines: Lines): boolean {
    if (this.#isRenewed || !this.credential.renew?.(answer, lines)) return false;
    this.#isRenewed = true;
    return true;
  }
}
