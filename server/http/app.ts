/** The Fastify app: listener limits, hooks in the order of the checks, routes, one error handler. */
import multipart from '@fastify/multipart';
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import { contract } from '../../contract/index.ts';
import { GatewayError } from '../errors.ts';
import type { Gateway } from '../gateway.ts';
import { BodyMemory } from '../limits/body-memory.ts';
import { breachOf, isInContract, operationOf } from '../operation-errors.ts';
import { countAtDoor, leaveDoor } from '../request/admission.ts';
import { RequestContext } from '../request/context.ts';
import { type Telemetry, wasFull } from '../telemetry/record.ts';
import { innerRequestId, isInside } from '../trpc/inner-connection.ts';
import { mountTrpc } from '../trpc/mount.ts';
import { CLIENT_GONE, keepBrokenRequest, logRequest, logWhenSettled } from './access-log.ts';
import { unpackBodies } from './body/decompress.ts';
import { acceptJson } from './body/json.ts';
import { readForm } from './body/multipart.ts';
import { closeShare, openEntrance } from './entrance.ts';
import { answerBrokenRequest, newRequestId, sendError, translate } from './error-handler.ts';
import { LoadShedding } from './load-shedding.ts';
import { lookAtMachine, overloadBounds, roomBounds } from './memory-limits.ts';
import { setHeader } from './response-headers.ts';
import { catalogHandlers } from './routes/catalog.ts';
import { registerHealth, registerUnknown } from './routes/health.ts';
import { imageHandlers } from './routes/images.ts';
import { modelHandlers } from './routes/models.ts';
import { registerPages } from './routes/pages.ts';
import { tellGovernance } from './routes/rate-limit-headers.ts';
import { storedResponseHandlers } from './routes/stored-responses.ts';
import { textHandlers } from './routes/text.ts';
import { usageHandlers } from './routes/usage.ts';
import { goOnHalfClosed } from './sockets/disconnect-probe.ts';
import { cutStalled } from './sockets/send-timeout.ts';
import { registerRoutes } from './ts-rest.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route takes multipart/form-data beside JSON. */
    readonly takesForms?: boolean;
  }
}

const MAX_HEADER_BYTES = 16 * 1024;

export async function openApp(gateway: Gateway, telemetry: Telemetry | null = null): Promise<FastifyInstance> {
  const { server } = gateway.config;
  const app = fastify({
    // Fastify's logger would write addresses and headers; one line for each request is written below instead.
    logger: false,
    bodyLimit: server.bodyLimitBytes,
    requestTimeout: server.requestTimeoutMs,
    keepAliveTimeout: server.keepAliveTimeoutMs,
    // How long an id may be is the contract's word; the router would call a long one an address where nothing is.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    // Node would refuse a request without a host header by itself, without a body; it is refused below.
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
  // Leave to send a body is given below, to callers with a key. Other expectations may be passed over (RFC 9110, 10.1.1); Node would
  // refuse them without a body.
  for (const event of ['checkContinue', 'checkExpectation']) {
    app.server.on(event, (request, response) => app.server.emit('request', request, response));
  }
  const machine = lookAtMachine();
  const room = new BodyMemory(() => roomBounds(gateway.config.server, machine));
  const overload = new LoadShedding({ bounds: () => overloadBounds(gateway.config.server, machine), log: gateway.log });
  app.addHook('onListen', async () => overload.forget());
  app.addHook('onClose', async () => overload.close());
  goOnHalfClosed(app.server);
  cutStalled(app.server, () => gateway.config.server.writeStallMs);
  observe(app, gateway, { telemetry, overload });
  answerErrors(app, gateway);
  registerHealth(app, gateway, () => overload.describe());
  registerUnknown(app);
  registerPages(app, server.publicUrl === undefined ? {} : { baseUrl: server.publicUrl });
  const { development: checkAnswers } = gateway.config;
  await app.register((scope) => registerRoutes(scope, catalogHandlers(gateway), { checkAnswers }));
  await app.register((scope) => registerApi(scope, gateway, room));
  await app.register(async (scope) => mountTrpc(scope, gateway, room));
  return app;
}

interface Observers {
  readonly telemetry: Telemetry | null;
  readonly overload: LoadShedding;
}

/** Every request is a call with an id, and leaves one line in the log. */
function observe(app: FastifyInstance, gateway: Gateway, { telemetry, overload }: Observers): void {
  let isClosing = false;
  app.decorateRequest('call');
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { method, routeOptions } = request;
    const route = routeOptions.url ?? 'unknown';
    const call = new RequestContext(request.id, reply.raw);
    request.call = call;
    if (telemetry?.beginTrace) call.trace = telemetry.beginTrace({ method, route, traceparent: call.header('traceparent') });
    setHeader(reply, 'x-request-id', request.id);
    if (isClosing) reply.header('connection', 'close');
    // Not `onResponse`: that hook is silent about callers who hang up, and theirs are the lines that are looked for.
    reply.raw.once('close', () => {
      countAtDoor(gateway, call);
      closeShare(request);
      const isGone = !reply.raw.writableFinished;
      const status = isGone && !reply.raw.headersSent ? CLIENT_GONE : reply.statusCode;
      const ended = { call, method, route, isGone, status, durationMs: call.elapsedMs() };
      // The stream that is torn down by the same event still has to say what it used.
      if (isGone) setImmediate(logWhenSettled, gateway, telemetry, ended);
      else logRequest(gateway, telemetry, ended);
      // A connection that was kept alive before the stop would hold it up until it times out.
      if (isClosing) setImmediate(() => app.server.closeIdleConnections());
    });
    done(refuseAtTheDoor(request, isClosing) ?? refuseOverload(request, overload));
  });
}

/** Where calls come in. */
const CALLED = /^\/(?:v1|trpc)\//;

/** What needs no key to be refused: a gateway that stops, a request without a host (RFC 9112, 3.2), a protocol that is not spoken. */
function refuseAtTheDoor(request: FastifyRequest, isClosing: boolean): GatewayError | undefined {
  const { upgrade, host } = request.headers;
  if (isClosing && CALLED.test(request.url) && !isInside(request.raw))
    return new GatewayError('overloaded', { message: 'The gateway is stopping.', headers: { 'retry-after': '5' } });
  if (host === undefined && request.raw.httpVersion === '1.1')
    return new GatewayError('malformed_request', { message: 'The request has no host header.' });
  // An offer to speak HTTP/2 may be passed over (RFC 9110, 7.8); a WebSocket client waits for a word.
  if (upgrade !== undefined && !/^h2c?$/i.test(upgrade)) return new GatewayError('upgrade_required', { headers: { upgrade: 'HTTP/1.1' } });
  return undefined;
}

/** Asked by whoever watches over the process: these are answered in any case. */
const WATCHED: readonly (string | undefined)[] = ['/livez', '/readyz'];

/** Requests that only read take turns of the event loop too, with a key or without. */
function refuseOverload({ routeOptions, call }: FastifyRequest, { refusal, excess }: LoadShedding): GatewayError | undefined {
  if (!refusal || WATCHED.includes(routeOptions.url)) return undefined;
  call.shed = excess;
  return refusal;
}

/** Of a refusal since there is no room, here or upstream, the line of the request says all; with a stack for each the log itself would be too much to do. */
const isForRoom = ({ attempts }: RequestContext, { code, cause }: GatewayError): boolean =>
  code === 'overloaded' && cause === undefined && attempts.every(wasFull);

/** Of a body that is JSON; that of a form is read by its own door. */
function modelIn(body: unknown): string | null {
  const model = typeof body === 'object' && body !== null && 'model' in body ? body.model : null;
  return typeof model === 'string' ? model : null;
}

/** A code that the operation does not name is a fault of ours: loud while we work on it, and all the same an answer to those who call. */
function keepContract(error: GatewayError, request: FastifyRequest, { config, log }: Gateway): GatewayError {
  // Pages and health are in no contract.
  if (!isInContract(request)) return error;
  const breach = breachOf(operationOf(request), error);
  if (breach === null) return error;
  if (config.development) return new GatewayError('internal_error', { message: breach, cause: error });
  log.error({ id: request.id, code: error.code, err: new Error(breach, { cause: error }) }, 'an error that the contract does not name');
  return error;
}

/** The one place where an error becomes an answer. */
function answerErrors(app: FastifyInstance, gateway: Gateway): void {
  const { log } = gateway;
  app.setErrorHandler((thrown, request, reply) => {
    const error = keepContract(translate(thrown, request), request, gateway);
    request.call.code = error.code;
    request.call.failure = error;
    request.call.askedModel = modelIn(request.body);
    const leaving = leaveDoor(gateway, request.call);
    // A caller who hung up makes the upstream fail; that is no failure.
    if (error.status >= 500 && !reply.raw.destroyed && !isForRoom(request.call, error))
      log.error({ id: request.id, code: error.code, err: error }, 'request failed');
    return leaving instanceof Promise ? leaving.then(() => sendError(error, reply)) : sendError(error, reply);
  });
}

/** `/v1`: key first, then the body, then the pipeline. */
async function registerApi(scope: FastifyInstance, gateway: Gateway, room: BodyMemory): Promise<void> {
  const options = { checkAnswers: gateway.config.development };
  acceptJson(scope, ({ call }) => call.share);
  unpackBodies(scope);
  tellGovernance(scope);
  scope.addHook('onRequest', openEntrance(gateway, room));
  await registerRoutes(scope, { ...modelHandlers(gateway), ...textHandlers(gateway), ...storedResponseHandlers(gateway) }, options);
  // No SDK of another maker asks for these.
  await registerRoutes(scope, usageHandlers(gateway), { ...options, refusesQueries: true });
  const { generateImages, editImages } = imageHandlers(gateway);
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
