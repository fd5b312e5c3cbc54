/** Whether an error is one that the contract names for the operation: asked where an upstream's errors come in, and where errors go out (specification part 7). */
import type { FastifyRequest } from 'fastify';
import { type ErrorCode, errorTable } from '../contract/errors.ts';
import { addressErrors, type OperationName, operationErrors, type SharedCode } from '../contract/operation-errors.ts';
import { operationAt } from '../contract/operations.ts';
import { type CallName, GatewayError } from './errors.ts';

const named: ReadonlyMap<string, ReadonlySet<ErrorCode>> = new Map(
  Object.entries(operationErrors).map(([operation, codes]) => [operation, new Set<ErrorCode>(codes)]),
);
const ofAddresses: ReadonlySet<ErrorCode> = new Set(addressErrors);

export const isNamed = (operation: OperationName, code: ErrorCode): boolean => named.get(operation)?.has(code) === true;

/** What an upstream says was wrong, as an error that the operation names: a mistake of the caller stays one, by a code that says less. */
export function heardBy(operation: CallName, error: GatewayError): GatewayError {
  if (error.isAsked || isNamed(operation, error.code)) return error;
  const code: SharedCode<CallName> = errorTable[error.code].status === 400 ? 'invalid_value' : 'upstream_error';
  const { message, param, headers, cause } = error;
  return new GatewayError(code, { message, headers, cause, ...(param !== null && { param }) });
}

/** The operation that a request is for; null where there is none at its address, or none by its method. */
export function operationOf({ method, routeOptions, params }: FastifyRequest): OperationName | null {
  // The router takes nothing between two slashes for a parameter.
  if (Object.values(params ?? {}).includes('')) return null;
  return operationAt.get(`${method === 'HEAD' ? 'GET' : method} ${routeOptions.url}`) ?? null;
}

/** Why the answer breaks the contract; null where the operation names its code, or the failure was ordered from the simulator. */
export function breachOf(operation: OperationName | null, { code, isAsked }: GatewayError): string | null {
  if (isAsked) return null;
  if (operation === null) return ofAddresses.has(code) ? null : `'${code}' is answered where no operation is.`;
  return isNamed(operation, code) ? null : `'${operation}' answers '${code}', which its contract does not name.`;
}
