/** Builds the Fastify app of the admin API, with a separate listener: role checks, the routes of the admin contract, and their reference page. */
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import {
  type AdminAddressCode,
  type AdminCode,
  type AdminOperation,
  adminAddressErrors,
  adminErrors,
} from '../../../contract/admin/errors.ts';
import { adminContract } from '../../../contract/admin/index.ts';
import type { AdminMetadata } from '../../../contract/admin/metadata.ts';
import { type AdminRole, hasRole } from '../../../contract/admin/roles.ts';
import { GatewayError } from '../../primitives/errors.ts';
import { createRequestId } from '../../primitives/request-id.ts';
import { StorageError } from '../../store/errors.ts';
import type { RequestLine } from '../../telemetry/request-line.ts';
import { findBreach, getRoute } from '../http/contract-breach.ts';
import { registerDocuments } from '../http/documents.ts';
import { rejectBrokenRequest, sendError, toContractError } from '../http/errors.ts';
import { registerJsonParser } from '../http/json-parser.ts';
import { createRegistrar } from '../http/ts-rest.ts';
import { registerPageFolder } from '../pages/page-folder.ts';
import { createAccountHandlers } from './accounts.ts';
import { createActivityHandlers } from './activity.ts';
import { createAlertHandlers } from './alerts.ts';
import { createConfigurationHandlers } from './configuration.ts';
import { createExplanationHandlers } from './explanations.ts';
import { type Caller, tryIdentifyCaller } from './identify-caller.ts';
import { createKeyHandlers } from './keys.ts';
import { createLimitHandlers } from './limits.ts';
import { createModelHandlers } from './models.ts';
import { createMoneyHandlers } from './money.ts';
import { registerNotFound } from './not-found.ts';
import type { Operations } from './operations.ts';
import { createOperatorHandlers } from './operators.ts';
import { createOverviewHandlers } from './overview.ts';
import { createRequestHandlers } from './requests.ts';
import { createRuleHandlers } from './rules.ts';
import { createSearchHandlers } from './search.ts';
import { createServerOptions, MAX_HEADER_BYTES } from './server-options.ts';
import { createSessionHandlers } from './sessions.ts';
import { registerSingleSignOn } from './single-sign-on.ts';
import { createUpstreamHandlers } from './upstreams.ts';
import { createUsageHandlers } from './usage.ts';

interface AdminAppOptions {
  /** Identifies the operator by the request's key or cookie. Rejects with `invalid_api_key`. */
  readonly identify: (request: FastifyRequest) => Promise<Caller>;
  /** Whether to serve the console at `/console/`. */
  readonly hasConsole?: boolean;
  /** Whether to validate every response against the contract, including errors. For tests and development. */
  readonly checkAnswers?: boolean;
  /** Milliseconds within which the headers and the complete request must arrive. Defaults to one minute. */
  readonly arrivalMs?: number;
  /** Called for every request that has ended. */
  readonly onRequest?: (line: RequestLine) => void;
  /** Called with the error of every 5xx response. */
  readonly onFault?: (requestId: string, error: GatewayError) => void;
}

const BODY_LIMIT_BYTES = 1024 * 1024;

const registerAdminRoutes = createRegistrar(adminContract);

export async function openAdminApp(operations: Operations, options: AdminAppOptions): Promise<FastifyInstance> {
  const app = fastify({
    ...createServerOptions(options.arrivalMs),
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    // The contract bounds the length of IDs.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    requestIdHeader: false,
    genReqId: createRequestId,
    clientErrorHandler: rejectBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      return sendError(toContractError(error, request), reply);
    },
  });
  addRequestHooks(app, options);
  registerNotFound(app);
  const docs = {
    documents: { '/openapi.json': 'admin-openapi.json' },
    site: 'operators',
    ...(options.hasConsole === true && { pages: '../../console/' }),
  } as const;
  await app.register(async (pages) => registerDocuments(pages, docs), { prefix: '/admin' });
  if (options.hasConsole === true) {
    app.get('/', (_request, reply) => reply.redirect('console/', 302));
    registerSingleSignOn(app, operations);
    registerPageFolder(app, { at: 'console' });
  }
  await app.register((scope) => registerApi(scope, operations, options));
  return app;
}

/** Gives every response a request ID and disables caching, unless its route overrides that. */
function addRequestHooks(app: FastifyInstance, { onRequest, onFault, checkAnswers = false }: AdminAppOptions): void {
  app.decorateRequest('actor', '');
  app.decorateRequest('session', null);
  app.decorateRequest('role', 'viewer');
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store' });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    onRequest?.(toRequestLine(request, reply.statusCode, reply.elapsedTime));
    done();
  });
  app.setErrorHandler((thrown, request, reply) => {
    const error = enforceContract(toAdminError(thrown, request), request, checkAnswers);
    if (error.status >= 500) onFault?.(request.id, error);
    return sendError(error, reply);
  });
}

// `as`: Object.entries widens the names to strings.
const operationByRoute = new Map(
  Object.entries(adminContract).map(([name, { method, path }]) => [`${method} ${path}`, name as AdminOperation]),
);

/** In tests and development, a code that the contract doesn't allow for the operation is an error. In production, it's sent anyway. */
function enforceContract(error: GatewayError, request: FastifyRequest, isChecked: boolean): GatewayError {
  const operation = operationByRoute.get(getRoute(request));
  const breach = isChecked ? findBreach(operation ?? null, operation ? adminErrors[operation] : adminAddressErrors, error) : null;
  return breach === null ? error : new GatewayError<AdminAddressCode>('internal_error', { message: breach, cause: error });
}

/** An unavailable store isn't an internal error. */
function toAdminError(thrown: unknown, request: FastifyRequest): GatewayError {
  if (!(thrown instanceof StorageError)) return toContractError(thrown, request);
  return new GatewayError<AdminAddressCode>('overloaded', { message: "The database doesn't respond. Try again.", cause: thrown });
}

function toRequestLine({ id, method, routeOptions }: FastifyRequest, status: number, elapsedMs: number): RequestLine {
  const end = status < 400 ? 'completed' : status < 500 ? 'rejected' : 'failed';
  return { id, method, route: routeOptions.url ?? 'unknown', status, durationMs: Math.round(elapsedMs * 10) / 10, end };
}

function findMetadata(request: FastifyRequest): AdminMetadata | undefined {
  const operation = operationByRoute.get(getRoute(request));
  return operation && adminContract[operation].metadata;
}

/** Whether the operation needs no key. */
const isPublic = (request: FastifyRequest): boolean => findMetadata(request)?.isPublic === true;
/** Whether the operation also accepts requests without a key, with a different response. */
const allowsAnonymous = (request: FastifyRequest): boolean => findMetadata(request)?.keyIsOptional === true;

/** Registers `/admin/v1`. The key or session and its role are checked before the body is read. */
async function registerApi(scope: FastifyInstance, operations: Operations, options: AdminAppOptions): Promise<void> {
  registerJsonParser(scope);
  scope.addHook('onRequest', async (request) => {
    if (isPublic(request)) return;
    const caller = allowsAnonymous(request) ? await tryIdentifyCaller(request, options.identify) : await options.identify(request);
    if (caller === null) return;
    const { actor, session, role } = caller;
    request.actor = actor;
    request.session = session;
    request.role = role;
    const operation = operationByRoute.get(getRoute(request));
    if (operation) checkRole(operation, role);
  });
  const handlers = {
    ...createAccountHandlers(operations),
    ...createKeyHandlers(operations),
    ...createMoneyHandlers(operations),
    ...createRuleHandlers(operations),
    ...createModelHandlers(operations),
    ...createUsageHandlers(operations),
    ...createOperatorHandlers(operations),
    ...createExplanationHandlers(operations),
    ...createRequestHandlers(operations),
    ...createActivityHandlers(operations),
    ...createOverviewHandlers(operations),
    ...createAlertHandlers(operations),
    ...createUpstreamHandlers(operations),
    ...createConfigurationHandlers(operations),
    ...createLimitHandlers(operations),
    ...createSearchHandlers(operations),
    ...createSessionHandlers(operations),
  };
  await registerAdminRoutes(scope, handlers, { checkAnswers: options.checkAnswers === true, rejectsQueries: true });
}

/** Throws `permission_denied`. The message names the required role. */
function checkRole(operation: AdminOperation, role: AdminRole): void {
  const requiredRole = adminContract[operation].metadata.role;
  if (hasRole(role, requiredRole)) return;
  throw new GatewayError<AdminCode<'createAdminKey'>>('permission_denied', {
    message: `This operation requires an admin key with the role '${requiredRole}'. This key has the role '${role}'.`,
  });
}
