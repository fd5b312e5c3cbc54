/** A vendor that speaks the OpenAI protocol on a real socket, records what it is asked, and misbehaves on command. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { freePort } from '../harness/free-port.ts';
import { hangLimitMs } from '../harness/hang-limit.ts';
import { Exchange, type FakeRequest } from './exchange.ts';
import { failure } from './faults.ts';
import { play } from './play.ts';
import type { Script } from './script.ts';
import { answer } from './vendor.ts';

/** A script, or a function that writes one for the request at hand. */
export type Behaviour = Script | ((request: FakeRequest) => Script | Promise<Script>);

export interface FakeOptions {
  /** Without it every key, and none, is welcome. */
  readonly apiKey?: string;
  /** What GET /v1/models lists. Calls may name any model. */
  readonly models?: readonly string[];
  /** 0, the default, takes any free one. */
  readonly port?: number;
}

export interface ForWhich {
  /** Only requests to this path, for example `/v1/responses`. */
  readonly path?: string;
  /** How many requests are served this way; 1 unless told. */
  readonly times?: number;
  /** Acts on the headers alone; the body is never read. */
  readonly early?: boolean;
}

interface Queued extends ForWhich {
  readonly behaviour: Behaviour;
  left: number;
}

/** Node's own 511 are fewer than tests open at once: the system drops what is over, and keeps connections for ever whose client left meanwhile. */
const BACKLOG = 4_096;

export async function openFake(options: FakeOptions = {}): Promise<Fake> {
  const fake = new Fake(options);
  await fake.comeUp();
  return fake;
}

/** A base URL at which nothing listens: a connection is refused. */
export async function refusedUrl(): Promise<string> {
  const fake = await openFake();
  await fake.close();
  return fake.url;
}

export class Fake {
  /** In the order in which their headers came. */
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
    // No time limit of its own: the one that gives up has to be the gateway.
    const limits = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 60_000, maxHeaderSize: 256 * 1024 };
    this.#server = createServer(limits, (incoming, response) => void this.#serve(incoming, response));
    this.#server.on('connection', (socket) => this.#count(socket));
  }

  /** Base URL that ends in `/v1`, without a slash. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }
  /** The bytes of each answer's body, by request. */
  get sent(): readonly Buffer[] {
    return this.requests.map((request) => request.sent);
  }
  /** The request that came last; throws where there was none. */
  get last(): FakeRequest {
    const request = this.requests.at(-1);
    if (request === undefined) throw new Error('the fake vendor was not called');
    return request;
  }
  /** TCP connections: accepted since the start, and open now. */
  get connections(): { readonly opened: number; readonly open: number } {
    return { opened: this.#opened, open: this.#sockets.size };
  }
  /** How many queued behaviours have not been used up. */
  get pending(): number {
    return this.#queue.filter((queued) => Number.isFinite(queued.left)).length;
  }

  /** Queues a behaviour. The first in the queue that fits a request serves it. */
  next(behaviour: Behaviour, which: ForWhich = {}): this {
    this.#queue.push({ behaviour, ...which, left: which.times ?? 1 });
    return this;
  }

  /** Like `next` without an end. */
  always(behaviour: Behaviour, which: Omit<ForWhich, 'times'> = {}): this {
    return this.next(behaviour, { ...which, times: Number.POSITIVE_INFINITY });
  }

  /** Forgets requests and behaviours; connections stay. */
  clear(): void {
    this.#queue = [];
    this.requests.length = 0;
    this.#exchanges.length = 0;
  }

  /** Request `index`, as soon as its headers have come. */
  async arrival(index: number, timeoutMs = hangLimitMs): Promise<FakeRequest> {
    return this.#exchange(index, timeoutMs);
  }

  /** When the client hung up on request `index`; rejects if it has not done so in time, or the answer came to its end. */
  async hangUp(index: number, timeoutMs = hangLimitMs): Promise<number> {
    const exchange = await this.#exchange(index, timeoutMs);
    return within(exchange.hungUp, timeoutMs, () => `the client did not hang up on request ${index} (ended: ${exchange.endedAt !== null})`);
  }

  /** Nothing listens any more and open connections are destroyed. */
  async goDown(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /** Listens again, at the same address. */
  async comeUp(): Promise<void> {
    this.#port ||= await freePort();
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#port, '127.0.0.1', BACKLOG, () => resolve(this.#server.off('error', reject) && undefined));
    });
  }

  /** Rejects if a behaviour was at fault itself, so that a broken script does not pass for a broken vendor. */
  async close(): Promise<void> {
    if (this.#server.listening) await this.goDown();
    if (this.#faults.length > 0) throw new AggregateError(this.#faults, `a behaviour of the fake vendor failed: ${this.#faults[0]}`);
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = new Exchange(this.requests.length, incoming, response);
    this.requests.push(exchange);
    this.#exchanges.push(exchange);
    const queued = this.#take(exchange);
    for (const wake of this.#arrivals.splice(0)) wake();
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
