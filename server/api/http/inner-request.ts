/** Sends a request to this server without a network connection, on behalf of an outer caller. */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { nodeHttp } from '../../primitives/node-http.ts';

/** The caller that the inner request is sent for. */
interface OuterCaller {
  /** The remote address of the caller's socket. */
  readonly remoteAddress: string | undefined;
  /** The inner request's ID. Null creates a new one. */
  readonly requestId: string | null;
}

interface InnerRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  /** JSON. Undefined if the request has no body. */
  readonly body: string | undefined;
}

/** Headers of the outer connection, the outer body, tRPC, and WebSocket. */
const OUTER_HEADER =
  /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|range|accept|accept-.*|if-.*|content-.*|.*trpc.*|sec-websocket-.*)$/;

/** Returns the headers that an inner request has in common with its outer one. */
export const toInnerHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OUTER_HEADER.test(name)));

/** Keyed by the server-side socket, so that no header can forge an ID. */
const innerRequestIds = new WeakMap<object, string | null>();

/** Returns the ID of an inner request. Undefined for a request from the network, or without a given ID. */
export const findInnerRequestId = ({ socket }: Pick<IncomingMessage, 'socket'>): string | undefined =>
  innerRequestIds.get(socket) ?? undefined;

/** Whether the request belongs to an outer request that was already admitted. */
export const isInnerRequest = ({ socket }: Pick<IncomingMessage, 'socket'>): boolean => innerRequestIds.has(socket);

/** Resolves with the response when its headers arrive. Read it to the end, destroy it, or abort `signal`. */
export function injectRequest(
  server: Server,
  request: InnerRequest,
  caller: OuterCaller & { readonly signal: AbortSignal },
): Promise<IncomingMessage> {
  const { method, path, headers, body } = request;
  const clientSide = connect(server, caller);
  return new Promise((resolve, reject) => {
    // `as`: the client uses only what every stream has.
    const createConnection = () => clientSide as never;
    const clientRequest = nodeHttp.request({ method, path, headers, createConnection, signal: caller.signal });
    clientRequest.once('response', resolve);
    clientRequest.once('error', reject);
    clientRequest.end(body);
  });
}

function connect(server: Server, { remoteAddress, requestId }: OuterCaller): Duplex {
  const [clientSide, serverSide] = duplexPair();
  Object.defineProperty(serverSide, 'remoteAddress', { value: remoteAddress });
  innerRequestIds.set(serverSide, requestId);
  // `duplexPair` forwards `end` but not `destroy`.
  clientSide.once('close', () => serverSide.destroy());
  serverSide.once('close', () => clientSide.destroy());
  server.emit('connection', serverSide);
  return clientSide;
}
