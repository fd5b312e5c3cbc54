/** Builds the Fastify app: connection limits, hooks in the order of the checks, routes, and the one error handler. */

import type { Server } from 'node:http';
import multipart from '@fastify/multipart';
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import { type Contract, contract } from '../../contract/index.ts';
import { portalContract } from '../../contract/portal/index.ts';
import { playgroundContract } from '../../contract/portal/playground.ts';
import { RequestContext } from '../call/context.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { BodyMemory } from '../limits/body-memory.ts';
import { type AnyCode, GatewayError } from '../primitives/errors.ts';
import { createRequestId } from '../primitives/request-id.ts';
import { type Telemetry, wasConcurrencyLimited } from '../telemetry/telemetry.ts';
import { CLIENT_CLOSED_REQUEST, writeAccessLog, writeAccessLogWhenSettled } from './http/access-log.ts';
import { recordBrokenRequest } from './http/call-record.ts';
import { getCapacityBounds, getOverloadBounds, measureMachineMemory } from './http/capacity-bounds.ts';
import { findContractBreach } from './http/contract-breach.ts';
import { decompressBodies } from './http/decompress-bodies.ts';
import { registerDocuments } from './http/documents.ts';
import { createShutdownError, rejectBrokenRequest, sendError, toContractError } from './http/errors.ts';
import { probeHalfClosed } from './http/half-closed-probe.ts';
import { registerHealth } from './http/health.ts';
import { findInnerRequestId, isInnerRequest } from './http/inner-request.ts';
import { registerJsonParser } from './http/json-parser.ts';
import { LoadShedding } from './http/load-shedding.ts';
import { registerNotFound, rejectOtherMethods } from './http/not-found.ts';
import { setHeader, setResponseHeaders } from './http/response-headers.ts';
import { getRouteOptions } from './http/route-options.ts';
import { closeStalledSockets } from './http/stalled-sockets.ts';
import { type Handlers, registerRoutes } from './http/ts-rest.ts';
import { registerPageFolder } from './pages/page-folder.ts';
import { createOwnAccountHandlers } from './portal/account.ts';
import { mountPortal } from './portal/mount-portal.ts';
import { mountPlayground } from './portal/playground.ts';
import { mountTrpc } from './trpc/mount.ts';
import { closeShare, createAuthHook } from './v1/auth-hook.ts';
import { createBodyCheck } from './v1/body-check.ts';
import { createCatalogHandlers } from './v1/catalog.ts';
import { createCompactionHandlers } from './v1/compaction.ts';
import { readForm } from './v1/form.ts';
import { createImageHandlers } from './v1/images.ts';
import { createInputTokenHandlers } from './v1/input-tokens.ts';
import { createModelHandlers } from './v1/models.ts';
import { createStoredResponseHandlers } from './v1/stored-responses.ts';
import { createTextGenerationHandlers } from './v1/text-generation.ts';
import { createUsageHandlers } from './v1/usage.ts';
import { ResponseSockets } from './websocket/response-sockets.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route accepts multipart/form-data besides JSON. */
    readonly takesForms?: boolean;
  }
}

const MAX_HEADER_BYTES = 16 * 1024;
/** A replaced worker closes idle connections after this time. Slower clients rarely send a request at the exact moment of the close. */
const IDLE_GRACE_MS = 1_000;

export async function openApp(gateway: Gateway, telemetry: Telemetry | null = null): Promise<FastifyInstance> {
  const { server, pages } = gateway.config;
  const machineMemory = measureMachineMemory(server.workers);
  const loadShedding = new LoadShedding({ bounds: getOverloadBounds(server, machineMemory), log: gateway.log });
  const responseSockets = new ResponseSockets(gateway, () => loadShedding.reason !== null);
  const app = fastify({
    // Fastify's logger would write addresses and headers. The request hooks below write one line per request instead.
    logger: false,
    bodyLimit: server.bodyLimitBytes,
    requestTimeout: server.requestTimeoutMs,
    keepAliveTimeout: server.keepAliveTimeoutMs,
    // The contract bounds the length of IDs. With a lower bound here, the router would reject a long ID with 404 for the URL.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    // Node would reject a request without a Host header with an empty body. `findEarlyError` returns the contract's error instead.
    http: {
      connectionsCheckingInterval: Math.min(Math.max(Math.floor(server.headersTimeoutMs / 4), 100), 5_000),
      headersTimeout: server.headersTimeoutMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false,
      shouldUpgradeCallback: (request) => responseSockets.canUpgrade(request),
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: (raw) => findInnerRequestId(raw) ?? createRequestId(),
    clientErrorHandler: (error, socket) => {
      const rejection = rejectBrokenRequest(error, socket);
      if (rejection) recordBrokenRequest(gateway, rejection.id, rejection.failure);
    },
    frameworkErrors: (error, request, reply) => {
      setHeader(reply, 'x-request-id', request.id);
      const failure = toContractError(error, request);
      recordBrokenRequest(gateway, request.id, failure);
      return sendError(failure, reply);
    },
  });
  // The auth hook sends `100 Continue` after it checks the key. A server may ignore other expectations (RFC 9110, 10.1.1); Node would reject them with an
  // empty body.
  for (const event of ['checkContinue', 'checkExpectation']) {
    app.server.on(event, (request, response) => app.server.emit('request', request, response));
  }
  const bodyMemory = new BodyMemory(getCapacityBounds(server, machineMemory));
  gateway.onAdopt((nextConfig) => {
    bodyMemory.bounds = getCapacityBounds(nextConfig.server, machineMemory);
    loadShedding.bounds = getOverloadBounds(nextConfig.server, machineMemory);
  });
  app.addHook('onListen', async () => loadShedding.start());
  app.addHook('onClose', async () => loadShedding.close());
  responseSockets.attach(app.server);
  app.addHook('preClose', async () => responseSockets.stop());
  probeHalfClosed(app.server);
  if (server.workers > 1) keepIdleConnections(app.server, IDLE_GRACE_MS);
  closeStalledSockets(app.server, () => gateway.config.server.writeStallMs);
  addRequestHooks(app, gateway, telemetry, loadShedding);
  registerErrorHandler(app, gateway);
  registerHealth(app, gateway, () => loadShedding.describe());
  registerNotFound(app);
  registerDocuments(app, {
    ...(server.publicUrl !== undefined && { baseUrl: server.publicUrl }),
    home: pages.portal ? 'portal/' : 'docs/',
    ...(pages.portal && { pages: '../portal/' }),
  });
  if (pages.portal) await registerPortal(app, gateway, bodyMemory);
  const { validateResponses: checkAnswers } = gateway.config;
  await app.register((scope) => registerRoutes(scope, createCatalogHandlers(gateway), { checkAnswers }));
  await app.register((scope) => registerApi(scope, gateway, bodyMemory));
  await app.register(async (scope) => mountTrpc(scope, gateway, bodyMemory));
  return app;
}

/** Gives every request an ID and a context, and writes one log line when its response closes. */
function addRequestHooks(app: FastifyInstance, gateway: Gateway, telemetry: Telemetry | null, loadShedding: LoadShedding): void {
  let isClosing = false;
  // A worker that is being replaced still serves its open connections; new connections go to the other workers.
  const isOnlyWorker = gateway.config.server.workers === 1;
  app.decorateRequest('call');
  app.decorateRequest('keptRouteOptions', null);
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { method } = request;
    const route = getRouteOptions(request).url ?? 'unknown';
    const call = new RequestContext(request.id, reply.raw);
    request.call = call;
    if (telemetry?.beginTrace) call.trace = telemetry.beginTrace({ method, route, traceparent: call.header('traceparent') });
    setHeader(reply, 'x-request-id', request.id);
    if (isClosing) reply.header('connection', 'close');
    // Not `onResponse`: that hook doesn't run when the caller disconnects, and operators look for exactly those log lines.
    reply.raw.once('close', () => {
      call.admission?.finish();
      closeShare(request);
      const isGone = call.completion === null && !reply.raw.writableFinished;
      const status = isGone && !reply.raw.headersSent ? CLIENT_CLOSED_REQUEST : reply.statusCode;
      const endedRequest = { call, method, route, isCall: isApiCall(request), isGone, status, durationMs: call.outcome.getElapsedMs() };
      // The same event destroys the stream to the caller. Waits one turn, so that the stream reports its usage first.
      if (isGone || call.completion) setImmediate(writeAccessLogWhenSettled, gateway, telemetry, endedRequest);
      else writeAccessLog(gateway, telemetry, endedRequest);
      // A keep-alive connection from before the shutdown would delay the shutdown until it times out.
      if (isClosing) setImmediate(() => app.server.closeIdleConnections());
    });
    done(findEarlyError(request, isClosing && isOnlyWorker) ?? findOverloadError(request, loadShedding));
  });
}

/** The URLs of operations. */
const API_PATH = /^\/(?:v1|trpc)\//;

/** Pages and sessions aren't calls. A POST to an unknown URL is one, because its base URL probably lacks `/v1`. */
const isApiCall = ({ url, method, is404 }: FastifyRequest): boolean => API_PATH.test(url) || (is404 && method === 'POST');

/**
 * Rejects requests that need no key check: all requests during shutdown if no other process has the port, requests without a host (RFC 9112, 3.2), and
 * upgrades.
 */
function findEarlyError(request: FastifyRequest, isClosing: boolean): GatewayError | undefined {
  const { upgrade, host } = request.headers;
  if (isClosing && API_PATH.test(request.url) && !isInnerRequest(request.raw)) return createShutdownError();
  if (host === undefined && request.raw.httpVersion === '1.1')
    return new GatewayError<AnyCode>('malformed_request', { message: "The request has no 'host' header." });
  // A server may ignore an HTTP/2 upgrade (RFC 9110, 7.8). A WebSocket client waits for a response, so it gets 426, even if a proxy removed the upgrade:
  // after any other status, Codex retries for seconds.
  const isWebSocket = request.headers['sec-websocket-key'] !== undefined;
  if (isWebSocket || (upgrade !== undefined && !/^h2c?$/i.test(upgrade)))
    return new GatewayError<AnyCode>('upgrade_required', { headers: { upgrade: 'HTTP/1.1' } });
  return undefined;
}

/** Health checks respond even during load shedding. */
const HEALTH_ROUTES: readonly (string | undefined)[] = ['/livez', '/readyz'];

/** Load shedding rejects GET requests too, with or without a key: they cost event-loop time like all others. */
function findOverloadError(request: FastifyRequest, { rejection: refusal, reason: excess }: LoadShedding): GatewayError | undefined {
  if (!refusal || HEALTH_ROUTES.includes(getRouteOptions(request).url)) return undefined;
  request.call.outcome.shed = excess;
  return refusal;
}

/**
 * Whether the request was rejected for lack of capacity, here or upstream. Its log line is enough; a stack trace per request would itself overload the
 * process.
 */
const isCapacityError = ({ outcome: { attempts } }: RequestContext, { code, cause }: GatewayError): boolean =>
  code === 'overloaded' && cause === undefined && attempts.every(wasConcurrencyLimited);

/** Returns the model that a JSON body names, to log a rejected request, or null if it names none. */
function findModel(body: unknown): string | null {
  const model = typeof body === 'object' && body !== null && 'model' in body ? body.model : null;
  return typeof model === 'string' ? model : null;
}

/** An error code that the contract doesn't declare for the operation is our bug: an `internal_error` in development, a log line in production. */
function enforceContract(error: GatewayError, request: FastifyRequest, { config, log }: Gateway): GatewayError {
  // Null also for pages and health checks, which have no contract.
  const breach = findContractBreach(request, error);
  if (breach === null) return error;
  if (config.validateResponses) return new GatewayError<AnyCode>('internal_error', { message: breach, cause: error });
  log.error({ id: request.id, code: error.code, err: new Error(breach, { cause: error }) }, 'error not declared in the contract');
  return error;
}

/** Converts whatever was thrown into the error response. No other code writes error responses. */
function registerErrorHandler(app: FastifyInstance, gateway: Gateway): void {
  const { log } = gateway;
  app.setErrorHandler((thrown, request, reply) => {
    const error = enforceContract(toContractError(thrown, request), request, gateway);
    const { call } = request;
    call.outcome.setRejection(error, findModel(request.body));
    const releasePromise = call.admission?.release();
    // A disconnect also fails the upstream request. That isn't an error to log.
    if (error.status >= 500 && !reply.raw.destroyed && !isCapacityError(call, error))
      log.error({ id: request.id, code: error.code, err: error }, 'request failed');
    return releasePromise instanceof Promise ? releasePromise.then(() => sendError(error, reply)) : sendError(error, reply);
  });
}

/** Registers `/portal/`: its pages, API and playground. */
async function registerPortal(app: FastifyInstance, gateway: Gateway, bodyMemory: BodyMemory): Promise<void> {
  registerPageFolder(app, { at: 'portal' });
  rejectOtherMethods(app, [...Object.values(portalContract), ...Object.values(playgroundContract)]);
  await app.register((scope) => mountPortal(scope, gateway));
  await app.register((scope) => mountPlayground(scope, gateway, bodyMemory));
}

/** Operations that need a key. */
type KeyedOperation = Exclude<keyof Contract, 'getCatalog'>;

/** Registers `/v1`: checks the key, reads the body, then runs the pipeline. */
async function registerApi(scope: FastifyInstance, gateway: Gateway, bodyMemory: BodyMemory): Promise<void> {
  const options = { checkAnswers: gateway.config.validateResponses };
  registerJsonParser(scope);
  decompressBodies(scope);
  setResponseHeaders(scope);
  scope.addHook('onRequest', createAuthHook(gateway, bodyMemory));
  const readHandlers = { ...createModelHandlers(gateway), ...createStoredResponseHandlers(gateway) };
  const ownReads = { ...createUsageHandlers(gateway), ...createOwnAccountHandlers(gateway) };
  const generationHandlers = {
    ...createTextGenerationHandlers(gateway),
    ...createCompactionHandlers(gateway),
    ...createInputTokenHandlers(gateway),
    ...createImageHandlers(gateway),
  };
  // Doesn't compile if an operation of the contract has no handler.
  const { createChatCompletion, createResponse, compactResponse, countInputTokens, generateImages, editImages }: Handlers<KeyedOperation> =
    {
      ...readHandlers,
      ...ownReads,
      ...generationHandlers,
    };
  await registerRoutes(scope, readHandlers, options);
  await registerRoutes(
    scope,
    { createResponse, compactResponse, countInputTokens },
    { ...options, ...createBodyCheck(gateway, 'createResponse') },
  );
  await registerRoutes(scope, { createChatCompletion }, { ...options, ...createBodyCheck(gateway, 'createChatCompletion') });
  // Third-party SDKs don't call these, so unknown query fields can be rejected.
  await registerRoutes(scope, ownReads, { ...options, rejectsQueries: true });
  await registerRoutes(scope, { generateImages }, options);
  await scope.register(async (forms) => {
    const { uploadLimitBytes } = gateway.config.server;
    await forms.register(multipart, { throwFileSizeLimit: false });
    forms.decorateRequest('form', null);
    forms.addHook('onRoute', (route) => {
      if (route.url !== contract.editImages.path) return;
      route.bodyLimit = uploadLimitBytes;
      route.config = { ...route.config, takesForms: true };
    });
    forms.addHook('preValidation', async (request) => {
      if (request.isMultipart()) await readForm(request, uploadLimitBytes);
    });
    await registerRoutes(forms, { editImages }, options);
  });
}

/**
 * Node closes idle connections as soon as a server closes, which resets requests on their way. This keeps connections open for a while: an active client
 * sends its next request, and that response closes the connection.
 */
function keepIdleConnections(server: Server, graceMs: number): void {
  const closeIdle = server.closeIdleConnections.bind(server);
  let closeAt = Number.POSITIVE_INFINITY;
  server.closeIdleConnections = () => {
    if (performance.now() >= closeAt) closeIdle();
    else if (closeAt === Number.POSITIVE_INFINITY) {
      closeAt = performance.now() + graceMs;
      setTimeout(closeIdle, graceMs);
    }
  };
}
