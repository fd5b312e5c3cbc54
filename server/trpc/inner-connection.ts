/** Requests of the process to itself without a network: real HTTP over a pair of streams, so that hooks, backpressure and disconnects work as under `/v1`. */
import { type IncomingMessage, type OutgoingHttpHeaders, type Server, request as send } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';

/** The caller on whose behalf it is sent. */
export interface OuterCaller {
  /** Of the socket that the caller is on. */
  readonly remoteAddress: string | undefined;
  /** The id of the inner request; null: a new one. */
  readonly requestId: string | null;
}

export interface InnerRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  /** JSON; undefined where the request has no body. */
  readonly body: string | undefined;
}

/** Keyed by the server-side socket, so that no header can forge it. */
const ids = new WeakMap<object, string | null>();

/** The id that an inner request was given; undefined for requests from the network. */
export const innerRequestId = ({ socket }: Pick<IncomingMessage, 'socket'>): string | undefined => ids.get(socket) ?? undefined;

/** Whether it belongs to a request that was already admitted. */
export const isInside = ({ socket }: Pick<IncomingMessage, 'socket'>): boolean => ids.has(socket);

/** Resolves with the answer when its headers are there. Read it to the end, destroy it, or abort `signal`. */
export function sendInside(
  server: Server,
  asked: InnerRequest,
  from: OuterCaller & { readonly signal: AbortSignal },
): Promise<IncomingMessage> {
  const { method, path, headers, body } = asked;
  const near = connect(server, from);
  return new Promise((resolve, reject) => {
    // `as`: the client uses only what every stream has.
    const createConnection = () => near as never;
    const sending = send({ method, path, headers, createConnection, signal: from.signal });
    sending.once('response', resolve);
    sending.once('error', reject);
    sending.end(body);
  });
}

function connect(server: Server, { remoteAddress, requestId }: OuterCaller): Duplex {
  const [near, far] = duplexPair();
  Object.defineProperty(far, 'remoteAddress', { value: remoteAddress });
  ids.set(far, requestId);
  // `duplexPair` passes on `end` but not `destroy`.
  near.once('close', () => far.destroy());
  far.once('close', () => near.destroy());
  server.emit('connection', far);
  return near;
}
