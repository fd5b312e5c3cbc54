/** Builds the Fastify app: connection limits, hooks in the order of the checks, routes, and the one error handler. */
import multipart from '@fastify/multipart';
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import { type Contract, contract } from '../../contract/index.ts';
import { portalContract } from '../../contract/portal/index.ts';
import { playgroundContract } from '../../contract/portal/playground.ts';
import { type AnyCode, breachAt, GatewayError } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { BodyMemory } from '../limits/body-memory.ts';
import { registerPageFolder } from '../pages/mount.ts';
import { ownAccountHandlers } from '../portal/account.ts';
import { mountPortal } from '../portal/keys.ts';
import { mountPlayground } from '../portal/portal.ts';
import { newRequestId } from '../primitives/shared-timeout.ts';
import { RequestContext } from '../request/context.ts';
import { type Telemetry, wasFull } from '../telemetry/log.ts';
import { innerRequestId, isInside, mountTrpc } from '../trpc/mount.ts';
import { answerBrokenRequest, sendError, setHeader, setLimitHeaders, translate } from './answer.ts';
import { acceptJson, unpackBodies } from './body.ts';
import { checkingCopies, closeShare, imageHandlers, openEntrance, textHandlers } from './entrance.ts';
import { readForm } from './form.ts';
import { LoadShedding, lookAtMachine, overloadBounds, roomBounds, routeOptionsOf } from './load-shedding.ts';
import { CLIENT_GONE, keepBrokenRequest, logRequest, logWhenSettled } from './request-log.ts';
import { registerHealth, registerNotFound, registerPages, rejectOtherMethods } from './routes/others.ts';
import { catalogHandlers, countHandlers, modelHandlers, storedResponseHandlers, usageHandlers } from './routes/reads.ts';
import { cutStalled, goOnHalfClosed } from './sockets.ts';
import { type Handlers, registerRoutes } from './ts-rest.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route takes multipart/form-data alongside JSON. */
    readonly takesForms?: boolean;
  }
}

const MAX_HEADER_BYTES = 16 * 1024;

export async function openApp(gateway: Gateway, telemetry: Telemetry | null = null): Promise<FastifyInstance> {
  const { server, pages } = gateway.config;
  const app = fastify({
    // Fastify's logger would write addresses and headers. `observe` below writes one line for each request instead.
    logger: false,
    bodyLimit: server.bodyLimitBytes,
    requestTimeout: server.requestTimeoutMs,
    keepAliveTimeout: server.keepAliveTimeoutMs,
    // The contract bounds the length of IDs. With a shorter bound, the router would answer a long ID with 404 for the address.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    // Node would reject a request without a host header with an empty body. `rejectAtStart` rejects it with the contract's error.
    http: {
      connectionsCheckingInterval: Math.min(Math.max(Math.floor(server.headersTimeoutMs / 4), 100), 5_000),
      headersTimeout: server.headersTimeoutMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: (raw) => innerRequestId(raw) ?? newRequestId(),
    clientErrorHandler: (error, socket) => {
      const broken = answerBrokenRequest(error, socket);
      if (broken) keepBrokenRequest(gateway, broken.id, broken.failure);
    },
    frameworkErrors: (error, request, reply) => {
      setHeader(reply, 'x-request-id', request.id);
      const failure = translate(error, request);
      keepBrokenRequest(gateway, request.id, failure);
      return sendError(failure, reply);
    },
  });
  // The entrance sends `100 Continue`, after it has checked the key. A server may ignore other expectations (RFC 9110, 10.1.1); Node would
  // reject them with an empty body.
  for (const event of ['checkContinue', 'checkExpectation']) {
    app.server.on(event, (request, response) => app.server.emit('request', request, response));
  }
  const machine = lookAtMachine(server.workers);
  const bodyMemory = new BodyMemory(roomBounds(server, machine));
  const overload = new LoadShedding({ bounds: overloadBounds(server, machine), log: gateway.log });
  gateway.onAdopt((next) => {
    bodyMemory.bounds = roomBounds(next.server, machine);
    overload.bounds = overloadBounds(next.server, machine);
  });
  app.addHook('onListen', async () => overload.begin());
  app.addHook('onClose', async () => overload.close());
  goOnHalfClosed(app.server);
  cutStalled(app.server, () => gateway.config.server.writeStallMs);
  observe(app, gateway, { telemetry, overload });
  answerErrors(app, gateway);
  registerHealth(app, gateway, () => overload.describe());
  registerNotFound(app);
  registerPages(app, {
    ...(server.publicUrl !== undefined && { baseUrl: server.publicUrl }),
    home: pages.portal ? 'portal/' : 'docs/',
    ...(pages.portal && { pages: '../portal/' }),
  });
  if (pages.portal) await registerPortal(app, gateway, bodyMemory);
  const { development: checkAnswers } = gateway.config;
  await app.register((scope) => registerRoutes(scope, catalogHandlers(gateway), { checkAnswers }));
  await app.register((scope) => registerApi(scope, gateway, bodyMemory));
  await app.register(async (scope) => mountTrpc(scope, gateway, bodyMemory));
  return app;
}

interface Observers {
  readonly telemetry: Telemetry | null;
  readonly overload: LoadShedding;
}

/** Gives every request an ID and a context, and writes one log line when its response closes. */
function observe(app: FastifyInstance, gateway: Gateway, { telemetry, overload }: Observers): void {
  let isClosing = false;
  // A worker that is replaced still serves what arrives on its open connections: new ones go to the others.
  const isAlone = gateway.config.server.workers === 1;
  app.decorateRequest('call');
  app.decorateRequest('keptRouteOptions', null);
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { method } = request;
    const route = routeOptionsOf(request).url ?? 'unknown';
    const call = new RequestContext(request.id, reply.raw);
    request.call = call;
    if (telemetry?.beginTrace) call.trace = telemetry.beginTrace({ method, route, traceparent: call.header('traceparent') });
    setHeader(reply, 'x-request-id', request.id);
    if (isClosing) reply.header('connection', 'close');
    // Not `onResponse`: that hook doesn't run when the caller disconnects, and those lines are the ones an operator looks for.
    reply.raw.once('close', () => {
      call.admission?.leave();
      closeShare(request);
      const isGone = !reply.raw.writableFinished;
      const status = isGone && !reply.raw.headersSent ? CLIENT_GONE : reply.statusCode;
      const ended = { call, method, route, isCall: isCall(request), isGone, status, durationMs: call.outcome.elapsedMs() };
      // The same event destroys the stream to the caller. Wait one turn, so that the stream can report its usage first.
      if (isGone) setImmediate(logWhenSettled, gateway, telemetry, ended);
      else logRequest(gateway, telemetry, ended);
      // A keep-alive connection from before the stop would delay the stop until it times out.
      if (isClosing) setImmediate(() => app.server.closeIdleConnections());
    });
    done(rejectAtStart(request, isClosing && isAlone) ?? rejectOverload(request, overload));
  });
}

/** The addresses of operations. */
const CALLED = /^\/(?:v1|trpc)\//;

/** Pages and sessions aren't calls. A POST to an address that doesn't exist is one: its base URL lacks `/v1`. */
const isCall = ({ url, method, is404 }: FastifyRequest): boolean => CALLED.test(url) || (is404 && method === 'POST');

/** Rejects what needs no key to reject: any request while the gateway stops and no other process has its port, one without a host (RFC 9112, 3.2), and an upgrade. */
function rejectAtStart(request: FastifyRequest, isClosing: boolean): GatewayError | undefined {
  const { upgrade, host } = request.headers;
  if (isClosing && CALLED.test(request.url) && !isInside(request.raw))
    return new GatewayError<AnyCode>('overloaded', { message: 'The gateway is shutting down.', headers: { 'retry-after': '5' } });
  if (host === undefined && request.raw.httpVersion === '1.1')
    return new GatewayError<AnyCode>('malformed_request', { message: "The request has no 'host' header." });
  // A server may ignore an offer of HTTP/2 (RFC 9110, 7.8). A WebSocket client waits for a response, so it gets 426.
  if (upgrade !== undefined && !/^h2c?$/i.test(upgrade))
    return new GatewayError<AnyCode>('upgrade_required', { headers: { upgrade: 'HTTP/1.1' } });
  return undefined;
}

/** Health checks: answered even while load is shed. */
const WATCHED: readonly (string | undefined)[] = ['/livez', '/readyz'];

/** Load shedding rejects GET requests too, with or without a key: they cost event-loop time like all others. */
function rejectOverload(request: FastifyRequest, { refusal, excess }: LoadShedding): GatewayError | undefined {
  if (!refusal || WATCHED.includes(routeOptionsOf(request).url)) return undefined;
  request.call.outcome.shedFor(excess);
  return refusal;
}

/** Whether the request was rejected for lack of capacity, here or upstream. Its log line says enough; a stack for each would itself overload the process. */
const isForRoom = ({ outcome: { attempts } }: RequestContext, { code, cause }: GatewayError): boolean =>
  code === 'overloaded' && cause === undefined && attempts.every(wasFull);

/** The model that a JSON body names, for the record of a refusal; null if it names none. */
function modelIn(body: unknown): string | null {
  const model = typeof body === 'object' && body !== null && 'model' in body ? body.model : null;
  return typeof model === 'string' ? model : null;
}

/** An error code that the contract doesn't name for the operation is our bug: an `internal_error` in development, a log line in production. */
function keepContract(error: GatewayError, request: FastifyRequest, { config, log }: Gateway): GatewayError {
  // Pages and health checks are in no contract.
  const breach = breachAt(request, error);
  if (breach === null) return error;
  if (config.development) return new GatewayError<AnyCode>('internal_error', { message: breach, cause: error });
  log.error({ id: request.id, code: error.code, err: new Error(breach, { cause: error }) }, 'error not declared in the contract');
  return error;
}

/** Turns whatever was thrown into the error response; no other place does. */
function answerErrors(app: FastifyInstance, gateway: Gateway): void {
  const { log } = gateway;
  app.setErrorHandler((thrown, request, reply) => {
    const error = keepContract(translate(thrown, request), request, gateway);
    const { call } = request;
    call.outcome.rejected(error, modelIn(request.body));
    const leaving = call.admission?.giveBack();
    // When the caller disconnects, the request to the upstream fails too. That isn't an error to log.
    if (error.status >= 500 && !reply.raw.destroyed && !isForRoom(call, error))
      log.error({ id: request.id, code: error.code, err: error }, 'request failed');
    return leaving instanceof Promise ? leaving.then(() => sendError(error, reply)) : sendError(error, reply);
  });
}

/** Registers `/portal/`: its pages, its API and its playground. */
async function registerPortal(app: FastifyInstance, gateway: Gateway, bodyMemory: BodyMemory): Promise<void> {
  registerPageFolder(app, { at: 'portal' });
  rejectOtherMethods(app, [...Object.values(portalContract), ...Object.values(playgroundContract)]);
  await app.register((scope) => mountPortal(scope, gateway));
  await app.register((scope) => mountPlayground(scope, gateway, bodyMemory));
}

/** The operations that need a key. */
type Keyed = Exclude<keyof Contract, 'getCatalog'>;

/** Registers `/v1`: the entrance checks the key, then the body is read, then the pipeline runs. */
async function registerApi(scope: FastifyInstance, gateway: Gateway, bodyMemory: BodyMemory): Promise<void> {
  const options = { checkAnswers: gateway.config.development };
  acceptJson(scope);
  unpackBodies(scope);
  setLimitHeaders(scope);
  scope.addHook('onRequest', openEntrance(gateway, bodyMemory));
  const reads = { ...modelHandlers(gateway), ...storedResponseHandlers(gateway) };
  const ownReads = { ...usageHandlers(gateway), ...ownAccountHandlers(gateway) };
  const others = { ...textHandlers(gateway), ...countHandlers(gateway), ...imageHandlers(gateway) };
  // An operation of the contract without a handler doesn't compile.
  const { createChatCompletion, createResponse, countInputTokens, generateImages, editImages }: Handlers<Keyed> = {
    ...reads,
    ...ownReads,
    ...others,
  };
  await registerRoutes(scope, reads, options);
  await registerRoutes(scope, { createResponse, countInputTokens }, { ...options, ...checkingCopies(gateway, 'createResponse') });
  await registerRoutes(scope, { createChatCompletion }, { ...options, ...checkingCopies(gateway, 'createChatCompletion') });
  // SDKs of other makers don't call these, so an unknown query field can be rejected.
  await registerRoutes(scope, ownReads, { ...options, rejectsQueries: true });
  await registerRoutes(scope, { generateImages }, options);
  await scope.register(async (forms) => {
    const { uploadLimitBytes } = gateway.config.server;
    await forms.register(multipart, { throwFileSizeLimit: false });
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
