/** Maps an error of the Messages protocol to an error of the contract. */

import type { GatewayError } from '../../primitives/errors.ts';
import { type Fields, isKeyIn } from '../../primitives/fields.ts';
import { findErrorKind, getErrorStatus, readEnvelope, readErrorBody } from '../errors.ts';
import { toProviderError } from '../non-openai/errors.ts';
import { parseWaitSeconds } from '../retry-after.ts';
import type { ErrorType } from './wire.ts';

/** The status that each error type has outside of streams. */
const statusByType: Readonly<Record<ErrorType, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

function parseErrorBody(error: Fields, kind?: string): { type: string | null; message: string } {
  return { type: findErrorKind(error, kind), message: typeof error.message === 'string' ? error.message : '' };
}

/** Reads a response with a status other than 2xx. */
export function readAnthropicFailure(status: number, body: string, retryAfter: string | undefined, kind?: string): GatewayError {
  const providerError = parseErrorBody(readErrorBody(body), kind);
  // Overload errors sometimes arrive with status 500. In that case, the type is more specific than the status.
  const isOverload = providerError.type === 'overloaded_error';
  return toProviderError({
    ...providerError,
    status: isOverload ? 529 : getErrorStatus(providerError.type, status),
    waitSeconds: parseWaitSeconds(retryAfter),
  });
}

/** Reads an error object inside a response or stream that started with status 200. */
export function readInnerFailure(value: unknown): GatewayError {
  const providerError = parseErrorBody(readEnvelope(value));
  const status = isKeyIn(providerError.type, statusByType) ? statusByType[providerError.type] : 500;
  return toProviderError({ ...providerError, status, waitSeconds: null });
}
