/** `/trpc` as a door: key and headers ahead of the body as under `/v1`, then one inner request for each call of a batch. Loads tRPC with its first request. */
import type { Server } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contract } from '../../contract/index.ts';
import { GatewayError } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { unpackBodies } from '../http/body/decompress.ts';
import { acceptJson } from '../http/body/json.ts';
import { openEntrance } from '../http/entrance.ts';
import { askBy } from '../http/sockets/disconnect-probe.ts';
import type { BodyMemory } from '../limits/body-memory.ts';
import { failureOf, shapeOf } from './errors.ts';
import { sendInside } from './inner-connection.ts';
import type { Envelope, HandleRequest } from './router.ts';

const ENDPOINT = '/trpc';
/** Calls that one request may hold. */
const MOST_CALLS = 10;

/** Has to be registered in a scope of its own: it has a parser and an entrance for itself. */
export function mountTrpc(scope: FastifyInstance, gateway: Gateway, room: BodyMemory): void {
  acceptJson(scope, ({ call }) => call.share);
  unpackBodies(scope);
  scope.addHook('onRequest', (request, _reply, done) => done(refuse(gateway, request)));
  scope.addHook('onRequest', openEntrance(gateway, room, operationsOf));
  let loading: Promise<HandleRequest> | null = null;
  const load = async (): Promise<HandleRequest> => {
    const { openRouter } = await import('./router.ts');
    return openRouter({ endpoint: ENDPOINT, mostCalls: MOST_CALLS, heartbeatMs: () => gateway.config.server.heartbeatMs });
  };
  const url = `${ENDPOINT}/:procedures`;
  const config: FastifyContextConfig = { writeError: (error, { id }) => ({ error: shapeOf(failureOf(error, id)) }) };
  scope.route({ url, method: ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], config, handler: refuseMethod });
  scope.route({
    url,
    config,
    method: ['GET', 'POST'],
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      loading ??= load();
      const handle = await loading;
      return send(await handle(asFetched(request), envelopeOf(request, gateway)), reply);
    },
  });
}

async function refuseMethod({ method }: FastifyRequest): Promise<never> {
  throw new GatewayError('method_not_allowed', {
    message: `${ENDPOINT} takes GET or POST, not ${method}.`,
    headers: { allow: 'GET, POST' },
  });
}

/** The procedures that a request names: `listModels,stream.createResponse`. */
function proceduresOf({ params }: FastifyRequest): string[] {
  // The address has this parameter.
  return (params as { readonly procedures: string }).procedures.split(',');
}

/** By its name in the contract, for what is known of a call ahead of its body; empty where there is no such operation. */
function operationsOf(request: FastifyRequest): string[] {
  const names = proceduresOf(request).map((path) => path.replace(/^stream\./, ''));
  return [...new Set(names.map((name) => (Object.hasOwn(contract, name) ? name : '')))];
}

/** What needs neither key nor body to be refused. */
function refuse({ config }: Gateway, request: FastifyRequest): GatewayError | undefined {
  if (!config.trpc.enabled)
    return new GatewayError('unknown_url', { message: 'This gateway does not serve tRPC: its operator has turned it off.' });
  const calls = proceduresOf(request).length;
  if (calls > MOST_CALLS)
    return new GatewayError('array_above_max_length', { message: `A batch holds ${MOST_CALLS} calls at most, and this one has ${calls}.` });
  if (calls > 1 && request.headers['idempotency-key'] !== undefined)
    return new GatewayError('invalid_value', {
      message: 'An idempotency key is that of one call, and this batch has several. Send the call by itself, or leave the key out.',
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

/** tRPC's own headers; everything else of the request is of no use to it. */
const READ = ['accept', 'content-type', 'trpc-accept'] as const;

function asFetched({ url, method, headers, body, call }: FastifyRequest): Request {
  const read = READ.flatMap((name): [string, string][] => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  // No part of an address but path and query is looked at.
  return new ParsedRequest(`http://gateway${url}`, { method, headers: read, signal: call.signal }, body);
}

/** Of the outer connection, of the outer body, and of tRPC. All others go along: what they mean under `/v1` they mean here. */
const OUTER = /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|range|accept|accept-.*|if-.*|content-.*|.*trpc.*)$/;

function envelopeOf(request: FastifyRequest, { log }: Gateway): Envelope {
  const { id, call, headers, server, raw } = request;
  const { remoteAddress } = raw.socket;
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !OUTER.test(name)));
  // The only call of a request has its id, so that what is on the answer leads to its receipt.
  const requestId = proceduresOf(request).length === 1 ? id : null;
  return {
    id,
    async send({ method, path, body }, signal = call.signal) {
      call.innerCalls += 1;
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      // Fastify was given no server of another kind.
      return await sendInside(
        server.server as Server,
        { method, path, body, headers: { ...kept, ...type } },
        { remoteAddress, requestId, signal },
      );
    },
    refused(code, err) {
      call.code = code;
      // A caller who hung up makes the inner request fail; that is no failure.
      if (code === 'internal_error' && !call.isGone) log.error({ id, err }, 'a tRPC request failed');
    },
  };
}

async function send(answer: Response, reply: FastifyReply): Promise<FastifyReply> {
  reply.code(answer.status);
  for (const [name, value] of answer.headers) if (name !== 'transfer-encoding') reply.header(name, value);
  const { body } = answer;
  if (!body || !answer.headers.has('transfer-encoding')) return reply.send(await answer.text());
  reply.header('cache-control', 'no-cache, no-transform');
  reply.header('x-accel-buffering', 'no');
  // Ahead of each line there may be blanks, and each piece is a line.
  askBy(reply.raw, ' ');
  return reply.send(Readable.fromWeb(body));
}
