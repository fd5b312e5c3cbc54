/** The entrance at `/trpc`: checks key and headers before the body as under `/v1`, then sends one inner request for each call of a batch. Loads tRPC at the first request. */
import { type IncomingMessage, type OutgoingHttpHeaders, type Server, request as send } from 'node:http';
import { type Duplex, duplexPair, Readable } from 'node:stream';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contract } from '../../contract/index.ts';
import { GatewayError } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { acceptJson, unpackBodies } from '../http/body.ts';
import { openEntrance } from '../http/entrance.ts';
import { askBy } from '../http/sockets.ts';
import type { BodyMemory } from '../limits/body-memory.ts';
import { failureOf, shapeOf } from './errors.ts';
import type { Envelope, HandleRequest } from './router.ts';

const ENDPOINT = '/trpc';
/** The most calls of one request. */
const MAX_CALLS = 10;

/** Must be registered in its own scope, because it has its own parser and entrance. */
export function mountTrpc(scope: FastifyInstance, gateway: Gateway, room: BodyMemory): void {
  acceptJson(scope);
  unpackBodies(scope);
  scope.addHook('onRequest', (request, _reply, done) => done(refuse(gateway, request)));
  scope.addHook('onRequest', openEntrance(gateway, room, { inEnvelope: operationsOf }));
  let loading: Promise<HandleRequest> | null = null;
  const load = async (): Promise<HandleRequest> => {
    const { openRouter } = await import('./router.ts');
    return openRouter({ endpoint: ENDPOINT, maxCalls: MAX_CALLS, heartbeatMs: () => gateway.config.server.heartbeatMs });
  };
  const url = `${ENDPOINT}/:procedures`;
  const config: FastifyContextConfig = { writeError: (error, { id }) => ({ error: shapeOf(failureOf(error, id)) }) };
  scope.route({ url, method: ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], config, handler: rejectMethod });
  scope.route({
    url,
    config,
    method: ['GET', 'POST'],
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      loading ??= load();
      const handle = await loading;
      return sendWhole(await handle(asFetched(request), envelopeOf(request, gateway)), reply);
    },
  });
}

async function rejectMethod({ method }: FastifyRequest): Promise<never> {
  throw new GatewayError('method_not_allowed', {
    message: `${ENDPOINT} accepts GET or POST, not ${method}.`,
    headers: { allow: 'GET, POST' },
  });
}

/** The procedures that a request names: `listModels,stream.createResponse`. */
function proceduresOf({ params }: FastifyRequest): string[] {
  // The address has this parameter.
  return (params as { readonly procedures: string }).procedures.split(',');
}

/** The operation, for the context of a call before its body is read; empty when there is none. */
function operationsOf(request: FastifyRequest): string[] {
  const names = proceduresOf(request).map((path) => path.replace(/^stream\./, ''));
  return [...new Set(names.map((name) => (Object.hasOwn(contract, name) ? name : '')))];
}

/** Errors that need neither key nor body. */
function refuse({ config }: Gateway, request: FastifyRequest): GatewayError | undefined {
  if (!config.trpc.enabled) return new GatewayError('unknown_url', { message: 'tRPC is turned off on this gateway.' });
  const calls = proceduresOf(request).length;
  if (calls > MAX_CALLS)
    return new GatewayError('array_above_max_length', { message: `A batch can have at most ${MAX_CALLS} calls. Got ${calls}.` });
  if (calls > 1 && request.headers['idempotency-key'] !== undefined)
    return new GatewayError('invalid_value', {
      message: 'An idempotency key applies to one call, but this batch has several. Send the call alone, or omit the key.',
    });
  return undefined;
}

/** A request whose body was read and parsed already. */
class ParsedRequest extends Request {
  override readonly json: () => Promise<unknown>;

  constructor(url: string, init: RequestInit, value: unknown) {
    super(url, init);
    this.json = async () => value;
  }
}

/** The headers that tRPC reads; it needs nothing else of the request. */
const READ = ['accept', 'content-type', 'trpc-accept'] as const;

function asFetched({ url, method, headers, body, call }: FastifyRequest): Request {
  const read = READ.flatMap((name): [string, string][] => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  // Only path and query of the URL are read.
  return new ParsedRequest(`http://gateway${url}`, { method, headers: read, signal: call.signal }, body);
}

/** Headers of the outer connection, of the outer body, and of tRPC. All others are passed on, with the same meaning as under `/v1`. */
const OUTER = /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|range|accept|accept-.*|if-.*|content-.*|.*trpc.*)$/;

function envelopeOf(request: FastifyRequest, { log }: Gateway): Envelope {
  const { id, call, headers, server, raw } = request;
  const { remoteAddress } = raw.socket;
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !OUTER.test(name)));
  // A single call gets the id of the request, so that the id on the answer leads to its receipt.
  const requestId = proceduresOf(request).length === 1 ? id : null;
  return {
    id,
    async send({ method, path, body }, signal = call.signal) {
      call.outcome.calledInside();
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      // `as`: Fastify runs on Node's default HTTP server here.
      return await sendInside(
        server.server as Server,
        { method, path, body, headers: { ...kept, ...type } },
        { remoteAddress, requestId, signal },
      );
    },
    rejected(code, err) {
      call.outcome.failed(code, null);
      // A disconnected caller makes the inner request fail; that is not an error to log.
      if (code === 'internal_error' && !call.isGone) log.error({ id, err }, 'tRPC request failed');
    },
  };
}

async function sendWhole(answer: Response, reply: FastifyReply): Promise<FastifyReply> {
  reply.code(answer.status);
  for (const [name, value] of answer.headers) if (name !== 'transfer-encoding') reply.header(name, value);
  const { body } = answer;
  if (!body || !answer.headers.has('transfer-encoding')) return reply.send(await answer.text());
  reply.header('cache-control', 'no-cache, no-transform');
  reply.header('x-accel-buffering', 'no');
  // A JSON line may begin with spaces, and each chunk is one line.
  askBy(reply.raw, ' ');
  return reply.send(Readable.fromWeb(body));
}

/** The caller on whose behalf it is sent. */
export interface OuterCaller {
  /** Remote address of the socket that the caller is connected to. */
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
