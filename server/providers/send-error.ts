/** Creates the errors of a connection to an upstream: a timeout, or a response that ended early. */
import { type CallCode, type CallName, CLOSED_EARLY, GatewayError, type OperationError } from '../primitives/errors.ts';

/** Creates the error for a body that ended early. */
export const createInterruptedError = (): OperationError<CallName, 502> => new GatewayError('upstream_error', { message: CLOSED_EARLY });

/** undici's timeout error codes. */
const timeouts: ReadonlySet<unknown> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

export function toSendError(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause;
  const isTimeout = cause instanceof Error && 'code' in cause && timeouts.has(cause.code);
  return new GatewayError<CallCode>(isTimeout ? 'upstream_timeout' : 'upstream_error', { cause });
}
