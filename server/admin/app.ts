/** The operators' app: a listener of its own, admin keys, the routes of the admin contract and their reference page. */
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import {
  type AdminAddressCode,
  type AdminCode,
  type AdminOperation,
  adminAddressErrors,
  adminErrors,
} from '../../contract/admin/errors.ts';
import { adminContract } from '../../contract/admin/index.ts';
import type { AdminMetadata } from '../../contract/admin/metadata.ts';
import { type AdminRole, mayAs } from '../../contract/admin/roles.ts';
import { breachIn, GatewayError, routeOf } from '../errors.ts';
import { answerBrokenRequest, sendError, translate } from '../http/answer.ts';
import { acceptJson } from '../http/body.ts';
import { registerPages } from '../http/routes/others.ts';
import { registrarOf } from '../http/ts-rest.ts';
import { registerPageFolder } from '../pages/mount.ts';
import { newRequestId } from '../primitives/shared-timeout.ts';
import { StorageError } from '../storage/errors.ts';
import type { RequestLine } from '../telemetry/log.ts';
import { accountHandlers, moneyHandlers } from './accounts.ts';
import { configurationHandlers, ruleHandlers } from './configuration.ts';
import { explanationHandlers, keyHandlers, operatorHandlers } from './keys.ts';
import type { Operations } from './operations.ts';
import { overviewHandlers } from './overview.ts';
import { requestHandlers, searchHandlers } from './requests.ts';
import { type Caller, identifyIfAny, registerSingleSignOn, sessionHandlers } from './sessions.ts';
import { alertHandlers, upstreamHandlers } from './upstreams.ts';
import { activityHandlers, modelHandlers, usageHandlers } from './usage.ts';
import { limitHandlers } from './verdict.ts';

export interface AdminAppOptions {
  /** Identifies the operator by the key or the cookie of the request; rejects with `invalid_api_key`. */
  readonly callerOf: (request: FastifyRequest) => Promise<Caller>;
  /** Whether it serves the console at `/console/`. */
  readonly hasConsole?: boolean;
  /** Check every answer against the contract, errors included; for tests and development. */
  readonly checkAnswers?: boolean;
  /** Time in milliseconds within which the headers and the whole request must arrive. Defaults to a minute. */
  readonly arrivalMs?: number;
  /** Told of every request that has ended. */
  readonly onRequest?: (line: RequestLine) => void;
  /** Called for every answer with a status from 500, with its cause. */
  readonly onFault?: (requestId: string, error: GatewayError) => void;
}

const BODY_LIMIT = 1024 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const MINUTE_MS = 60_000;
const MAX_CHECK_MS = 5_000;

const registerAdminRoutes = registrarOf(adminContract);

export async function openAdminApp(operations: Operations, options: AdminAppOptions): Promise<FastifyInstance> {
  const { arrivalMs = MINUTE_MS } = options;
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: arrivalMs,
    // How long an id may be is the contract's word.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    http: {
      headersTimeout: arrivalMs,
      connectionsCheckingInterval: Math.min(arrivalMs, MAX_CHECK_MS),
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    forceCloseConnections: 'idle',
    requestIdHeader: false,
    genReqId: newRequestId,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      return sendError(translate(error, request), reply);
    },
  });
  observe(app, options);
  registerUnknown(app);
  const docs = {
    documents: { '/openapi.json': 'admin-openapi.json' },
    site: 'operators',
    ...(options.hasConsole === true && { pages: '../../console/' }),
  } as const;
  await app.register(async (pages) => registerPages(pages, docs), { prefix: '/admin' });
  if (options.hasConsole === true) {
    app.get('/', (_request, reply) => reply.redirect('console/', 302));
    registerSingleSignOn(app, operations);
    registerPageFolder(app, { at: 'console' });
  }
  await app.register((scope) => registerApi(scope, operations, options));
  return app;
}

/** Every answer has a request id and must not be cached, unless its route says otherwise. */
function observe(app: FastifyInstance, { onRequest, onFault, checkAnswers = false }: AdminAppOptions): void {
  app.decorateRequest('actor', '');
  app.decorateRequest('session', null);
  app.decorateRequest('role', 'viewer');
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store' });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    onRequest?.(lineOf(request, reply.statusCode, reply.elapsedTime));
    done();
  });
  app.setErrorHandler((thrown, request, reply) => {
    const error = keepContract(faultOf(thrown, request), request, checkAnswers);
    if (error.status >= 500) onFault?.(request.id, error);
    return sendError(error, reply);
  });
}

// The names of an object are those of its type.
const operationAt = new Map(Object.entries(adminContract).map(([name, { method, path }]) => [`${method} ${path}`, name as AdminOperation]));

/** In tests and development, a code that the contract doesn't allow for the operation is an error. In production, it's sent anyway. */
function keepContract(error: GatewayError, request: FastifyRequest, isChecked: boolean): GatewayError {
  const operation = operationAt.get(routeOf(request));
  const breach = isChecked ? breachIn(operation ?? null, operation ? adminErrors[operation] : adminAddressErrors, error) : null;
  return breach === null ? error : new GatewayError<AdminAddressCode>('internal_error', { message: breach, cause: error });
}

/** A store that is down is not an internal error. */
function faultOf(thrown: unknown, request: FastifyRequest): GatewayError {
  if (!(thrown instanceof StorageError)) return translate(thrown, request);
  return new GatewayError<AdminAddressCode>('overloaded', { message: "The database doesn't respond. Try again.", cause: thrown });
}

function lineOf({ id, method, routeOptions }: FastifyRequest, status: number, elapsedMs: number): RequestLine {
  const end = status < 400 ? 'completed' : status < 500 ? 'rejected' : 'failed';
  return { id, method, route: routeOptions.url ?? 'unknown', status, durationMs: Math.round(elapsedMs * 10) / 10, end };
}

function metadataOf(request: FastifyRequest): AdminMetadata | undefined {
  const operation = operationAt.get(routeOf(request));
  return operation && adminContract[operation].metadata;
}

/** The operations that need no key. */
const isPublic = (request: FastifyRequest): boolean => metadataOf(request)?.isPublic === true;
/** The operations that answer somebody without a key as well, otherwise. */
const isOpen = (request: FastifyRequest): boolean => metadataOf(request)?.keyIsOptional === true;

/** `/admin/v1`: the key or the session, and its role, are checked before the body is read. */
async function registerApi(scope: FastifyInstance, operations: Operations, options: AdminAppOptions): Promise<void> {
  acceptJson(scope);
  scope.addHook('onRequest', async (request) => {
    if (isPublic(request)) return;
    const caller = isOpen(request) ? await identifyIfAny(request, options.callerOf) : await options.callerOf(request);
    if (caller === null) return;
    const { actor, session, role } = caller;
    request.actor = actor;
    request.session = session;
    request.role = role;
    const operation = operationAt.get(routeOf(request));
    if (operation) checkRole(operation, role);
  });
  const handlers = {
    ...accountHandlers(operations),
    ...keyHandlers(operations),
    ...moneyHandlers(operations),
    ...ruleHandlers(operations),
    ...modelHandlers(operations),
    ...usageHandlers(operations),
    ...operatorHandlers(operations),
    ...explanationHandlers(operations),
    ...requestHandlers(operations),
    ...activityHandlers(operations),
    ...overviewHandlers(operations),
    ...alertHandlers(operations),
    ...upstreamHandlers(operations),
    ...configurationHandlers(operations),
    ...limitHandlers(operations),
    ...searchHandlers(operations),
    ...sessionHandlers(operations),
  };
  await registerAdminRoutes(scope, handlers, { checkAnswers: options.checkAnswers === true, rejectsQueries: true });
}

const routes = Object.values(adminContract).map(({ path, method }) => ({
  shown: path.replace(/:(\w+)/g, '{$1}'),
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  method,
}));

export function registerUnknown(app: FastifyInstance): void {
  // Thrown before the body is read; the handler is never reached.
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? nowhere(request) : undefined));
  app.setNotFoundHandler(async () => null);
}

function nowhere({ url, method }: FastifyRequest): GatewayError {
  const path = url.split('?', 1)[0] ?? '';
  const here = routes.filter(({ pattern }) => pattern.test(path));
  const [first] = here;
  if (!first)
    return new GatewayError<AdminAddressCode>('unknown_url', {
      message: 'Not found. Paths of the admin API start with /admin/v1.',
    });
  const taken = [...new Set(here.map((one) => one.method))];
  return new GatewayError<AdminAddressCode>('method_not_allowed', {
    message: `${first.shown} accepts ${taken.join(' or ')}, not ${method}.`,
    headers: { allow: taken.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ') },
  });
}

/** Throws `permission_denied`; the message names the role that may. */
export function checkRole(operation: AdminOperation, role: AdminRole): void {
  const needed = adminContract[operation].metadata.role;
  if (mayAs(role, needed)) return;
  throw new GatewayError<AdminCode<'createAdminKey'>>('permission_denied', {
    message: `This operation requires an admin key with the role '${needed}'. This key has the role '${role}'.`,
  });
}
