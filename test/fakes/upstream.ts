/** A fake vendor with the OpenAI protocol on a real socket. It records requests, and fails as a test tells it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { freePort } from '../harness/free-port.ts';
import { hangLimitMs } from '../harness/hang-limit.ts';
import { Exchange, type FakeRequest } from './exchange.ts';
import { failure } from './faults.ts';
import { play } from './play.ts';
import type { Script } from './script.ts';
import { answer } from './vendor.ts';

/** A script, or a function that makes one for a request. */
export type Behaviour = Script | ((request: FakeRequest) => Script | Promise<Script>);

export interface FakeOptions {
  /** The accepted key. Absent: any key is accepted, and none is required. */
  readonly apiKey?: string;
  /** The models of GET /v1/models. Calls may name any model. */
  readonly models?: readonly string[];
  /** Port to listen on. 0, the default: any free one. */
  readonly port?: number;
}

export interface ForWhich {
  /** Serves only requests to this path, such as `/v1/responses`. */
  readonly path?: string;
  /** The number of requests that are served this way. Absent: 1. */
  readonly times?: number;
  /** Answers after the headers, without reading the body. */
  readonly early?: boolean;
}

interface Queued extends ForWhich {
  readonly behaviour: Behaviour;
  left: number;
}

/** Backlog of the server. Node's default of 511 is less than tests open at once, and the system drops connections beyond it. */
const BACKLOG = 4_096;

export async function openFake(options: FakeOptions = {}): Promise<Fake> {
  const fake = new Fake(options);
  await fake.listen();
  return fake;
}

/** A base URL at which nothing listens: a connection is refused. */
export async function refusedUrl(): Promise<string> {
  const fake = await openFake();
  await fake.close();
  return fake.url;
}

export class Fake {
  /** All requests, in the order in which their headers arrived. */
  readonly requests: FakeRequest[] = [];
  readonly #exchanges: Exchange[] = [];
  readonly #options: FakeOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #arrivals: (() => void)[] = [];
  readonly #faults: unknown[] = [];
  #queue: Queued[] = [];
  #opened = 0;
  #port: number;

  constructor(options: FakeOptions) {
    this.#options = options;
    this.#port = options.port ?? 0;
    // No time limit here: the gateway's must end the request.
    const limits = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 60_000, maxHeaderSize: 256 * 1024 };
    this.#server = createServer(limits, (incoming, response) => void this.#serve(incoming, response));
    this.#server.on('connection', (socket) => this.#count(socket));
  }

  /** Base URL that ends in `/v1`, without a slash. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }
  /** The bytes of each answer's body, in the order of requests. */
  get sent(): readonly Buffer[] {
    return this.requests.map((request) => request.sent);
  }
  /** The last request. Throws when there was none. */
  get last(): FakeRequest {
    const request = this.requests.at(-1);
    if (request === undefined) throw new Error('the fake vendor was not called');
    return request;
  }
  /** Number of TCP connections: accepted since the start, and open now. */
  get connections(): { readonly opened: number; readonly open: number } {
    return { opened: this.#opened, open: this.#sockets.size };
  }
  /** Number of queued behaviours that are not used up. */
  get pending(): number {
    return this.#queue.filter((queued) => Number.isFinite(queued.left)).length;
  }

  /** Queues a behaviour. The first one in the queue that matches a request serves it. */
  next(behaviour: Behaviour, which: ForWhich = {}): this {
    this.#queue.push({ behaviour, ...which, left: which.times ?? 1 });
    return this;
  }

  /** Like `next`, for all requests from now on. */
  always(behaviour: Behaviour, which: Omit<ForWhich, 'times'> = {}): this {
    return this.next(behaviour, { ...which, times: Number.POSITIVE_INFINITY });
  }

  /** Clears requests and behaviours. Connections stay open. */
  clear(): void {
    this.#queue = [];
    this.requests.length = 0;
    this.#exchanges.length = 0;
  }

  /** Resolves with request `index` when its headers have arrived. */
  async arrival(index: number, timeoutMs = hangLimitMs): Promise<FakeRequest> {
    return this.#exchange(index, timeoutMs);
  }

  /** Resolves with the time when the client disconnected from request `index`. Rejects when it did not in time, or the answer ended. */
  async hangUp(index: number, timeoutMs = hangLimitMs): Promise<number> {
    const exchange = await this.#exchange(index, timeoutMs);
    return within(exchange.hungUp, timeoutMs, () => `the client did not hang up on request ${index} (ended: ${exchange.endedAt !== null})`);
  }

  async listen(): Promise<void> {
    this.#port ||= await freePort();
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#port, '127.0.0.1', BACKLOG, () => resolve(this.#server.off('error', reject) && undefined));
    });
  }

  /** Closes the vendor and its connections. Rejects when a behaviour threw an error, so that a broken script is not mistaken for a vendor's failure. */
  async close(): Promise<void> {
    if (this.#server.listening) {
      const closed = new Promise((resolve) => this.#server.close(resolve));
      this.#server.closeAllConnections();
      await closed;
    }
    if (this.#faults.length > 0) throw new AggregateError(this.#faults, `a behaviour of the fake vendor failed: ${this.#faults[0]}`);
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = new Exchange(this.requests.length, incoming, response);
    this.requests.push(exchange);
    this.#exchanges.push(exchange);
    const queued = this.#take(exchange);
    for (const reset of this.#arrivals.splice(0)) reset();
    if (!queued?.early && !(await exchange.readBody())) return;
    try {
      await play(await this.#script(queued?.behaviour, exchange), exchange);
    } catch (error) {
      this.#faults.push(error);
      exchange.end();
      if (!response.headersSent) await play(failure(500, { message: String(error) }), exchange);
      response.destroy();
    }
  }

  #take(exchange: Exchange): Queued | undefined {
    const queued = this.#queue.find((candidate) => candidate.path === undefined || candidate.path === exchange.path);
    if (queued !== undefined && --queued.left <= 0) this.#queue.splice(this.#queue.indexOf(queued), 1);
    return queued;
  }

  async #script(behaviour: Behaviour | undefined, exchange: Exchange): Promise<Script> {
    if (behaviour === undefined) return answer(exchange, this.#options);
    return typeof behaviour === 'function' ? behaviour(exchange) : behaviour;
  }

  async #exchange(index: number, timeoutMs: number): Promise<Exchange> {
    for (;;) {
      const exchange = this.#exchanges[index];
      if (exchange !== undefined) return exchange;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#arrivals.push(resolve);
      await within(promise, timeoutMs, () => `request ${index} did not come; ${this.requests.length} came`);
    }
  }

  #count(socket: Socket): void {
    this.#opened++;
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
  }
}

async function within<T>(promise: Promise<T>, timeoutMs: number, message: () => string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${message()} within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
