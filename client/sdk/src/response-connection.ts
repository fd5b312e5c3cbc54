/** A WebSocket for the responses of one conversation. */
import { Attempt } from './attempt.ts';
import { EventStream } from './event-stream.ts';
import { parseJson, toFields } from './fields.ts';
import type { RequestOptions, Settings } from './options.ts';
import { routes } from './routes.gen.ts';
import type { ResponseRequest, ResponseStreamEvent } from './types.gen.ts';

/** The options of a turn. */
export interface TurnOptions extends Pick<RequestOptions, 'signal' | 'timeoutMs' | 'extraBody'> {
  /**
   * The lane: 1 to 256 letters, digits, `_`, `.`, and `-`. Turns of one lane run one after another, turns of different lanes at the same time.
   * Omit for the default lane.
   */
  readonly streamId?: string | undefined;
}

const { path, ends = [] } = routes.createResponse;
const DEFAULT_LANE = '';

type EventSink = ReadableStreamDefaultController<Uint8Array>;

interface OpenSocket {
  readonly socket: WebSocket;
  /** The turns without a last event yet, by lane, in the order they were sent. */
  readonly lanes: Map<string, EventSink[]>;
}

/**
 * The connection of `client.connect()`. Each turn is a `response.create` message, with the same events as a stream.
 * The gateway's docs explain lanes, continuations, and errors at `/docs/guides/websocket`.
 */
export class ResponseConnection {
  readonly #settings: Settings;
  readonly #sendOverHttp: (body: ResponseRequest, options: RequestOptions) => Promise<EventStream<ResponseStreamEvent>>;
  #opening: Promise<OpenSocket> | undefined;
  /** The socket that is open or opening. */
  #socket: WebSocket | undefined;

  /** @internal */
  constructor(
    settings: Settings,
    sendOverHttp: (body: ResponseRequest, options: RequestOptions) => Promise<EventStream<ResponseStreamEvent>>,
  ) {
    this.#settings = settings;
    this.#sendOverHttp = sendOverHttp;
  }

  /**
   * Creates a response, as a stream of events. The first turn opens the connection, and so does the first one after the connection was
   * lost. If it can't be opened, the turn is sent over HTTP.
   *
   * `previous_response_id` can also name a response of this connection with `store: false`. Leaving a loop early closes the connection,
   * because the protocol can't cancel a single turn: streams of its other turns throw a `StreamError`.
   */
  async createResponse(body: ResponseRequest, options: TurnOptions = {}): Promise<EventStream<ResponseStreamEvent>> {
    const { signal, timeoutMs = this.#settings.timeoutMs, extraBody, streamId = DEFAULT_LANE } = options;
    this.#opening ??= this.#open();
    const opened = await this.#opening.catch(() => undefined);
    if (!opened) return this.#sendOverHttp(body, { signal, timeoutMs, extraBody });
    const { socket, lanes } = opened;
    const attempt = new Attempt({ signal, timeoutMs });
    attempt.signal.throwIfAborted();
    const turns = lanes.get(streamId) ?? [];
    lanes.set(streamId, turns);
    const events = new ReadableStream<Uint8Array>({
      start: (sink) => {
        turns.push(sink);
        attempt.signal.addEventListener('abort', () => {
          // The end of the stream aborts, too.
          if (turns.includes(sink)) this.#drop(opened, attempt.signal.reason);
        });
      },
    });
    socket.send(
      JSON.stringify({ ...body, ...extraBody, type: 'response.create', stream_id: streamId === DEFAULT_LANE ? undefined : streamId }),
    );
    return EventStream.open(new Response(events), attempt, ends);
  }

  /** Closes the connection. Streams that haven't ended throw a `StreamError`. */
  close(): void {
    this.#opening?.then(
      (opened) => this.#drop(opened, new Error('the connection was closed')),
      () => {},
    );
  }

  #open(): Promise<OpenSocket> {
    return new Promise((resolve, reject) => {
      const { baseURL, apiKey, headers } = this.#settings;
      const url = baseURL.replace('http', 'ws') + path.slice('/v1'.length);
      // `as`: the runtimes of servers accept headers here, which the type of browsers doesn't have.
      const socket = new WebSocket(url, { headers: { authorization: `Bearer ${apiKey}`, ...headers } } as unknown as string[]);
      this.#socket = socket;
      const opened = { socket, lanes: new Map() };
      socket.addEventListener('open', () => resolve(opened));
      socket.addEventListener('message', ({ data }) => receive(opened, data));
      socket.addEventListener('close', ({ code }) => {
        const reason = new Error(`the WebSocket was closed with code ${code}`);
        reject(reason);
        this.#drop(opened, reason);
      });
    });
  }

  #drop({ socket, lanes }: OpenSocket, reason: unknown): void {
    if (this.#socket === socket) this.#opening = undefined;
    for (const turns of lanes.values()) for (const sink of turns.splice(0)) sink.error(reason);
    socket.close();
  }
}

function receive({ lanes }: OpenSocket, data: string): void {
  const event = toFields(parseJson(data));
  const turns = lanes.get(String(event?.stream_id ?? DEFAULT_LANE)) ?? [];
  const [sink] = turns;
  sink?.enqueue(new TextEncoder().encode(`data: ${data}\n\n`));
  const type = String(event?.type);
  if (type !== 'error' && !ends.includes(type)) return;
  turns.shift();
  sink?.close();
}
