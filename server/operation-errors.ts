/** Whether the contract names an error for an operation: checked when an upstream's error is read, and when an error is sent. */
import type { FastifyRequest } from 'fastify';
import { type ErrorCode, errorTable } from '../contract/errors.ts';
import { addressErrors, type OperationName, operationErrors, type SharedCode } from '../contract/operation-errors.ts';
import { operationAt } from '../contract/operations.ts';
import { portalContract } from '../contract/portal.ts';
import { type PortalOperation, portalErrors } from '../contract/portal-errors.ts';
import { type CallName, GatewayError } from './errors.ts';

type Codes = readonly ErrorCode[];

export function isNamed(operation: OperationName, code: ErrorCode): boolean {
  const codes: Codes = operationErrors[operation];
  return codes.includes(code);
}

/** What an upstream says was wrong, as an error that the operation names: a mistake of the caller stays one, by a code that says less. */
export function heardBy(operation: CallName, error: GatewayError): GatewayError {
  if (error.isAsked || isNamed(operation, error.code)) return error;
  const code: SharedCode<CallName> = errorTable[error.code].status === 400 ? 'invalid_value' : 'upstream_error';
  const { message, param, headers, cause } = error;
  return new GatewayError(code, { message, headers, cause, ...(param !== null && { param }) });
}

/** The operation that a request is for; null where there is none at its address, or none by its method. */
export function operationOf(request: FastifyRequest): OperationName | null {
  return hasEmptyParam(request) ? null : (operationAt(methodOf(request), request.routeOptions.url ?? '') ?? null);
}

/** The router takes nothing between two slashes for a parameter. */
const hasEmptyParam = ({ params }: FastifyRequest): boolean => Object.values(params ?? {}).includes('');

// The names of an object are those of its type.
const portalOperationAt: ReadonlyMap<string, PortalOperation> = new Map(
  Object.entries(portalContract).map(([name, { method, path }]) => [`${method} ${path}`, name as PortalOperation] as const),
);

/** The operation of the portal's API; null where there is none. */
export const portalOperationOf = (request: FastifyRequest): PortalOperation | null =>
  hasEmptyParam(request) ? null : (portalOperationAt.get(routeOf(request)) ?? null);

/** Why the answer breaks the contract of its address; null where it keeps it, and where no contract has a say. */
export function breachAt(request: FastifyRequest, error: GatewayError): string | null {
  const portal = portalOperationOf(request);
  if (portal !== null) return breachIn(portal, portalErrors[portal], error);
  return isInContract(request) ? breachOf(operationOf(request), error) : null;
}

/** Whether the contract of the callers has a say there: at its addresses, below `/v1`, and where nothing is. */
const isInContract = (request: FastifyRequest): boolean => request.is404 || request.url.startsWith('/v1/') || operationOf(request) !== null;

/** HEAD asks for the same as GET. */
const methodOf = ({ method }: FastifyRequest): string => (method === 'HEAD' ? 'GET' : method);

/** Method and path as a contract writes them. */
export const routeOf = (request: FastifyRequest): string => `${methodOf(request)} ${request.routeOptions.url}`;

/** Why the answer breaks the contract; null where the operation names its code, or the failure was ordered from the simulator. */
export function breachOf(operation: OperationName | null, error: GatewayError): string | null {
  return breachIn(operation, operation === null ? addressErrors : operationErrors[operation], error);
}

/** The same of any contract, by the codes that it names there. */
export function breachIn(operation: string | null, codes: Codes, { code, isAsked }: GatewayError): string | null {
  if (isAsked || codes.includes(code)) return null;
  return operation === null
    ? `'${code}' is answered where no operation is.`
    : `'${operation}' answers '${code}', which its contract does not name.`;
}
