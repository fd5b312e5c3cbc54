/** An upstream over HTTP: one undici pool for one origin, explicit time limits, no redirects. */
import { Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import type { HttpUpstreamConfig } from '../config/config.ts';
import { vendors } from '../config/vendors.ts';
import { readWait } from '../dialects/vendor-words.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { type Credential, type Credentials, isAboutKey, openCredentials } from './credentials.ts';
import { HttpExchange } from './http-exchange.ts';
import { encodeForm } from './multipart.ts';
import { pathOf } from './path.ts';
import { sendFailure } from './send-failure.ts';
import type { Operation, Upstream, UpstreamAnswer, UpstreamRequest, UpstreamState } from './upstream.ts';

const isImage = (operation: Operation) => operation === 'generateImages' || operation === 'editImages';

export function openHttpUpstream(config: HttpUpstreamConfig): Upstream {
  const base = new URL(config.baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const pool = new Pool(base.origin, { connections: config.connections, pipelining: 1, connect: { timeout: config.timeouts.connectMs } });
  const { connections, accountShare, queue } = config;
  const limit = new ConcurrencyLimit({ connections, accountShare, queue, waitMs: config.timeouts.connectMs });
  const fixed = Object.entries({
    ...config.headers,
    // The bytes of an answer are read and forwarded as they come, so they must not be compressed.
    'accept-encoding': 'identity',
  }).flat();
  const keys = config.apiKeys ?? (config.apiKey === undefined ? [] : [config.apiKey]);
  const credentials = openCredentials(keys.map((key) => Object.entries(vendors[config.kind].keyHeaders(key)).flat()));

  function send(request: UpstreamRequest): Promise<UpstreamAnswer> {
    try {
      return exchange(
        request,
        credentials.pick(() => request.session, request.model),
      );
    } catch (allRest) {
      return Promise.reject(allRest);
    }
  }

  function exchange(request: UpstreamRequest, credential: Credential): Promise<UpstreamAnswer> {
    const waits = isImage(request.operation) ? config.imageTimeouts : config.timeouts;
    const { body, headers } = encode(request);
    const order = {
      method: 'POST' as const,
      path: prefix + pathOf(request),
      headers: [
        ...fixed,
        ...credential.lines,
        ...headers,
        'accept',
        request.stream ? 'text/event-stream' : 'application/json',
        'x-request-id',
        request.requestId,
        ...(request.traceparent === undefined ? [] : ['traceparent', request.traceparent]),
      ],
      body,
      headersTimeout: Math.min(waits.headersMs, waits.totalMs),
      bodyTimeout: waits.idleMs,
    };
    const { gone, left, model, account } = request;
    const begin = (): Promise<UpstreamAnswer> => dispatch(order, { gone, left, model, account, totalMs: waits.totalMs, credential });
    const room = limit.enter(left ?? gone, account);
    return room ? room.then(begin) : begin();
  }

  function dispatch(
    order: Dispatcher.DispatchOptions,
    { gone, left, model, account, totalMs, credential }: Sending,
  ): Promise<UpstreamAnswer> {
    return new Promise((resolve, reject) => {
      const answered = (answer: UpstreamAnswer): void => {
        if (isAboutKey(answer.status)) credential.note(answer.status, readWait(one(answer.headers['retry-after'])), model);
        resolve(answer);
      };
      const failed = (cause: unknown): void => reject(sendFailure(cause));
      const over = (): void => limit.leave(account);
      try {
        pool.dispatch(order, new HttpExchange({ gone, left, totalMs, resolve: answered, reject: failed, over }));
      } catch (cause) {
        over();
        failed(cause);
      }
    });
  }

  return {
    name: config.name,
    send,
    hasSpareKey: (model) => credentials.hasReady(model),
    state: () => ({ keys: tellKeys(keys, credentials), running: limit.running, waiting: limit.waiting, most: connections }),
    wake: () => credentials.wake(),
    close: () => pool.close(),
  };
}

/** A short key would be told nearly whole. */
const lastFour = (key: string): string => (key.length < SHORT_KEY ? '' : key.slice(-4));
const SHORT_KEY = 12;

function tellKeys(keys: readonly string[], credentials: Credentials): UpstreamState['keys'] {
  const states = credentials.states();
  return keys.flatMap((key, index) => states.slice(index, index + 1).map((state) => ({ ...state, lastFour: lastFour(key) })));
}

interface Sending {
  readonly gone: UpstreamRequest['gone'];
  readonly left: UpstreamRequest['left'];
  readonly model: string;
  readonly account: UpstreamRequest['account'];
  readonly totalMs: number;
  readonly credential: Credential;
}

const one = (value: string | string[] | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

function encode({ body }: UpstreamRequest) {
  if (body.kind === 'json') return { body: body.bytes, headers: ['content-type', 'application/json'] };
  const form = encodeForm(body);
  return {
    body: Readable.from(form.pieces, { objectMode: false }),
    headers: ['content-type', form.contentType, 'content-length', String(form.length)],
  };
}
