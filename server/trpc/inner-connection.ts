/** Requests that the process sends to itself without a network: real HTTP over a pair of streams, so that all hooks, waits and hang-ups are those of `/v1`. */
import { type IncomingMessage, type OutgoingHttpHeaders, type Server, request as send } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';

/** The caller on whose behalf it is sent. */
export interface OuterCaller {
  /** Of the socket that the caller is on. */
  readonly remoteAddress: string | undefined;
  /** The id that the inner request gets; one of its own where null. */
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

/** The id that a request was given from inside; undefined for whoever comes over the network. */
export const innerRequestId = ({ socket }: Pick<IncomingMessage, 'socket'>): string | undefined => ids.get(socket) ?? undefined;

/** Whether it is part of a request that the process has let in already. */
export const isInside = ({ socket }: Pick<IncomingMessage, 'socket'>): boolean => ids.has(socket);

/** The answer as soon as its head is there. Whoever does not read it to its end has to destroy it, or `signal` has to abort. */
export function sendInside(
  server: Server,
  asked: InnerRequest,
  from: OuterCaller & { readonly signal: AbortSignal },
): Promise<IncomingMessage> {
  const { method, path, headers, body } = asked;
  const near = connect(server, from);
  return new Promise((resolve, reject) => {
    // `as`: a client needs no more of a connection than a stream has.
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
