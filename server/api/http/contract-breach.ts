/** Finds the operation of a request, and errors that the operation's contract doesn't declare. */
import type { FastifyRequest } from 'fastify';
import { addressErrors, type OperationName, operationErrors } from '../../../contract/operation-errors.ts';
import { type PortalOperation, portalErrors } from '../../../contract/portal/errors.ts';
import { portalContract } from '../../../contract/portal/index.ts';
import { findOperation } from '../../../contract/shared/operations.ts';
import type { Codes, GatewayError } from '../../primitives/errors.ts';

/** Returns the operation of a request, or null if no operation has its path and method. */
function findRequestOperation(request: FastifyRequest): OperationName | null {
  return hasEmptyParam(request) ? null : (findOperation(getMethod(request), request.routeOptions.url ?? '') ?? null);
}

/** The router matches an empty path segment as a parameter. */
const hasEmptyParam = ({ params }: FastifyRequest): boolean => Object.values(params ?? {}).includes('');

// `as`: Object.entries widens the names to strings.
const portalOperationByRoute: ReadonlyMap<string, PortalOperation> = new Map(
  Object.entries(portalContract).map(([name, { method, path }]) => [`${method} ${path}`, name as PortalOperation] as const),
);

/** Returns the portal operation of a request, or null if it isn't for one. */
export const findPortalOperation = (request: FastifyRequest): PortalOperation | null =>
  hasEmptyParam(request) ? null : (portalOperationByRoute.get(getRoute(request)) ?? null);

/** Describes how the error violates the contract of its URL. Null if it doesn't, or if no contract applies. */
export function findContractBreach(request: FastifyRequest, error: GatewayError): string | null {
  const portalOperation = findPortalOperation(request);
  if (portalOperation !== null) return findBreach(portalOperation, portalErrors[portalOperation], error);
  return isInContract(request) ? findOperationBreach(findRequestOperation(request), error) : null;
}

/** Whether the callers' contract applies: to its operations, below `/v1`, and to unknown URLs. */
const isInContract = (request: FastifyRequest): boolean =>
  request.is404 || request.url.startsWith('/v1/') || findRequestOperation(request) !== null;

/** HEAD counts as GET. */
const getMethod = ({ method }: FastifyRequest): string => (method === 'HEAD' ? 'GET' : method);

/** Returns method and path as a contract writes them. */
export const getRoute = (request: FastifyRequest): string => `${getMethod(request)} ${request.routeOptions.url}`;

/** Describes how the error violates the contract. Null if the operation declares its code, or the caller requested the failure from the simulator. */
export function findOperationBreach(operation: OperationName | null, error: GatewayError): string | null {
  return findBreach(operation, operation === null ? addressErrors : operationErrors[operation], error);
}

/** Like `findOperationBreach`, for the declared codes of any contract. */
export function findBreach(operation: string | null, codes: Codes, { code, isRequested }: GatewayError): string | null {
  if (isRequested || codes.includes(code)) return null;
  return operation === null
    ? `'${code}' is returned outside of any operation.`
    : `'${operation}' returns '${code}', which its contract doesn't declare.`;
}
