/**
 * Mounts `/trpc`: checks the key and headers before the body, as under `/v1`, then sends one inner request per call of a batch. Loads tRPC at the first
 * request.
 */

import type { Server } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contract } from '../../../contract/index.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import type { BodyMemory } from '../../limits/body-memory.ts';
import { GatewayError } from '../../primitives/errors.ts';
import { decompressBodies } from '../http/decompress-bodies.ts';
import { setProbeFiller } from '../http/half-closed-probe.ts';
import { injectRequest, toInnerHeaders } from '../http/inner-request.ts';
import { registerJsonParser } from '../http/json-parser.ts';
import { createAuthHook } from '../v1/auth-hook.ts';
import { toCallFailure, toErrorShape } from './errors.ts';
import type { Envelope } from './router.ts';

const ENDPOINT = '/trpc';
/** Maximum calls per request. */
const MAX_CALLS = 10;

/** Must be registered in its own scope, because it has its own parser and auth hook. */
export function mountTrpc(scope: FastifyInstance, gateway: Gateway, bodyMemory: BodyMemory): void {
  registerJsonParser(scope);
  decompressBodies(scope);
  scope.addHook('onRequest', (request, _reply, done) => done(findEnvelopeError(gateway, request)));
  scope.addHook('onRequest', createAuthHook(gateway, bodyMemory, { inEnvelope: listOperations }));
  let handlerPromise: Promise<(request: FastifyRequest) => Promise<Response>> | null = null;
  const loadHandler = async (): Promise<(request: FastifyRequest) => Promise<Response>> => {
    const [{ openRouter }, { toFetchRequest }] = await Promise.all([import('./router.ts'), import('./fetch-request.ts')]);
    const handle = openRouter({ endpoint: ENDPOINT, maxCalls: MAX_CALLS, heartbeatMs: () => gateway.config.server.heartbeatMs });
    return (request) => handle(toFetchRequest(request), createEnvelope(request, gateway));
  };
  const url = `${ENDPOINT}/:procedures`;
  const config: FastifyContextConfig = { writeError: (error, { id }) => ({ error: toErrorShape(toCallFailure(error, id)) }) };
  scope.route({ url, method: ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], config, handler: rejectMethod });
  scope.route({
    url,
    config,
    method: ['GET', 'POST'],
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      handlerPromise ??= loadHandler();
      const handleRequest = await handlerPromise;
      return sendResponse(await handleRequest(request), reply);
    },
  });
}

async function rejectMethod({ method }: FastifyRequest): Promise<never> {
  throw new GatewayError('method_not_allowed', {
    message: `${ENDPOINT} accepts GET or POST, not ${method}.`,
    headers: { allow: 'GET, POST' },
  });
}

/** Returns the procedures that a request names: `listModels,stream.createResponse`. */
function listProcedures({ params }: FastifyRequest): string[] {
  // `as`: the route has this parameter.
  return (params as { readonly procedures: string }).procedures.split(',');
}

/** Lists the operations for the auth hook, before the body is read. An empty name stands for an unknown operation. */
function listOperations(request: FastifyRequest): string[] {
  const names = listProcedures(request).map((path) => path.replace(/^stream\./, ''));
  return [...new Set(names.map((name) => (Object.hasOwn(contract, name) ? name : '')))];
}

/** Returns errors that need neither key nor body. */
function findEnvelopeError({ config }: Gateway, request: FastifyRequest): GatewayError | undefined {
  if (!config.trpc.enabled) return new GatewayError('unknown_url', { message: 'tRPC is turned off on this gateway.' });
  const calls = listProcedures(request).length;
  if (calls > MAX_CALLS)
    return new GatewayError('array_above_max_length', { message: `A batch can have at most ${MAX_CALLS} calls. Got ${calls}.` });
  if (calls > 1 && request.headers['idempotency-key'] !== undefined)
    return new GatewayError('invalid_value', {
      message: 'An idempotency key applies to one call, but this batch has several. Send the call alone, or omit the key.',
    });
  return undefined;
}

function createEnvelope(request: FastifyRequest, { log }: Gateway): Envelope {
  const { id, call, headers, server, raw } = request;
  const { remoteAddress } = raw.socket;
  const innerHeaders = toInnerHeaders(headers);
  // A single call keeps the outer request's ID, so that the ID in the response leads to its receipt.
  const requestId = listProcedures(request).length === 1 ? id : null;
  return {
    id,
    async send({ method, path, body }, signal = call.signal) {
      call.outcome.innerCalls++;
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      // `as`: Fastify runs on Node's default HTTP server here.
      return await injectRequest(
        server.server as Server,
        { method, path, body, headers: { ...innerHeaders, ...type } },
        { remoteAddress, requestId, signal },
      );
    },
    rejected(code, err) {
      call.outcome.code = code;
      // A disconnect makes the inner request fail, which isn't an error to log.
      if (code === 'internal_error' && !call.isGone) log.error({ id, err }, 'tRPC request failed');
    },
  };
}

async function sendResponse(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== 'transfer-encoding') reply.header(name, value);
  const { body } = response;
  if (!body || !response.headers.has('transfer-encoding')) return reply.send(await response.text());
  reply.header('cache-control', 'no-cache, no-transform');
  reply.header('x-accel-buffering', 'no');
  // A JSON line can start with spaces, and each chunk is one line.
  setProbeFiller(reply.raw, ' ');
  return reply.send(Readable.fromWeb(body));
}
